/** The deterministic simulator: the real consensus machine under a virtual clock, network and disk, from one seed. */
import { randomOf } from './prng.js'
import { type Scenario, type Verdict, World } from './world.js'

export type { Scenario, Verdict } from './world.js'

/** The scenario that a seed stands for: roster size, faults and their rates are drawn from it. */
export function scenarioOf(seed: number): Scenario {
  const random = randomOf(seed, 'scenario')
  const rough = random.chance(0.8)
  return {
    seed,
    members: 1 + random.below(10),
    heights: 3 + random.below(6),
    healAtMs: rough ? 1_000 + random.below(15_000) : 0,
    crashes: rough ? random.below(6) : 0,
    powerFailures: rough && random.chance(0.2) ? 1 : 0,
    dropRate: rough ? random.next() * 0.3 : 0,
    duplicateRate: rough ? random.next() * 0.2 : 0,
  }
}

/** Runs the scenario of a seed. */
export const simulate = (scenario: Scenario): Verdict => new World(scenario).run()
