import { describe, expect, it } from 'vitest'
import { blockLimits, evidenceWork, limitAtView, loadFault, WORK_PER_MS, workOf } from '../../../src/consensus/index.js'

const CHAIN = {
  blockMaxTransactions: 512,
  blockTeu: 120_000,
  maxBlockBytes: 8 * 1024 * 1024,
  blockWorkMs: 60,
  proofWorkPerBlock: 512,
}
const EMPTY = { transactions: 0, teu: 0, work: 0, proofWork: 0, bytes: 0, evidence: 0 }
const FULL = {
  transactions: 512,
  teu: 120_000,
  work: 6_000_000,
  proofWork: 512,
  bytes: CHAIN.maxBlockBytes,
  evidence: 0,
}

describe('the block limits', () => {
  it('equal the parameters of the chain in the first view', () => {
    expect(blockLimits(CHAIN, 0)).toEqual({
      transactions: 512,
      teu: 120_000,
      bytes: CHAIN.maxBlockBytes,
      work: 60 * WORK_PER_MS,
      proofWork: 512,
      evidence: 15,
    })
  })

  it('halve with each failed view of the height', () => {
    for (let view = 1; view < 8; view += 1) {
      const [before, after] = [blockLimits(CHAIN, view - 1), blockLimits(CHAIN, view)]
      for (const limit of ['teu', 'bytes', 'work', 'transactions', 'evidence'] as const) {
        expect(after[limit] * 2).toBeLessThanOrEqual(before[limit])
      }
      expect(limitAtView(120_000, view)).toBe(Math.floor(120_000 / 2 ** view))
    }
  })

  it('allow at least one transaction up to view 7, and no transactions from view 8 on', () => {
    const one = { ...FULL, transactions: 1, teu: 10_000_000, work: 10_000_000_000 }
    for (const view of [0, 1, 5, 7])
      expect(loadFault(blockLimits({ ...CHAIN, blockMaxTransactions: 1 }, view), one)).toBe(undefined)
    for (const view of [8, 9, 31, 32, 64, 1_000, 2 ** 31]) {
      const limits = blockLimits(CHAIN, view)
      expect(limits).toEqual({ transactions: 0, teu: 0, bytes: 0, work: 0, proofWork: 512, evidence: 0 })
      expect(loadFault(limits, { ...one, teu: 0, work: 0, bytes: 0 })).toContain('transactions')
      expect(loadFault(limits, { ...EMPTY, evidence: 1 })).toContain('evidence')
      expect(loadFault(limits, { ...EMPTY, bytes: 400 })).toBe(undefined)
    }
  })

  it.each([
    ['transactions', { transactions: 513, teu: 1, work: 1, bytes: 1 }],
    ['execution units', { teu: 120_001 }],
    ['of work', { work: 6_000_001 }],
    ['units of proof work', { proofWork: 513 }],
    ['bytes', { bytes: CHAIN.maxBlockBytes + 1 }],
    ['evidence', { transactions: 0, evidence: 16 }],
  ])('refuse one unit above the maximum: %s', (text, more) => {
    const limits = blockLimits(CHAIN, 0)
    expect(loadFault(limits, FULL)).toBe(undefined)
    expect(loadFault(limits, { ...FULL, ...more })).toContain(text)
  })

  it('allow exactly the maximum, in each counted resource', () => {
    const limits = blockLimits(CHAIN, 0)
    expect(loadFault(limits, FULL)).toBe(undefined)
    expect(loadFault(limits, { ...FULL, work: FULL.work - evidenceWork(15), evidence: 15 })).toBe(undefined)
  })

  it('count evidence in the work of a block', () => {
    const limits = blockLimits(CHAIN, 0)
    const beside = { ...FULL, teu: 1_000, work: 60 * WORK_PER_MS - evidenceWork(3) }
    expect(loadFault(limits, { ...beside, evidence: 3 })).toBe(undefined)
    expect(loadFault(limits, { ...beside, evidence: 4 })).toContain('of work')
  })

  it('count 0.11 us per unit, and the declared work of instructions', () => {
    expect(workOf(100_000, 0)).toBe(11 * WORK_PER_MS)
    expect(workOf(100_000, 30 * WORK_PER_MS)).toBe(41 * WORK_PER_MS)
  })
})
