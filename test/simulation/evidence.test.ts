/**
 * Faults of Byzantine members are proven by their signatures; every simulated run asserts that no correct member is
 * accused.
 */
import { describe, expect, it } from 'vitest'
import type { FaultKind } from '../../src/consensus/index.js'
import { scenarioOf, simulate } from '../../src/simulation/index.js'

const SEEDS = 300

describe('evidence in the simulator', () => {
  it(`covers the faults of byzantine members within ${SEEDS} seeds`, () => {
    const found = new Set<FaultKind>()
    for (const scheduler of ['uniform', 'cuts', 'hidden-commit'] as const) {
      for (let seed = 1; seed <= SEEDS / 3; seed++) {
        const { fault, faults } = simulate(scenarioOf(scheduler, seed))
        expect(fault).toBeUndefined()
        for (const kind of faults) found.add(kind)
      }
    }
    // No run of a correct protocol with at most f liars shows conflicting commits; both commit votes of a liar reach one
    // correct member too rarely for a slice. Directed cases of both stand in the unit tests.
    for (const kind of ['double_prepare', 'double_proposal', 'double_timeout', 'lock_amnesia'] as const) {
      expect(found).toContain(kind)
    }
  })
})
