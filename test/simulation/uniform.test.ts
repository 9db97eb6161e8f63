import { describe, expect, it } from 'vitest'
import { FIRST_SEED, faultsOf, SEEDS } from './seeds.js'

describe('scheduler uniform', () => {
  it(`commits one chain everywhere after the network heals, seeds ${FIRST_SEED} to ${FIRST_SEED + SEEDS - 1}`, () => {
    expect(faultsOf('uniform')).toEqual([])
  })
})
