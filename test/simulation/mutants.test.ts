/** The mutation gate: a simulator that lets a wrong variant pass proves nothing about the right one. */
import { describe, expect, it } from 'vitest'
import type * as Simulation from '../../src/simulation/index.js'
import { slice } from '../suites.mjs'
import { MUTANTS, type Mutant } from './mutants.js'
import { variantOf } from './variants.js'

/** Seeds of the sources as they are, of each scheduler: the suites of the schedulers run hundreds. */
const RIGHT_SEEDS = 10

function firstCaught(simulation: typeof Simulation, { scheduler, withinSeeds, fromSeed = 1, fault, direct }: Mutant) {
  for (let seed = fromSeed; seed < fromSeed + withinSeeds; seed++) {
    // Clocks that are behind keep some blocks from votes, and so what a mutant does from showing: where they matter, they are fixed.
    const scenario = { ...simulation.scenarioOf(scheduler, seed), lateTimeRate: 0, ...direct }
    const result = simulation.simulate(scenario)
    if (result.fault !== undefined && (fault === undefined || fault.test(result.fault))) return result
  }
  return undefined
}

describe('the mutation gate', () => {
  it('finds no fault in the unchanged sources when run the same way', async () => {
    const simulation = await variantOf([])
    for (const scheduler of simulation.SCHEDULER_NAMES) {
      for (let seed = 1; seed <= RIGHT_SEEDS; seed++) {
        expect(
          simulation.simulate(simulation.scenarioOf(scheduler, seed)).fault,
          `${scheduler} ${seed}`,
        ).toBeUndefined()
      }
    }
  })

  it.each(MUTANTS.filter((_, at) => at % slice(4, 1) === 0).map((mutant) => [mutant.name, mutant] as const))(
    'catches: %s',
    async (_name, mutant) => {
      const caught = firstCaught(await variantOf(mutant.patches), mutant)
      if (process.env.SIM_VERBOSE !== undefined) console.log(`${mutant.name}: seed ${caught?.seed}, ${caught?.fault}`)
      expect(caught, `not caught by ${mutant.scheduler} within ${mutant.withinSeeds} seeds`).toBeDefined()
    },
  )
})
