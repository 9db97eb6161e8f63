/** Pause of a proposer after a block, from the cost of blocks at its node; the pause does not count as height time. */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { NO_BLOCK_COSTS, withCost } from '../../../src/consensus/block-cost.js'
import { BlockCost, proposerWaitMs } from '../../../src/consensus/index.js'
import { PACE_BLOCKS } from '../../../src/consensus/limits.js'
import { Bench, type BenchOptions } from './rbc/bench.js'

const BLOCK_TIME_MS = 20
/** A quarter of T0, which is 400 ms at first. */
const LONGEST_MS = 100

/** A member whose blocks have cost so much; the parent was seen at time 0. */
function benchWith(costsMs: readonly number[], options: BenchOptions = { place: 0 }): Bench {
  const bench = new Bench(options)
  bench.state.blockCosts = costsMs.reduce(withCost, NO_BLOCK_COSTS)
  return bench
}
const blocksOf = (costMs: number, count = PACE_BLOCKS): number[] => Array.from({ length: count }, () => costMs)

function work(bench: Bench, atMs: number, full = false): void {
  bench.nowMs = atMs
  bench.input({ type: 'work', pending: true, full })
}
/** Delays for which the proposal waits; none if the block is asked for at once. */
function waits(bench: Bench): number[] {
  const armed = bench.take('arm').filter(({ name }) => name === 'propose')
  expect(bench.take('build')).toHaveLength(armed.length === 0 ? 1 : 0)
  return armed.map(({ delayMs }) => delayMs)
}
function commit(bench: Bench, atMs: number, costMs?: number): void {
  bench.nowMs = atMs
  const { context } = bench.state
  const next = { ...context, height: context.height + 1 }
  bench.input({ type: 'committed', next, self: bench.self, costMs })
}

describe('the delay of a proposer', () => {
  it('is five times the median processor time of recent blocks, counted from the last proposal', () => {
    const bench = benchWith(blocksOf(15))
    work(bench, 5)
    expect(waits(bench)).toEqual([75 - 5])
    bench.fire('propose', 70)
    expect(bench.take('build')).toHaveLength(1)
  })

  it('is block_time_ms if no block was measured yet, or if five times the cost is less', () => {
    for (const costs of [[], blocksOf(1)]) {
      const bench = benchWith(costs)
      work(bench, 0)
      expect(waits(bench)).toEqual([BLOCK_TIME_MS])
    }
  })

  it('is a quarter of T0 at most', () => {
    const bench = benchWith(blocksOf(10_000))
    work(bench, 0)
    expect(waits(bench)).toEqual([LONGEST_MS])
    bench.state.pacemaker.heightMs = 100
    expect(proposerWaitMs(bench.state)).toBe(200)
    bench.state.pacemaker.baseExponent = 3
    expect(proposerWaitMs(bench.state)).toBe(200)
  })

  it('follows the cost of committed blocks, and ignores blocks without a measurement', () => {
    const bench = benchWith(blocksOf(4))
    for (let height = 0; height < PACE_BLOCKS; height += 1) commit(bench, 0, 10)
    commit(bench, 0)
    expect(proposerWaitMs(bench.state)).toBe(50)
  })

  it('does not change if one of the measured blocks has an extreme cost', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 15 }), fc.double({ min: 0, max: 1e9, noNaN: true }), (at, costMs) => {
        const bench = benchWith(blocksOf(12).with(at, costMs))
        expect(proposerWaitMs(bench.state)).toBe(60)
      }),
    )
  })

  it('is between block_time_ms and a quarter of T0 for any cost of blocks', () => {
    fc.assert(
      fc.property(fc.array(fc.double({ min: 0, max: 1e9, noNaN: true }), { maxLength: 40 }), (costs) => {
        const { state } = benchWith(costs)
        expect(proposerWaitMs(state)).toBeGreaterThanOrEqual(BLOCK_TIME_MS)
        expect(proposerWaitMs(state)).toBeLessThanOrEqual(LONGEST_MS)
        expect(state.blockCosts.recentMs).toEqual(costs.slice(-PACE_BLOCKS))
      }),
    )
  })

  it('starts at the last proposal of the same node if it also proposed the last block', () => {
    const bench = benchWith(blocksOf(15))
    work(bench, 200)
    const block = bench.block()
    bench.built(block)
    bench.staged(block)
    bench.settle()
    expect(bench.sent('proposal')).toHaveLength(1)
    bench.take('build')
    commit(bench, 230)
    expect(waits(bench)).toEqual([200 + 75 - 230])
  })
})

