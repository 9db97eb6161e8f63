/** Plans and the status of a subscription: each code of each instruction, in its order, and the effects. */
import { beforeEach, describe, expect, it } from 'vitest'
import { accountUse } from '../../../src/executor/accounts.js'
import { scheduledRun } from '../../../src/executor/index.js'
import { ABI_2 } from '../../../src/features/abi.js'
import { chargeRun } from '../../../src/features/subscriptions/ledger/charge.js'
import { plans, subscriptions, trialUsed } from '../../../src/features/subscriptions/ledger/tables.js'
import { instructions } from '../../../src/features/subscriptions/schema/instructions.js'
import { planTerms } from '../../../src/features/subscriptions/schema/records.js'
import { balances } from '../../../src/ledger/tables.js'
import { type AccountId, instruction } from '../../../src/model/index.js'
import * as core from '../../support/core.js'
import { Bench } from '../../support/executor.js'
import * as sub from '../../support/subscriptions.js'

const { alice, bob, agent, outsider, carol, owner, MINUTE, HOUR, DAY } = sub
const setup = sub.subscriptionWorld()

let bench: Bench
beforeEach(() => {
  bench = new Bench(setup.state, ABI_2)
  bench.timeMs = sub.START_MS
})

/** Plan of bob. */
function offer(terms = sub.monthly(), plan = 'p'): sub.Offer {
  expect(bench.run(bob, sub.createPlan(plan, terms))).toBeUndefined()
  return { provider: bob, plan, terms }
}
const MAX = sub.mandateOf(10_000n)
/** Subscription of alice to a new plan of bob. */
function joined(terms = sub.monthly(), mandate = MAX): Buffer {
  const made = offer(terms)
  expect(bench.run(alice, sub.subscribe(made, mandate))).toBeUndefined()
  return sub.idOf(made, alice)
}
const row = (id: Uint8Array) => {
  const found = bench.state.get(subscriptions, id)
  if (found === undefined) throw new Error('the subscription does not exist')
  return found
}
const held = (account: AccountId) => bench.state.get(balances, core.balance(account)) ?? core.units(0n)
const objects = (account: AccountId) => bench.state.get(accountUse, account)?.objects ?? 0
const run = (id: Uint8Array) => scheduledRun(bench.state, chargeRun, id)
const daily = sub.monthly({ cadence: sub.every(DAY) })

describe('CreatePlan', () => {
  it('rejects a name that the account already used', () => {
    offer()
    expect(bench.run(bob, sub.createPlan('p', daily))).toBe('exists')
    expect(bench.run(agent, sub.createPlan('p', daily))).toBeUndefined()
  })

  it.each([
    ['no asset', { asset: 'none#bank' }, 'absent'],
    ['no price', { fixed: undefined }, 'bad_amount'],
    ['a price of zero', { fixed: core.units(0n) }, 'bad_amount'],
    ['a negative price', { fixed: core.units(-1n) }, 'bad_amount'],
    ['a price with three digits', { fixed: core.units(1n, 3) }, 'bad_scale'],
    ['a price above 10^36', { fixed: core.units(10n ** 36n + 1n) }, 'bad_amount'],
    [
      'a unit price of zero',
      { usage: { unit: 'GB', unitPrice: core.units(0n), included: core.units(0n) } },
      'bad_amount',
    ],
    [
      'a unit price above 10^36',
      { usage: { unit: 'GB', unitPrice: core.units(2n * 10n ** 36n), included: core.units(0n) } },
      'bad_amount',
    ],
    [
      'a negative quantity',
      { usage: { unit: 'GB', unitPrice: core.units(1n), included: core.units(-1n) } },
      'bad_amount',
    ],
    [
      'a quantity above 10^36',
      { usage: { unit: 'GB', unitPrice: core.units(1n), included: core.units(2n * 10n ** 36n) } },
      'bad_amount',
    ],
  ] as const)('rejects a plan with %s', (_what, more, code) => {
    expect(bench.run(bob, sub.createPlan('p', sub.monthly(more)))).toBe(code)
    expect(bench.state.get(plans, { provider: bob, plan: 'p' })).toBeUndefined()
    expect(objects(bob)).toBe(0)
  })

  it.each([
    ['a period of 59,999 ms', { cadence: { Fixed: { period_ms: 59_999 } } }],
    ['a period of 90 s', { cadence: { Fixed: { period_ms: 90_000 } } }],
    ['a period of eleven years', { cadence: { Fixed: { period_ms: 4_015 * DAY } } }],
    ['day 0', { cadence: { Monthly: { anchor_day: 0, time_ms: 0 } } }],
    ['day 32', { cadence: { Monthly: { anchor_day: 32, time_ms: 0 } } }],
    ['a time of 24:00', { cadence: { Monthly: { anchor_day: 1, time_ms: DAY } } }],
    ['a retry after 59 s', { retries: [59_000] }],
    ['nine retries', { retries: Array.from({ length: 9 }, () => MINUTE) }],
    ['five meters', { meters: Array.from({ length: 5 }, () => 'cw1') }],
    ['a trial of eleven years', { trial_ms: 4_015 * DAY }],
  ])('does not decode with %s', (_what, more) => {
    const plain = { asset: 'usd#bank', fixed: '1', usage: null, cadence: { Fixed: { period_ms: MINUTE } } }
    expect(planTerms.fromJson(plain).ok).toBe(true)
    expect(planTerms.fromJson({ ...plain, ...more }).ok).toBe(false)
  })

  it('accepts a unit price below the smallest unit of the asset', () => {
    const usage = { unit: 'call', unitPrice: core.units(1n, 9), included: core.units(0n) }
    expect(bench.run(bob, sub.createPlan('p', sub.monthly({ usage })))).toBeUndefined()
  })
})

