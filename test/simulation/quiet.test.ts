import { describe, expect, it } from 'vitest'
import { type Scenario, scenarioOf, simulate } from '../../src/simulation/index.js'

const quiet = (seed: number): Scenario => ({
  ...scenarioOf('uniform', seed),
  faulty: [],
  healAtMs: 0,
  crashes: 0,
  powerFailures: 0,
  fullDisks: 0,
  slowDiskRate: 0,
  dropRate: 0,
  duplicateRate: 0,
  idleCheck: true,
})

describe('a network without faults', () => {
  it('has no view change, with and without load', () => {
    for (let seed = 1; seed <= 60; seed++) {
      const result = simulate(quiet(seed))
      expect(result.fault, `seed ${seed}`).toBeUndefined()
      expect(result.viewChanges, `seed ${seed}`).toBe(0)
    }
  })

  it('runs identically with the same seed', () => {
    for (const scheduler of ['uniform', 'cuts', 'hidden-commit'] as const) {
      for (let seed = 1; seed <= 5; seed++) {
        expect(simulate(scenarioOf(scheduler, seed))).toEqual(simulate(scenarioOf(scheduler, seed)))
      }
    }
  })
})
