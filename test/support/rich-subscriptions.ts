/**
 * Owns random requests about subscriptions on a rich chain with a few plans of two providers, most of which succeed.
 */
import { plans, type SubscriptionRow, subscriptions } from '../../src/features/subscriptions/ledger/tables.js'
import { instructions } from '../../src/features/subscriptions/schema/instructions.js'
import { type PlanTerms, planHashOf } from '../../src/features/subscriptions/schema/records.js'
import { type AccountId, instruction } from '../../src/model/index.js'
import type { Random } from '../../src/simulation/prng.js'
import type { Overlay } from '../../src/state/index.js'
import { keysIn } from './nodes.js'
import type { Asked } from './rich.js'

/** Chain state for the requests. */
export interface SubscriptionWorld {
  readonly random: Random
  readonly state: Overlay
  readonly now: () => number
  readonly people: readonly AccountId[]
  readonly asset: string
}

const NAMES = ['news', 'cloud', 'rent']
const MINUTE_MS = 60_000

/** Generators by instruction kind. */
export function subscriptionMakers({ random, state, now, people, asset }: SubscriptionWorld) {
  const { pick } = random
  const person = (): AccountId => pick(people)
  const amount = (mantissa: number) => ({ mantissa: BigInt(mantissa), scale: 0 })
  const some = (isMeant: (row: SubscriptionRow) => boolean = () => true) => {
    const found = keysIn(state, subscriptions).flatMap((id) => {
      const row = state.get(subscriptions, id)
      return row !== undefined && isMeant(row) ? [{ id, row }] : []
    })
    return found.length === 0 ? undefined : pick(found)
  }
  const mandate = () => ({
    maxPerPeriod: amount(20),
    totalMax: random.chance(0.3) ? amount(60) : undefined,
    untilMs: random.chance(0.2) ? now() + 3 * MINUTE_MS : undefined,
  })
  const terms = (): PlanTerms => ({
    asset,
    fixed: random.chance(0.8) ? amount(1 + random.below(5)) : undefined,
    usage: { unit: 'GB', unitPrice: amount(1), included: amount(random.below(3)) },
    cadence: random.chance(0.7)
      ? { kind: 'fixed', value: { periodMs: MINUTE_MS } }
      : { kind: 'monthly', value: { anchorDay: 31, timeMs: 0 } },
    billFor: pick(['next', 'previous']),
    trialMs: pick([0, 0, 1_000]),
    retries: pick([[], [MINUTE_MS], [MINUTE_MS, MINUTE_MS]]),
    graceMs: MINUTE_MS,
    exhausted: pick(['suspend', 'cancel']),
    meters: [person()],
    approval: random.chance(0.2),
  })
  const ofOne = (
    make: (id: Uint8Array, row: SubscriptionRow) => Asked[1],
    by: 'provider' | 'subscriber' = 'subscriber',
  ): Asked | undefined => {
    const found = some()
    return found && [by === 'provider' ? found.row.plan.provider : found.row.subscriber, make(found.id, found.row)]
  }
  return {
    createPlan: (): Asked => [person(), instruction(instructions.createPlan, { plan: pick(NAMES), terms: terms() })],
    closePlan: (): Asked | undefined => {
      const found = keysIn(state, plans)
      if (found.length === 0) return undefined
      const { provider, plan } = pick(found)
      return [provider, instruction(instructions.closePlan, { plan })]
    },
    subscribe: (): Asked | undefined => {
      const found = keysIn(state, plans)
      if (found.length === 0) return undefined
      const key = pick(found)
      const row = state.get(plans, key)
      if (row === undefined) return undefined
      const reference = `r${random.below(5)}`
      const value = { ...key, planHash: planHashOf(key, row.terms), reference, mandate: mandate() }
      return [person(), instruction(instructions.subscribe, value)]
    },
    approveSubscription: () =>
      ofOne((subscription) => instruction(instructions.approveSubscription, { subscription }), 'provider'),
    pauseSubscription: () => ofOne((subscription) => instruction(instructions.pauseSubscription, { subscription })),
    resumeSubscription: () => ofOne((subscription) => instruction(instructions.resumeSubscription, { subscription })),
    cancelSubscription: () =>
      ofOne((subscription) =>
        instruction(instructions.cancelSubscription, {
          subscription,
          at: random.chance(0.4) ? 'immediate' : 'periodEnd',
        }),
      ),
    keepSubscription: () => ofOne((subscription) => instruction(instructions.keepSubscription, { subscription })),
    changeSubscriptionPlan: () =>
      ofOne((subscription, { plan: { provider } }) => {
        const key = pick(keysIn(state, plans).filter((one) => one.provider === provider))
        const row = state.get(plans, key)
        const planHash = row === undefined ? Buffer.alloc(32) : planHashOf(key, row.terms)
        const value = { subscription, plan: key.plan, planHash, mandate: random.chance(0.5) ? mandate() : undefined }
        return instruction(instructions.changeSubscriptionPlan, value)
      }),
    recordSubscriptionUsage: () =>
      ofOne(
        (subscription, { sequence }) =>
          instruction(instructions.recordSubscriptionUsage, {
            subscription,
            sequence: sequence + 1,
            quantity: amount(1 + random.below(4)),
          }),
        'provider',
      ),
    chargeSubscription: (): Asked | undefined => {
      const found = some(({ dueMs }) => dueMs !== undefined && dueMs <= now()) ?? some()
      return found && [person(), instruction(instructions.chargeSubscription, { subscription: found.id })]
    },
    refundSubscription: (): Asked | undefined => {
      const found = some(({ credit }) => credit.mantissa > 0n) ?? some()
      const credit = found?.row.credit
      if (found === undefined || credit === undefined) return undefined
      const value = { subscription: found.id, amount: credit.mantissa > 0n ? credit : amount(1) }
      return [found.row.plan.provider, instruction(instructions.refundSubscription, value)]
    },
  }
}