describe('ClosePlan', () => {
  it('rejects new subscribers, and existing subscribers remain', () => {
    const made = offer()
    expect(bench.run(alice, sub.subscribe(made, MAX))).toBeUndefined()
    expect(bench.run(agent, sub.closePlan('p'))).toBe('absent')
    expect(bench.run(bob, sub.closePlan('p'))).toBeUndefined()
    expect(bench.run(bob, sub.closePlan('p'))).toBe('plan_closed')
    expect(bench.run(carol, sub.subscribe(made, MAX))).toBe('plan_closed')
    expect(row(sub.idOf(made, alice)).status).toBe('active')
    expect(objects(bob)).toBe(1)
  })
})

describe('Subscribe', () => {
  it('checks plan, reference, subscriber, hash and mandate in this order', () => {
    const made = offer()
    const other = { ...made, terms: sub.monthly({ fixed: core.units(9n) }) }
    const tiny = sub.mandateOf(1n)
    expect(bench.run(alice, sub.subscribe({ ...other, plan: 'q' }, tiny))).toBe('absent')
    expect(bench.run(alice, sub.subscribe(made, MAX))).toBeUndefined()
    expect(bench.run(alice, sub.subscribe(other, tiny))).toBe('exists')
    expect(bench.run(bob, sub.subscribe(other, tiny))).toBe('self_transfer')
    expect(bench.run(carol, sub.subscribe(other, tiny))).toBe('plan_changed')
    expect(bench.run(carol, sub.subscribe(made, tiny))).toBe('mandate_too_small')
  })

  it('rejects a mandate that does not cover one period or ends before the first charge', () => {
    const made = offer()
    const asked = (most: bigint, more: Parameters<typeof sub.mandateOf>[1] = {}) =>
      bench.run(alice, sub.subscribe(made, sub.mandateOf(most, more)))
    expect(asked(0n)).toBe('bad_amount')
    expect(asked(10n ** 40n)).toBe('bad_amount')
    expect(asked(999n)).toBe('mandate_too_small')
    expect(asked(1_000n, { totalMax: sub.cents(999n) })).toBe('mandate_too_small')
    expect(asked(1_000n, { totalMax: core.units(-1n) })).toBe('bad_amount')
    expect(asked(1_000n, { untilMs: sub.START_MS })).toBe('mandate_too_small')
    expect(asked(1_000n, { untilMs: sub.START_MS + 1, totalMax: sub.cents(1_000n) })).toBeUndefined()
  })

  it('requires a mandate that outlasts the trial, or the first period if it is postpaid', () => {
    const trial = offer(sub.monthly({ trialMs: DAY }), 'trial')
    const postpaid = offer(sub.monthly({ billFor: 'previous', cadence: sub.every(DAY) }), 'postpaid')
    for (const made of [trial, postpaid]) {
      const until = (untilMs: number) => bench.run(alice, sub.subscribe(made, sub.mandateOf(1_000n, { untilMs })))
      expect(until(sub.START_MS + DAY)).toBe('mandate_too_small')
      expect(until(sub.START_MS + DAY + 1)).toBeUndefined()
    }
  })

  it('charges the rest of the month in proportion, rounded up', () => {
    // 31 December has two more minutes; the next anchor is 31 January.
    const made = offer(sub.monthly({ cadence: { kind: 'monthly', value: { anchorDay: 1, timeMs: 0 } } }))
    expect(bench.run(alice, sub.subscribe(made, MAX))).toBeUndefined()
    const { period, last, spent } = row(sub.idOf(made, alice))
    expect(period.endMs).toBe(Date.UTC(2027, 0, 1))
    expect([spent, last?.fixed, last?.number]).toEqual([sub.cents(1n), sub.cents(1n), 1])
    expect(held(alice)).toEqual(sub.cents(99_999n))
    expect(held(bob)).toEqual(sub.cents(100_001n))
  })

  it('is rejected without a change if the first charge fails', () => {
    const made = offer()
    bench.genesis(owner, sub.freeze(alice, true))
    expect(bench.run(alice, sub.subscribe(made, MAX))).toBe('asset_frozen')
    expect(bench.state.get(subscriptions, sub.idOf(made, alice))).toBeUndefined()
    expect([objects(alice), objects(bob)]).toEqual([0, 1])
  })

  it('is rejected if the asset of the plan was registered again', () => {
    const made = offer(sub.monthly({ asset: sub.EUR, fixed: core.units(1n) }))
    bench.genesis(owner, core.unregister('AssetDefinition', sub.EUR))
    expect(bench.run(alice, sub.subscribe(made, MAX))).toBe('absent')
    bench.genesis(owner, core.registerDefinition(sub.EUR), core.mint(alice, 100n, sub.EUR))
    expect(bench.run(alice, sub.subscribe(made, MAX))).toBe('absent')
  })

  it('starts a trial without a charge, and only once per provider', () => {
    const made = offer(sub.monthly({ trialMs: 3 * DAY }))
    expect(bench.run(alice, sub.subscribe(made, MAX))).toBeUndefined()
    expect(row(sub.idOf(made, alice))).toMatchObject({ status: 'trialing', dueMs: sub.START_MS + 3 * DAY, counter: 0 })
    expect(bench.state.has(trialUsed, { provider: bob, subscriber: alice })).toBe(true)
    expect(bench.run(alice, sub.subscribe(made, MAX, 'second'))).toBeUndefined()
    expect(row(sub.idOf(made, alice, 'second'))).toMatchObject({ status: 'active', counter: 1 })
  })

  it('schedules the next charge, and counts as an object of both parties until it is canceled', () => {
    const id = joined(daily)
    expect(run(id)).toMatchObject({ owner: bob, dueMs: sub.START_MS + DAY })
    expect([objects(alice), objects(bob)]).toEqual([1, 2])
    expect(bench.run(alice, core.unregister('Account', alice))).toBe('not_empty')
    expect(bench.run(alice, sub.cancel(id))).toBeUndefined()
    expect(run(id)).toBeUndefined()
    expect([objects(alice), objects(bob)]).toEqual([0, 1])
  })
})

