/** The gate of the exploration: it finds each wrong variant of consensus, and its trace violates an invariant in the simulator, too. */
import { describe, expect, it } from 'vitest'
import type * as Explore from '../../src/simulation/explore/index.js'
import { slice } from '../suites.mjs'
import { EXPLORED_MUTANTS, type ExploredMutant } from './explore-mutants.js'
import { explorerOf } from './variants.js'

/** Bound of one exploration: each mutant is found much earlier; states for those that only lose liveness. */
const STATES_MAX = 2_000_000
const HEALED_FROM = 30_000
/** States that are healed to find a mutant that only loses liveness. */
const HEALED = 3_000

/** Findings of the exploration over the patched sources. */
function found({ Exploration, heal, replay, traceOf }: typeof Explore, { world, liveness }: ExploredMutant) {
  const exploration = new Exploration(world)
  while (exploration.advance(2_000) && exploration.states.size < (liveness === undefined ? STATES_MAX : HEALED_FROM));
  const { violation, states } = exploration
  if (liveness !== undefined) {
    const { late } = heal(exploration, { samples: HEALED, messages: liveness })
    return { text: late, states: states.size, replayed: undefined }
  }
  if (violation === undefined) return { text: undefined, states: states.size, replayed: undefined }
  const trace = traceOf(exploration, violation)
  return { text: violation.text, states: states.size, replayed: replay(trace).violation, steps: trace.steps.length }
}

describe('exploration of faulty variants', () => {
  it.each(EXPLORED_MUTANTS.filter((_, at) => at % slice(9, 1) === 0).map((one) => [one.name, one] as const))(
    'catches: %s',
    async (_name, mutant) => {
      const { text, states, replayed, steps } = found(await explorerOf(mutant.patches), mutant)
      if (process.env.SIM_VERBOSE !== undefined)
        console.log(`${mutant.name}: ${states} states, ${steps} steps, ${text}; replayed: ${replayed}`)
      expect(text, `not caught within ${states} states of ${mutant.world.name}`).toMatch(mutant.fault)
      if (mutant.liveness === undefined) expect(replayed, 'the trace violates nothing in the simulator').toBeDefined()
    },
  )
})
