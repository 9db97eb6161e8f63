/** Owns the instructions on the status of a subscription: subscribe, approve, pause, resume, cancel, keep, change of plan. */
import { type ExecContext, type Rejection, reject } from '../../../executor/contract.js'
import type { Executions } from '../../../executor/feature.js'
import { ZERO } from '../../../ledger/money.js'
import { events } from '../schema/events.js'
import type { ChangeSubscriptionPlan, instructions, Subscribe } from '../schema/instructions.js'
import { type PlanKey, type SubscriptionStatus, subscriptionIdOf } from '../schema/records.js'
import { type Bill, closingOf, openingOf, renewalOf } from './billing.js'
import { chargeRun, emitCharged, inPeriod, type Settled, settle, settleOrOwe } from './charge.js'
import { absentPlan, agreedPlan, mandateFault } from './plans.js'
import {
  assetFault,
  countParties,
  emitStatus,
  type Found,
  found,
  foundFor,
  partiesOf,
  partyFault,
  planOf,
  statusFault,
  writeCanceled,
  writeScheduled,
} from './rows.js'
import { MARK, type PlanRow, plans, type SubscriptionRow, subscriptions, trialUsed } from './tables.js'

const LIVE: readonly SubscriptionStatus[] = ['pending', 'trialing', 'active', 'pastDue', 'suspended', 'paused']
/** Statuses in which the plan can be changed. */
const CHANGEABLE: readonly SubscriptionStatus[] = LIVE.filter((status) => status !== 'pending')

/** Write a subscription; a rejection if its next charge cannot be scheduled. */
function kept(ctx: ExecContext, one: Found, invoice?: Settled['invoice']): Rejection | undefined {
  const run = writeScheduled(ctx, chargeRun, one)
  if (typeof run === 'object') return run
  emitCharged(ctx, one, invoice, run)
  emitStatus(ctx, one)
  return undefined
}

/** End the current period, begin a period now, and pay for both. */
function renew(ctx: ExecContext, { id, row }: Found, plan: PlanRow, closing: Bill): Rejection | undefined {
  const { timeMs } = ctx.env
  const opening = openingOf(plan, timeMs, timeMs)
  const settled = settle(ctx, row, plan, renewalOf(closing, plan, opening))
  return 'code' in settled ? settled : kept(ctx, { id, row: inPeriod(settled.row, opening) }, settled.invoice)
}

const trialOf = ({ row }: Found) => ({ provider: row.plan.provider, subscriber: row.subscriber })

/** True if a subscription begins with a trial; an account has only one trial with each provider. */
const hasTrial = (ctx: ExecContext, one: Found, { terms }: PlanRow): boolean =>
  terms.trialMs > 0 && !ctx.has(trialUsed, trialOf(one))

/** Begin the service of a subscription: a trial, or the first charge. */
function begin(ctx: ExecContext, one: Found, plan: PlanRow): Rejection | undefined {
  const { id, row } = one
  const startMs = ctx.env.timeMs
  if (!hasTrial(ctx, one, plan)) return renew(ctx, one, plan, closingOf(row, plan, startMs))
  ctx.set(trialUsed, trialOf(one), MARK)
  const endMs = startMs + plan.terms.trialMs
  const trial = { status: 'trialing' as const, period: { startMs, endMs, fixed: ZERO }, dueMs: endMs }
  return kept(ctx, { id, row: { ...row, ...trial } })
}

/** Time of the first charge of a subscription that begins now. */
function firstChargeMs(ctx: ExecContext, one: Found, plan: PlanRow): number {
  const { timeMs } = ctx.env
  if (hasTrial(ctx, one, plan)) return timeMs + plan.terms.trialMs
  return plan.terms.billFor === 'next' ? timeMs : openingOf(plan, timeMs, timeMs).period.endMs
}

/** Subscription before its first period. */
const newRow = (ctx: ExecContext, plan: PlanKey, { reference, mandate }: Subscribe): SubscriptionRow => ({
  plan,
  subscriber: ctx.authority,
  reference,
  mandate,
  status: 'pending',
  period: { startMs: ctx.env.timeMs, endMs: ctx.env.timeMs, fixed: ZERO },
  dueMs: undefined,
  attempt: 0,
  usage: ZERO,
  sequence: 0,
  credit: ZERO,
  cancelAtEnd: false,
  open: undefined,
  last: undefined,
  counter: 0,
  spent: ZERO,
})

function subscribe(ctx: ExecContext, value: Subscribe): Rejection | undefined {
  const { provider, plan: name, planHash, reference, mandate } = value
  const key = { provider, plan: name }
  const id = subscriptionIdOf(key, ctx.authority, reference)
  if (!ctx.has(plans, key)) return absentPlan(key)
  if (ctx.has(subscriptions, id))
    return reject('exists', `the account already used the reference ${reference} for plan ${name}`)
  if (ctx.authority === provider) return reject('self_transfer', 'a provider cannot subscribe to its own plan')
  const plan = agreedPlan(ctx, key, planHash)
  if ('code' in plan) return plan
  const one = { id, row: newRow(ctx, key, value) }
  const refused = assetFault(ctx, plan) ?? mandateFault(mandate, plan, firstChargeMs(ctx, one, plan))
  if (refused !== undefined) return refused
  countParties(ctx, one.row, 1)
  const { status } = one.row
  ctx.emit(events.subscriptionCreated, { ...partiesOf(one), plan: name, reference, status })
  if (!plan.terms.approval) return begin(ctx, one, plan)
  ctx.set(subscriptions, id, one.row)
  return undefined
}

