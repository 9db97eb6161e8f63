/** Epochs in the simulator: rosters that follow each other at boundaries, with everything else that goes wrong. */
import { describe, expect, it } from 'vitest'
import { SCHEDULER_NAMES, scenarioOf, simulate } from '../../src/simulation/index.js'
import { slice } from '../suites.mjs'
import { FIRST_SEED } from './seeds.js'

/** Seeds per scheduler: each run crosses several boundaries. */
const SEEDS = Number(process.env.SIM_SEEDS ?? slice(10, 30))

describe.each(SCHEDULER_NAMES)('epochs under the scheduler %s', (scheduler) => {
  it(`commit one chain over all boundaries, seeds ${FIRST_SEED} to ${FIRST_SEED + SEEDS - 1}`, () => {
    const found: string[] = []
    for (let seed = FIRST_SEED; seed < FIRST_SEED + SEEDS && found.length < 5; seed += 1) {
      const { fault } = simulate(scenarioOf(scheduler, seed, 'epochs'))
      if (fault !== undefined) found.push(`${scheduler} ${seed}: ${fault}`)
    }
    expect(found).toEqual([])
  })
})
