import { BaseCommand } from '../../src/cli/command/base-command.js'
import { postView, textOf, viewOf, viewsOf, withGateway } from '../../src/cli/gateway/gateway.js'
import { accountArg } from '../../src/cli/input/texts.js'
import { table } from '../../src/cli/terminal/output.js'
import { LedgerError } from '../../src/model/errors.js'

export default class AliasResolve extends BaseCommand {
  static override description =
    `Show the accounts and asset definitions of aliases: names path@domain, iban: with an IBAN, and ccy: with a currency.
Prints the account or asset definition, the home domain of the account, and the standing of the name. Exits 4 if an alias
does not resolve.`
  static override examples = [
    '<%= config.bin %> alias resolve bob@bank',
    '<%= config.bin %> alias resolve alice@bank bob@bank ccy:EUR --json',
  ]
  static override strict = false
  static override args = {
    alias: accountArg({ description: 'alias; may be repeated', required: true, ignoreStdin: true }),
  }

  async run(): Promise<void> {
    const { argv, flags } = await this.parse(AliasResolve)
    const aliases = argv.map(String)
    const answer = await withGateway(await this.settings(flags), (client) =>
      postView(client, ({ names }) => names.aliasBatch, { aliases }),
    )
    const items = viewsOf(answer.items)
    const rows = items.map(({ alias, answer: given, error }) => {
      const { account_id: account, asset_definition_id: definition, home_domain: home, standing } = viewOf(given)
      const refused = viewOf(error)
      const state = textOf(standing) ?? textOf(refused.standing) ?? textOf(refused.code)
      return [alias, account, definition, home, state].map((cell) => textOf(cell) ?? '-')
    })
    this.out.result(answer, table(['ALIAS', 'ACCOUNT', 'ASSET', 'HOME', 'STANDING'], rows))
    const failed = items.find(({ error }) => error !== undefined && error !== null)
    if (failed !== undefined) this.exitWith(new LedgerError('alias_unknown', '').exit)
  }
}
