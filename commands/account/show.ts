import { withDigits } from '../../src/base/digits.js'
import { BaseCommand } from '../../src/cli/command/base-command.js'
import { getJson, routePath, textOf, type View, withGateway } from '../../src/cli/gateway/gateway.js'
import { accountArg } from '../../src/cli/input/texts.js'
import { pairs, table } from '../../src/cli/terminal/output.js'

export default class AccountShow extends BaseCommand {
  static override description = 'Show an account with its balances, by its address or its alias label@domain.'
  static override examples = [
    '<%= config.bin %> account show alice@bank',
    '<%= config.bin %> account show cw1... --json',
  ]
  static override args = {
    account: accountArg({ description: 'address or alias', required: true, ignoreStdin: true }),
  }

  async run(): Promise<void> {
    const { args, flags } = await this.parse(AccountShow)
    const settings = await this.settings(flags)
    const [view, digits] = await withGateway(settings, async (client) => {
      const { digitsOf } = await import('../../src/cli/gateway/directory.js')
      const found = (await getJson(client, ({ accounts }) => accounts.account, {
        params: { id: args.account },
      })) as View
      return [
        found,
        this.out.json ? new Map<string, number>() : await digitsOf(client, found.balances ?? null),
      ] as const
    })
    const balances = (view.balances ?? []) as readonly View[]
    const head = pairs([
      ['address', textOf(view.id)],
      ['domain', textOf(view.domain)],
      ['label', textOf(view.label)],
      ['metadata', textOf(view.metadata)],
    ])
    const rows = balances.map(({ definition, amount }) => [
      String(definition),
      withDigits(String(amount), digits.get(String(definition)) ?? 0),
    ])
    this.out.result(view, rows.length === 0 ? head : `${head}\n\n${table(['ASSET', 'AMOUNT'], rows)}`)
    if (view.more_balances === true) {
      const path = await routePath(({ assets }) => assets.accountAssets, { params: { id: args.account } })
      this.out.note(`the first ${rows.length} balances; \`causeway api GET ${path}\` returns all of them, page by page`)
    }
  }
}
