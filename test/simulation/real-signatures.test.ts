/** A slice of the simulator with real BLS: what fake signatures cannot show, such as an aggregate over the wrong keys. */
import { describe, expect, it } from 'vitest'
import { loadBls } from '../../src/crypto/bls-load.js'
import { blsSignatures, scenarioOf, simulate } from '../../src/simulation/index.js'

/** Seeds per scheduler: a pairing is a thousand times slower than a hash. */
const SEEDS = 4

describe('the simulator with BLS', () => {
  it(`commits one chain everywhere after the network heals, seeds 1 to ${SEEDS} of each scheduler`, async () => {
    const signatures = blsSignatures(await loadBls())
    for (const scheduler of ['uniform', 'cuts', 'hidden-commit'] as const) {
      for (let seed = 1; seed <= SEEDS; seed++) {
        const { fault } = simulate(scenarioOf(scheduler, seed, 'single-height'), undefined, signatures)
        expect(fault, `${scheduler} ${seed}`).toBeUndefined()
      }
    }
  })
})
