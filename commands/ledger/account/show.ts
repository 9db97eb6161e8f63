import { Args } from '@oclif/core'
import { BaseCommand } from '../../../src/cli/command/base-command.js'
import { pairs, table } from '../../../src/cli/command/output.js'
import { askGateway, routePath, textOf, viewsOf } from '../../../src/cli/gateway/gateway.js'

export default class LedgerAccountShow extends BaseCommand {
  static override description = 'Show an account with its balances, by its address or its alias label@domain.'
  static override examples = [
    '<%= config.bin %> ledger account show alice@bank',
    '<%= config.bin %> ledger account show cw1... --json',
  ]
  static override args = {
    account: Args.string({ description: 'address or alias', required: true, ignoreStdin: true }),
  }

  async run(): Promise<void> {
    const { args, flags } = await this.parse(LedgerAccountShow)
    const settings = await this.settings(flags)
    const view = await askGateway(settings, ({ accounts }) => accounts.account, { params: { id: args.account } })
    const balances = viewsOf(view.balances)
    const head = pairs([
      ['address', textOf(view.id)],
      ['domain', textOf(view.domain)],
      ['label', textOf(view.label)],
      ['metadata', textOf(view.metadata)],
    ])
    const rows = balances.map((one) => [textOf(one.definition) ?? '', textOf(one.amount) ?? ''])
    this.out.result(view, rows.length === 0 ? head : `${head}\n\n${table(['ASSET', 'AMOUNT'], rows)}`)
    if (view.more_balances === true) {
      const path = await routePath(({ assets }) => assets.accountAssets, { params: { id: args.account } })
      this.out.note(`the first ${rows.length} balances; \`causeway api GET ${path}\` has them all, page by page`)
    }
  }
}
