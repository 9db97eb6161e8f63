/** Charges: due runs, retries, gaps, usage, mandates, and triggers of other accounts. */
import { beforeEach, describe, expect, it } from 'vitest'
import { dueOwners, OWNER_RUNS_PER_MINUTE_MAX } from '../../../src/executor/due-runs/tables.js'
import { roomForRuns, scheduledRun } from '../../../src/executor/index.js'
import { ABI_2 } from '../../../src/features/abi.js'
import { isEntitled } from '../../../src/features/subscriptions/ledger/billing.js'
import { chargeRun } from '../../../src/features/subscriptions/ledger/charge.js'
import { plans } from '../../../src/features/subscriptions/ledger/tables.js'
import type { Mandate, PlanTerms } from '../../../src/features/subscriptions/schema/records.js'
import * as core from '../../support/core.js'
import { Bench } from '../../support/executor.js'
import * as sub from '../../support/subscriptions.js'

const { alice, bob, outsider, carol, owner, MINUTE, HOUR, DAY } = sub
const setup = sub.subscriptionWorld()
const daily = sub.monthly({ cadence: sub.every(DAY) })
const GB = { unit: 'GB', unitPrice: core.units(5n, 1), included: core.units(2n) }

let bench: Bench
let chain: sub.Chain
beforeEach(() => {
  bench = new Bench(setup.state, ABI_2)
  bench.timeMs = sub.START_MS
  chain = new sub.Chain(bench)
})

/** Subscription of alice to a new plan of bob. */
function joined(terms: PlanTerms, mandate: Mandate = sub.mandateOf(10_000n)): Buffer {
  const offer = { provider: bob, plan: 'p', terms }
  expect(bench.run(bob, sub.createPlan('p', terms))).toBeUndefined()
  expect(bench.run(alice, sub.subscribe(offer, mandate))).toBeUndefined()
  return sub.idOf(offer, alice)
}
const entitled = (id: Uint8Array): boolean => {
  const row = chain.row(id)
  const plan = bench.state.get(plans, row.plan)
  return plan !== undefined && isEntitled(row, plan, bench.timeMs)
}
const number = (code: string) => new Map<string, number>(ABI_2.errorNumbers).get(code)
const freeze = (frozen: boolean) => bench.genesis(owner, sub.freeze(alice, frozen))

describe('a subscription charge by a due run', () => {
  it('follows a monthly anchor: 31 January, 28 February, 31 March', () => {
    const id = joined(sub.monthly())
    const paidAt: string[] = []
    for (let day = 0; day < 100; day += 1) {
      const ran = chain.pass(DAY)
      if (ran.length > 0) paidAt.push(new Date(chain.row(id).period.startMs).toISOString().slice(0, 10))
    }
    expect(paidAt).toEqual(['2027-01-31', '2027-02-28', '2027-03-31'])
    expect(chain.row(id)).toMatchObject({ counter: 4, dueMs: Date.UTC(2027, 3, 30) })
  })

  it('creates one invoice per period, and none before it is due', () => {
    const id = joined(daily)
    expect(bench.run(outsider, sub.charge(id))).toBe('charge_early')
    expect(bench.run(outsider, sub.charge(Buffer.alloc(32)))).toBe('absent')
    expect(chain.pass(DAY - 1)).toEqual([])
    expect(chain.pass(1)).toHaveLength(1)
    expect(chain.row(id)).toMatchObject({ counter: 2, spent: core.units(20n), last: { number: 2, skipped: 0 } })
    expect(bench.run(outsider, sub.charge(id))).toBe('charge_early')
    expect(chain.pass(0)).toEqual([])
  })

  it('can be made by any account, and is then not repeated by the run', () => {
    const id = joined(sub.monthly({ trialMs: MINUTE + 1 }))
    bench.timeMs += MINUTE + 1
    expect(bench.run(outsider, sub.charge(id))).toBeUndefined()
    expect(chain.row(id)).toMatchObject({ status: 'active', counter: 1 })
    expect(chain.pass(MINUTE)).toEqual([])
  })

  it('is made once after an outage of the chain, and the missed periods are skipped', () => {
    const id = joined(daily)
    expect(chain.pass(5 * DAY + HOUR)).toHaveLength(1)
    expect(chain.row(id)).toMatchObject({ counter: 2, spent: core.units(20n), last: { skipped: 4 } })
    expect(chain.row(id).dueMs).toBe(sub.START_MS + 6 * DAY)
  })

  it('ends a trial, and usage during the trial is free', () => {
    const id = joined(sub.monthly({ ...daily, usage: GB, trialMs: DAY }))
    expect(bench.run(bob, sub.record(id, 1, 10_000n))).toBeUndefined()
    chain.pass(DAY)
    expect(chain.row(id)).toMatchObject({ status: 'active', usage: sub.NONE, spent: core.units(10n), counter: 1 })
  })

  it('cancels a trial that was set to end without a charge', () => {
    const id = joined(sub.monthly({ trialMs: DAY }))
    expect(bench.run(alice, sub.cancel(id, 'periodEnd'))).toBeUndefined()
    chain.pass(DAY)
    expect(chain.row(id)).toMatchObject({ status: 'canceled', counter: 0, spent: sub.NONE })
  })

  it('completes a cancellation at the end of a period, and charges its usage', () => {
    const id = joined({ ...daily, usage: GB })
    expect(bench.run(bob, sub.record(id, 1, 12n))).toBeUndefined()
    expect(bench.run(alice, sub.cancel(id, 'periodEnd'))).toBeUndefined()
    chain.pass(DAY)
    expect(chain.row(id)).toMatchObject({ status: 'canceled', counter: 2, spent: core.units(15n) })
  })

  it('uses at most the declared units of its kind', () => {
    const id = joined({ ...daily, usage: GB, retries: [HOUR], meters: [carol, outsider] })
    bench.genesis(owner, sub.capDay(alice, 10_000n))
    expect(bench.run(bob, sub.record(id, 1, 12n))).toBeUndefined()
    bench.timeMs += DAY
    const { results } = chain.blocks.run(bench.timeMs)
    const [teu = 0] = results.map((one) => one.teu)
    expect(teu).toBeLessThan(0.75 * (300 + chargeRun.maxTeu))
  })
})

