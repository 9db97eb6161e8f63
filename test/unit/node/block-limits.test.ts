import { describe, expect, it } from 'vitest'
import { limitsAtView } from '../../../src/node/block-limits.js'

const limits = { blockTeu: 120_000, blockMaxTransactions: 512, dataAvailability: false } as Parameters<
  typeof limitsAtView
>[0]

describe('work of a block', () => {
  it('is what the chain allows in the first view', () => {
    expect(limitsAtView(limits, 0)).toMatchObject({ blockTeu: 120_000, maxTransactions: 512 })
  })

  it('halves with each view of the height that failed', () => {
    for (let view = 1; view <= 8; view++) {
      const [before, after] = [limitsAtView(limits, view - 1), limitsAtView(limits, view)]
      expect(after.blockTeu).toBe(Math.floor(120_000 / 2 ** view))
      expect(after.maxTransactions * 2).toBeLessThanOrEqual(before.maxTransactions)
      expect(after.maxBytes * 2).toBeLessThanOrEqual(before.maxBytes)
    }
  })

  it('never falls below one transaction, however many views fail', () => {
    for (const view of [9, 20, 1_000, 2 ** 31]) {
      expect(limitsAtView(limits, view).maxTransactions).toBe(1)
      expect(limitsAtView(limits, view).blockTeu).toBeGreaterThan(0)
    }
  })
})
