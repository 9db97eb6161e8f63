/** Lanes under the simulator: networks with three lanes and more, which come, are renamed and go while members crash and lie. */
import { describe, expect, it } from 'vitest'
import { reproduceCommand, SCHEDULER_NAMES, scenarioOf, simulate } from '../../src/simulation/index.js'
import { slice } from '../suites.mjs'
import type { Patch } from './mutants.js'
import { variantOf } from './variants.js'

/** Seeds per scheduler; long counts by `npm run soak -- --slice lanes`. */
const SEEDS = Number(process.env.SIM_LANE_SEEDS ?? slice(8, 20))

describe('networks with lanes', () => {
  it.each(SCHEDULER_NAMES)(
    'commit one chain under %s, with lanes in turn and totals that match the headers',
    (scheduler) => {
      const faults: string[] = []
      let mixed = 0
      for (let seed = 1; seed <= SEEDS && faults.length < 3; seed += 1) {
        const { fault, mixedBlocks } = simulate(scenarioOf(scheduler, seed, 'lanes'))
        if (fault !== undefined) faults.push(`${reproduceCommand(scheduler, seed, 'lanes')}: ${fault}`)
        mixed += mixedBlocks
      }
      expect(faults).toEqual([])
      // Several lanes met in one block often enough, or their turns were not tried.
      expect(mixed).toBeGreaterThan(2 * SEEDS)
    },
  )
})

const lanes = (file: string, find: string, by: string): Patch => ({ file: `lanes/${file}`, find, by })
/** A wrong variant of the lanes, and the words of the verdict that it must get. */
const MUTANTS: readonly (readonly [name: string, fault: RegExp, patch: Patch])[] = [
  [
    'lanes are served in numerical order',
    /for turns/,
    lanes(
      'schedule.ts',
      'return left.height - right.height || left.place - right.place || a.id - b.id',
      'return a.id - b.id',
    ),
  ],
  [
    'the served lane is not recorded',
    /for turns/,
    lanes('schedule.ts', 'if (lanes.length === 0) return', 'if (lanes.length >= 0) return'),
  ],
  [
    'voters do not check the order of a proposer',
    /for turns/,
    lanes(
      'schedule.ts',
      'const left = new Map<number, number>()',
      'if (slots.length >= 0) return undefined\n  const left = new Map<number, number>()',
    ),
  ],
  [
    'totals are in the order in which lanes arrived',
    /wrong lane totals/,
    lanes(
      'commitment.ts',
      '    .sort((a, b) => a.lane - b.lane)\n    .map(({ lane, dataspace, records',
      '    .map(({ lane, dataspace, records',
    ),
  ],
  [
    'a proposer exceeds the capacity of a lane',
    /no commit|not settled|exceeds its/,
    {
      file: 'queue/draw.ts',
      find: 'if (!fitsLane(lane.slot, lane.count, lane.teu, value.teu)) lane.capExceeded += 1',
      by: 'if (lane.count < 0) lane.capExceeded += 1',
    },
  ],
]

describe('the lanes mutation gate', () => {
  it.each(MUTANTS)('catches: %s', async (_name, wanted, patch) => {
    const simulation = await variantOf([patch])
    let caught: string | undefined
    for (let seed = 1; seed <= 60 && caught === undefined; seed += 1) {
      const { fault } = simulation.simulate(simulation.scenarioOf('uniform', seed, 'lanes'))
      if (fault !== undefined && wanted.test(fault)) caught = fault
    }
    expect(caught).toBeDefined()
  })
})
