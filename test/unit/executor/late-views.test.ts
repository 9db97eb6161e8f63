// Due runs in blocks of late views: fewer, then none; none fails because of a view, and none is lost.
import { beforeEach, describe, expect, it } from 'vitest'
import { BLOCK_TEU, earliestDue, setParameterNow, triggers } from '../../../src/executor/index.js'
import { balances } from '../../../src/ledger/tables.js'
import type { AccountId, Instruction, TriggerFilter } from '../../../src/model/index.js'
import { Blocks, entry, eventsOf } from '../../support/blocks.js'
import * as core from '../../support/core.js'
import type { Bench } from '../../support/executor.js'

const { owner, alice, bob } = core
const PRE_COMMIT: TriggerFilter = { kind: 'preCommit', value: undefined }

let bench: Bench
let blocks: Blocks
beforeEach(() => {
  bench = core.smallWorld()
  bench.genesis(owner, core.mint(alice, 100_000n))
  blocks = new Blocks(bench)
})

const held = (account: AccountId) => bench.state.get(balances, core.balance(account))?.mantissa ?? 0n
const register = (id: string, filter: TriggerFilter, count = 1, repeats?: number): void => {
  const list: Instruction[] = Array.from({ length: count }, () => core.batch([alice, bob, 1n]))
  bench.genesis(alice, core.registerTrigger(id, alice, filter, list, repeats))
}
const at = (view: number, timeMs: number) => {
  blocks.view = view
  return blocks.run(timeMs)
}
const ran = (view: number, timeMs: number) =>
  eventsOf(at(view, timeMs), 'triggerRan').map(({ trigger, error }) => (error === undefined ? trigger : error))
const row = (id: string) => bench.state.get(triggers, id)

