/** Charges of one provider that are due in one hour: spread over its minutes, counted before they are full, made once. */
import { expect, it } from 'vitest'
import { roomForRuns } from '../../../src/executor/index.js'
import { ABI_2 } from '../../../src/features/abi.js'
import * as core from '../../support/core.js'
import { Bench } from '../../support/executor.js'
import { TEST_MS } from '../../support/ports.js'
import * as sub from '../../support/subscriptions.js'

/** Subscriptions that one provider can have due in one hour: 2,048 in each of 64 minutes. */
const ROOM = 131_072
/** More than one minute has room for; `npm run soak -- --finance N` makes 131,073. */
const COUNT = Number(process.env.SUBSCRIPTIONS_OF_AN_HOUR ?? 2_100)

const { alice, bob, MINUTE, DAY } = sub

it(`${COUNT} charges due in one hour are spread over its minutes and each is made once`, {
  timeout: TEST_MS + 10 * COUNT,
}, () => {
  const bench = new Bench(sub.subscriptionWorld().state, ABI_2)
  bench.timeMs = sub.START_MS
  const chain = new sub.Chain(bench)
  const offer = { provider: bob, plan: 'hourly', terms: sub.monthly({ cadence: sub.every(DAY) }) }
  bench.genesis(sub.owner, core.mint(alice, 100_000_000n))
  expect(bench.run(bob, sub.createPlan(offer.plan, offer.terms))).toBeUndefined()

  const dueMs = sub.START_MS + DAY
  const room = (): number => roomForRuns(bench.state, bob, dueMs)
  const accepted = Math.min(COUNT, ROOM)
  for (let at = 0; at < COUNT; at += 1) {
    const left = room()
    expect(left).toBe(Math.max(0, ROOM - at))
    const code = bench.run(alice, sub.subscribe(offer, sub.mandateOf(1_000_000n), `R${at}`))
    // The room was shown as zero before the first refusal.
    expect(code).toBe(left === 0 ? 'due_runs_full' : undefined)
  }
  expect(room()).toBe(ROOM - accepted)
  bench.events.length = 0

  const keys = new Set<string>()
  let runs = 0
  for (let minute = 0; runs < accepted && minute < 64; minute += 1) {
    for (const { key, error } of chain.pass(minute === 0 ? DAY : MINUTE)) {
      expect(error).toBeUndefined()
      keys.add(Buffer.from(key).toString('hex'))
      runs += 1
    }
    bench.events.length = 0
  }
  expect([runs, keys.size]).toEqual([accepted, accepted])
  for (let at = 0; at < accepted; at += 1) expect(chain.row(sub.idOf(offer, alice, `R${at}`)).counter).toBe(2)
})
