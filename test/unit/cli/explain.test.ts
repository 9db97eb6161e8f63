/** What `tx explain` says of a hash: nothing that one gateway says is told as if it were known. */
import { describe, expect, it } from 'vitest'
import { explainHash } from '../../../src/cli/transaction/explain.js'
import type { CausewayClient, TransactionState } from '../../../src/client/index.js'
import { LedgerError } from '../../../src/model/index.js'

const HASH = 'a'.repeat(64)

/** A client whose gateway tells this; `proven`: what comes of a proof. */
const explained = (told: TransactionState, proven: () => TransactionState) =>
  explainHash({ transactionStatus: async () => told, prove: async () => proven() } as unknown as CausewayClient, HASH)

describe('an explanation', () => {
  it('of a place in a block says whether it is proven', async () => {
    const told: TransactionState = { state: 'approved', height: 7, index: 0 }
    expect(await explained(told, () => ({ ...told, proof: 'verified' }))).toMatchObject({
      proof: 'verified',
      what: expect.stringContaining('(proven)'),
    })
    expect(await explained(told, () => ({ ...told, proof: 'unverified' }))).toMatchObject({
      proof: 'unverified',
      what: expect.stringContaining('reported by this gateway only'),
    })
  })

  it('of a block that the gateway does not prove fails, where a genesis is pinned', async () => {
    const fails = () => {
      throw new LedgerError('proof_invalid', 'it has no proof of it')
    }
    await expect(explained({ state: 'rejected', height: 7 }, fails)).rejects.toMatchObject({ code: 'proof_invalid' })
  })

  it('of an expiry is that of the gateway, and sends nobody to sign again before another node was asked', async () => {
    const told: TransactionState = { state: 'expired' }
    expect(await explained(told, () => ({ ...told, proof: 'unverified' }))).toMatchObject({
      proof: 'unverified',
      what: expect.stringContaining('according to the gateway'),
      try: expect.stringMatching(/^ask another node/),
    })
  })
})
