/** Owns default and close-out. */

import { NUMERIC_MAX_SCALE } from '../../../codec/index.js'
import { type ExecContext, type Execution, type Rejection, reject } from '../../../executor/contract.js'
import { cancelRun } from '../../../executor/due-runs/index.js'
import { definitions } from '../../../ledger/tables.js'
import { events } from '../schema/events.js'
import type { OfRepo } from '../schema/instructions.js'
import { type DefaultCause, type HeldItem, ITEMS_MAX } from '../schema/records.js'
import { endRepo } from './ending.js'
import { payCash, returnItem, vaultOfRepo } from './items.js'
import { VALUED_TEU } from './margin.js'
import { cashDue, giveItemsBack, ITEM_TEU, maturityRun } from './maturity.js'
import { agreements, type FoundRepo, repoIn } from './tables.js'
import {
  amountOf,
  ceilOf,
  exposureOf,
  isCallable,
  maturityMsOf,
  priceOf,
  tenTo,
  unitsOf,
  worthOf,
} from './valuation.js'

/** True if the grace is over and the seller lacks the cash now; a payment that fails for another reason is not a default. */
function lacksCash(ctx: ExecContext, found: FoundRepo): boolean {
  const { repo } = found
  const { timeMs } = ctx.env
  if (timeMs < maturityMsOf(repo) + repo.terms.graceMs) return false
  const { bySeller } = cashDue(found, timeMs)
  if (bySeller === 0n) return false
  // The fork is always reverted: its payment only tests the balance.
  const failed = ctx.fork(
    (part) =>
      payCash(part, repo, { from: repo.seller, to: repo.buyer, amount: amountOf(bySeller, repo.digits) }) ??
      reject('not_in_default', 'the seller has the cash'),
  )
  return failed?.code === 'not_enough'
}

/** Cause of a default of the seller at this time, or a rejection. */
function causeOf(ctx: ExecContext, found: FoundRepo): DefaultCause | Rejection {
  if (lacksCash(ctx, found)) return 'repurchaseUnpaid'
  const { repo } = found
  const { timeMs } = ctx.env
  if (repo.call !== undefined && timeMs >= repo.call.dueMs) {
    const exposure = exposureOf(ctx, repo, timeMs)
    if (typeof exposure !== 'bigint') return exposure
    if (isCallable(repo, exposure)) return 'marginUnpaid'
  }
  return reject('not_in_default', 'the seller has not missed a deadline')
}

export const defaultRepo: Execution<OfRepo> = {
  cost: { base: 400 + VALUED_TEU * ITEMS_MAX },
  execute(ctx, { id }) {
    const found = repoIn(ctx, id, 'open', 'late')
    if ('code' in found) return found
    const { repo } = found
    const { seller, buyer } = repo
    giveItemsBack(ctx, VALUED_TEU, ITEMS_MAX, repo.items.length)
    if (ctx.authority !== buyer) return reject('not_permitted', 'declaring a default requires the buyer')
    const cause = causeOf(ctx, found)
    if (typeof cause !== 'string') return cause
    cancelRun(ctx, maturityRun, id)
    const defaulted = { cause, atMs: ctx.env.timeMs }
    ctx.set(agreements, id, { kind: 'live', value: { ...repo, status: 'defaulted', defaulted } })
    ctx.emit(events.repoDefaulted, { id, seller, buyer, cause })
    return undefined
  },
}

/**
 * Give the buyer the smallest quantity of an item that covers the remaining debt, and the seller the rest. Returns the
 * remaining debt.
 */
function liquidate(ctx: ExecContext, { id, repo }: FoundRepo, item: HeldItem, rest: bigint): bigint | Rejection {
  const { seller, buyer, terms, digits } = repo
  const { definition, amount } = item
  const scale = ctx.get(definitions, definition)?.scale ?? NUMERIC_MAX_SCALE
  const held = unitsOf(amount, scale)
  let [taken, left] = [0n, rest]
  if (rest > 0n) {
    const price = priceOf(ctx, terms, definition, ctx.env.timeMs)
    if ('code' in price) return price
    const least = ceilOf(rest * tenTo(price.scale + scale), tenTo(digits) * price.mantissa)
    taken = least < held ? least : held
    left = least <= held ? 0n : rest - worthOf(amount, price, 0, digits)
  }
  const parts = [
    { to: buyer, units: taken },
    { to: seller, units: held - taken },
  ]
  for (const { to, units } of parts) {
    const failed = units > 0n ? returnItem(ctx, id, item, { to, amount: amountOf(units, scale) }) : undefined
    if (failed !== undefined) return failed
  }
  return left
}

export const closeOutRepo: Execution<OfRepo> = {
  cost: { base: 500 + ITEM_TEU * ITEMS_MAX },
  execute(ctx, { id }) {
    const found = repoIn(ctx, id, 'defaulted')
    if ('code' in found) return found
    const { repo } = found
    const { seller, buyer, digits } = repo
    giveItemsBack(ctx, ITEM_TEU, ITEMS_MAX, repo.items.length)
    if (ctx.authority !== buyer) return reject('not_permitted', 'closing out requires the buyer')
    const { ofMargin, bySeller, rest: excess } = cashDue(found, ctx.env.timeMs)
    const vault = vaultOfRepo(id)
    for (const { to, units } of [
      { to: buyer, units: ofMargin },
      { to: seller, units: excess },
    ]) {
      const failed = units > 0n ? payCash(ctx, repo, { from: vault, to, amount: amountOf(units, digits) }) : undefined
      if (failed !== undefined) return failed
    }
    let rest = bySeller
    for (const item of repo.items) {
      const left = liquidate(ctx, found, item, rest)
      if (typeof left !== 'bigint') return left
      rest = left
    }
    const shortfall = rest > 0n ? amountOf(rest, digits) : undefined
    return endRepo(ctx, found, { cause: 'closedOut', paid: amountOf(ofMargin, digits), shortfall })
  },
}
