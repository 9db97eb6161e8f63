/** Subscriptions against a naive implementation: random histories on two executors, with due runs, freezes, caps and burns. */
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { accountUse } from '../../../src/executor/accounts.js'
import { scheduledRun } from '../../../src/executor/index.js'
import { ABI_2 } from '../../../src/features/abi.js'
import { isEntitled } from '../../../src/features/subscriptions/ledger/billing.js'
import { chargeRun } from '../../../src/features/subscriptions/ledger/charge.js'
import { plans, subscriptions } from '../../../src/features/subscriptions/ledger/tables.js'
import type { PlanTerms } from '../../../src/features/subscriptions/schema/records.js'
import { balances } from '../../../src/ledger/tables.js'
import type { AccountId, Instruction } from '../../../src/model/index.js'
import { MemoryBackend, type Overlay, WorldState } from '../../../src/state/index.js'
import { slice } from '../../suites.mjs'
import * as core from '../../support/core.js'
import { Bench } from '../../support/executor.js'
import { Fraction, type NaivePlan, NaiveSubscriptions } from '../../support/naive-subscriptions.js'
import { rowsOf } from '../../support/nodes.js'
import * as sub from '../../support/subscriptions.js'

/** `SUBSCRIPTION_HISTORIES` and `SUBSCRIPTION_SEED` choose others. */
const RUNS = Number(process.env.SUBSCRIPTION_HISTORIES ?? slice(5, 60))
const SEED = Number(process.env.SUBSCRIPTION_SEED ?? 1)
const codec = ABI_2.codec('cw')
const { alice, bob, agent, outsider, carol, owner, MINUTE, HOUR, DAY } = sub
const SUBSCRIBERS = [alice, outsider, carol] as const
const EVERY_ACCOUNT = [alice, bob, agent, outsider, carol] as const
const REFERENCES = ['a', 'b', 'c'] as const

const setup = sub.subscriptionWorld()
const rows = rowsOf(setup.state)

async function worldOf(): Promise<WorldState> {
  const world = await WorldState.open({ backend: new MemoryBackend(), cacheBytes: 0, context: codec })
  await world.commit(world.prepareRows(rows), { height: 1 })
  return world
}
/** Root of the setup with the changes of an overlay. */
async function rootOf(state: Overlay): Promise<Buffer> {
  const changed = state.changes().map(({ row, table, value }) => ({
    row,
    bytes: value === undefined ? undefined : table.value.encode(value, codec),
  }))
  return (await worldOf()).prepareRows(changed).root
}

const usagePrice = fc.record({
  unit: fc.constant('GB'),
  unitPrice: fc.constantFrom(
    { mantissa: 5n, scale: 1 },
    { mantissa: 1n, scale: 0 },
    { mantissa: 3n, scale: 3 },
    { mantissa: 25n, scale: 2 },
  ),
  included: fc.constantFrom(core.units(0n), core.units(5n)),
})
const terms: fc.Arbitrary<PlanTerms> = fc
  .record({
    fixed: fc.option(fc.bigInt(1n, 3_000n), { nil: undefined }),
    usage: fc.option(usagePrice, { nil: undefined }),
    cadence: fc.oneof(
      fc.constantFrom(MINUTE, 3 * MINUTE, HOUR, DAY, 7 * DAY).map(sub.every),
      fc
        .record({ anchorDay: fc.constantFrom(1, 15, 28, 29, 30, 31), timeMs: fc.constantFrom(0, 8 * HOUR, DAY - 1) })
        .map((value) => ({ kind: 'monthly' as const, value })),
    ),
    billFor: fc.constantFrom('next' as const, 'next' as const, 'previous' as const),
    trialMs: fc.constantFrom(0, 0, 0, MINUTE, 3 * DAY + 1),
    retries: fc.array(fc.constantFrom(MINUTE, HOUR, DAY, 40 * DAY), { maxLength: 3 }),
    graceMs: fc.constantFrom(0, HOUR, 2 * DAY),
    exhausted: fc.constantFrom('suspend' as const, 'suspend' as const, 'cancel' as const),
    meters: fc.constantFrom([], [outsider]),
    approval: fc.constantFrom(false, false, false, true),
  })
  .map(({ fixed, usage, ...more }) => ({
    ...more,
    asset: core.USD,
    usage,
    fixed: fixed === undefined ? (usage === undefined ? core.units(7n) : undefined) : sub.cents(fixed),
  }))
