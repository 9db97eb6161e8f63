/** Times of phases where the chain names them: one timer a view, and running totals that decide what is done before it fires. */
import { describe, expect, it } from 'vitest'
import { newPacemaker, runningTotalMs, viewTimeoutMs } from '../../../src/consensus/pacemaker.js'
import { DEFAULT_CONSENSUS_PARAMETERS, PHASES } from '../../../src/model/index.js'
import { Bench, type Block } from './rbc/bench.js'

const phases = { propose: 300, payload: 250, execute: 150, prepare: 150, commit: 150 }

/** A member whose height has work since time 0. */
function withWork(timed: boolean): Bench {
  const bench = new Bench({ collectorsK: 2, ...(timed ? { phases } : {}) })
  bench.input({ type: 'work', pending: true, full: false })
  return bench
}
/** It gets the whole block at a time, and executes it at another. */
function vote(bench: Bench, proposedMs: number, payloadMs: number, executedMs: number): Block {
  const block = bench.block()
  bench.nowMs = proposedMs
  bench.receive(bench.proposer, bench.proposal(block))
  bench.nowMs = payloadMs
  bench.payload(bench.proposer, block, block.body)
  bench.nowMs = executedMs
  bench.approve(block)
  bench.settle()
  return block
}
const delays = (bench: Bench, timer: string): number[] =>
  bench
    .take('arm')
    .filter(({ name }) => name === timer)
    .map(({ delayMs }) => delayMs)

describe('phases of a view', () => {
  it('have cumulative timeouts, and no first timeout is shorter than their sum', () => {
    expect(PHASES.map((phase) => runningTotalMs(phases, phase))).toEqual([300, 550, 700, 850, 1_000])
    const measured = viewTimeoutMs(newPacemaker(DEFAULT_CONSENSUS_PARAMETERS), DEFAULT_CONSENSUS_PARAMETERS, 0)
    expect(measured).toBeLessThan(1_000)
    const parameters = { ...DEFAULT_CONSENSUS_PARAMETERS, phases }
    expect(viewTimeoutMs(newPacemaker(parameters), parameters, 0)).toBe(1_000)
  })

  it('send a vote to all members after the end of its phase, however late the vote was made', () => {
    const early = withWork(true)
    vote(early, 10, 20, 30)
    expect(delays(early, 'fallback')).toEqual([850 - 30])
    const late = withWork(true)
    vote(late, 290, 500, 980)
    expect(delays(late, 'fallback')).toEqual([0])
    const measured = withWork(false)
    vote(measured, 10, 20, 30)
    expect(delays(measured, 'fallback')[0]).toBeLessThan(100)
  })

  it('leave time for a broadcast before any part of it is requested', () => {
    const bench = withWork(true)
    const block = bench.block()
    bench.nowMs = 100
    bench.receive(bench.proposer, bench.init(block))
    bench.receive(bench.proposer, bench.proposal(block))
    expect(delays(bench, 'fetch')).toEqual([550 - 100])
    bench.take('send')
    bench.fire('fetch', 450)
    expect(bench.take('send').length).toBeGreaterThan(0)
  })

  it.each([
    ['a proposal', [400, 410, 420], 'noProposal'],
    ['a payload', [100, 600, 610], 'missingPayload'],
    ['an execution', [100, 200, 750], 'prepareStall'],
    ['only the votes of others', [100, 200, 300], 'prepareStall'],
  ] as const)('report the late phase in a timeout: %s', (_, [proposed, payload, executed], reason) => {
    const bench = withWork(true)
    vote(bench, proposed, payload, executed)
    bench.fire('view', 1_000 - bench.nowMs)
    expect(bench.state.timedOut?.timeout.reason).toBe(reason)
  })

  it('report a refused block rather than a late phase', () => {
    const bench = withWork(true)
    const block = bench.block()
    bench.nowMs = 400
    bench.receive(bench.proposer, bench.proposal(block))
    bench.payload(bench.proposer, block, block.body)
    const result = { ok: false as const, reason: 'stateMismatch' as const, detail: 'another root' }
    bench.answerExecution(block, result)
    bench.settle()
    bench.fire('view', 700)
    expect(bench.state.timedOut?.timeout.reason).toBe('stateMismatch')
  })
})
