/** Runs of a block by itself: due time triggers, pre-commit triggers, their results, gaps and failures. */

import { beforeEach, describe, expect, it } from 'vitest'
import { merkleRoot } from '../../../src/crypto/index.js'
import { calendar, calendarPages, earliestDue, RUN_TEU, SINGLETON_KEY, triggers } from '../../../src/executor/index.js'
import { addDue, removeDue } from '../../../src/executor/triggers/calendar.js'
import { instructions as assets } from '../../../src/features/assets/schema/instructions.js'
import { balances } from '../../../src/ledger/tables.js'
import {
  type AccountId,
  entryResultLeaf,
  type Instruction,
  instruction,
  triggerRunId,
} from '../../../src/model/index.js'
import { Blocks, entry, eventsOf } from '../../support/blocks.js'
import * as core from '../../support/core.js'
import type { Bench } from '../../support/executor.js'

const { owner, alice, bob, agent } = core
const PRE_COMMIT = { kind: 'preCommit', value: undefined } as const

let bench: Bench
let blocks: Blocks
beforeEach(() => {
  bench = core.smallWorld()
  blocks = new Blocks(bench)
})

const held = (account: AccountId) => bench.state.get(balances, core.balance(account))?.mantissa ?? 0n
const register = (
  id: string,
  filter: Parameters<typeof core.registerTrigger>[2],
  list: readonly Instruction[],
  repeats?: number,
) => bench.genesis(alice, core.registerTrigger(id, alice, filter, list, repeats))
const pay = (amount: bigint): Instruction => core.transfer(alice, bob, amount)
const ran = (run: ReturnType<Blocks['run']>) =>
  eventsOf(run, 'triggerRan').map(({ trigger, cause, dueMs, missed, error }) => [trigger, cause, dueMs, missed, error])