const offers = fc
  .tuple(terms, terms, terms, terms)
  .map((all) => all.map((one, at): sub.Offer => ({ provider: at === 3 ? agent : bob, plan: `p${at}`, terms: one })))

const which = fc.record({
  plan: fc.nat(3),
  subscriber: fc.constantFrom(...SUBSCRIBERS),
  reference: fc.constantFrom(...REFERENCES),
  /** Index of a subscription to use instead, if it exists. */
  existing: fc.nat(12),
})
const mandate = fc.record({
  most: fc.constantFrom(1_000n, 3_000n, 10_000n, 10_000n, 10_000n, 10_000n),
  total: fc.constantFrom(undefined, undefined, undefined, 10_000n),
  until: fc.constantFrom(undefined, undefined, undefined, undefined, undefined, 0, 60 * DAY),
})
const by = fc.constantFrom(...(['subscriber', 'subscriber', 'subscriber', 'provider', 'provider', 'meter'] as const))
const on = <K extends string, F extends object>(
  weight: number,
  kind: K,
  fields: { [N in keyof F]: fc.Arbitrary<F[N]> },
) => ({
  weight,
  arbitrary: fc.record({ kind: fc.constant(kind), which, by, ...fields }) as unknown as fc.Arbitrary<
    {
      kind: K
      which: { plan: number; subscriber: AccountId; reference: string; existing: number }
      by: 'subscriber' | 'provider' | 'meter'
    } & F
  >,
})
const step = fc.oneof(
  on(20, 'subscribe', { mandate }),
  on(6, 'approve', {}),
  on(8, 'pause', {}),
  on(10, 'resume', {}),
  on(8, 'cancel', { isNow: fc.constantFrom(true, false, false) }),
  on(10, 'keep', {}),
  on(12, 'change', { to: fc.nat(3), mandate: fc.option(mandate, { nil: undefined }) }),
  on(16, 'record', { next: fc.constantFrom(0, 1, 1, 3), quantity: fc.bigInt(1n, 80n) }),
  on(10, 'charge', { isDue: fc.boolean() }),
  on(8, 'refund', { amount: fc.bigInt(1n, 200n) }),
  on(1, 'close', {}),
  on(5, 'freeze', { isOn: fc.boolean() }),
  on(1, 'blacklist', { isOn: fc.boolean() }),
  on(2, 'cap', { cap: fc.constantFrom(undefined, undefined, 500n) }),
  on(3, 'burn', { amount: fc.bigInt(1n, 400n) }),
  on(5, 'pay', { amount: fc.bigInt(1n, 300n) }),
)
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never
const history = fc.tuple(
  offers,
  fc.array(
    fc.record({
      step,
      waitMs: fc.constantFrom(0, 0, 1, 30_000, MINUTE, 2 * MINUTE, HOUR, DAY, 7 * DAY, 29 * DAY, 31 * DAY),
    }),
    { minLength: 50, maxLength: 70 },
  ),
)

/** Value of the naive world: balances and controls of one asset, in cents. */
class NaiveMoney {
  readonly held = new Map<AccountId, bigint>(EVERY_ACCOUNT.map((id) => [id, 100_000n]))
  readonly frozen = new Set<AccountId>()
  readonly blacklisted = new Set<AccountId>()
  readonly caps = new Map<AccountId, { readonly cap: bigint; day: number; spent: bigint }>()
  nowMs = 0

  readonly pay = (from: AccountId, to: AccountId, amount: bigint): string | undefined => {
    const left = (this.held.get(from) ?? 0n) - amount
    if (this.frozen.has(from)) return 'asset_frozen'
    if (this.blacklisted.has(from) || this.blacklisted.has(to)) return 'asset_blacklisted'
    const cap = this.caps.get(from)
    const day = Math.floor(this.nowMs / DAY)
    const spent = (cap?.day === day ? cap.spent : 0n) + amount
    if (cap !== undefined && spent > cap.cap) return 'transfer_limit'
    if (left < 0n) return 'not_enough'
    this.held.set(from, left)
    this.held.set(to, (this.held.get(to) ?? 0n) + amount)
    if (cap !== undefined) this.caps.set(from, { cap: cap.cap, day, spent })
    return undefined
  }
}

