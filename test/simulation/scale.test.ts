/** Runs of the performance model with pinned costs: relations that hold whatever the machine and the figures are. */
import { describe, expect, it } from 'vitest'
import { quorumOf } from '../../src/consensus/index.js'
import {
  DEFAULT_COSTS,
  DEFAULT_SCENARIO,
  type ScaleResult,
  ScaleRun,
  type ScaleScenario,
  variantsOf,
} from '../../src/simulation/scale/index.js'
import { roundTripMs } from '../../src/simulation/scale/regions.js'

const EVENTS = 100_000

function resultOf(change: Partial<ScaleScenario>, costs = DEFAULT_COSTS): ScaleResult {
  const run = new ScaleRun({ ...DEFAULT_SCENARIO, rate: 200, warmUpMs: 2_000, measuredMs: 4_000, ...change }, costs)
  while (run.advance(EVENTS));
  return run.result()
}

const numbers = (count: number): number[] => Array.from({ length: count }, (_, one) => one)

/** Round trip of the best placed validator to the last one that makes a quorum with it. */
function nearestQuorumMs(validators: number): number {
  const reaches = numbers(validators).map((from) => {
    const others = numbers(validators).filter((to) => to !== from)
    const sorted = others.map((to) => roundTripMs('wan', from, to)).sort((a, b) => a - b)
    return sorted[quorumOf(validators) - 2] ?? 0
  })
  return Math.min(...reaches)
}

const farthestMs = (validators: number): number =>
  Math.max(...numbers(validators).flatMap((from) => numbers(validators).map((to) => roundTripMs('wan', from, to))))

describe.each([4, 7])('%i validators around the world', (validators) => {
  const result = resultOf({ validators })

  it('commit all submitted transactions in their first view', () => {
    expect(result.submitted).toBeGreaterThan(0)
    expect(result).toMatchObject({ unfinished: 0, viewsLost: 0 })
    expect(result.transactionsPerSecond).toBeGreaterThan(150)
  })

  it('take at least the time of a proposal and two rounds of votes to commit, each over a quorum', () => {
    expect(result.finalityP50Ms).toBeGreaterThan(1.5 * nearestQuorumMs(validators))
  })

  it('commit within the rest of the previous block, gossip and five trips over the longest link', () => {
    // Half the longest round trip is a way: to the proposer, three phases, and as much again for the block before.
    expect(result.finalityP50Ms).toBeLessThan(3.5 * farthestMs(validators))
    expect(result.finalityP99Ms).toBeLessThan(2 * result.finalityP50Ms)
  })

  it('commit far more slowly than in one data centre', () => {
    const { finalityP99Ms, viewsLost } = resultOf({ validators, latency: 'lan' })
    expect(finalityP99Ms).toBeLessThan(result.finalityP50Ms / 3)
    expect(viewsLost).toBe(0)
  })

  it('have results that are reproducible from a seed, and differ for another seed', () => {
    expect(resultOf({ validators })).toEqual(result)
    expect(resultOf({ validators, seed: 2 })).not.toEqual(result)
  })
})

describe('seven validators', () => {
  it('are never slower with more bandwidth', () => {
    const limits = [10, 50, 1_000].map((mbit) => ({ uplinkMbit: mbit, downlinkMbit: mbit, linkMbit: mbit }))
    const times = limits.map((bandwidth) => resultOf({ validators: 7, bandwidth, transactionBytes: 500 }).finalityP50Ms)
    expect(times).toEqual([...times].sort((a, b) => b - a))
    expect(times[0]).toBeGreaterThan(1.2 * (times[2] ?? 0))
  })

  it('are slower with slower signatures, which load the crypto thread', () => {
    const slow = { ...DEFAULT_COSTS, blsVerifyNs: 20 * DEFAULT_COSTS.blsVerifyNs }
    const [fast, slower] = [resultOf({ validators: 7 }), resultOf({ validators: 7 }, slow)]
    expect(slower.finalityP50Ms).toBeGreaterThan(fast.finalityP50Ms + 20)
    expect(slower.busy.crypto.mean).toBeGreaterThan(fast.busy.crypto.mean)
  })

  it('report open transactions if the load exceeds their capacity', () => {
    const { unfinished, submitted } = resultOf({ validators: 7, blockTransactions: 3 })
    expect(unfinished).toBeGreaterThan(submitted / 10)
  })

  const [given, , compact, chunks, available] = variantsOf({
    ...DEFAULT_SCENARIO,
    validators: 7,
    rate: 500,
    warmUpMs: 2_000,
    measuredMs: 4_000,
  }).map(({ scenario }) => resultOf(scenario)) as [ScaleResult, ScaleResult, ScaleResult, ScaleResult, ScaleResult]

  it('send far fewer bytes if they propose hashes, and do not wait for records', () => {
    expect(compact.proposerBytesUp).toBeLessThan(given.proposerBytesUp / 2)
    expect(compact.phasesMs.payload).toBeLessThan(20)
    expect(compact).toMatchObject({ unfinished: 0, viewsLost: 0 })
  })

  it('send payloads in chunks on a separate channel, and commit them', () => {
    expect(given.bytesPerBlock.payload).toBe(0)
    expect(chunks.bytesPerBlock.payload).toBeGreaterThan(10_000)
    expect(chunks).toMatchObject({ unfinished: 0, viewsLost: 0 })
  })

  it('also send READY and DELIVER with data availability', () => {
    const more = available.messagesPerBlock.consensus - given.messagesPerBlock.consensus
    // Both to six peers, and the announcement of the proposer.
    expect(more).toBeGreaterThan(10)
    expect(more).toBeLessThan(16)
    expect(available).toMatchObject({ unfinished: 0, viewsLost: 0 })
  })

  it('send fewer votes with collectors', () => {
    const { parameters } = DEFAULT_SCENARIO
    const collected = resultOf({ validators: 16, rate: 100 })
    const all = resultOf({ validators: 16, rate: 100, parameters: { ...parameters, collectorsK: 16 } })
    expect(collected.messagesPerBlock.consensus).toBeLessThan(all.messagesPerBlock.consensus)
  })
})
