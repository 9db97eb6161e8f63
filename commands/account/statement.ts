import { Flags } from '@oclif/core'
import { withDigits } from '../../src/base/digits.js'
import { shortId } from '../../src/base/ids.js'
import { BaseCommand } from '../../src/cli/command/base-command.js'
import type { Directory } from '../../src/cli/gateway/directory.js'
import { withGateway } from '../../src/cli/gateway/gateway.js'
import { accountArg, assetFlag } from '../../src/cli/input/texts.js'
import type { AccountStatement } from '../../src/cli/iso/statement.js'
import type { Settings } from '../../src/cli/settings/settings.js'
import { pairs, table } from '../../src/cli/terminal/output.js'
import { isoTime } from '../../src/cli/text/figures.js'

export default class StatementCommand extends BaseCommand {
  static override description =
    `Show the movements of an account in a period, each with the balance after it: as a table, CSV, or camt.053-style XML.
The table has the newest movements first and the balances at both ends of the period; CSV, XML and JSON have the oldest first.
Days are UTC; --until includes its day. camt.053 also contains balances of held assets without movements. A node that started from a snapshot has only later movements.`
  static override examples = [
    '<%= config.bin %> account statement alice@bank --since 2026-03-01 --until 2026-03-31',
    '<%= config.bin %> account statement alice@bank --since 2026-03-01 --format csv > march.csv',
    '<%= config.bin %> account statement alice@bank --asset eur#bank --currency EUR --format camt053',
  ]
  static override args = {
    account: accountArg({ description: 'address or alias label@domain', required: true, ignoreStdin: true }),
  }
  static override flags = {
    since: Flags.string({
      aliases: ['from'],
      deprecateAliases: true,
      description: 'first day YYYY-MM-DD, or a time; default: the beginning',
    }),
    until: Flags.string({ aliases: ['to'], deprecateAliases: true, description: 'last day, or a time; default: now' }),
    asset: assetFlag({ description: 'one asset definition (default: all with movements)' }),
    format: Flags.option({
      options: ['table', 'csv', 'camt053'] as const,
      description: 'form of the result',
      default: 'table' as const,
    })(),
    limit: Flags.integer({ description: 'movements per page of the table', default: 100, min: 1, max: 100_000 }),
    page: Flags.integer({ description: 'page of the table; 1 has the newest movements', default: 1, min: 1 }),
    currency: Flags.string({
      description: 'currency of the asset in camt053, such as EUR (default: its name, if the ledger binds it)',
      dependsOn: ['asset'],
    }),
  }

  async run(): Promise<void> {
    const { args, flags } = await this.parse(StatementCommand)
    const { boundCurrencies, fetchStatement, periodOf, statementCsv, statementXml } = await import(
      '../../src/cli/iso/statement.js'
    )
    const nowMs = Date.now()
    const settings = await this.settings(flags)
    const isCamt = flags.format === 'camt053'
    const period = { ...periodOf(flags, nowMs), asset: flags.asset, withUnmoved: isCamt }
    const [statement, currencies] = await withGateway(settings, async (client) => {
      const fetched = await fetchStatement(client, args.account, period)
      const isBound = isCamt && flags.currency === undefined
      return [fetched, isBound ? await boundCurrencies(client, fetched.assets) : new Map<string, string>()] as const
    })
    if (this.out.json) return this.out.result(statement, '')
    if (flags.format === 'table') {
      const { text, note } = await this.tableOf(settings, statement, flags)
      this.out.result(statement, text)
      if (note !== undefined) this.out.note(note)
      return
    }
    if (flags.asset !== undefined && flags.currency !== undefined)
      currencies.set(flags.asset, flags.currency.toUpperCase())
    const text = flags.format === 'csv' ? statementCsv(statement) : statementXml(statement, currencies, nowMs)
    this.out.result(statement, text)
  }

  /** Balances at both ends of the period, and a page of its movements, newest first. */
  private async tableOf(
    settings: Settings,
    statement: AccountStatement,
    { page, limit }: { readonly page: number; readonly limit: number },
  ): Promise<{ readonly text: string; readonly note: string | undefined }> {
    const { newestFirst } = await import('../../src/cli/iso/statement.js')
    const { directoryOf } = await import('../../src/cli/gateway/directory.js')
    const { rows, pages } = newestFirst(statement, page, limit)
    const shown = rows.map(({ counterparty, reference_by: by }) => [counterparty, by])
    const assets = statement.assets.map(({ asset }) => asset)
    const names = await withGateway(settings, (client) =>
      directoryOf(client, settings.gateway, assets, [shown, statement.account]),
    )
    const amountOf = (amount: string, asset: string): string => withDigits(amount, names.digits.get(asset) ?? 0)
    const ends = statement.assets.map(({ asset, opening, closing }) => [
      asset,
      amountOf(opening, asset),
      amountOf(closing, asset),
    ])
    const cells = rows.map((one) => [
      isoTime(one.time_ms),
      one.definition,
      `${one.side === 'Credit' ? '+' : '-'}${amountOf(one.amount, one.definition)}`,
      amountOf(one.balance, one.definition),
      one.counterparty === null ? '' : idText(one.counterparty, names),
      one.reference ?? '',
      one.reference_by === null ? '' : setBy(one.reference_by, statement.account, names),
      shortId(one.transaction_hash ?? ''),
    ])
    const head = ['TIME', 'ASSET', 'AMOUNT', 'BALANCE', 'WITH', 'REFERENCE', 'SET BY', 'TRANSACTION']
    const text = [
      pairs([
        ['account', names.named(statement.account)],
        ['from', statement.fromMs === 0 ? 'the beginning' : isoTime(statement.fromMs)],
        ['to', isoTime(Math.min(statement.toMs, Date.now()))],
      ]),
      ...(ends.length === 0 ? [] : [table(['ASSET', 'OPENING', 'CLOSING'], ends)]),
      cells.length === 0 ? noneText(page, pages) : table(head, cells),
    ].join('\n\n')
    return { text, note: pages === 1 || page > pages ? undefined : pageNote(page, pages) }
  }
}

/** An account by its name, otherwise in short. */
function idText(address: string, names: Directory): string {
  const named = names.named(address, 'short')
  return named === address ? shortId(address) : named
}

/** The account that set a reference. */
const setBy = (address: string, own: string, names: Directory): string =>
  address === own ? 'this account' : idText(address, names)

/** Text in place of a table without rows. */
const noneText = (page: number, pages: number): string =>
  page > pages ? `page ${page} does not exist; the last one is ${pages}` : 'no movement in this period'

/** Which pages there are beside one. */
function pageNote(page: number, pages: number): string {
  const newer = page > 1 ? `, --page ${page - 1} shows newer movements` : ''
  const older = page < pages ? `, --page ${page + 1} shows older movements` : ''
  return `page ${page} of ${pages}${newer}${older}`
}
