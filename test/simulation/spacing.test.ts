/** Networks whose proposers wait by the cost of blocks, some longer than others, and one that keeps to no wait. */
import { describe, expect, it } from 'vitest'
import { viewTimeoutMs } from '../../src/consensus/index.js'
import { type Scenario, type SimulationResult, type Stage, scenarioOf, simulate } from '../../src/simulation/index.js'

const SEEDS = 3
/** A cost at which a proposer waits for a quarter of T0. */
const TO_THE_CAP = 10_000

/** Four members without a fault, and transactions enough for dozens of blocks. */
const quiet = (seed: number, blockCostsMs: readonly number[]): Scenario => ({
  ...scenarioOf('uniform', seed),
  members: 4,
  observers: 0,
  faulty: [],
  transactions: 60,
  rosterChanges: false,
  rotations: false,
  collectorsK: 0,
  healAtMs: 0,
  crashes: 0,
  powerFailures: 0,
  lostLogs: 0,
  lostDisks: 0,
  firstStart: false,
  fullDisks: 0,
  slowDiskRate: 0,
  dropRate: 0,
  duplicateRate: 0,
  dataAvailability: false,
  blockCostsMs,
  idleCheck: false,
})

interface Played {
  readonly result: SimulationResult
  /** First timeouts of the members at the end, in ms. */
  readonly timeoutsMs: readonly number[]
}

function play(seed: number, blockCostsMs: readonly number[]): Played {
  let stage: Stage | undefined
  const result = simulate(quiet(seed, blockCostsMs), undefined, undefined, (one) => {
    stage = one
    return { begin() {}, admits: () => true }
  })
  const states = (stage?.nodes ?? []).flatMap(({ state }) => state ?? [])
  return {
    result,
    timeoutsMs: states.map(({ pacemaker, context }) => viewTimeoutMs(pacemaker, context.parameters, 0)),
  }
}

const seeds = Array.from({ length: SEEDS }, (_, at) => at + 1)
/** Virtual time until all is committed, over all seeds. */
const timeOf = (blockCostsMs: readonly number[]): number =>
  seeds.reduce((sum, seed) => sum + play(seed, blockCostsMs).result.endedAtMs, 0)

describe.each([
  ['no proposer waits', [0]],
  ['all proposers wait to the cap', [TO_THE_CAP]],
  ['one proposer never waits', [15, 15, 0, 15]],
  ['one proposer always waits to the cap', [4, TO_THE_CAP, 4, 4]],
  ['one proposer never waits and one waits to the cap', [0, TO_THE_CAP, 15, 15]],
] as const)('a network in which %s', (_, blockCostsMs) => {
  it.each(seeds)('commits all transactions without a view change and with the shortest timeouts, seed %i', (seed) => {
    const { result, timeoutsMs } = play(seed, blockCostsMs)
    expect(result.fault).toBeUndefined()
    expect(result.viewChanges).toBe(0)
    expect(timeoutsMs).toEqual([400, 400, 400, 400])
  })
})

describe('blocks limited to two transactions', () => {
  it('take longer for the same transactions if proposers wait', () => {
    expect(timeOf([TO_THE_CAP])).toBeGreaterThan(1.5 * timeOf([0]))
  })

  it('are faster only by the share of one proposer that never waits', () => {
    const all = timeOf([TO_THE_CAP])
    const one = timeOf([TO_THE_CAP, TO_THE_CAP, 0, TO_THE_CAP])
    expect(one).toBeLessThan(all)
    // A quarter of the heights are its own, and as many again by the draw of proposers at most.
    expect(one).toBeGreaterThan(0.5 * all)
  })
})
