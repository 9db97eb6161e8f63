/** Owns margin: calls, deposits and excess. */
import type { Numeric } from '../../../codec/index.js'
import { type ExecContext, type Execution, type Rejection, reject } from '../../../executor/contract.js'
import { shift } from '../../../ledger/business-days.js'
import { ZERO } from '../../../ledger/money.js'
import { add, exceeds, subtract } from '../../../model/index.js'
import { events } from '../schema/events.js'
import type { MeetMargin, OfRepo } from '../schema/instructions.js'
import { ITEMS_MAX, type LiveRepo } from '../schema/records.js'
import { payCash, pledge, repeatedItemFault, takeBack, vaultOfRepo } from './items.js'
import { giveItemsBack, ITEM_TEU } from './maturity.js'
import { agreements, calendars, type FoundRepo, repoIn } from './tables.js'
import { amountOf, dayAt, exposureOf, isCallable, startOf } from './valuation.js'

/** Units of the valuation of one item. */
export const VALUED_TEU = 80

/**
 * Header time of the cut-off after the margin days of an agreement. Only the buyer can postpone the deadline of a call
 * that was not met.
 */
function deadlineOf(ctx: ExecContext, repo: LiveRepo): number | Rejection {
  if (repo.call !== undefined && ctx.authority !== repo.buyer) return repo.call.dueMs
  const calendar = ctx.get(calendars, repo.terms.calendar)
  if (calendar === undefined) return reject('absent', `calendar ${repo.terms.calendar} does not exist`)
  const today = shift(calendar, dayAt(repo, ctx.env.timeMs), 0)
  return startOf(repo, shift(calendar, today, repo.terms.marginDays) + 1)
}

export const callMargin: Execution<OfRepo> = {
  cost: { base: 300 + VALUED_TEU * ITEMS_MAX },
  execute(ctx, { id }) {
    const found = repoIn(ctx, id, 'open')
    if ('code' in found) return found
    const { repo } = found
    const { seller, buyer, custodian, digits } = repo
    giveItemsBack(ctx, VALUED_TEU, ITEMS_MAX, repo.items.length)
    if (ctx.authority !== buyer && ctx.authority !== custodian)
      return reject('not_permitted', 'calling margin requires the buyer or the custodian')
    const units = exposureOf(ctx, repo, ctx.env.timeMs)
    if (typeof units !== 'bigint') return units
    if (!isCallable(repo, units))
      return reject('no_exposure', 'the exposure is not above the threshold, or is below the minimum transfer')
    const dueMs = deadlineOf(ctx, repo)
    if (typeof dueMs !== 'number') return dueMs
    const exposure = amountOf(units, digits)
    const call = { exposure, atMs: ctx.env.timeMs, dueMs }
    ctx.set(agreements, id, { kind: 'live', value: { ...repo, call } })
    ctx.emit(events.repoMarginCalled, { id, seller, buyer, exposure, dueMs })
    return undefined
  },
}

/** Write an agreement without its call if the cover is sufficient; `margin_short` otherwise. */
function writeCovered(ctx: ExecContext, { id, repo }: FoundRepo): Rejection | undefined {
  const exposure = exposureOf(ctx, repo, ctx.env.timeMs)
  if (typeof exposure !== 'bigint') return exposure
  if (exposure > 0n) return reject('margin_short', 'collateral and cash margin would not cover the repurchase price')
  ctx.set(agreements, id, { kind: 'live', value: { ...repo, call: undefined } })
  return undefined
}

/** Agreement in one of the statuses, after a check of the authority and of the items. */
function ofSeller(
  ctx: ExecContext,
  { id, items }: MeetMargin,
  ...statuses: readonly LiveRepo['status'][]
): FoundRepo | Rejection {
  const found = repoIn(ctx, id, ...statuses)
  if ('code' in found) return found
  if (ctx.authority !== found.repo.seller)
    return reject('not_permitted', 'giving margin or taking excess requires the seller')
  return repeatedItemFault(items) ?? found
}

const marginCost = (base: number) => ({
  base: base + VALUED_TEU * ITEMS_MAX,
  per: [{ teu: ITEM_TEU, item: 'item', count: ({ items }: MeetMargin) => items.length }],
})

export const meetMargin: Execution<MeetMargin> = {
  cost: marginCost(300),
  execute(ctx, value) {
    const found = ofSeller(ctx, value, 'open', 'late')
    if ('code' in found) return found
    const { id, repo } = found
    const { seller, buyer } = repo
    giveItemsBack(ctx, VALUED_TEU, ITEMS_MAX, repo.items.length)
    const items = pledge(ctx, found, value.items)
    if ('code' in items) return items
    const cashMargin = moreMargin(ctx, found, value.cash)
    if ('code' in cashMargin) return cashMargin
    const short = writeCovered(ctx, { id, repo: { ...repo, items, cashMargin } })
    if (short !== undefined) return short
    ctx.emit(events.repoMarginMet, { id, seller, buyer, cashMargin })
    return undefined
  },
}

/** Move cash of the seller into the vault; returns the new cash margin. */
function moreMargin(ctx: ExecContext, { id, repo }: FoundRepo, cash: Numeric | undefined): Numeric | Rejection {
  if (cash === undefined) return repo.cashMargin
  const failed = payCash(ctx, repo, { from: repo.seller, to: vaultOfRepo(id), amount: cash })
  return failed ?? add(repo.cashMargin, cash) ?? reject('overflow', 'the cash margin would exceed 512 bits')
}

export const takeExcess: Execution<MeetMargin> = {
  cost: marginCost(400),
  execute(ctx, value) {
    const found = ofSeller(ctx, value, 'open')
    if ('code' in found) return found
    const { id, repo } = found
    const { seller, buyer } = repo
    giveItemsBack(ctx, VALUED_TEU, ITEMS_MAX, repo.items.length)
    if (value.items.length === 0 && value.cash === undefined)
      return reject('bad_terms', 'expected at least one item or an amount of cash')
    const items = takeBack(ctx, found, value.items)
    if ('code' in items) return items
    const cashMargin = lessMargin(ctx, found, value.cash)
    if ('code' in cashMargin) return cashMargin
    const short = writeCovered(ctx, { id, repo: { ...repo, items, cashMargin } })
    if (short !== undefined) return short
    ctx.emit(events.repoExcessTaken, { id, seller, buyer, cashMargin })
    return undefined
  },
}

/** Return cash of the vault to the seller; returns the new cash margin. */
function lessMargin(ctx: ExecContext, { id, repo }: FoundRepo, cash: Numeric | undefined): Numeric | Rejection {
  if (cash === undefined) return repo.cashMargin
  if (exceeds(cash, repo.cashMargin)) return reject('not_enough', 'the cash margin is less than the amount')
  const failed = payCash(ctx, repo, { from: vaultOfRepo(id), to: repo.seller, amount: cash })
  return failed ?? subtract(repo.cashMargin, cash) ?? ZERO
}
