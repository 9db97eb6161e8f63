import { describe, expect, it } from 'vitest'
import { fuzz } from '../../support/iso-fuzz.js'
import { TEST_MS } from '../../support/ports.js'

/** Inputs of the slice in every run; `npm run soak -- --iso-fuzz 500000` uses the long count. */
const INPUTS = Number(process.env.CAUSEWAY_FUZZ_INPUTS ?? 10_000)
/** Heap growth that is not noise, in MiB: caches of the reader are bounded by its tables. */
const GROWTH_MAX_MIB = 64

describe('hostile bodies of one seed', () => {
  it('never make the reader throw, hang or grow its memory', { timeout: TEST_MS + INPUTS }, () => {
    const report = fuzz(20_260_301, INPUTS)
    expect(report.inputs).toBe(INPUTS)
    if (INPUTS > 100_000) process.stdout.write(`${JSON.stringify(report)}\n`)
    expect(report.heapGrowthMib).toBeLessThan(GROWTH_MAX_MIB)
  })
})
