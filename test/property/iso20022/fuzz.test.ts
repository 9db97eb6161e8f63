import { describe, expect, it } from 'vitest'
import { fuzz } from '../../support/iso-fuzz.js'

/** Inputs of the slice that every run makes; `npm run soak -- --only iso-fuzz` makes 500,000. */
const INPUTS = Number(process.env.CAUSEWAY_FUZZ_INPUTS ?? 15_000)
/** Growth that is not noise, in MiB: caches of the reader are bounded by its tables. */
const GROWTH_MAX_MIB = 64

describe('hostile bodies of one seed', () => {
  it('make the reader neither throw nor hang nor grow', { timeout: 60_000 + INPUTS }, () => {
    const report = fuzz(20_260_301, INPUTS)
    expect(report.inputs).toBe(INPUTS)
    expect(report.heapGrowthMib).toBeLessThan(GROWTH_MAX_MIB)
  })
})