describe('a subscription charge that fails', () => {
  it('is recorded, retried after the delays of the plan, and then paid only once', () => {
    const id = joined({ ...daily, retries: [HOUR, 2 * HOUR], graceMs: 2 * HOUR })
    freeze(true)
    expect(chain.pass(DAY)).toMatchObject([{ error: undefined }])
    const dueMs = sub.START_MS + DAY
    expect(chain.row(id)).toMatchObject({
      status: 'pastDue',
      attempt: 1,
      counter: 1,
      dueMs: dueMs + HOUR,
      open: { number: 2, attempts: 1, error: number('asset_frozen'), dueMs, paidMs: undefined },
    })
    const failed = bench.events.find(({ kind }) => kind === 'subscriptionChargeFailed')
    expect(failed?.value).toMatchObject({ number: 2, status: 'pastDue', retryMs: dueMs + HOUR })
    expect(bench.run(outsider, sub.charge(id))).toBe('charge_early')
    expect(entitled(id)).toBe(true)
    chain.pass(HOUR)
    expect(chain.row(id)).toMatchObject({ status: 'pastDue', attempt: 2, dueMs: dueMs + 3 * HOUR })
    bench.timeMs += HOUR - 1
    expect(entitled(id)).toBe(true)
    bench.timeMs += 1
    expect(entitled(id)).toBe(false)
    freeze(false)
    chain.pass(HOUR)
    expect(chain.row(id)).toMatchObject({
      status: 'active',
      attempt: 0,
      counter: 2,
      spent: core.units(20n),
      open: undefined,
      last: { number: 2, attempts: 2, dueMs, skipped: 0 },
    })
    expect(chain.row(id).dueMs).toBe(dueMs + DAY)
    expect(entitled(id)).toBe(true)
  })

  it('suspends the subscription after the last retry, and a resume then begins a new period', () => {
    const id = joined({ ...daily, retries: [HOUR], graceMs: 5 * DAY })
    freeze(true)
    chain.pass(DAY)
    chain.pass(HOUR)
    expect(chain.row(id)).toMatchObject({ status: 'suspended', attempt: 2, dueMs: undefined, open: { attempts: 2 } })
    expect(entitled(id)).toBe(false)
    expect(chain.pass(10 * DAY)).toEqual([])
    for (const what of [sub.charge(id), sub.pause(id), sub.keep(id)])
      expect(bench.run(alice, what)).toBe('subscription_state')
    freeze(false)
    expect(bench.run(alice, sub.resume(id))).toBeUndefined()
    expect(chain.row(id)).toMatchObject({ status: 'active', spent: core.units(20n), open: undefined, attempt: 0 })
    expect(chain.row(id).period.startMs).toBe(bench.timeMs)
  })

  it('cancels the subscription after the last retry if the plan requires it', () => {
    const id = joined({ ...daily, exhausted: 'cancel' })
    freeze(true)
    chain.pass(DAY)
    expect(chain.row(id)).toMatchObject({ status: 'canceled', open: { attempts: 1, amount: core.units(10n) } })
    expect(scheduledRun(bench.state, chargeRun, id)).toBeUndefined()
  })

  it('does not lead to a double charge of a period if the debt outlasts it', () => {
    const id = joined({ ...daily, retries: [3 * DAY] })
    freeze(true)
    chain.pass(DAY)
    freeze(false)
    chain.pass(3 * DAY)
    expect(chain.row(id)).toMatchObject({ status: 'active', counter: 2, spent: core.units(20n), last: { skipped: 3 } })
  })

  it('leaves the debt of a postpaid period until the subscription is resumed', () => {
    const id = joined({ ...daily, billFor: 'previous' })
    freeze(true)
    chain.pass(DAY)
    expect(chain.row(id)).toMatchObject({ status: 'suspended', spent: sub.NONE })
    freeze(false)
    chain.pass(DAY)
    expect(bench.run(alice, sub.resume(id))).toBeUndefined()
    expect(chain.row(id)).toMatchObject({ status: 'active', spent: core.units(10n) })
  })

  it('suspends the subscription if the asset was removed, even if its id was registered again', () => {
    bench.genesis(owner, core.mint(alice, 10n, sub.EUR))
    const id = joined({ ...daily, asset: sub.EUR })
    expect(bench.run(bob, core.burn(bob, 10n, sub.EUR))).toBeUndefined()
    bench.genesis(owner, core.unregister('AssetDefinition', sub.EUR))
    bench.genesis(owner, core.registerDefinition(sub.EUR), core.mint(alice, 10n, sub.EUR))
    chain.pass(DAY)
    expect(chain.row(id)).toMatchObject({ status: 'suspended', open: { error: number('absent') } })
    expect(bench.run(bob, sub.refund(id, 1n))).toBe('absent')
    expect(bench.run(alice, sub.resume(id))).toBe('absent')
  })

  it('is recorded with its error code: low balance, blacklist or cap', () => {
    for (const [code, cause, undo] of [
      ['not_enough', core.burn(alice, 985n), core.mint(alice, 500n)],
      ['asset_blacklisted', sub.blacklist(bob, true), sub.blacklist(bob, false)],
      ['transfer_limit', sub.capDay(alice, 1n), sub.capDay(alice, undefined)],
    ] as const) {
      const offer = { provider: bob, plan: code.replaceAll('_', '-'), terms: daily }
      expect(bench.run(bob, sub.createPlan(offer.plan, daily))).toBeUndefined()
      expect(bench.run(alice, sub.subscribe(offer, sub.mandateOf(1_000n)))).toBeUndefined()
      const id = sub.idOf(offer, alice)
      bench.genesis(code === 'not_enough' ? alice : owner, cause)
      chain.pass(DAY)
      expect(chain.row(id)).toMatchObject({ status: 'suspended', open: { error: number(code) } })
      bench.genesis(owner, undo)
    }
  })
})