describe('ApproveSubscription', () => {
  it('starts a subscription that waits for the approval of its provider', () => {
    const id = joined(sub.monthly({ approval: true }))
    expect(row(id)).toMatchObject({ status: 'pending', dueMs: undefined, counter: 0 })
    expect(bench.run(bob, sub.approve(Buffer.alloc(32)))).toBe('absent')
    expect(bench.run(alice, sub.approve(id))).toBe('not_permitted')
    expect(bench.run(bob, sub.approve(id))).toBeUndefined()
    expect(row(id)).toMatchObject({ status: 'active', counter: 1 })
    expect(bench.run(bob, sub.approve(id))).toBe('subscription_state')
  })

  it('is rejected if the first charge fails', () => {
    const id = joined(sub.monthly({ approval: true }))
    bench.genesis(owner, sub.freeze(alice, true))
    expect(bench.run(bob, sub.approve(id))).toBe('asset_frozen')
    expect(row(id).status).toBe('pending')
  })
})

describe('PauseSubscription and ResumeSubscription', () => {
  it('turn the unused part of a period into credit, rounded down, and use that credit', () => {
    const id = joined(daily)
    bench.timeMs += DAY / 3
    expect(bench.run(outsider, sub.pause(id))).toBe('not_permitted')
    expect(bench.run(bob, sub.pause(Buffer.alloc(32)))).toBe('absent')
    expect(bench.run(bob, sub.pause(id))).toBeUndefined()
    expect(row(id)).toMatchObject({ status: 'paused', credit: sub.cents(666n), dueMs: undefined })
    expect(run(id)).toBeUndefined()
    expect(bench.run(alice, sub.pause(id))).toBe('subscription_state')
    expect(bench.run(bob, sub.resume(id))).toBe('not_permitted')
    expect(bench.run(alice, sub.resume(id))).toBeUndefined()
    expect(row(id)).toMatchObject({ status: 'active', credit: sub.NONE, spent: sub.cents(1_334n) })
    expect(bench.run(alice, sub.resume(id))).toBe('subscription_state')
  })

  it('are rejected if the debt cannot be paid', () => {
    const usage = { unit: 'GB', unitPrice: core.units(1n), included: core.units(0n) }
    const id = joined({ ...daily, usage })
    expect(bench.run(bob, sub.record(id, 1, 5n))).toBeUndefined()
    bench.timeMs += DAY
    bench.genesis(owner, sub.freeze(alice, true))
    expect(bench.run(alice, sub.pause(id))).toBe('asset_frozen')
    expect(row(id).status).toBe('active')
    bench.genesis(owner, sub.freeze(alice, false))
    expect(bench.run(alice, sub.pause(id))).toBeUndefined()
    expect(row(id)).toMatchObject({ status: 'paused', spent: core.units(15n), usage: sub.NONE })
    bench.genesis(owner, sub.freeze(alice, true))
    expect(bench.run(alice, sub.resume(id))).toBe('asset_frozen')
    expect(row(id).status).toBe('paused')
  })

  it('are rejected for a subscription that ends with its period', () => {
    const id = joined(daily)
    expect(bench.run(alice, sub.cancel(id, 'periodEnd'))).toBeUndefined()
    expect(bench.run(alice, sub.pause(id))).toBe('subscription_state')
  })
})