describe('a time trigger', () => {
  it('runs once when due, as a separate entry after the transactions', () => {
    register('pay', core.every(100, 50), [pay(5n)])
    expect(blocks.run(99).results).toEqual([])
    const transfer = entry(alice, [core.transfer(alice, agent, 1n)])
    const run = blocks.run(100, transfer)
    expect(run.results).toEqual([
      { transactionId: transfer.id, outcome: { kind: 'approved', value: undefined }, teu: 237 },
      { transactionId: triggerRunId(3, 'pay', 'time'), outcome: { kind: 'approved', value: undefined }, teu: 466 },
    ])
    expect(run.resultsRoot).toEqual(merkleRoot(run.results.map(entryResultLeaf)))
    expect(run.events.map(({ entry: at, event }) => [at, event.kind])).toEqual([
      [0, 'transferred'],
      [1, 'triggerRan'],
      [1, 'transferred'],
    ])
    expect(run.laneCommitments.map((one) => [one.txCount, one.teu])).toEqual([[1, 237]])
    expect(held(bob)).toBe(5n)
    expect(earliestDue(bench.state)).toEqual({ dueMs: 150, id: 'pay' })
  })

  it('combines missed due times into one run that reports their number', () => {
    register('pay', core.every(100, 50), [pay(1n)])
    expect(ran(blocks.run(1_024))).toEqual([['pay', 'time', 100, 18, undefined]])
    expect(earliestDue(bench.state)?.dueMs).toBe(1_050)
    expect(ran(blocks.run(1_049))).toEqual([])
    expect(ran(blocks.run(1_050))).toEqual([['pay', 'time', 1_050, 0, undefined]])
    expect(earliestDue(bench.state)?.dueMs).toBe(1_100)
    expect(held(bob)).toBe(2n)
  })

  it('follows its schedule at any block times, never early and never twice for one due time', () => {
    register('pay', core.every(100, 30), [core.log('x')])
    let seen = 0
    for (let timeMs = 90; timeMs < 900; timeMs += 7) {
      for (const { dueMs, missed } of eventsOf(blocks.run(timeMs), 'triggerRan')) {
        expect((dueMs as number) <= timeMs && ((dueMs as number) - 100) % 30 === 0).toBe(true)
        seen += 1 + (missed as number)
      }
    }
    expect(seen).toBe(Math.floor((895 - 100) / 30) + 1)
  })

  it('runs once and is removed if it has no period, even if the run fails', () => {
    register('good', core.every(100), [pay(1n)], 1)
    register('poor', core.every(100), [pay(1_000n)], 1)
    const run = blocks.run(200)
    expect(ran(run)).toEqual([
      ['good', 'time', 100, 0, undefined],
      ['poor', 'time', 100, 0, 'not_enough'],
    ])
    expect(run.rejections.get(1)?.code).toBe('not_enough')
    expect([bench.state.has(triggers, 'good'), bench.state.has(triggers, 'poor')]).toEqual([false, false])
    expect(bench.state.get(calendar, SINGLETON_KEY)).toBeUndefined()
    expect(held(bob)).toBe(1n)
  })

  it('is disabled by its third consecutive failure, and can be enabled again', () => {
    register('poor', core.every(100, 100), [pay(1_000n)])
    blocks.run(100)
    blocks.run(200)
    expect(bench.state.get(triggers, 'poor')).toMatchObject({ failures: 2, enabled: true })
    const third = blocks.run(300)
    expect(eventsOf(third, 'triggerChanged')).toEqual([{ trigger: 'poor', repeats: undefined, enabled: false }])
    expect(bench.state.get(triggers, 'poor')).toMatchObject({ failures: 3, enabled: false, dueMs: undefined })
    expect(blocks.run(400).results).toEqual([])
    bench.timeMs = 450
    expect(bench.run(owner, core.mint(alice, 5_000n))).toBeUndefined()
    expect(bench.run(alice, core.changeRepeats('poor', undefined))).toBeUndefined()
    expect(ran(blocks.run(500))).toEqual([['poor', 'time', 500, 0, undefined]])
    expect(bench.state.get(triggers, 'poor')).toMatchObject({ failures: 0, enabled: true })
  })

  it('resets its failures with the next success', () => {
    register('pay', core.every(100, 100), [pay(60n)])
    blocks.run(100)
    blocks.run(200)
    expect(bench.state.get(triggers, 'pay')?.failures).toBe(1)
    bench.genesis(owner, core.mint(alice, 100n))
    blocks.run(300)
    expect(bench.state.get(triggers, 'pay')?.failures).toBe(0)
  })

  it('changes only its own record if it fails', () => {
    register('half', core.every(100, 100), [pay(5n), pay(1_000n)])
    const run = blocks.run(100)
    expect(run.results.map((one) => one.outcome.kind)).toEqual(['rejected'])
    expect(run.events.map(({ event }) => event.kind)).toEqual(['triggerRan'])
    expect(held(bob)).toBe(0n)
  })

  it('runs in order of due times, at most 64 per block, and the next block runs the rest', () => {
    for (let index = 0; index < 70; index++) register(`t${index}`, core.every(1_000 - index), [core.log('x')], 1)
    const first = blocks.run(2_000)
    expect(first.results).toHaveLength(64)
    expect(ran(first)[0]?.[0]).toBe('t69')
    expect(earliestDue(bench.state)).toEqual({ dueMs: 995, id: 't5' })
    expect(blocks.run(2_001).results).toHaveLength(6)
    expect(earliestDue(bench.state)).toBeUndefined()
  })

  it('uses at most half of the units of a block, except that the first may use the limit of a transaction', () => {
    const batch = core.batch(...Array.from({ length: 160 }, () => [alice, bob, 1n] as const))
    bench.genesis(owner, core.mint(alice, 10_000n))
    // 57,600 units each, of 60,000 that half a block has.
    register('a', core.every(100), [batch, batch], 1)
    register('b', core.every(100), [batch, batch], 1)
    expect(ran(blocks.run(100)).map(([id]) => id)).toEqual(['a'])
    expect(earliestDue(bench.state)?.id).toBe('b')
    expect(ran(blocks.run(101)).map(([id]) => id)).toEqual(['b'])
    expect(held(bob)).toBe(640n)
  })

  it('starts data triggers, and fails with them', () => {
    register('pay', core.every(100, 100), [pay(1n)])
    register('watch', core.onData('asset'), [core.setKey({ kind: 'account', value: alice }, 'seen', 1)])
    const [run] = blocks.run(100).results
    expect(run?.outcome.kind).toBe('approved')
    expect(run?.teu).toBeGreaterThan(RUN_TEU + 100 + 64)
    register('bad', core.onData('asset'), [core.transfer(bob, alice, 1n)])
    expect(ran(blocks.run(200)).map((one) => one[4])).toEqual(['not_permitted'])
  })

  it('may remove or replace itself', () => {
    register('gone', core.every(100, 100), [core.unregister('Trigger', 'gone')])
    const again = core.registerTrigger('anew', alice, core.every(1_000, 10), [core.log('x')])
    register('anew', core.every(100, 100), [core.unregister('Trigger', 'anew'), again])
    blocks.run(100)
    expect(bench.state.has(triggers, 'gone')).toBe(false)
    expect(earliestDue(bench.state)).toEqual({ dueMs: 1_000, id: 'anew' })
  })

  it('is subject to the controls of its account', () => {
    register('pay', core.every(100, 100), [pay(1n)])
    bench.genesis(owner, instruction(assets.setBlacklist, { asset: core.balance(bob), blacklisted: true }))
    expect(ran(blocks.run(100)).map((one) => one[4])).toEqual(['asset_blacklisted'])
  })
})

