/** Owns the rows that depend on earlier rows: movements with balances, balances and supplies by block. */
import { formatNumeric, type Numeric, parseNumeric, toHex } from '../codec/index.js'
import { changesOf } from '../features/explorer/schema/changes.js'
import { GENESIS_HEIGHT, LedgerError, subtract, add as sum } from '../model/index.js'
import { type AddRow, addressText, type DecodedBlock, type Naming, timeText } from './ledger-rows.js'
import * as tables from './tables.js'
import type { Balance, Warehouse } from './warehouse.js'

/** Maximum balances cached between batches, a few hundred bytes each; others are read again. */
const BALANCES_MAX = 200_000

const ZERO: Numeric = { mantissa: 0n, scale: 0 }

const nameOf = ({ account, definition }: Pick<Balance, 'account' | 'definition'>): string => `${account} ${definition}`

function amountOf(text: string): Numeric {
  const value = parseNumeric(text)
  if (value === undefined) {
    throw new LedgerError('sink_conflict', `the tables contain ${JSON.stringify(text)} as a balance or supply`, {
      hint: 'Rows were altered: find them with `causeway sink verify`.',
    })
  }
  return value
}

const moved = (height: number, what: string): LedgerError =>
  new LedgerError('proof_invalid', `block ${height}: the events from the gateway do not match ${what}`, {
    hint: 'Events are not covered by a root of the chain, and rows of earlier blocks may be altered. Run `causeway sink verify` from genesis on with another node.',
  })

/** Balances and supplies after the last processed block. */
export class RunningBalances {
  private readonly balances = new Map<string, Numeric>()
  private readonly supplies = new Map<string, Numeric>()

  constructor(private readonly warehouse: Pick<Warehouse, 'balances' | 'supplies'>) {}

  /** Discard the effects of blocks that were not written. */
  clear(): void {
    this.balances.clear()
    this.supplies.clear()
  }

  /** Read the balances before a batch from rows of earlier blocks. Must be called before `rows` of the batch. */
  async load(batch: readonly DecodedBlock[], naming: Naming): Promise<void> {
    if (this.balances.size > BALANCES_MAX) this.balances.clear()
    const before = (batch[0]?.block.header.height ?? GENESIS_HEIGHT) - 1
    const wanted = new Map<string, Pick<Balance, 'account' | 'definition'>>()
    const definitions = new Set<string>()
    for (const { outcome } of batch) {
      for (const { account, definition } of changesOf(outcome.events)) {
        const place = { account: addressText(account, naming), definition }
        if (!this.balances.has(nameOf(place))) wanted.set(nameOf(place), place)
        if (!this.supplies.has(definition)) definitions.add(definition)
      }
    }
    for (const name of wanted.keys()) this.balances.set(name, ZERO)
    for (const one of await this.warehouse.balances([...wanted.values()], before)) {
      this.balances.set(nameOf(one), amountOf(one.amount))
    }
    for (const definition of definitions) this.supplies.set(definition, ZERO)
    for (const { definition, supply } of await this.warehouse.supplies([...definitions], before)) {
      this.supplies.set(definition, amountOf(supply))
    }
  }

  /** Rows of the next block. */
  rows({ block, outcome, body }: DecodedBlock, naming: Naming, add: AddRow): void {
    const { height, timeMs } = block.header
    const time = timeText(timeMs)
    const after = new Map<string, readonly [account: string, definition: string]>()
    const minting = new Set<string>()
    let transfers = 0
    for (const [number, change] of changesOf(outcome.events).entries()) {
      const { definition, amount, side, kind, counterparty, entry } = change
      const account = addressText(change.account, naming)
      const name = nameOf({ account, definition })
      const balance = (side === 'credit' ? sum : subtract)(this.balances.get(name) ?? ZERO, amount)
      if (balance === undefined) throw moved(height, `a balance of ${definition}`)
      this.balances.set(name, balance)
      after.set(name, [account, definition])
      const other = counterparty === undefined ? null : addressText(counterparty, naming)
      const result = entry < (body?.entries.length ?? 0) ? outcome.results[entry] : undefined
      const caused = result === undefined ? null : toHex(result.transactionId)
      const shown = formatNumeric(amount)
      add(tables.movements, [
        height,
        number,
        time,
        account,
        definition,
        side,
        kind,
        shown,
        formatNumeric(balance),
        other,
        caused,
      ])
      if (kind === 'transfer' && side === 'debit' && other !== null) {
        add(tables.transfers, [height, transfers, time, caused, definition, account, other, shown])
        transfers += 1
      }
      if (kind === 'mint' || kind === 'burn') {
        const supply = (kind === 'mint' ? sum : subtract)(this.supplies.get(definition) ?? ZERO, amount)
        if (supply === undefined) throw moved(height, `the supply of ${definition}`)
        this.supplies.set(definition, supply)
        minting.add(definition)
      }
    }
    for (const [name, [account, definition]] of after) {
      add(tables.balances, [account, definition, height, formatNumeric(this.balances.get(name) ?? ZERO)])
    }
    for (const definition of minting) {
      add(tables.supplies, [definition, height, formatNumeric(this.supplies.get(definition) ?? ZERO)])
    }
  }
}
