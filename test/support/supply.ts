/**
 * Owns the permitted effects of a block on value: balances change according to events, totals by minted and burned
 * amounts, and the holdings of a definition sum to its total.
 */

import { expect } from 'vitest'
import type { Numeric } from '../../src/codec/index.js'
import type { BlockRun } from '../../src/executor/index.js'
import { parameterOf } from '../../src/executor/parameters.js'
import { events as assetEvents } from '../../src/features/assets/schema/events.js'
import { changesOf } from '../../src/features/explorer/schema/changes.js'
import { FEE_SINK, events as feeEvents } from '../../src/features/fees/schema.js'
import { pools } from '../../src/features/staking/ledger/stake/tables.js'
import { ONLY } from '../../src/features/staking/ledger/table.js'
import { events as stakingEvents } from '../../src/features/staking/schema/events.js'
import { SLASH_TO } from '../../src/features/staking/schema/parameters.js'
import { escrows } from '../../src/ledger/escrows.js'
import { rwaLots } from '../../src/ledger/lot-tables.js'
import { balances, type Definition, definitions, feePools } from '../../src/ledger/tables.js'
import { type AssetId, isEvent, type Lot } from '../../src/model/index.js'
import type { Overlay } from '../../src/state/index.js'
import { keyIn } from './nodes.js'

/** Maximum fraction digits of a definition. */
const SCALE_MAX = 28
const unitsOf = ({ mantissa, scale }: Numeric): bigint => mantissa * 10n ** BigInt(SCALE_MAX - scale)

/** Sums by name; zero counts as absent. */
class Sums {
  private readonly sums = new Map<string, bigint>()

  add(name: string, units: bigint): void {
    this.sums.set(name, (this.sums.get(name) ?? 0n) + units)
  }

  /** Names with their sums, in an order independent of insertion. */
  get all(): [string, bigint][] {
    return [...this.sums].filter(([, sum]) => sum !== 0n).sort(([one], [other]) => (one < other ? -1 : 1))
  }

  copy(): Sums {
    const made = new Sums()
    for (const [name, sum] of this.sums) made.add(name, sum)
    return made
  }
}

const nameOf = ({ definition, account }: AssetId): string =>
  `${definition} ${Buffer.from(account, 'latin1').toString('hex')}`

/** All value of a state: balances, holdings of each definition and its total, and for classes the lots. */
function valueIn(state: Overlay) {
  const [owned, held, totals, lots, inLots] = [new Sums(), new Sums(), new Sums(), new Sums(), new Sums()]
  for (const { table, row, value } of state.changes()) {
    if (value === undefined) continue
    if (table === balances) {
      const asset = keyIn(balances, row)
      owned.add(nameOf(asset), unitsOf(value as Numeric))
      if (state.get(definitions, asset.definition)?.mintable.kind === 'lots') {
        inLots.add(nameOf(asset), unitsOf(value as Numeric))
      }
      held.add(asset.definition, unitsOf(value as Numeric))
    }
    if (table === rwaLots && (value as Lot).kind === 'live') {
      const { holder, quantity } = (value as Extract<Lot, { kind: 'live' }>).value
      lots.add(nameOf({ definition: keyIn(rwaLots, row).definition, account: holder }), unitsOf(quantity))
    }
    if (table === escrows) held.add(keyIn(escrows, row).definition, unitsOf(value as Numeric))
    if (table === feePools) held.add(keyIn(feePools, row), unitsOf(value as Numeric))
    if (table === definitions) totals.add(keyIn(definitions, row), unitsOf((value as Definition).total))
  }
  return { owned, held, totals, lots, inLots }
}

/** Value of a chain, block by block. */
export class Supply {
  private before: ReturnType<typeof valueIn>

  constructor(private readonly state: Overlay) {
    this.before = valueIn(state)
  }

  /** Check the effects of a block on value. */
  look({ events }: Pick<BlockRun, 'events'>, what: string): void {
    const { state, before } = this
    const now = valueIn(state)
    expect(now.held.all, what).toEqual(now.totals.all)
    expect(now.inLots.all, what).toEqual(now.lots.all)
    const owned = before.owned.copy()
    for (const change of changesOf(events)) {
      owned.add(nameOf(change), (change.side === 'credit' ? 1n : -1n) * unitsOf(change.amount))
    }
    expect(now.owned.all, what).toEqual(owned.all)
    const totals = before.totals.copy()
    const [feesGo, slashesGo] = [parameterOf(state, FEE_SINK).kind, parameterOf(state, SLASH_TO)]
    for (const { event } of events) {
      if (isEvent(event, assetEvents.minted) || isEvent(event, assetEvents.burned)) {
        const { asset, amount } = event.value
        totals.add(asset.definition, (isEvent(event, assetEvents.minted) ? 1n : -1n) * unitsOf(amount))
      }
      if (isEvent(event, feeEvents.feePaid)) {
        const { definition, amount, to } = event.value
        if (to === undefined && feesGo !== 'pot') totals.add(definition, -unitsOf(amount))
      }
      if (isEvent(event, stakingEvents.stakeSlashed) && slashesGo === 'burn') {
        const { amount } = event.value
        totals.add(state.get(pools, ONLY)?.definition ?? '', -unitsOf(amount))
      }
    }
    expect(now.totals.all, what).toEqual(totals.all)
    this.before = now
  }
}
