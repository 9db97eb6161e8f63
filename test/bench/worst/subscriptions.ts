/**
 * Owns the inputs about subscriptions: the longest plans, and the maximum cost of charges, changes and records of
 * usage.
 */
import { ABI_2 } from '../../../src/features/abi.js'
import type { PlanTerms } from '../../../src/features/subscriptions/schema/records.js'
import type { AccountId, Instruction } from '../../../src/model/index.js'
import type { Bench } from '../../support/executor.js'
import * as sub from '../../support/subscriptions.js'
import { agent, alice, bob, repeat, text, type WorstCase } from './inputs.js'

const { DAY } = sub
/** Terms with the longest lists, and amounts with the maximum number of digits. */
const FAT: PlanTerms = sub.monthly({
  usage: { unit: text(16), unitPrice: { mantissa: 10n ** 64n - 1n, scale: 28 }, included: { mantissa: 1n, scale: 28 } },
  trialMs: 3_660 * DAY,
  retries: repeat(8, () => 3_660 * DAY),
  meters: repeat(4, () => agent),
})
const DAILY = sub.monthly({ cadence: sub.every(DAY), fixed: { mantissa: 1n, scale: 2 }, retries: repeat(8, () => DAY) })
const METERED: PlanTerms = {
  ...DAILY,
  usage: {
    unit: 'GB',
    unitPrice: { mantissa: 10n ** 28n + 1n, scale: 28 },
    included: { mantissa: 10n ** 36n, scale: 0 },
  },
}
const name = (index: number): string => `p${index}`.padEnd(64, 'x')
const offer = (terms: PlanTerms, index = 0, provider: AccountId = bob): sub.Offer => ({
  provider,
  plan: name(index),
  terms,
})
const reference = (index: number): string => `r${index}`.padEnd(35, 'x')
const MAX = sub.mandateOf(10n ** 30n, {
  totalMax: { mantissa: 10n ** 30n, scale: 0 },
  untilMs: Number.MAX_SAFE_INTEGER,
})
const COUNT = 40

/** Plans of bob, and subscriptions of alice to the first one. */
function prepare(terms: PlanTerms, count = 0) {
  return (bench: Bench): void => {
    bench.genesis(bob, sub.createPlan(name(0), terms), sub.createPlan(name(1), terms))
    for (const index of repeat(count, (at) => at)) bench.run(alice, sub.subscribe(offer(terms), MAX, reference(index)))
  }
}
const ids = (terms: PlanTerms): Buffer[] => repeat(COUNT, (index) => sub.idOf(offer(terms), alice, reference(index)))
const each = (terms: PlanTerms, make: (id: Buffer) => Instruction) => (): Instruction[][] =>
  ids(terms).map((id) => [make(id)])
const abi = ABI_2

export const SUBSCRIPTION_CASES: Readonly<Record<string, WorstCase>> = {
  'subscriptions: the longest plans, created and closed': {
    abi,
    by: bob,
    transactions: () => repeat(20, (index) => [sub.createPlan(name(index), FAT), sub.closePlan(name(index))]),
  },
  'subscriptions: begun with a charge': {
    abi,
    by: alice,
    isCommon: true,
    prepare: prepare(DAILY),
    transactions: () => repeat(COUNT, (index) => [sub.subscribe(offer(DAILY), MAX, reference(index))]),
  },
  'subscriptions: charges that are due': {
    abi,
    by: agent,
    isCommon: true,
    prepare: prepare(DAILY, COUNT),
    timeMs: 3 * DAY,
    transactions: each(DAILY, sub.charge),
  },
  'subscriptions: charges of a frozen account': {
    abi,
    by: agent,
    prepare: (bench) => {
      prepare(DAILY, COUNT)(bench)
      bench.genesis(sub.owner, sub.freeze(alice, true))
    },
    timeMs: 3 * DAY,
    transactions: each(DAILY, sub.charge),
  },
  'subscriptions: usage with 28 digits': {
    abi,
    by: bob,
    prepare: prepare(METERED, COUNT),
    transactions: each(METERED, (id) => sub.record(id, 1, 1n)),
  },
  'subscriptions: paused and resumed': {
    abi,
    by: alice,
    prepare: prepare(METERED, COUNT),
    timeMs: DAY / 2,
    transactions: () => ids(METERED).map((id) => [sub.pause(id), sub.resume(id)]),
  },
  'subscriptions: changes of the plan, canceled': {
    abi,
    by: alice,
    prepare: prepare(METERED, COUNT),
    timeMs: DAY / 2,
    transactions: () => ids(METERED).map((id) => [sub.change(id, offer(METERED, 1), MAX), sub.cancel(id)]),
  },
}
