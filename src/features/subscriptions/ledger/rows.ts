/** Owns changes of subscription rows: permissions, due runs, object counts of the parties. */
import { countUse } from '../../../executor/accounts.js'
import { type ExecContext, type Rejection, reject } from '../../../executor/contract.js'
import { cancelRun, scheduleRun } from '../../../executor/due-runs/index.js'
import type { Scheduled } from '../../../executor/feature.js'
import { definitions } from '../../../ledger/tables.js'
import { sameIncarnation } from '../../../model/index.js'
import { events } from '../schema/events.js'
import type { SubscriptionStatus } from '../schema/records.js'
import { type PlanRow, plans, type SubscriptionRow, subscriptions } from './tables.js'

/** A subscription with its id. */
export interface Found {
  readonly id: Uint8Array
  readonly row: SubscriptionRow
}

/** Parties of a subscription, as recorded in events. */
export const partiesOf = ({ id, row }: Found) => ({
  subscription: id,
  provider: row.plan.provider,
  subscriber: row.subscriber,
})

/** Plan of a subscription; rows of plans are permanent. */
export function planOf(ctx: ExecContext, { plan: key }: SubscriptionRow): PlanRow {
  const plan = ctx.get(plans, key)
  if (plan === undefined) throw new Error(`plan ${key.plan} of a subscription is missing`)
  return plan
}

/** Reject a plan whose asset was removed, even if its id was registered again. */
export function assetFault(ctx: ExecContext, { terms, assetIncarnation }: PlanRow): Rejection | undefined {
  const found = ctx.get(definitions, terms.asset)
  return sameIncarnation(assetIncarnation, found?.incarnation)
    ? undefined
    : reject('absent', `asset definition ${terms.asset} of the plan no longer exists`)
}

/** Accounts that may change a subscription. */
type Party = 'subscriber' | 'provider' | 'meter'

function isParty(ctx: ExecContext, row: SubscriptionRow, party: Party): boolean {
  if (party === 'subscriber') return ctx.authority === row.subscriber
  if (party === 'provider') return ctx.authority === row.plan.provider
  return planOf(ctx, row).terms.meters.includes(ctx.authority)
}

/** Subscription with an id, or the rejection. */
export function found(ctx: ExecContext, id: Uint8Array): Found | Rejection {
  const row = ctx.get(subscriptions, id)
  return row === undefined ? reject('absent', 'the subscription does not exist') : { id, row }
}

/** Subscription whose status the authority may change, or the rejection. */
export function foundFor(
  ctx: ExecContext,
  id: Uint8Array,
  parties: readonly Party[],
  statuses: readonly SubscriptionStatus[],
): Found | Rejection {
  const one = found(ctx, id)
  if ('code' in one) return one
  return partyFault(ctx, one, parties) ?? statusFault(one, statuses) ?? one
}

/** Reject an authority that is not one of these parties. */
export const partyFault = (ctx: ExecContext, { row }: Found, parties: readonly Party[]): Rejection | undefined =>
  parties.some((party) => isParty(ctx, row, party))
    ? undefined
    : reject('not_permitted', `the instruction requires the ${parties.join(' or ')} of the subscription`)

/** Reject a status that does not allow the instruction. */
export const statusFault = ({ row }: Found, statuses: readonly SubscriptionStatus[]): Rejection | undefined =>
  statuses.includes(row.status)
    ? undefined
    : reject('subscription_state', `the subscription is ${row.status}, expected ${statuses.join(' or ')}`)

/** Count a subscription as an object of both parties. */
export function countParties(ctx: ExecContext, { plan, subscriber }: SubscriptionRow, by: 1 | -1): void {
  countUse(ctx, plan.provider, 'objects', by)
  countUse(ctx, subscriber, 'objects', by)
}

/**
 * Write a subscription, and schedule the run of its next charge if it has a due time.
 *
 * @returns time of the run; undefined without a due time; a rejection if the provider has no free run in that hour, in
 * which case the subscription is written without a run
 */
export function writeScheduled(
  ctx: ExecContext,
  charge: Scheduled<Uint8Array>,
  { id, row }: Found,
): number | Rejection | undefined {
  ctx.set(subscriptions, id, row)
  cancelRun(ctx, charge, id)
  if (row.dueMs === undefined) return undefined
  return scheduleRun(ctx, charge, id, { owner: row.plan.provider, dueMs: row.dueMs })
}

/** Write a canceled subscription. */
export function writeCanceled(ctx: ExecContext, charge: Scheduled<Uint8Array>, { id, row }: Found): void {
  const canceled = { ...row, status: 'canceled' as const, dueMs: undefined, cancelAtEnd: false }
  writeScheduled(ctx, charge, { id, row: canceled })
  countParties(ctx, row, -1)
}

/** Emit the event of a change of status. */
export function emitStatus(ctx: ExecContext, one: Found, status: SubscriptionStatus = one.row.status): void {
  ctx.emit(events.subscriptionStatusChanged, { ...partiesOf(one), status })
}
