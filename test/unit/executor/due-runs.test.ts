// Runs that features schedule for a time of their own: where they wait, when they are made, who pays, and what becomes of those that fail.
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { addRun, firstRun, removeRun, runOf } from '../../../src/executor/due-runs/store.js'
import { DUE_RUN_TABLES, OWNER_RUNS_PER_MINUTE_MAX } from '../../../src/executor/due-runs/tables.js'
import {
  BLOCK_TEU,
  cancelRun,
  reject,
  scheduledRun,
  scheduleRun,
  setParameterNow,
} from '../../../src/executor/index.js'
import { balances } from '../../../src/ledger/tables.js'
import { EMPTY_ROWS, Overlay } from '../../../src/state/index.js'
import { Blocks, eventsOf } from '../../support/blocks.js'
import * as core from '../../support/core.js'
import { audit, behaviour, DEPOSIT_ABI, type Deposit, depositKey, depositPaid, payout } from '../../support/deposits.js'
import type { Bench } from '../../support/executor.js'

const { alice, bob, owner } = core
const MINUTE = 60_000
const HOUR = 60 * MINUTE
const id = (index: number) => ({ kind: 'x', key: depositKey(index) })

afterEach(() => {
  behaviour.run = undefined
  behaviour.end = undefined
})

describe('scheduled runs', () => {
  let state: Overlay
  beforeEach(() => {
    state = new Overlay(EMPTY_ROWS)
  })
  const inState = () => state.changes().filter(({ value }) => value !== undefined)

  it('become due at the next full minute', () => {
    expect(addRun(state, id(1), { owner: alice, dueMs: MINUTE + 1 })).toBe(2 * MINUTE)
    expect(addRun(state, id(2), { owner: alice, dueMs: 2 * MINUTE })).toBe(2 * MINUTE)
  })

  it('are rejected if they are already scheduled', () => {
    addRun(state, id(1), { owner: alice, dueMs: 1 })
    expect(addRun(state, id(1), { owner: bob, dueMs: 1 })).toMatchObject({ code: 'exists' })
  })

  it('use another page when one is full, and leave no pages behind', () => {
    for (let index = 0; index < 200; index += 1) addRun(state, id(index), { owner: alice, dueMs: 1 })
    expect(runOf(state, id(63))?.page).toBe(0)
    expect(runOf(state, id(199))?.page).toBe(3)
    // From the first on: the last one of the minute takes each place.
    for (let index = 0; index < 200; index += 1) expect(removeRun(state, id(index)), String(index)).toBe(true)
    expect(removeRun(state, id(0))).toBe(false)
    expect(inState()).toEqual([])
  })

  it('of one owner are refused after 64 full minutes, while other owners and the chain have room', () => {
    const fill = (index: number, by: typeof alice | undefined) => addRun(state, id(index), { owner: by, dueMs: 1 })
    for (let index = 0; index < OWNER_RUNS_PER_MINUTE_MAX; index += 1) expect(fill(index, alice)).toBe(MINUTE)
    expect(fill(5_000, alice)).toBe(2 * MINUTE)
    expect(fill(5_001, bob)).toBe(MINUTE)
    for (let index = 1; index < 64 * OWNER_RUNS_PER_MINUTE_MAX - OWNER_RUNS_PER_MINUTE_MAX; index += 1) {
      fill(10_000 + index, alice)
    }
    expect(fill(900_000, alice)).toMatchObject({ code: 'due_runs_full' })
    expect(fill(900_000, bob)).toBe(MINUTE)
    for (let index = 0; index < OWNER_RUNS_PER_MINUTE_MAX + 1; index += 1) fill(1_000_000 + index, undefined)
    expect(fill(1_100_000, undefined)).toBe(MINUTE)
  })

  it('are found in the order of their minutes, even if the earliest is years away', () => {
    const year = 365 * 24 * HOUR
    for (const [index, at] of [70 * year, 3 * year, 40 * year, 3 * year - HOUR].entries()) {
      addRun(state, id(index), { owner: alice, dueMs: at })
    }
    const order: number[] = []
    for (let run = firstRun(state, 'owner'); run !== undefined; run = firstRun(state, 'owner')) {
      order.push(Buffer.from(run.key).readUInt32BE(28))
      removeRun(state, run)
    }
    expect(order).toEqual([3, 1, 2, 0])
    expect(inState()).toEqual([])
  })

  it('are added or removed with few changed rows among 20,000 runs', () => {
    for (let index = 0; index < 20_000; index += 1) {
      addRun(state, id(index), { owner: index % 2 === 0 ? alice : bob, dueMs: (index % 40) * MINUTE + 1 })
    }
    const rowsOf = (work: (on: Overlay) => void): number => {
      const fork = state.fork()
      work(fork)
      return fork.changes().length
    }
    for (const index of [0, 1, 777, 19_999]) {
      expect(rowsOf((on) => removeRun(on, id(index)))).toBeLessThanOrEqual(5)
      expect(rowsOf((on) => addRun(on, id(50_000), { owner: alice, dueMs: index }))).toBeLessThanOrEqual(5)
    }
    expect(rowsOf((on) => removeRun(on, firstRun(on, 'owner') ?? id(0)))).toBeLessThanOrEqual(5)
  })
})

