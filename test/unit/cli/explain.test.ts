/** Output of `tx explain` about a hash: statements of one gateway are not presented as known facts. */
import { describe, expect, it } from 'vitest'
import { explainHash } from '../../../src/cli/transaction/explain.js'
import type { CausewayClient, TransactionState } from '../../../src/client/index.js'
import { LedgerError } from '../../../src/model/index.js'

const HASH = 'a'.repeat(64)

/** A client whose gateway tells this; `proven`: what comes of a proof. */
const explained = (reported: TransactionState, proven: () => TransactionState) =>
  explainHash(
    { transactionStatus: async () => reported, prove: async () => proven() } as unknown as CausewayClient,
    HASH,
  )

describe('an explanation', () => {
  it('shows for a committed transaction whether it is proven', async () => {
    const reported: TransactionState = { state: 'approved', height: 7, index: 0 }
    expect(await explained(reported, () => ({ ...reported, proof: 'verified' }))).toMatchObject({
      proof: 'verified',
      what: expect.stringContaining('(proven)'),
    })
    expect(await explained(reported, () => ({ ...reported, proof: 'unverified' }))).toMatchObject({
      proof: 'unverified',
      what: expect.stringContaining('reported by this gateway only'),
    })
  })

  it('fails for a block without a proof if a genesis is pinned', async () => {
    const fails = () => {
      throw new LedgerError('proof_invalid', 'it has no proof')
    }
    await expect(explained({ state: 'rejected', height: 7 }, fails)).rejects.toMatchObject({ code: 'proof_invalid' })
  })

  it('attributes an expiry to the gateway, and suggests another node before signing again', async () => {
    const reported: TransactionState = { state: 'expired' }
    expect(await explained(reported, () => ({ ...reported, proof: 'unverified' }))).toMatchObject({
      proof: 'unverified',
      what: expect.stringContaining('according to the gateway'),
      try: expect.stringMatching(/^ask another node/),
    })
  })
})