describe('CancelSubscription and KeepSubscription', () => {
  it('schedule a cancellation at the end of the period, and withdraw a scheduled cancellation', () => {
    const id = joined(daily)
    expect(bench.run(outsider, sub.cancel(id))).toBe('not_permitted')
    expect(bench.run(outsider, sub.cancel(Buffer.alloc(32)))).toBe('absent')
    expect(bench.run(alice, sub.keep(id))).toBe('subscription_state')
    expect(bench.run(bob, sub.cancel(id, 'periodEnd'))).toBeUndefined()
    expect(bench.run(bob, sub.cancel(id, 'periodEnd'))).toBe('subscription_state')
    expect(bench.run(bob, sub.keep(id))).toBe('not_permitted')
    expect(bench.run(alice, sub.keep(id))).toBeUndefined()
    expect(row(id)).toMatchObject({ status: 'active', cancelAtEnd: false })
  })

  it('keep the credit of a canceled subscription, which the provider can refund', () => {
    const id = joined(daily)
    bench.timeMs += DAY / 2
    expect(bench.run(alice, sub.cancel(id))).toBeUndefined()
    expect(row(id)).toMatchObject({ status: 'canceled', credit: core.units(5n), dueMs: undefined })
    for (const again of [sub.cancel(id), sub.pause(id), sub.resume(id), sub.keep(id), sub.charge(id)])
      expect(bench.run(alice, again)).toBe('subscription_state')
    expect(bench.run(alice, sub.refund(id, 1n))).toBe('not_permitted')
    expect(bench.run(bob, sub.refund(Buffer.alloc(32), 1n))).toBe('absent')
    expect(bench.run(bob, sub.refund(id, 0n))).toBe('bad_amount')
    expect(bench.run(bob, sub.refund(id, 501n))).toBe('not_enough')
    const refund = instruction(instructions.refundSubscription, { subscription: id, amount: core.units(1n, 3) })
    expect(bench.run(bob, refund)).toBe('bad_scale')
    expect(bench.run(bob, sub.refund(id, 500n))).toBeUndefined()
    expect([row(id).credit, held(alice)]).toEqual([sub.NONE, core.units(995n)])
    expect(bench.run(bob, sub.refund(id, 1n))).toBe('not_enough')
  })

  it('leave an open invoice for the unpaid debt of a canceled subscription', () => {
    const id = joined({ ...daily, billFor: 'previous' })
    bench.timeMs += DAY / 2
    bench.genesis(owner, sub.freeze(alice, true))
    expect(bench.run(alice, sub.cancel(id))).toBeUndefined()
    const { status, open, last } = row(id)
    expect([status, open?.amount, last]).toEqual(['canceled', core.units(5n), undefined])
    expect(open?.error).toBe(ABI_2.errorNumbers.get('asset_frozen'))
  })

  it('charge the used part of a postpaid period', () => {
    const id = joined({ ...daily, billFor: 'previous' })
    bench.timeMs += DAY / 3
    expect(bench.run(alice, sub.cancel(id))).toBeUndefined()
    expect(row(id)).toMatchObject({ status: 'canceled', spent: sub.cents(334n), open: undefined })
  })
})

