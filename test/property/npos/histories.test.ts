/** Random histories of stakes: every block keeps the equation of supply, the lists, the counts, and what epochs follow from. */
import { describe, expect, it } from 'vitest'
import { slice } from '../../suites.mjs'
import { history } from '../../support/npos/history.js'

const COUNT = Number(process.env.NPOS_HISTORIES ?? slice(15, 30))
const FIRST = Number(process.env.NPOS_FIRST ?? 1)
const BLOCKS = 250

describe('random histories of stakes', () => {
  it(`preserve all invariants in ${COUNT} seeds of ${BLOCKS} blocks from ${FIRST} on`, async () => {
    const sums: Record<string, number> = {}
    for (let seed = FIRST; seed < FIRST + COUNT; seed += 1) {
      const { fault, ...met } = await history(seed, BLOCKS)
      expect(fault).toBeUndefined()
      for (const [name, count] of Object.entries(met)) sums[name] = (sums[name] ?? 0) + count
    }
    if (process.env.SIM_VERBOSE !== undefined) console.log(sums)
    // Histories that never meet these prove nothing about them.
    for (const [name, sum] of Object.entries(sums)) expect(sum, name).toBeGreaterThan(0)
  })
})
