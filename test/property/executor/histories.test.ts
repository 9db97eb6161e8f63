/** Random histories of all instructions: the executor and a naive one say the same, and no unit appears or is lost. */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { begin, compare, HISTORIES, real, STEPS, step, textOf, wisely } from '../../support/histories.js'

describe('random histories of all instructions', () => {
  it('give the same codes and states in two executors, and conserve every supply', { timeout: 20 * 60_000 }, () => {
    const codes = new Map<string, number>()
    fc.assert(
      fc.property(fc.array(step, STEPS), (history) => {
        const { bench, naive } = begin()
        for (const asked of history) {
          const { waitMs } = asked
          const { by, list } = wisely(naive, asked)
          const known = bench.events
            .filter((event) => event.kind === 'proposalCreated')
            .map((event) => (event.value as { proposal: Uint8Array }).proposal)
          bench.timeMs += waitMs
          naive.nowMs += waitMs
          const code = bench.run(by, ...list.map((one) => real(one, known)))
          expect(code, textOf({ by, list })).toBe(naive.run(by, list))
          codes.set(code ?? 'approved', (codes.get(code ?? 'approved') ?? 0) + 1)
          compare(bench, naive, known)
        }
      }),
      { numRuns: HISTORIES },
    )
    // Outcomes that never occur are not compared: the histories reach most of those that exist.
    expect(codes.size).toBeGreaterThan(15)
    expect(codes.has('executor_fault')).toBe(false)
    expect((codes.get('approved') ?? 0) / [...codes.values()].reduce((sum, one) => sum + one, 0)).toBeGreaterThan(0.1)
  })
})
