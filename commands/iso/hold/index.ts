import { shortId } from '../../../src/base/ids.js'
import { BaseCommand } from '../../../src/cli/command/base-command.js'
import { getView, textOf, viewsOf, withGateway } from '../../../src/cli/gateway/gateway.js'
import { moneyText } from '../../../src/cli/iso/iso.js'
import { table } from '../../../src/cli/terminal/output.js'
import { isoTime } from '../../../src/cli/text/figures.js'

export default class IsoHold extends BaseCommand {
  static override description = `List the payments that wait for an operator, oldest first.
The rules are in the node configuration (iso.hold). The key must be one of gateway.operator_keys.`
  static override examples = [
    '<%= config.bin %> iso hold --key-file operator.json',
    '<%= config.bin %> iso hold --json --key-file operator.json',
  ]

  async run(): Promise<void> {
    const { flags } = await this.parse(IsoHold)
    const settings = await this.settings(flags)
    const view = await withGateway(settings, (client) => getView(client, ({ iso20022 }) => iso20022.held), {
      signed: true,
    })
    const items = viewsOf(view.items)
    const rows = items.map((one) => [
      textOf(one.message_id) ?? '',
      typeof one.place === 'number' ? `${one.place} of ${String(one.number_of_transactions)}` : '',
      shortId(textOf(one.body_hash) ?? ''),
      textOf(one.pacs002_code) ?? '',
      moneyText(one) ?? '',
      textOf(one.hold_reason_code) ?? '',
      textOf(one.settlement_date) ?? '',
      isoTime(one.received_at_ms),
    ])
    const head = ['MESSAGE', 'PAYMENT', 'BODY', 'STATUS', 'AMOUNT', 'RULE', 'SETTLEMENT', 'RECEIVED']
    this.out.result(view, table(head, rows))
  }
}