describe('a proposer does not wait', () => {
  it('if enough transactions for a full block are queued', () => {
    const bench = benchWith(blocksOf(15))
    work(bench, 5, true)
    expect(waits(bench)).toEqual([])
  })

  it('if enough transactions for a full block are queued during its wait', () => {
    const bench = benchWith(blocksOf(15))
    work(bench, 5)
    expect(waits(bench)).toEqual([70])
    work(bench, 30, true)
    expect(bench.take('build')).toHaveLength(1)
  })

  it('in a view above 0', () => {
    const bench = benchWith(blocksOf(15), { place: 1 })
    work(bench, 5)
    bench.take('arm')
    bench.receive(bench.others[0] ?? '', { kind: 'timeoutCertificate', value: bench.timeoutCertificate(0) })
    expect(bench.state.view).toBe(1)
    expect(waits(bench)).toEqual([])
  })

  it('if the last block is older than the wait', () => {
    const bench = benchWith(blocksOf(15))
    work(bench, 75)
    expect(waits(bench)).toEqual([])
  })
})

describe('the measured time of a height', () => {
  /** T0 from a height in which the rest took 90 ms and 20 ms were block_time_ms: 8 times (50 + 0.2 * (110 - 50)). */
  const EXPECTED_MS = 62

  it('excludes the wait of the proposer, on the proposer itself', () => {
    const bench = benchWith(blocksOf(15))
    work(bench, 0)
    bench.fire('propose', 75)
    commit(bench, 75 + 90)
    expect(bench.state.pacemaker.heightMs).toBeCloseTo(EXPECTED_MS)
  })

  it('includes the time to build the block, on the proposer itself', () => {
    const bench = benchWith(blocksOf(15))
    work(bench, 0)
    bench.fire('propose', 75)
    const block = bench.block()
    bench.nowMs = 75 + 40
    bench.built(block)
    bench.staged(block)
    bench.settle()
    commit(bench, 75 + 90)
    expect(bench.state.pacemaker.heightMs).toBeCloseTo(EXPECTED_MS)
  })

  it.each([75, LONGEST_MS])('excludes the wait of the proposer on another member, %i ms', (waitMs) => {
    const bench = benchWith(blocksOf(4), { place: 1 })
    work(bench, 0)
    bench.nowMs = waitMs
    bench.receive(bench.proposer, bench.proposal(bench.block()))
    commit(bench, waitMs + 90)
    expect(bench.state.pacemaker.heightMs).toBeCloseTo(EXPECTED_MS)
  })

  it('includes the delay of a proposal beyond the longest wait, on another member', () => {
    const bench = benchWith(blocksOf(4), { place: 1 })
    work(bench, 0)
    bench.nowMs = LONGEST_MS + 50
    bench.receive(bench.proposer, bench.proposal(bench.block()))
    commit(bench, LONGEST_MS + 90)
    expect(bench.state.pacemaker.heightMs).toBeCloseTo(EXPECTED_MS)
  })

  it('includes the full duration of a failed view', () => {
    const bench = benchWith(blocksOf(15), { place: 1 })
    work(bench, 0)
    bench.nowMs = 110
    bench.receive(bench.others[0] ?? '', { kind: 'timeoutCertificate', value: bench.timeoutCertificate(0) })
    expect(bench.state.pacemaker.heightMs).toBeCloseTo(EXPECTED_MS)
  })
})

describe('the cost of a block', () => {
  it('is the processor time from the first work of its height to its commit', () => {
    let spentMs = 100
    const cost = new BlockCost(() => spentMs)
    cost.begin(2)
    spentMs = 110
    cost.begin(2)
    expect(cost.end(2)).toBe(10)
    spentMs = 500
    cost.begin(2)
    cost.begin(3)
    spentMs = 507
    expect(cost.end(3)).toBe(7)
  })

  it('is unknown for a block that arrived while the node was idle', () => {
    const cost = new BlockCost(() => 100)
    cost.begin(2)
    expect(cost.end(3)).toBeUndefined()
  })
})
