import { SignedCommand } from '../../../src/cli/command/signed-command.js'
import { textOf, type View, viewsOf } from '../../../src/cli/gateway/gateway.js'
import { table } from '../../../src/cli/terminal/output.js'
import { isoTime } from '../../../src/cli/text/figures.js'

const timeOf = (value: View[string]): string => (typeof value === 'number' ? isoTime(value) : '-')

export default class OperatorPasskeyList extends SignedCommand {
  static override description = 'List the passkeys of the operators of a node.'
  static override examples = ['<%= config.bin %> operator passkey list --key-file operator.json']

  async run(): Promise<void> {
    const { flags } = await this.parse(OperatorPasskeyList)
    const record = await this.askSigned(flags, ({ passkeys }) => passkeys.list)
    const rows = viewsOf(record.items).map((one) => [
      textOf(one.id) ?? '',
      textOf(one.label) ?? '',
      textOf(one.account) ?? '',
      timeOf(one.created_at_ms),
      timeOf(one.last_used_at_ms),
    ])
    this.out.result(record, table(['PASSKEY', 'NAME', 'ACTS AS', 'MADE', 'LAST USED'], rows))
  }
}
