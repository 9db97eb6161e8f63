/** The mutation gate of staking: histories that let a wrong variant pass prove nothing about the right one. */
import { describe, expect, it } from 'vitest'
import { historiesOf } from '../../simulation/variants.js'
import { slice } from '../../suites.mjs'
import type { History } from '../../support/npos/history.js'
import { STAKING_MUTANTS, type StakingMutant } from './mutants.js'

const BLOCKS = 250
/** Histories of the sources as they are, read the same way. */
const RIGHT_SEEDS = 3

type Caught = { readonly seed: number; readonly fault: string } | undefined

async function firstCaught({ patches, withinSeeds, fromSeed = 1, fault }: StakingMutant): Promise<Caught> {
  const { history } = await historiesOf(patches)
  for (let seed = fromSeed; seed < fromSeed + withinSeeds; seed += 1) {
    const found: History = await history(seed, BLOCKS)
    if (found.fault === undefined) continue
    if (fault.test(found.fault)) return { seed, fault: found.fault }
  }
  return undefined
}

describe('the staking mutation gate', () => {
  it('finds no fault in the unchanged sources when run the same way', async () => {
    const { history } = await historiesOf([])
    for (let seed = 1; seed <= RIGHT_SEEDS; seed += 1) expect((await history(seed, BLOCKS)).fault).toBeUndefined()
  })

  it.each(STAKING_MUTANTS.filter((_, at) => at % slice(4, 1) === 0).map((mutant) => [mutant.name, mutant] as const))(
    'catches: %s',
    async (_name, mutant) => {
      const caught = await firstCaught(mutant)
      if (process.env.SIM_VERBOSE !== undefined) console.log(`${mutant.name}: seed ${caught?.seed}, ${caught?.fault}`)
      expect(caught, `not caught within ${mutant.withinSeeds} seeds`).toBeDefined()
    },
  )
})