describe('a provider with the maximum number of due runs in an hour', () => {
  const HOUR_MINUTES = 64
  /** Fill the minutes from a time on, like 131,072 subscriptions. */
  const fill = (fromMs: number) => {
    for (let minute = Math.ceil(fromMs / MINUTE), end = minute + HOUR_MINUTES; minute < end; minute += 1)
      bench.state.set(dueOwners, { owner: bob, minute }, OWNER_RUNS_PER_MINUTE_MAX)
  }

  it('cannot get another subscription whose charge is due in that hour', () => {
    const offer = { provider: bob, plan: 'p', terms: daily }
    expect(bench.run(bob, sub.createPlan('p', daily))).toBeUndefined()
    expect(roomForRuns(bench.state, bob, sub.START_MS + DAY)).toBe(HOUR_MINUTES * OWNER_RUNS_PER_MINUTE_MAX)
    fill(sub.START_MS + DAY)
    expect(roomForRuns(bench.state, bob, sub.START_MS + DAY)).toBe(0)
    expect(bench.run(alice, sub.subscribe(offer, sub.mandateOf(1_000n)))).toBe('due_runs_full')
    bench.timeMs += MINUTE
    expect(bench.run(alice, sub.subscribe(offer, sub.mandateOf(1_000n)))).toBeUndefined()
  })

  it('keeps a paid charge without scheduling the next one, which any account can then submit', () => {
    const id = joined(daily)
    fill(sub.START_MS + 2 * DAY)
    expect(chain.pass(DAY)).toMatchObject([{ error: undefined }])
    expect(chain.row(id)).toMatchObject({ status: 'active', counter: 2, dueMs: sub.START_MS + 2 * DAY })
    expect(scheduledRun(bench.state, chargeRun, id)).toBeUndefined()
    expect(bench.events.findLast(({ kind }) => kind === 'subscriptionCharged')?.value).toMatchObject({
      nextMs: undefined,
    })
    bench.timeMs += DAY
    expect(bench.run(outsider, sub.charge(id))).toBeUndefined()
    expect(chain.row(id).counter).toBe(3)
    expect(scheduledRun(bench.state, chargeRun, id)).toBeDefined()
  })
})