/** Terms in the form of the naive implementation. */
function naivePlanOf({ provider, plan, terms: of }: sub.Offer): NaivePlan {
  const { cadence, usage, fixed, billFor, approval, ...same } = of
  const every =
    cadence.kind === 'fixed'
      ? { periodMs: cadence.value.periodMs }
      : { day: cadence.value.anchorDay, timeMs: cadence.value.timeMs }
  const price = usage?.unitPrice
  return {
    ...same,
    provider,
    name: plan,
    every,
    isPostpaid: billFor === 'previous',
    needsApproval: approval,
    ...(fixed === undefined ? {} : { fixed: fixed.mantissa * 10n ** BigInt(2 - fixed.scale) }),
    ...(usage === undefined || price === undefined
      ? {}
      : {
          usage: { price: new Fraction(price.mantissa, 10n ** BigInt(price.scale)), included: usage.included.mantissa },
        }),
  }
}

const centsOf = ({ mantissa, scale }: { readonly mantissa: bigint; readonly scale: number }): bigint =>
  mantissa * 10n ** BigInt(2 - scale)

/** Compare the ledger with the naive implementation. */
function compare(bench: Bench, naive: NaiveSubscriptions, money: NaiveMoney): void {
  const objects = new Map<AccountId, number>()
  const count = (id: AccountId): void => void objects.set(id, (objects.get(id) ?? 0) + 1)
  for (const plan of naive.plans.values()) if (plan.open) count(plan.provider)
  for (const [key, one] of naive.all) {
    const id = Buffer.from(key, 'hex')
    const row = bench.state.get(subscriptions, id)
    const plan = row && bench.state.get(plans, row.plan)
    if (row === undefined || plan === undefined) throw new Error('a subscription is missing')
    const last = one.invoices.at(-1)
    expect({
      plan: row.plan.plan,
      status: row.status,
      due: row.dueMs,
      used: row.usage.mantissa,
      sequence: row.sequence,
      credit: centsOf(row.credit),
      spent: centsOf(row.spent),
      endsAtPeriod: row.cancelAtEnd,
      count: row.counter,
      open: row.open && {
        amount: centsOf(row.open.amount),
        code: errorName(row.open.error),
        since: row.open.dueMs,
      },
      last: row.last && {
        amount: centsOf(row.last.amount),
        skipped: row.last.skipped,
        from: row.last.startMs,
        to: row.last.endMs,
      },
      isEntitled: isEntitled(row, plan, bench.timeMs),
      isScheduled: scheduledRun(bench.state, chargeRun, id) !== undefined,
    }).toEqual({
      plan: one.plan.name,
      status: one.status,
      due: one.due,
      used: one.used,
      sequence: one.sequence,
      credit: one.credit,
      spent: one.spent,
      endsAtPeriod: one.endsAtPeriod,
      count: one.invoices.length,
      open: one.open,
      last,
      isEntitled: naive.isEntitled(key),
      isScheduled: one.due !== undefined,
    })
    if (last !== undefined && row.last !== undefined) {
      const { fixed, usage, credit, amount } = row.last
      expect(centsOf(fixed) + centsOf(usage) - centsOf(credit)).toBe(centsOf(amount))
    }
    if (one.status !== 'canceled') [one.subscriber, one.plan.provider].forEach(count)
  }
  for (const id of EVERY_ACCOUNT) {
    const held = bench.state.get(balances, core.balance(id))
    expect(held === undefined ? 0n : centsOf(held)).toBe(money.held.get(id))
    expect(bench.state.get(accountUse, id)?.objects ?? 0).toBe(objects.get(id) ?? 0)
  }
}

const names = new Map([...ABI_2.errorNumbers].map(([name, number]) => [number, name]))
const errorName = (number: number | undefined): string | undefined =>
  number === undefined ? undefined : names.get(number)

