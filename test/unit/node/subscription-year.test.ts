/** A year of subscriptions on two ledgers by header time: anchors, an outage of a day, a debt, and restarts around due runs. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { ABI_2 } from '../../../src/features/abi.js'
import { instructions as assets } from '../../../src/features/assets/schema/instructions.js'
import type { PlanTerms } from '../../../src/features/subscriptions/schema/records.js'
import { queries } from '../../../src/features/subscriptions/schema/views.js'
import { type Instruction, instruction } from '../../../src/model/index.js'
import type { Ledger } from '../../../src/node/ledger/ledger.js'
import { DEFINITION, signedBy, type TestAccount } from '../../support/chain.js'
import * as core from '../../support/core.js'
import { LedgerBench } from '../../support/ledger-bench.js'
import * as sub from '../../support/subscriptions.js'

const { DAY, HOUR } = sub
const codec = ABI_2.codec('cw')
const at = (text: string): number => Date.parse(`${text}:00Z`)

let bench: LedgerBench
let [one, two]: (Ledger | undefined)[] = []

/** The next block on both ledgers, whose roots are equal. */
async function block(timeMs: number, by?: TestAccount, ...list: readonly Instruction[]): Promise<void> {
  if (one === undefined || two === undefined) throw new Error('the ledgers are not open')
  const records = by === undefined ? [] : [signedBy(by, list, timeMs - 1, 100_000, codec)]
  const built = await bench.build(one, records, timeMs)
  await bench.commit(one, built)
  await bench.commit(two, built)
  const [first, second] = [await one.tip(), await two.tip()]
  expect(second.stateRoot).toEqual(first.stateRoot)
}

/** Opens a ledger again, as after the end of its process. */
async function restart(name: 'one' | 'two'): Promise<void> {
  await bench.stop(name)
  const opened = await bench.open(name)
  if (name === 'one') one = opened
  else two = opened
}

async function invoices(subscription: Uint8Array) {
  const { subscriptionInvoices: def } = queries
  const input = def.input.encode({ subscription, limit: 100, after: undefined }, codec)
  const { output } = (await two?.query({ kind: def.kind, input })) ?? {}
  const decoded = def.output.decode(output ?? Buffer.alloc(0), codec)
  if (!decoded.ok) throw new Error(decoded.fault.message)
  return decoded.value.items.map(({ invoice }) => invoice).reverse()
}

const dayOf = (ms: number): string => new Date(ms).toISOString().slice(0, 10)

const common = { asset: DEFINITION, fixed: core.units(10n) }
const MONTHS: PlanTerms = sub.monthly({ ...common, retries: [DAY, 3 * DAY], graceMs: 2 * DAY })
const DAYS: PlanTerms = sub.monthly({ ...common, fixed: core.units(1n), cadence: sub.every(DAY) })

beforeAll(async () => {
  bench = await LedgerBench.create([], { abi: ABI_2 })
  one = await bench.open('one')
  two = await bench.open('two')
})
afterAll(() => bench.close())

describe('a year of subscriptions', () => {
  it('has one charge per period, and two ledgers with restarts reach the same roots', async () => {
    const { alice, bob, admin } = bench
    const months = { provider: bob.id, plan: 'months', terms: MONTHS }
    const days = { provider: bob.id, plan: 'days', terms: DAYS }
    const freeze = (frozen: boolean): Instruction =>
      instruction(assets.setFreeze, { asset: core.balance(alice.id, DEFINITION), frozen, reason: undefined })
    const mandate = sub.mandateOf(1_000n)
    await block(at('2027-01-10T12:00'), bob, sub.createPlan('months', MONTHS), sub.createPlan('days', DAYS))
    await block(at('2027-01-10T12:01'), alice, sub.subscribe(months, mandate), sub.subscribe(days, mandate))
    // Two days as usual, then an outage of a day, in which both ledgers end.
    await block(at('2027-01-11T12:01'))
    await block(at('2027-01-12T12:01'))
    await restart('one')
    await block(at('2027-01-14T12:01'))
    await restart('two')
    await block(at('2027-01-15T12:01'))
    await block(at('2027-01-15T13:00'), alice, sub.cancel(sub.idOf(days, alice.id)))
    const daily = await invoices(sub.idOf(days, alice.id))
    expect(daily.map(({ startMs, skipped }) => [dayOf(startMs), skipped])).toEqual([
      ['2027-01-10', 0],
      ['2027-01-11', 0],
      ['2027-01-12', 0],
      ['2027-01-14', 1],
      ['2027-01-15', 0],
    ])
    // Anchors of a year; in June the account is frozen for four days.
    for (const month of Array.from({ length: 12 }, (_, index) => index)) {
      const anchorMs = Date.UTC(2027, month + 1, 0)
      if (month === 5) await block(anchorMs - HOUR, admin, freeze(true))
      await block(anchorMs)
      await restart(month % 2 === 0 ? 'one' : 'two')
      if (month !== 5) continue
      await block(anchorMs + DAY)
      await block(anchorMs + 2 * DAY, admin, freeze(false))
      await block(anchorMs + 4 * DAY)
    }
    const monthly = await invoices(sub.idOf(months, alice.id))
    expect(monthly.map(({ startMs }) => dayOf(startMs))).toEqual([
      ...['2027-01-10', '2027-01-31', '2027-02-28', '2027-03-31', '2027-04-30', '2027-05-31', '2027-06-30'],
      ...['2027-07-31', '2027-08-31', '2027-09-30', '2027-10-31', '2027-11-30', '2027-12-31'],
    ])
    expect(monthly.map(({ number }) => number)).toEqual(monthly.map((_, index) => index + 1))
    expect(monthly.slice(1).every(({ amount, skipped }) => amount.mantissa === 10n && skipped === 0)).toBe(true)
    const june = monthly[6]
    expect([june?.attempts, dayOf(june?.paidMs ?? 0)]).toEqual([2, '2027-07-04'])
  })
})