describe('a pre-commit trigger', () => {
  it('runs at the end of every block, after time triggers, in the byte order of ids', () => {
    register('z', PRE_COMMIT, [pay(1n)])
    register('a', PRE_COMMIT, [pay(1n)])
    register('m', core.every(100, 1_000), [pay(1n)])
    expect(ran(blocks.run(100)).map(([id, cause]) => [id, cause])).toEqual([
      ['m', 'time'],
      ['a', 'preCommit'],
      ['z', 'preCommit'],
    ])
    expect(blocks.run(101).results.map((one) => one.transactionId)).toEqual([
      triggerRunId(3, 'a', 'preCommit'),
      triggerRunId(3, 'z', 'preCommit'),
    ])
  })

  it('is disabled by its third consecutive failure', () => {
    register('poor', PRE_COMMIT, [pay(1_000n)])
    for (const timeMs of [1, 2, 3]) expect(blocks.run(timeMs).results).toHaveLength(1)
    expect(blocks.run(4).results).toEqual([])
  })

  it('does not run while its authority lacks the permission to watch events', () => {
    expect(bench.run(alice, core.registerTrigger('a', alice, PRE_COMMIT, [pay(1n)]))).toBeUndefined()
    const watch = (verb: 'grant' | 'revoke') => core.permission(verb, 'CanWatchEvents', undefined, alice)
    bench.genesis(bob, core.permission('grant', 'CanWatchEvents', undefined, bob), watch('revoke'))
    expect(blocks.run(1).results).toEqual([])
    bench.genesis(bob, watch('grant'))
    expect(blocks.run(2).results).toHaveLength(1)
  })

  it('is removed after its given number of runs', () => {
    register('two', PRE_COMMIT, [pay(1n)], 2)
    for (const timeMs of [1, 2, 3]) blocks.run(timeMs)
    expect(held(bob)).toBe(2n)
    expect(bench.state.has(triggers, 'two')).toBe(false)
  })
})