describe('due runs', () => {
  it('have their share halved with each view, and the rest waits without a failure', () => {
    for (let index = 0; index < 10; index += 1) register(`t${index}`, core.every(100, 1_000), 40, 5)
    const first = ran(0, 100)
    expect(first).toHaveLength(9)
    const rest = row('t9')
    expect(rest).toMatchObject({ failures: 0, repeats: 5, dueMs: 100, pause: undefined })
    expect(ran(1, 101)).toEqual(['t9'])
    // 15,000 units of the second view hold two of these.
    expect(ran(2, 1_100)).toHaveLength(2)
    expect(eventsOf(at(2, 1_101), 'triggerChanged')).toEqual([])
  })

  it('wait for the first view of a height if they exceed the share of a late view', () => {
    register('long', core.every(100, 1_000), 64)
    expect(ran(2, 100)).toEqual(['long'])
    bench.genesis(alice, core.unregister('Trigger', 'long'))
    const fat = Array.from({ length: 3 }, () =>
      core.batch(...Array.from({ length: 60 }, () => [alice, bob, 1n] as const)),
    )
    bench.genesis(alice, core.registerTrigger('fat', alice, core.every(2_000, 1_000), fat))
    expect(ran(2, 2_000)).toEqual([])
    expect(row('fat')).toMatchObject({ failures: 0, dueMs: 2_000, pause: undefined })
    expect(ran(0, 2_001)).toEqual(['fat'])
  })

  it('may exceed their share with the first run in a first view, up to the limit of a transaction', () => {
    setParameterNow(bench.state, BLOCK_TEU.name, BLOCK_TEU.schema.encode(4_000))
    register('a', core.every(100, 1_000), 60)
    register('b', core.every(100, 1_000), 60)
    expect(ran(1, 100)).toEqual([])
    expect(ran(0, 101)).toEqual(['a'])
    // At even heights that is the first due run.
    expect(ran(0, 102)).toEqual([])
    expect(ran(0, 103)).toEqual(['b'])
  })

  it.each([3, 7, 8, 9, 40])('are postponed by a block of view %d, without an event, a failure or a fee', (view) => {
    register('time', core.every(100, 1_000), 1, 2)
    register('end', PRE_COMMIT, 1, 2)
    const run = at(view, 100)
    expect([run.results, run.events]).toEqual([[], []])
    expect(held(bob)).toBe(0n)
    const pause = { strikes: 1, untilMs: 2_100, sinceMs: 100 }
    expect(row('time')).toMatchObject({ failures: 0, repeats: 2, dueMs: 2_100, pause })
    expect(row('end')).toMatchObject({ failures: 0, repeats: 2, enabled: true, pause })
    expect(earliestDue(bench.state)).toEqual({ dueMs: 2_100, id: 'time' })
    expect(ran(0, 2_099)).toEqual([])
  })

  it('double their delay with each postponement, up to more than an hour, until they execute', () => {
    register('time', core.every(100, 1_000))
    let timeMs = 100
    for (let strikes = 1; strikes < 16; strikes += 1) {
      at(3, timeMs)
      const untilMs = timeMs + 1_000 * 2 ** Math.min(strikes, 12)
      expect(row('time')?.pause).toEqual({ strikes, untilMs, sinceMs: 100 })
      timeMs = untilMs
    }
    const [event] = eventsOf(at(2, timeMs), 'triggerRan')
    expect(event).toMatchObject({ trigger: 'time', dueMs: 100, missed: Math.floor((timeMs - 100) / 1_000) })
    expect(row('time')?.pause).toBeUndefined()
  })

  it('are each executed alone in a block after a postponement, until all are done', () => {
    for (const id of ['a', 'b', 'c']) register(id, core.every(100, 100_000))
    register('d', core.every(2_100, 100_000))
    register('end', PRE_COMMIT, 1, 2)
    at(3, 100)
    expect(ran(0, 2_100)).toEqual(['end'])
    expect(ran(0, 2_101)).toEqual(['a'])
    expect(ran(1, 2_102)).toEqual(['b'])
    expect(ran(2, 2_103)).toEqual(['c'])
    expect(ran(0, 2_104)).toEqual(['d', 'end'])
  })

  it('remain postponed if their account disables and enables the trigger', () => {
    register('time', core.every(100, 100))
    at(3, 100)
    bench.timeMs = 150
    expect(bench.run(alice, core.changeRepeats('time', undefined, false))).toBeUndefined()
    expect(bench.run(alice, core.changeRepeats('time', undefined, true))).toBeUndefined()
    expect(row('time')?.dueMs).toBe(200)
    expect(ran(0, 250)).toEqual([])
    expect(row('time')).toMatchObject({ dueMs: 2_100, pause: { strikes: 1 } })
  })
})

describe('a periodic trigger that writes many large rows', () => {
  const notes = (count: number, text: string): Instruction[] =>
    Array.from({ length: count }, (_, index) => core.setKey({ kind: 'account', value: alice }, `k${index}`, text))

  it('is charged for every byte that it reads or writes', () => {
    bench.genesis(alice, ...notes(4, 'x'.repeat(15_000)))
    const touch = core.registerTrigger('halt', alice, core.every(100, 1_000), notes(4, 'y'.repeat(15_000)))
    bench.genesis(alice, touch)
    const [run] = at(0, 100).results
    expect(run?.outcome.kind).toBe('approved')
    // 60 kB are written, and read from the pages of the trigger.
    expect(run?.teu).toBeGreaterThan(60_000 / 32 + 60_000 / 128)
  })

  it('does not stall a height: the fourth view omits it, and transactions continue', () => {
    register('halt', core.every(100, 1), 64)
    blocks.view = 3
    const paid = blocks.run(100, entry(alice, [core.transfer(alice, bob, 1n)]))
    expect(paid.results.map((one) => one.outcome.kind)).toEqual(['approved'])
    blocks.view = 0
    expect(blocks.run(101, entry(alice, [core.transfer(alice, bob, 1n)])).results).toHaveLength(1)
    expect(ran(0, 2_100)).toEqual(['halt'])
  })
})
