import { describe, expect, it } from 'vitest'
import { scenarioOf, simulate } from '../../src/simulation/index.js'

describe('full disks', () => {
  it('stop the processes that write to them, and the network commits one chain once space is free', () => {
    let ended = 0
    for (let seed = 1; seed <= 150; seed++) {
      const result = simulate({ ...scenarioOf('uniform', seed), fullDisks: 3, healAtMs: 3_000 })
      expect(result.fault, `seed ${seed}`).toBeUndefined()
      ended += result.fullDisks
    }
    expect(ended).toBeGreaterThan(150)
  })

  it('on all members at once lose no acknowledged block', () => {
    for (let seed = 1; seed <= 100; seed++) {
      const result = simulate({ ...scenarioOf('uniform', seed), members: 4, fullDisks: 40, healAtMs: 4_000 })
      expect(result.fault, `seed ${seed}`).toBeUndefined()
    }
  })
})