/** Subscription of a step: mostly an existing one. */
function chosen(
  { plan, subscriber, reference, existing }: Step['which'],
  kind: Step['kind'],
  all: readonly sub.Offer[],
  naive: NaiveSubscriptions,
) {
  const ids = [...naive.all.keys()]
  const wanted = kind === 'subscribe' ? undefined : ids[existing % Math.max(1, Math.ceil(ids.length * 1.2))]
  for (const offer of wanted === undefined ? [] : all)
    for (const account of SUBSCRIBERS)
      for (const of of REFERENCES)
        if (sub.idOf(offer, account, of).toString('hex') === wanted)
          return { offer, subscriber: account, reference: of }
  return { offer: all[plan] as sub.Offer, subscriber, reference }
}

/** Instruction of a step with its authority and its result in the naive implementation. */
function made(
  { which, by: party, ...one }: Step,
  all: readonly sub.Offer[],
  naive: NaiveSubscriptions,
  money: NaiveMoney,
): readonly [AccountId, Instruction, () => string | undefined] {
  const { offer, subscriber, reference } = chosen(which, one.kind, all, naive)
  const { provider, plan } = offer
  const id = sub.idOf(offer, subscriber, reference)
  const key = id.toString('hex')
  const account = party === 'subscriber' ? subscriber : party === 'provider' ? provider : outsider
  const mandateOf = ({
    most,
    total,
    until,
  }: {
    most: bigint
    total: bigint | undefined
    until: number | undefined
  }) => {
    const untilMs = until === undefined ? undefined : naive.now + until
    return {
      signed: sub.mandateOf(most, { totalMax: total === undefined ? undefined : sub.cents(total), untilMs }),
      naive: { most, ...(total === undefined ? {} : { total }), ...(untilMs === undefined ? {} : { until: untilMs }) },
    }
  }
  switch (one.kind) {
    case 'subscribe': {
      const limits = mandateOf(one.mandate)
      return [
        subscriber,
        sub.subscribe(offer, limits.signed, reference),
        () => naive.subscribe(key, subscriber, `${provider}/${plan}`, limits.naive),
      ]
    }
    case 'approve':
      return [account, sub.approve(id), () => naive.approve(key, account)]
    case 'pause':
      return [account, sub.pause(id), () => naive.pause(key, account)]
    case 'resume':
      return [account, sub.resume(id), () => naive.resume(key, account)]
    case 'cancel':
      return [
        account,
        sub.cancel(id, one.isNow ? 'immediate' : 'periodEnd'),
        () => naive.cancel(key, account, one.isNow),
      ]
    case 'keep':
      return [account, sub.keep(id), () => naive.keep(key, account)]
    case 'change': {
      const limits = one.mandate && mandateOf(one.mandate)
      const to = all[one.to] as sub.Offer
      // The hash is that of a plan of the same provider, if it has one of this name.
      return [account, sub.change(id, to, limits?.signed), () => naive.change(key, account, to.plan, limits?.naive)]
    }
    case 'record': {
      const sequence = (naive.all.get(key)?.sequence ?? 0) + one.next
      const meter = party === 'subscriber' ? provider : account
      return [meter, sub.record(id, sequence, one.quantity), () => naive.record(key, meter, sequence, one.quantity)]
    }
    case 'charge': {
      // Before the minute of its run.
      if (one.isDue) naive.now = Math.max(naive.now, naive.all.get(key)?.due ?? 0)
      return [account, sub.charge(id), () => naive.chargeNow(key)]
    }
    case 'refund':
      return [provider, sub.refund(id, one.amount), () => naive.refund(key, provider, one.amount)]
    case 'close':
      return [provider, sub.closePlan(plan), () => naive.closePlan(provider, plan)]
    case 'freeze':
      return [
        owner,
        sub.freeze(subscriber, one.isOn),
        () => void (one.isOn ? money.frozen.add(subscriber) : money.frozen.delete(subscriber)),
      ]
    case 'blacklist':
      return [
        owner,
        sub.blacklist(subscriber, one.isOn),
        () => void (one.isOn ? money.blacklisted.add(subscriber) : money.blacklisted.delete(subscriber)),
      ]
    case 'cap':
      return [
        owner,
        sub.capDay(subscriber, one.cap),
        () => {
          const before = money.caps.get(subscriber)
          if (one.cap === undefined) money.caps.delete(subscriber)
          else money.caps.set(subscriber, { day: 0, spent: 0n, ...before, cap: one.cap })
          return undefined
        },
      ]
    case 'burn': {
      const held = money.held.get(subscriber) ?? 0n
      const isEnough = held >= one.amount * 100n
      return [
        subscriber,
        core.burn(subscriber, one.amount),
        () => {
          if (!isEnough) return 'not_enough'
          money.held.set(subscriber, held - one.amount * 100n)
          return undefined
        },
      ]
    }
    case 'pay':
      return [
        provider,
        core.transfer(provider, subscriber, one.amount),
        () => money.pay(provider, subscriber, one.amount * 100n),
      ]
  }
}

