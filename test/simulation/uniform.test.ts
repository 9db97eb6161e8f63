import { describe, expect, it } from 'vitest'
import { scenarioOf, simulate } from '../../src/simulation/index.js'

const SEEDS = Number(process.env.SIM_SEEDS ?? 400)
const FIRST = Number(process.env.SIM_FIRST ?? 1)

describe('uniform faults', () => {
  it(`commits one chain everywhere after the network heals, seeds ${FIRST} to ${FIRST + SEEDS - 1}`, () => {
    for (let seed = FIRST; seed < FIRST + SEEDS; seed++) {
      const scenario = scenarioOf(seed)
      const verdict = simulate(scenario)
      expect(verdict.fault, `seed ${seed}: ${JSON.stringify(scenario)}`).toBeUndefined()
    }
  })

  it('does not change views without loss and with honest proposers', () => {
    for (let seed = 1; seed <= 20; seed++) {
      const quiet = { ...scenarioOf(seed), healAtMs: 0, crashes: 0, powerFailures: 0, dropRate: 0, duplicateRate: 0 }
      const verdict = simulate(quiet)
      expect(verdict.fault).toBeUndefined()
      expect(verdict.viewChanges, `seed ${seed}`).toBe(0)
    }
  })
})