describe('the mandate of a subscriber', () => {
  it('limits each charge, the sum of charges, and their time', () => {
    const bounds = {
      most: { mandate: sub.mandateOf(1_200n), usage: 10n },
      total: { mandate: sub.mandateOf(1_500n, { totalMax: sub.cents(1_999n) }), usage: 0n },
      until: { mandate: sub.mandateOf(1_500n, { untilMs: sub.START_MS + DAY }), usage: 0n },
    }
    for (const [plan, { mandate, usage }] of Object.entries(bounds)) {
      const offer = { provider: bob, plan, terms: { ...daily, usage: GB } }
      expect(bench.run(bob, sub.createPlan(plan, offer.terms))).toBeUndefined()
      expect(bench.run(alice, sub.subscribe(offer, mandate))).toBeUndefined()
      const id = sub.idOf(offer, alice)
      if (usage > 0n) {
        expect(bench.run(bob, sub.record(id, 1, usage))).toBe('mandate_exceeded')
        // Credit makes room for usage; once it is refunded the charge fails.
        expect(bench.run(bob, sub.record(id, 1, 6n))).toBeUndefined()
      }
    }
    chain.pass(DAY)
    const statusOf = (plan: string) => chain.row(sub.idOf({ provider: bob, plan, terms: daily }, alice))
    expect(statusOf('most')).toMatchObject({ status: 'active', spent: core.units(22n) })
    for (const plan of ['total', 'until'])
      expect(statusOf(plan)).toMatchObject({ status: 'suspended', open: { error: number('mandate_exceeded') } })
  })

  it('is not exceeded by usage that relied on a credit that has been refunded', () => {
    const id = joined({ ...daily, usage: GB }, sub.mandateOf(1_000n))
    bench.timeMs += DAY / 2
    expect(bench.run(alice, sub.pause(id))).toBeUndefined()
    expect(bench.run(alice, sub.resume(id))).toBeUndefined()
    bench.timeMs += DAY / 2
    expect(bench.run(alice, sub.pause(id))).toBeUndefined()
    expect(chain.row(id).credit).toEqual(core.units(5n))
    expect(bench.run(bob, sub.refund(id, 500n))).toBeUndefined()
    expect(bench.run(alice, sub.resume(id))).toBeUndefined()
    expect(bench.run(bob, sub.record(id, 1, 3n))).toBe('mandate_exceeded')
  })
})