it(`subscriptions match the naive implementation in ${RUNS} histories, with equal roots on two executors`, async () => {
  const seen = new Map<string, number>()
  const note = (what: string): void => void seen.set(what, (seen.get(what) ?? 0) + 1)
  await fc.assert(
    fc.asyncProperty(history, async ([all, steps]) => {
      const world = await worldOf()
      const base = world.overlay()
      const first = new sub.Chain(new Bench(setup.state, ABI_2))
      const second = new sub.Chain(new Bench(base, ABI_2))
      const money = new NaiveMoney()
      const naive = new NaiveSubscriptions(money.pay)
      const setTime = (): void => {
        naive.now = first.bench.timeMs
        money.nowMs = naive.now
      }
      for (const { bench } of [first, second]) bench.timeMs = sub.START_MS
      setTime()
      const both = (authority: AccountId, one: Instruction): string | undefined => {
        const code = first.bench.run(authority, one)
        expect(second.bench.run(authority, one)).toBe(code)
        return code
      }
      for (const offer of all) {
        expect(both(offer.provider, sub.createPlan(offer.plan, offer.terms))).toBe(naive.createPlan(naivePlanOf(offer)))
      }
      for (const { step: one, waitMs } of steps) {
        const ran = first.pass(waitMs)
        expect(second.pass(waitMs)).toEqual(ran)
        setTime()
        for (const { key, error } of ran) {
          expect(error).toBeUndefined()
          const id = Buffer.from(key).toString('hex')
          expect(naive.chargeNow(id)).toBeUndefined()
          note(`run ${naive.all.get(id)?.status}`)
          if ((naive.all.get(id)?.invoices.at(-1)?.skipped ?? 0) > 0) note('skipped')
        }
        for (const { due } of naive.all.values())
          expect(due === undefined || Math.ceil(due / MINUTE) * MINUTE > naive.now).toBe(true)
        const [authority, instruction, expected] = made(one, all, naive, money)
        money.nowMs = naive.now
        for (const { bench } of [first, second]) bench.timeMs = naive.now
        const code = both(authority, instruction)
        expect(code, one.kind).toBe(expected())
        note(`${one.kind} ${code}`)
        compare(first.bench, naive, money)
      }
      second.bench.state.merge()
      expect((await rootOf(first.bench.state)).equals(world.prepare(base).root)).toBe(true)
    }),
    // Shrinking a history is slow: set `SUBSCRIPTION_SHRINK` to enable it.
    { numRuns: RUNS, seed: SEED, endOnFailure: process.env.SUBSCRIPTION_SHRINK === undefined },
  )
  if (process.env.SUBSCRIPTION_SEEN !== undefined) console.log(new Map([...seen].sort()))
  // Each kind of step must occur, or it is not compared; a few histories have fewer of them.
  if (RUNS < 60) return
  const kinds = ['subscribe', 'pause', 'resume', 'cancel', 'change', 'record', 'charge', 'refund', 'approve', 'keep']
  expect([...seen.keys()]).toEqual(
    expect.arrayContaining([
      ...kinds.map((kind) => `${kind} undefined`),
      ...['run active', 'run pastDue', 'run suspended', 'run canceled', 'skipped'],
      ...['record mandate_exceeded', 'record usage_replayed', 'subscribe mandate_too_small', 'charge charge_early'],
    ]),
  )
})
