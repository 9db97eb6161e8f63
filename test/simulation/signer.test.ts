import { describe, expect, it } from 'vitest'
import { reproduceCommand, SCHEDULER_NAMES, scenarioOf, simulate } from '../../src/simulation/index.js'
import { FIRST_SEED, SEEDS } from './seeds.js'

/** A part of the seeds of each scheduler: a longer count is `SIM_SEEDS`. */
const SLICE_SEEDS = Math.ceil(SEEDS / 4)

describe('two active nodes of one validator that share a signer', () => {
  it.each(SCHEDULER_NAMES)('never equivocate, and the network continues, under the scheduler %s', (scheduler) => {
    const found: string[] = []
    for (let seed = FIRST_SEED; seed < FIRST_SEED + SLICE_SEEDS && found.length < 5; seed++) {
      const { fault } = simulate(scenarioOf(scheduler, seed, 'signer'))
      if (fault !== undefined) found.push(`${reproduceCommand(scheduler, seed, 'signer')}: ${fault}`)
    }
    expect(found).toEqual([])
  })
})