describe('ChangeSubscriptionPlan', () => {
  it('checks plan, subscriber, approval, status, hash, asset and mandate', () => {
    const id = joined(daily)
    const big = offer(sub.monthly({ fixed: core.units(500n) }), 'big')
    const gated = offer(sub.monthly({ approval: true }), 'gated')
    const euro = offer(sub.monthly({ asset: sub.EUR }), 'euro')
    expect(bench.run(alice, sub.change(Buffer.alloc(32), big))).toBe('absent')
    expect(bench.run(alice, sub.change(id, { ...big, plan: 'none' }))).toBe('absent')
    expect(bench.run(bob, sub.change(id, big))).toBe('not_permitted')
    expect(bench.run(alice, sub.change(id, gated))).toBe('not_permitted')
    expect(bench.run(alice, sub.change(id, { ...big, terms: daily }))).toBe('plan_changed')
    expect(bench.run(alice, sub.change(id, euro))).toBe('plan_changed')
    expect(bench.run(alice, sub.change(id, big))).toBe('mandate_too_small')
    expect(bench.run(alice, sub.change(id, big, sub.mandateOf(50_000n, { untilMs: bench.timeMs })))).toBe(
      'mandate_too_small',
    )
    expect(bench.run(alice, sub.change(id, big, sub.mandateOf(-1n)))).toBe('bad_amount')
    expect(bench.run(bob, sub.closePlan('big'))).toBeUndefined()
    expect(bench.run(alice, sub.change(id, big, sub.mandateOf(50_000n)))).toBe('plan_closed')
    expect(bench.run(alice, sub.cancel(id))).toBeUndefined()
    expect(bench.run(alice, sub.change(id, big, sub.mandateOf(50_000n)))).toBe('subscription_state')
  })

  it('credits the unused part of the old period and charges the new one', () => {
    const id = joined(daily)
    const hourly = offer(sub.monthly({ cadence: sub.every(HOUR), fixed: core.units(1n) }), 'hourly')
    bench.timeMs += DAY / 3
    expect(bench.run(alice, sub.cancel(id, 'periodEnd'))).toBeUndefined()
    expect(bench.run(alice, sub.change(id, hourly))).toBeUndefined()
    expect(row(id)).toMatchObject({
      status: 'active',
      credit: sub.cents(566n),
      spent: core.units(10n),
      cancelAtEnd: false,
    })
    expect(row(id).dueMs).toBe(bench.timeMs + HOUR)
    expect(run(id)?.dueMs).toBe(bench.timeMs + HOUR)
    expect(row(id).plan.plan).toBe('hourly')
  })

  it('is rejected if the new period cannot be paid', () => {
    const id = joined(daily)
    const dear = offer(sub.monthly({ cadence: sub.every(HOUR), fixed: core.units(90n) }), 'dear')
    bench.genesis(owner, sub.freeze(alice, true))
    expect(bench.run(alice, sub.change(id, dear))).toBe('asset_frozen')
    expect(row(id).plan.plan).toBe('p')
  })

  it('can replace the mandate without changing the plan', () => {
    const id = joined(daily)
    expect(
      bench.run(alice, sub.change(id, { provider: bob, plan: 'p', terms: daily }, sub.mandateOf(2_000n))),
    ).toBeUndefined()
    expect(row(id)).toMatchObject({
      mandate: { maxPerPeriod: core.units(20n) },
      spent: core.units(10n),
      credit: sub.NONE,
    })
  })

  it('preserves the end of a trial', () => {
    const id = joined(sub.monthly({ trialMs: DAY }))
    const other = offer(daily, 'other')
    expect(bench.run(alice, sub.change(id, other))).toBeUndefined()
    expect(row(id)).toMatchObject({ status: 'trialing', dueMs: sub.START_MS + DAY, counter: 0 })
  })
})