describe('RecordSubscriptionUsage', () => {
  it('requires the provider or a meter, and an increasing sequence number', () => {
    const id = joined({ ...daily, usage: GB, meters: [carol] })
    expect(bench.run(bob, sub.record(Buffer.alloc(32), 1, 1n))).toBe('absent')
    expect(bench.run(alice, sub.record(id, 1, 1n))).toBe('not_permitted')
    expect(bench.run(bob, sub.record(id, 0, 1n))).toBe('usage_replayed')
    expect(bench.run(carol, sub.record(id, 5, 1n))).toBeUndefined()
    expect(bench.run(carol, sub.record(id, 5, 1n))).toBe('usage_replayed')
    expect(bench.run(bob, sub.record(id, 6, 0n))).toBe('bad_amount')
    expect(bench.run(bob, sub.record(id, 6, 2n * 10n ** 36n))).toBe('bad_amount')
    expect(bench.run(bob, sub.record(id, 6, 200n))).toBe('mandate_exceeded')
    expect(bench.run(bob, sub.record(id, 6, 4n))).toBeUndefined()
    expect(chain.row(id)).toMatchObject({ usage: core.units(5n), sequence: 6 })
    chain.pass(DAY)
    // (5 - 2) * 0.5 beside the price of the period.
    expect(chain.row(id)).toMatchObject({ usage: sub.NONE, sequence: 6, last: { amount: sub.cents(1_150n) } })
    expect(bench.run(carol, sub.record(id, 6, 1n))).toBe('usage_replayed')
  })

  it('is rejected without a usage price, and for a canceled subscription', () => {
    const id = joined(daily)
    expect(bench.run(bob, sub.record(id, 1, 1n))).toBe('subscription_state')
    expect(bench.run(alice, sub.cancel(id))).toBeUndefined()
    expect(bench.run(bob, sub.record(id, 1, 1n))).toBe('subscription_state')
  })

  it('rejects usage that raises the sum above the limit of exact arithmetic', () => {
    const included = core.units(10n ** 36n)
    const id = joined({ ...daily, usage: { ...GB, included } })
    expect(bench.run(bob, sub.record(id, 1, 10n ** 36n))).toBeUndefined()
    expect(bench.run(bob, sub.record(id, 2, 1n))).toBe('overflow')
  })

  it('rounds the charge up to the scale of the asset', () => {
    const usage = { unit: 'call', unitPrice: core.units(1n, 3), included: core.units(0n) }
    const id = joined(sub.monthly({ ...daily, fixed: undefined, usage, billFor: 'previous' }))
    expect(bench.run(bob, sub.record(id, 1, 11n))).toBeUndefined()
    chain.pass(DAY)
    expect(chain.row(id).last).toMatchObject({ quantity: core.units(11n), usage: sub.cents(2n), amount: sub.cents(2n) })
  })
})

describe('triggers of other accounts during a charge', () => {
  it('cannot undo the result of a due run if they belong to a subscriber', () => {
    const id = joined({ ...daily, retries: [HOUR] })
    const bad = [core.transfer(alice, bob, 1_000_000n)]
    const watched = core.onData('subscription', { kind: 'account', value: alice })
    expect(bench.run(alice, core.registerTrigger('veto', alice, watched, bad))).toBeUndefined()
    const paid = core.onData('asset', { kind: 'account', value: alice })
    expect(bench.run(alice, core.registerTrigger('paid', alice, paid, bad))).toBeUndefined()
    expect(chain.pass(DAY)).toMatchObject([{ error: undefined }])
    expect(chain.row(id)).toMatchObject({ status: 'active', counter: 2 })
    freeze(true)
    expect(chain.pass(DAY)).toMatchObject([{ error: undefined }])
    expect(chain.row(id).status).toBe('pastDue')
  })

  it('can exhaust the units of the sender, and the charge is then not recorded as failed', () => {
    const id = joined({ ...daily, retries: [HOUR] })
    const watched = core.onData('asset', { kind: 'object', value: core.USD })
    const list = Array.from({ length: 60 }, () => core.log('x'.repeat(160)))
    expect(bench.run(owner, core.registerTrigger('issuer', owner, watched, list))).toBeUndefined()
    bench.timeMs += DAY
    bench.contentTeu = 1_000
    expect(bench.run(outsider, sub.charge(id))).toBe('teu_exhausted')
    expect(chain.row(id)).toMatchObject({ status: 'active', attempt: 0 })
    // With enough units, or by a due run with the limit of its kind, the charge is made or its failure recorded.
    bench.contentTeu = 60_000
    expect(bench.run(outsider, sub.charge(id))).toBeUndefined()
    expect(chain.row(id).counter).toBe(2)
    expect(chain.pass(DAY)).toMatchObject([{ error: undefined }])
  })
})