describe('runs of a block', () => {
  let bench: Bench
  let blocks: Blocks
  beforeEach(() => {
    bench = core.smallWorld(DEPOSIT_ABI)
    bench.genesis(owner, core.mint(alice, 100_000n))
    blocks = new Blocks(bench)
  })
  const deposit = (index: number, dueMs: number | undefined, amount = 5n): Deposit => ({
    key: depositKey(index),
    asset: core.balance(alice),
    amount: core.units(amount),
    to: bob,
    dueMs,
  })
  const make = (...one: Parameters<typeof deposit>) => bench.run(alice, { kind: 'makeDeposit', value: deposit(...one) })
  const held = (account: typeof alice) => bench.state.get(balances, core.balance(account))?.mantissa ?? 0n
  const ran = (run: ReturnType<Blocks['run']>) => eventsOf(run, 'dueRunRan').map(({ error }) => error ?? 'done')
  const left = () =>
    DUE_RUN_TABLES.flatMap((table) =>
      bench.state.changes().filter((one) => one.table === table && one.value !== undefined),
    )

  it('are executed once when due, as block entries with their events', () => {
    expect(make(1, 90_000)).toBeUndefined()
    expect(ran(blocks.run(119_999))).toEqual([])
    const run = blocks.run(120_000)
    expect(ran(run)).toEqual(['done'])
    expect(run.results).toHaveLength(1)
    expect(run.results[0]?.outcome.kind).toBe('approved')
    expect(eventsOf(run, 'released')).toHaveLength(1)
    expect(held(bob)).toBe(5n)
    expect(ran(blocks.run(180_000))).toEqual([])
    expect(left()).toEqual([])
  })

  it('can be cancelled', () => {
    make(1, 90_000)
    expect(bench.run(alice, { kind: 'returnDeposit', value: { key: depositKey(1) } })).toBeUndefined()
    expect(ran(blocks.run(120_000))).toEqual([])
    expect(left()).toEqual([])
  })

  it.each([
    ['rejected', () => reject('bad_amount', 'not today'), 'bad_amount'],
    [
      'thrown',
      () => {
        throw new Error('a fault')
      },
      'executor_fault',
    ],
  ])(
    'that are %s change nothing, are retried twice an hour apart, then wait for an instruction',
    (_how, fault, code) => {
      make(1, 90_000)
      behaviour.run = (ctx, key) => {
        ctx.emit(depositPaid, { key, failed: undefined })
        return fault()
      }
      for (const [round, timeMs] of [120_000, 120_000 + HOUR, 120_000 + 2 * HOUR].entries()) {
        expect(ran(blocks.run(timeMs - 1))).toEqual([])
        const run = blocks.run(timeMs)
        expect(ran(run)).toEqual([code])
        expect(eventsOf(run, 'depositPaid')).toEqual([])
        const retryMs = round === 2 ? undefined : timeMs + HOUR
        expect(eventsOf(run, 'dueRunRan')[0]).toMatchObject({ owner: alice, retryMs })
        const waiting = scheduledRun(bench.state, payout, depositKey(1))
        expect(waiting).toEqual(retryMs && { dueMs: retryMs, owner: alice, failures: round + 1 })
      }
      expect(ran(blocks.run(120_000 + 3 * HOUR))).toEqual([])
      expect(left()).toEqual([])
      behaviour.run = undefined
      expect(bench.run(alice, { kind: 'payDeposit', value: { key: depositKey(1) } })).toBeUndefined()
    },
  )

  it('of the chain precede runs of owners, and a block executes up to 128 of them', () => {
    const done: string[] = []
    behaviour.run = (ctx) => {
      done.push(ctx.authority === alice ? 'owner' : 'chain')
      return undefined
    }
    for (let index = 0; index < 130; index += 1) make(index, 1)
    for (let index = 0; index < 3; index += 1) {
      scheduleRun(bench.state, audit, depositKey(1_000 + index), { owner: undefined, dueMs: 30_000 })
    }
    const first = ran(blocks.run(MINUTE)).length
    const second = ran(blocks.run(MINUTE + 1)).length
    expect(done.slice(0, 3)).toEqual(['chain', 'chain', 'chain'])
    expect(first).toBeLessThanOrEqual(128)
    expect(first + second).toBeGreaterThan(first)
    for (let block = 0; done.length < 133; block += 1) {
      if (block > 20) throw new Error('runs are lost')
      blocks.run(MINUTE + 2 + block)
    }
    expect(done).toHaveLength(133)
  })

  it('share a quarter of the block units, halved with each failed view and zero from the fourth view on', () => {
    behaviour.run = (ctx) => {
      ctx.take(2_000)
      return undefined
    }
    for (let index = 0; index < 60; index += 1) make(index, 1)
    const made = (view: number) => {
      blocks.view = view
      return ran(blocks.run(MINUTE)).length
    }
    const [whole, half, quarter, none] = [0, 1, 2, 3].map(made)
    expect(whole).toBeGreaterThan(10)
    expect(half).toBeLessThan(whole ?? 0)
    expect(quarter).toBeLessThan(half ?? 0)
    expect(none).toBe(0)
  })

  it('are executed first in the first view of an even height if they exceed the share', () => {
    setParameterNow(bench.state, BLOCK_TEU.name, BLOCK_TEU.schema.encode(8_000))
    behaviour.run = (ctx) => {
      ctx.take(4_000)
      return undefined
    }
    make(1, 1)
    blocks.run(1)
    expect(ran(blocks.run(MINUTE))).toEqual([])
    blocks.view = 1
    expect(ran(blocks.run(MINUTE + 1))).toEqual([])
    blocks.view = 0
    expect(ran(blocks.run(MINUTE + 2))).toEqual([])
    expect(ran(blocks.run(MINUTE + 3))).toEqual(['done'])
  })

  it('stop at their declared units and have no effect if they exceed them', () => {
    make(1, 1)
    behaviour.run = (ctx, key) => {
      ctx.emit(depositPaid, { key, failed: undefined })
      ctx.take(6_000)
      return undefined
    }
    const run = blocks.run(MINUTE)
    expect(ran(run)).toEqual(['teu_exhausted'])
    expect(eventsOf(run, 'depositPaid')).toEqual([])
    expect(run.results[0]?.teu).toBe(5_300)
  })

  it('cannot be scheduled for a payer other than the declared one', () => {
    expect(() => scheduleRun(bench.state, audit, depositKey(1), { owner: alice, dueMs: 1 })).toThrow(
      'declared with the wrong payer',
    )
    expect(cancelRun(bench.state, audit, depositKey(1))).toBe(false)
  })

  it('leave the rest of half a block to time triggers', () => {
    for (let index = 0; index < 10; index += 1) {
      const list = Array.from({ length: 40 }, () => core.batch([alice, bob, 1n]))
      bench.genesis(alice, core.registerTrigger(`t${index}`, alice, core.every(MINUTE, HOUR), list))
    }
    const triggersOf = (run: ReturnType<Blocks['run']>) => eventsOf(run, 'triggerRan').length
    const alone = core.smallWorld(DEPOSIT_ABI)
    const without = triggersOf(blocks.run(MINUTE))
    expect(without).toBeGreaterThan(4)
    expect(alone.height).toBe(2)
    behaviour.run = (ctx) => {
      ctx.take(4_000)
      return undefined
    }
    for (let index = 0; index < 10; index += 1) make(index, 1)
    const run = blocks.run(MINUTE + HOUR)
    expect(ran(run).length).toBeGreaterThan(4)
    expect(triggersOf(run)).toBeLessThan(without)
  })
})

describe('the end-of-block work of a feature', () => {
  it('has no effect if it exceeds its units or fails, and the chain continues', () => {
    const bench = core.smallWorld(DEPOSIT_ABI)
    const blocks = new Blocks(bench)
    expect(blocks.run(1).results).toEqual([])
    behaviour.end = (ctx) => {
      ctx.emit(depositPaid, { key: depositKey(1), failed: 'told' })
      return undefined
    }
    const run = blocks.run(2)
    expect(run.results.map(({ outcome }) => outcome.kind)).toEqual(['approved'])
    expect(eventsOf(run, 'depositPaid')).toHaveLength(1)
    behaviour.end = (ctx) => {
      ctx.emit(depositPaid, { key: depositKey(1), failed: 'told' })
      ctx.take(2_000)
      return undefined
    }
    const greedy = blocks.run(3)
    expect(greedy.results.map(({ outcome, teu }) => [outcome.kind, teu])).toEqual([['rejected', 1_000]])
    expect(eventsOf(greedy, 'depositPaid')).toEqual([])
    behaviour.end = () => {
      throw new Error('a fault')
    }
    expect(blocks.run(4).rejections.get(0)?.code).toBe('executor_fault')
  })
})