describe('the calendar', () => {
  it('allows 64 time triggers per account, and frees the slot of a removed trigger', () => {
    const timer = (index: number) => core.registerTrigger(`t${index}`, alice, core.every(1_000), [core.log('x')], 1)
    const register = (...which: readonly number[]) => bench.run(alice, ...which.map(timer))
    expect(register(...Array.from({ length: 64 }, (_, index) => index))).toBeUndefined()
    expect(register(64)).toBe('too_many_triggers')
    // Others have theirs, and triggers of other kinds need none.
    expect(bench.run(bob, core.registerTrigger('bob', bob, core.every(1_000), [core.log('x')], 1))).toBeUndefined()
    expect(bench.run(alice, core.registerTrigger('call', alice, core.BY_CALL, [core.log('x')]))).toBeUndefined()
    expect(bench.run(alice, core.unregister('Trigger', 't7'))).toBeUndefined()
    expect(register(64)).toBeUndefined()
    expect(register(65)).toBe('too_many_triggers')
    // A trigger that ran for the last time releases its place as well.
    expect(eventsOf(blocks.run(1_000), 'triggerRan')).toHaveLength(64)
    expect(bench.run(alice, core.registerTrigger('t65', alice, core.every(2_000), [core.log('x')], 1))).toBeUndefined()
  })

  it('can store more than three thousand due times, returns them in order, and leaves no rows behind', () => {
    const times = Array.from({ length: 3_072 }, (_, index) => 10_000 + ((index * 7_919) % 3_072) * 3)
    bench.genesis(
      alice,
      ...times.map((startMs, index) =>
        core.registerTrigger(`t${index}`, alice, core.every(startMs), [core.log('x')], 1),
      ),
    )
    const pages = bench.state.get(calendar, SINGLETON_KEY)?.pages ?? []
    expect(pages.length).toBeLessThanOrEqual(64)
    expect(Math.max(...pages.map((page) => page.count))).toBeLessThanOrEqual(64)
    const seen: number[] = []
    for (let block = 0; earliestDue(bench.state) !== undefined; block++) {
      for (const { dueMs } of eventsOf(blocks.run(30_000 + block), 'triggerRan')) seen.push(dueMs as number)
    }
    expect(seen).toEqual([...times].sort((a, b) => a - b))
    expect(bench.state.get(calendar, SINGLETON_KEY)).toBeUndefined()
    expect(pages.every(({ page }) => bench.state.get(calendarPages, page) === undefined)).toBe(true)
  })
})

describe('the calendar', () => {
  const PAGE = 64
  const PACKED = 48
  const due = (dueMs: number) => ({ dueMs, id: `t${dueMs}` })
  const pages = () =>
    bench.state.get(calendar, SINGLETON_KEY)?.pages.map(({ count, firstMs }) => [firstMs, count]) ?? []

  it('merges two neighbouring pages as soon as they fit into one', () => {
    for (let dueMs = 1; dueMs <= PAGE + 1; dueMs += 1) addDue(bench.state, due(dueMs))
    expect(pages()).toEqual([
      [1, PAGE],
      [PAGE + 1, 1],
    ])
    for (let dueMs = 1; dueMs <= PAGE - PACKED; dueMs += 1) removeDue(bench.state, due(dueMs))
    expect(pages().map(([, count]) => count)).toEqual([PACKED, 1])
    removeDue(bench.state, due(PAGE))
    expect(pages()).toEqual([[PAGE - PACKED + 1, PACKED]])
    expect(earliestDue(bench.state)).toEqual(due(PAGE - PACKED + 1))
    // The entries of the second page are still there, in order.
    for (let dueMs = PAGE - PACKED + 1; dueMs < PAGE; dueMs += 1) removeDue(bench.state, due(dueMs))
    expect(earliestDue(bench.state)).toEqual(due(PAGE + 1))
    removeDue(bench.state, due(PAGE + 1))
    expect(bench.state.get(calendar, SINGLETON_KEY)).toBeUndefined()
    expect(() => removeDue(bench.state, due(PAGE + 1))).toThrow('is not in the calendar')
  })
})
