/** Owns the instructions that record usage, charge due subscriptions and refund credit. */
import { reject } from '../../../executor/contract.js'
import type { Executions } from '../../../executor/feature.js'
import { amountFault } from '../../../ledger/money.js'
import { payAgreed } from '../../../ledger/moves.js'
import { add, exceeds } from '../../../model/index.js'
import { events } from '../schema/events.js'
import type { instructions } from '../schema/instructions.js'
import type { SubscriptionStatus } from '../schema/records.js'
import { amountOf, isWithin } from './amounts.js'
import { expectedUnits } from './billing.js'
import { charge, limitFault, restOf } from './charge.js'
import { boundedFault } from './plans.js'
import { assetFault, found, foundFor, partiesOf, partyFault, planOf, statusFault } from './rows.js'
import { subscriptions } from './tables.js'

/** Statuses that have a next charge. */
const CHARGED: readonly SubscriptionStatus[] = ['trialing', 'active', 'pastDue']

export const execute = {
  recordSubscriptionUsage: {
    cost: { base: 160 },
    execute(ctx, { subscription, sequence, quantity }) {
      const one = foundFor(ctx, subscription, ['provider', 'meter'], CHARGED)
      if ('code' in one) return one
      const { id, row } = one
      const plan = planOf(ctx, row)
      if (plan.terms.usage === undefined)
        return reject('subscription_state', `plan ${row.plan.plan} has no usage price`)
      if (sequence <= row.sequence)
        return reject('usage_replayed', `expected a sequence above ${row.sequence}, got ${sequence}`)
      const fault = boundedFault(quantity, undefined, 'the quantity')
      if (fault !== undefined) return fault
      const usage = add(row.usage, quantity)
      if (usage === undefined || !isWithin(usage)) return reject('overflow', 'the usage of the period is too large')
      // Usage of a trial is free.
      const expected = row.status === 'trialing' ? 0n : expectedUnits(row, plan, usage)
      const beyond = expected === 0n ? undefined : limitFault(row.mandate, row.spent, amountOf(expected, plan.scale))
      if (beyond !== undefined) return beyond
      ctx.set(subscriptions, id, { ...row, usage, sequence })
      ctx.emit(events.subscriptionUsageRecorded, { ...partiesOf(one), sequence, quantity, usage })
      return undefined
    },
  },

  chargeSubscription: {
    cost: { base: 420 },
    execute(ctx, { subscription }) {
      const one = found(ctx, subscription)
      if ('code' in one) return one
      const refused = statusFault(one, CHARGED)
      if (refused !== undefined) return refused
      const { dueMs } = one.row
      if (dueMs === undefined) throw new Error('a subscription with charges has no due time')
      if (ctx.env.timeMs < dueMs) return reject('charge_early', `the next charge is due at ${dueMs}`)
      return charge(ctx, one)
    },
  },

  refundSubscription: {
    cost: { base: 260 },
    execute(ctx, { subscription, amount }) {
      const one = found(ctx, subscription)
      if ('code' in one) return one
      const { id, row } = one
      const plan = planOf(ctx, row)
      const fault = partyFault(ctx, one, ['provider']) ?? amountFault(amount, plan.scale) ?? assetFault(ctx, plan)
      if (fault !== undefined) return fault
      if (exceeds(amount, row.credit)) return reject('not_enough', 'the amount exceeds the credit of the subscription')
      const asset = { definition: plan.terms.asset, account: row.plan.provider }
      const failed = payAgreed(ctx, { asset, to: row.subscriber, amount })
      if (failed !== undefined) return failed
      const credit = restOf(row.credit, amount)
      ctx.set(subscriptions, id, { ...row, credit })
      ctx.emit(events.subscriptionRefunded, { ...partiesOf(one), amount, credit })
      return undefined
    },
  },
} satisfies Partial<Executions<typeof instructions>>
