import { Args, Flags } from '@oclif/core'
import { shortId } from '../../src/base/ids.js'
import { BaseCommand } from '../../src/cli/command/base-command.js'
import { table } from '../../src/cli/command/output.js'
import { withGateway } from '../../src/cli/gateway/gateway.js'

/** Furthest end of a period: 2^48 - 1 ms, what an index key holds. */
const END_OF_TIME_MS = 2 ** 48 - 1

/** Who set a reference, short enough for a table: the end of an address tells accounts apart. */
const setBy = (address: string, own: string): string => (address === own ? 'this account' : shortId(address))

export default class LedgerStatement extends BaseCommand {
  static override description =
    `Movements of an account in a period, each with the balance after it: as a table, CSV, or camt.053-style XML.
Days are UTC; --to includes its day. In camt.053, assets that are held and did not move have their balances too. A node that joined by a snapshot has the movements since then.`
  static override examples = [
    '<%= config.bin %> ledger statement alice@bank --from 2026-03-01 --to 2026-03-31',
    '<%= config.bin %> ledger statement alice@bank --from 2026-03-01 --format csv > march.csv',
    '<%= config.bin %> ledger statement alice@bank --asset eur#bank --currency EUR --format camt053',
  ]
  static override args = {
    account: Args.string({ description: 'address or alias label@domain', required: true, ignoreStdin: true }),
  }
  static override flags = {
    from: Flags.string({ description: 'first day YYYY-MM-DD, or a time; default: the beginning' }),
    to: Flags.string({ description: 'last day, or a time; default: now' }),
    asset: Flags.string({ description: 'one asset definition; default: all that moved' }),
    format: Flags.option({
      options: ['table', 'csv', 'camt053'] as const,
      description: 'form of the result',
      default: 'table' as const,
    })(),
    currency: Flags.string({
      description: 'currency of the asset in camt053, such as EUR; default: that of its name, if the ledger binds it',
      dependsOn: ['asset'],
    }),
  }

  async run(): Promise<void> {
    const { args, flags } = await this.parse(LedgerStatement)
    const { boundCurrencies, fetchStatement, statementCsv, statementXml, timeOf } = await import(
      '../../src/cli/iso/statement.js'
    )
    const nowMs = Date.now()
    const fromMs = flags.from === undefined ? 0 : timeOf(flags.from, false)
    const toMs = flags.to === undefined ? Math.min(nowMs + 60_000, END_OF_TIME_MS) : timeOf(flags.to, true)
    const settings = await this.settings(flags)
    const isCamt = flags.format === 'camt053'
    const period = { fromMs, toMs, asset: flags.asset, withUnmoved: isCamt }
    const [statement, currencies] = await withGateway(settings, async (client) => {
      const fetched = await fetchStatement(client, args.account, period)
      const isBound = isCamt && flags.currency === undefined
      return [fetched, isBound ? await boundCurrencies(client, fetched.assets) : new Map<string, string>()] as const
    })
    if (this.out.json || flags.format === 'table') {
      const rows = statement.assets.flatMap(({ items }) =>
        items.map((one) => [
          new Date(one.time_ms).toISOString().slice(0, 19).replace('T', ' '),
          one.definition,
          `${one.side === 'Credit' ? '+' : '-'}${one.amount}`,
          one.balance,
          one.reference ?? '',
          one.reference_by === null ? '' : setBy(one.reference_by, statement.account),
          shortId(one.transaction_hash ?? ''),
        ]),
      )
      const head = ['TIME (UTC)', 'ASSET', 'AMOUNT', 'BALANCE', 'REFERENCE', 'SET BY', 'TRANSACTION']
      return this.out.result(statement, rows.length === 0 ? 'no movement in this period' : table(head, rows))
    }
    if (flags.asset !== undefined && flags.currency !== undefined)
      currencies.set(flags.asset, flags.currency.toUpperCase())
    const text = flags.format === 'csv' ? statementCsv(statement) : statementXml(statement, currencies, nowMs)
    this.out.result(statement, text)
  }
}