function pause(ctx: ExecContext, one: Found): Rejection | undefined {
  if (one.row.cancelAtEnd) return reject('subscription_state', 'the subscription is canceled at the end of its period')
  const plan = planOf(ctx, one.row)
  const settled = settle(ctx, one.row, plan, closingOf(one.row, plan, ctx.env.timeMs))
  if ('code' in settled) return settled
  return kept(ctx, { ...one, row: { ...settled.row, status: 'paused', dueMs: undefined } }, settled.invoice)
}

function cancel(ctx: ExecContext, { id, row }: Found): Rejection | undefined {
  const plan = planOf(ctx, row)
  const settled = settleOrOwe(ctx, row, plan, closingOf(row, plan, ctx.env.timeMs))
  if ('code' in settled) return settled
  const one = { id, row: settled.row }
  writeCanceled(ctx, chargeRun, one)
  emitCharged(ctx, one, settled.invoice, undefined)
  emitStatus(ctx, one, 'canceled')
  return undefined
}

/** Set whether a subscription is canceled at the end of its period. */
function setEnding(ctx: ExecContext, { id, row }: Found, isEnding: boolean): Rejection | undefined {
  if (row.cancelAtEnd === isEnding) {
    const message = isEnding ? 'is already' : 'is not'
    return reject('subscription_state', `the subscription ${message} canceled at the end of its period`)
  }
  ctx.set(subscriptions, id, { ...row, cancelAtEnd: isEnding })
  ctx.emit(events.subscriptionEndChanged, { ...partiesOf({ id, row }), isEnding })
  return undefined
}

/** Replace the plan: the unused part of the period becomes credit, and a period of the new plan begins now. */
function changePlan(ctx: ExecContext, value: ChangeSubscriptionPlan): Rejection | undefined {
  const one = found(ctx, value.subscription)
  if ('code' in one) return one
  const { id, row } = one
  const key = { provider: row.plan.provider, plan: value.plan }
  const wanted = ctx.get(plans, key)
  if (wanted === undefined) return absentPlan(key)
  const refused = partyFault(ctx, one, ['subscriber']) ?? approvalFault(key, wanted) ?? statusFault(one, CHANGEABLE)
  if (refused !== undefined) return refused
  const plan = agreedPlan(ctx, key, value.planHash)
  if ('code' in plan) return plan
  const before = planOf(ctx, row)
  if (before.terms.asset !== plan.terms.asset) return reject('plan_changed', `plan ${key.plan} has another asset`)
  const mandate = value.mandate ?? row.mandate
  const fault = assetFault(ctx, before) ?? assetFault(ctx, plan) ?? mandateFault(mandate, plan, ctx.env.timeMs)
  if (fault !== undefined) return fault
  const changed = { id, row: { ...row, plan: key, mandate, cancelAtEnd: false } }
  ctx.emit(events.subscriptionPlanChanged, { ...partiesOf(changed), plan: key.plan })
  if (row.status !== 'trialing' && row.status !== 'paused')
    return renew(ctx, changed, plan, closingOf(row, before, ctx.env.timeMs))
  ctx.set(subscriptions, id, changed.row)
  return undefined
}

const approvalFault = ({ plan }: PlanKey, { terms }: PlanRow): Rejection | undefined =>
  terms.approval
    ? reject('not_permitted', `plan ${plan} requires the approval of its provider: subscribe to it instead`)
    : undefined

const resume = (ctx: ExecContext, one: Found): Rejection | undefined => {
  const plan = planOf(ctx, one.row)
  return renew(ctx, one, plan, closingOf(one.row, plan, ctx.env.timeMs))
}

export const execute = {
  subscribe: { cost: { base: 400 }, execute: subscribe },

  approveSubscription: {
    cost: { base: 160 },
    execute(ctx, { subscription }) {
      const one = foundFor(ctx, subscription, ['provider'], ['pending'])
      return 'code' in one ? one : begin(ctx, one, planOf(ctx, one.row))
    },
  },

  pauseSubscription: {
    cost: { base: 200 },
    execute(ctx, { subscription }) {
      const one = foundFor(ctx, subscription, ['subscriber', 'provider'], ['active'])
      return 'code' in one ? one : pause(ctx, one)
    },
  },

  resumeSubscription: {
    cost: { base: 200 },
    execute(ctx, { subscription }) {
      const one = foundFor(ctx, subscription, ['subscriber'], ['paused', 'suspended'])
      return 'code' in one ? one : resume(ctx, one)
    },
  },

  cancelSubscription: {
    cost: { base: 200 },
    execute(ctx, { subscription, at }) {
      const isNow = at === 'immediate'
      const one = foundFor(ctx, subscription, ['subscriber', 'provider'], isNow ? LIVE : ['trialing', 'active'])
      if ('code' in one) return one
      return isNow ? cancel(ctx, one) : setEnding(ctx, one, true)
    },
  },

  keepSubscription: {
    cost: { base: 200 },
    execute(ctx, { subscription }) {
      const one = foundFor(ctx, subscription, ['subscriber'], ['trialing', 'active', 'pastDue'])
      return 'code' in one ? one : setEnding(ctx, one, false)
    },
  },

  changeSubscriptionPlan: { cost: { base: 320 }, execute: changePlan },
} satisfies Partial<Executions<typeof instructions>>
