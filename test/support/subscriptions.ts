/** Owns a world of providers and subscribers for tests, and makers of their instructions. */
import { ABI_2 } from '../../src/features/abi.js'
import { instructions as assets } from '../../src/features/assets/schema/instructions.js'
import { subscriptions } from '../../src/features/subscriptions/ledger/tables.js'
import { instructions } from '../../src/features/subscriptions/schema/instructions.js'
import {
  type Mandate,
  type PlanTerms,
  planHashOf,
  subscriptionIdOf,
} from '../../src/features/subscriptions/schema/records.js'
import { type AccountId, type Instruction, instruction } from '../../src/model/index.js'
import { Blocks } from './blocks.js'
import * as core from './core.js'
import { accountNamed, Bench } from './executor.js'

export const { owner, alice, bob, agent, outsider } = core
export const carol = accountNamed('carol')
export const EUR = 'eur#bank'
/** Two minutes before the end of a year. */
export const START_MS = Date.UTC(2026, 11, 31, 23, 58)
export const MINUTE = 60_000
export const HOUR = 60 * MINUTE
export const DAY = 24 * HOUR
const HELD = 1_000n

/** Amount of cents. */
export const cents = (amount: bigint) => {
  const scale = amount % 10n !== 0n ? 2 : amount % 100n !== 0n ? 1 : 0
  return { mantissa: amount / 10n ** BigInt(2 - scale), scale }
}
export const NONE = cents(0n)

/** World in which every account has 1,000 usd; agent is a provider in addition to bob. */
export function subscriptionWorld(): Bench {
  const bench = new Bench(undefined, ABI_2)
  bench.timeMs = START_MS
  bench.genesis(
    owner,
    core.registerDomain('bank'),
    ...[owner, alice, bob, agent, outsider, carol].map((id) => core.registerAccount(id)),
    core.registerDefinition(core.USD),
    core.registerDefinition(EUR),
    ...[alice, bob, agent, outsider, carol].map((id) => core.mint(id, HELD)),
  )
  bench.events.length = 0
  return bench
}

/** Terms of 10 usd a month from the 31st on, charged in advance, without trial and retries. */
export const monthly = (more: Partial<PlanTerms> = {}): PlanTerms => ({
  asset: core.USD,
  fixed: core.units(10n),
  usage: undefined,
  cadence: { kind: 'monthly', value: { anchorDay: 31, timeMs: 0 } },
  billFor: 'next',
  trialMs: 0,
  retries: [],
  graceMs: 0,
  exhausted: 'suspend',
  meters: [],
  approval: false,
  ...more,
})
export const every = (periodMs: number): PlanTerms['cadence'] => ({ kind: 'fixed', value: { periodMs } })

export const createPlan = (plan: string, terms: PlanTerms): Instruction =>
  instruction(instructions.createPlan, { plan, terms })
export const closePlan = (plan: string): Instruction => instruction(instructions.closePlan, { plan })

export const mandateOf = (most: bigint, more: Partial<Mandate> = {}): Mandate => ({
  maxPerPeriod: cents(most),
  totalMax: undefined,
  untilMs: undefined,
  ...more,
})

/** Plan of a provider by its terms. */
export interface Offer {
  readonly provider: AccountId
  readonly plan: string
  readonly terms: PlanTerms
}
export const hashOf = ({ provider, plan, terms }: Offer): Buffer => planHashOf({ provider, plan }, terms)
export const subscribe = (offer: Offer, mandate: Mandate, reference = 'main'): Instruction =>
  instruction(instructions.subscribe, {
    provider: offer.provider,
    plan: offer.plan,
    planHash: hashOf(offer),
    reference,
    mandate,
  })
export const idOf = ({ provider, plan }: Offer, subscriber: AccountId, reference = 'main'): Buffer =>
  subscriptionIdOf({ provider, plan }, subscriber, reference)

export const approve = (subscription: Uint8Array) => instruction(instructions.approveSubscription, { subscription })
export const pause = (subscription: Uint8Array) => instruction(instructions.pauseSubscription, { subscription })
export const resume = (subscription: Uint8Array) => instruction(instructions.resumeSubscription, { subscription })
export const keep = (subscription: Uint8Array) => instruction(instructions.keepSubscription, { subscription })
export const cancel = (subscription: Uint8Array, at: 'immediate' | 'periodEnd' = 'immediate') =>
  instruction(instructions.cancelSubscription, { subscription, at })
export const change = (subscription: Uint8Array, offer: Offer, mandate?: Mandate) =>
  instruction(instructions.changeSubscriptionPlan, {
    subscription,
    plan: offer.plan,
    planHash: hashOf(offer),
    mandate,
  })
export const record = (subscription: Uint8Array, sequence: number, quantity: bigint) =>
  instruction(instructions.recordSubscriptionUsage, { subscription, sequence, quantity: core.units(quantity) })
export const charge = (subscription: Uint8Array) => instruction(instructions.chargeSubscription, { subscription })
export const refund = (subscription: Uint8Array, amount: bigint) =>
  instruction(instructions.refundSubscription, { subscription, amount: cents(amount) })

export const freeze = (account: AccountId, frozen: boolean): Instruction =>
  instruction(assets.setFreeze, { asset: core.balance(account), frozen, reason: undefined })
export const blacklist = (account: AccountId, blacklisted: boolean): Instruction =>
  instruction(assets.setBlacklist, { asset: core.balance(account), blacklisted })
export const capDay = (account: AccountId, cap: bigint | undefined): Instruction =>
  instruction(assets.setLimits, {
    asset: core.balance(account),
    limits: cap === undefined ? [] : [{ window: 'day', cap: cents(cap) }],
  })

/** Bench with blocks. */
export class Chain {
  readonly blocks: Blocks

  constructor(readonly bench: Bench) {
    this.blocks = new Blocks(bench)
  }

  /** Wait, and run blocks until nothing is due; returns the runs in order. */
  pass(ms: number) {
    this.bench.timeMs += ms
    const ran: { readonly key: Uint8Array; readonly error: string | undefined }[] = []
    for (let isMore = true; isMore; ) {
      const { events } = this.blocks.run(this.bench.timeMs)
      this.bench.events.push(...events.map(({ event }) => event))
      const runs = events.flatMap(({ event }) =>
        event.kind === 'dueRunRan' ? [event.value as (typeof ran)[number]] : [],
      )
      ran.push(...runs)
      isMore = runs.length > 0
    }
    return ran
  }

  row(id: Uint8Array) {
    const row = this.bench.state.get(subscriptions, id)
    if (row === undefined) throw new Error('the subscription does not exist')
    return row
  }
}
