/** Owns the repurchase: by the run at maturity, by instruction, or early by both parties. */
import { hash32, type Numeric } from '../../../codec/index.js'
import { type ExecContext, type Execution, type Rejection, reject } from '../../../executor/contract.js'
import { cancelRun, scheduleRun } from '../../../executor/due-runs/index.js'
import type { Scheduled } from '../../../executor/feature.js'
import { ZERO } from '../../../ledger/money.js'
import { events } from '../schema/events.js'
import type { OfRepo } from '../schema/instructions.js'
import { ITEMS_MAX } from '../schema/records.js'
import { endRepo } from './ending.js'
import { isCashGone, payCash, returnItem, vaultOfRepo } from './items.js'
import { agreements, type FoundRepo, repoIn } from './tables.js'
import { amountOf, daysSince, maturityMsOf, owedAt, unitsOf } from './valuation.js'

const HOUR_MS = 3_600_000

/** Units per item; unused units are refunded. */
export const ITEM_TEU = 320
export const giveItemsBack = (ctx: ExecContext, teu: number, most: number, count: number): void =>
  ctx.giveBack(teu * (most - count))

/** Cash of a repurchase: debt, part paid from the margin, part paid by the seller, rest of the margin. */
export function cashDue({ repo }: FoundRepo, timeMs: number) {
  const [owed, margin] = [owedAt(repo, timeMs), unitsOf(repo.cashMargin, repo.digits)]
  const ofMargin = owed < margin ? owed : margin
  return { owed, ofMargin, bySeller: owed - ofMargin, rest: margin - ofMargin }
}

/** Pay the debt and return the collateral: all of it, or a rejection. */
export function repay(ctx: ExecContext, found: FoundRepo): Rejection | undefined {
  const { id, repo } = found
  const { seller, buyer, digits } = repo
  const { owed, ofMargin, bySeller, rest } = cashDue(found, ctx.env.timeMs)
  const vault = vaultOfRepo(id)
  const legs = [
    { from: vault, to: buyer, units: ofMargin },
    { from: seller, to: buyer, units: bySeller },
    { from: vault, to: seller, units: rest },
  ]
  for (const { from, to, units } of legs) {
    const failed = units > 0n ? payCash(ctx, repo, { from, to, amount: amountOf(units, digits) }) : undefined
    if (failed !== undefined) return failed
  }
  return giveBack(ctx, found, amountOf(owed, digits))
}

/** Return all collateral to the seller, and end the agreement. */
function giveBack(ctx: ExecContext, found: FoundRepo, paid: Numeric): Rejection | undefined {
  const { id, repo } = found
  for (const item of repo.items) {
    const failed = returnItem(ctx, id, item, { to: repo.seller, amount: item.amount })
    if (failed !== undefined) return failed
  }
  cancelRun(ctx, maturityRun, id)
  return endRepo(ctx, found, { cause: 'repurchased', paid })
}

/** Run at maturity, which attempts the repurchase and is repeated every hour until the grace period ends. */
export const maturityRun: Scheduled<Uint8Array> = {
  kind: 'repo_maturity',
  key: hash32,
  paidBy: 'owner',
  teu: 500,
  maxTeu: 10_000,
  run(ctx, id) {
    const found = repoIn(ctx, id, 'open', 'late')
    if ('code' in found) return undefined
    const failed = ctx.fork((part) => repay(part, found))
    if (failed === undefined) return undefined
    const { repo } = found
    const endMs = maturityMsOf(repo) + repo.terms.graceMs
    const due =
      ctx.env.timeMs < endMs
        ? scheduleRun(ctx, maturityRun, id, {
            owner: repo.seller,
            dueMs: Math.min(ctx.env.timeMs + HOUR_MS, endMs),
          })
        : undefined
    const failure = failed.code
    ctx.set(agreements, id, { kind: 'live', value: { ...repo, status: 'late', failure } })
    const { seller, buyer } = repo
    ctx.emit(events.repoLate, { id, seller, buyer, failure, retryMs: typeof due === 'number' ? due : undefined })
    return undefined
  },
}

export const repurchaseRepo: Execution<OfRepo> = {
  cost: { base: 500 + ITEM_TEU * ITEMS_MAX },
  execute(ctx, { id }) {
    const found = repoIn(ctx, id, 'open', 'late', 'defaulted')
    if ('code' in found) return found
    const { repo } = found
    const { seller, buyer, early, items } = repo
    const isGone = isCashGone(ctx, repo)
    if (repo.status === 'defaulted' && !isGone) return reject('repo_state', 'the agreement is defaulted')
    giveItemsBack(ctx, ITEM_TEU, ITEMS_MAX, items.length)
    const { timeMs } = ctx.env
    const by = ctx.authority
    // Without its cash no due time ends an agreement: the parties end it together, at any time and without a payment.
    if (timeMs >= maturityMsOf(repo) && !isGone) return repay(ctx, found)
    if (by !== seller && by !== buyer)
      return reject('not_permitted', 'a repurchase before its date requires the seller and the buyer')
    const day = daysSince(repo, timeMs)
    if (early?.day === day && early.by !== by) return isGone ? giveBack(ctx, found, ZERO) : repay(ctx, found)
    if (early?.day === day) return reject('exists', 'the party already requested an early repurchase today')
    ctx.set(agreements, id, { kind: 'live', value: { ...repo, early: { by, day } } })
    ctx.emit(events.repoRepurchaseAsked, { id, seller, buyer, by })
    return undefined
  },
}
