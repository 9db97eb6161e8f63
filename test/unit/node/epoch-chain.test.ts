/** The proof of headers over epochs: each certificate by the roster, the seed and the epoch of its height. */
import { describe, expect, it } from 'vitest'
import { epochOfIndex, rosterEntries, rosterOfIndex } from '../../../src/ledger/roster-index.js'
import { NposChain, nodeNamed } from '../../support/npos/chain.js'

describe('the roster index', () => {
  it('contains the epoch and the seed of each roster except the genesis roster', async () => {
    const nodes = await Promise.all(Array.from({ length: 4 }, (_, index) => nodeNamed(`v${index}`)))
    const chain = new NposChain({ validators: nodes.map((node) => ({ node, bond: 1_000n })) })
    const index = new Map<string, Uint8Array>()
    for (const [key, value] of rosterEntries(chain.state, 2)) index.set(Buffer.from(key).toString('hex'), value)
    while (chain.epoch < 2) {
      chain.block()
      for (const [key, value] of rosterEntries(chain.state, chain.height))
        index.set(Buffer.from(key).toString('hex'), value)
    }
    const get = (key: Uint8Array): Buffer | undefined => {
      const found = index.get(Buffer.from(key).toString('hex'))
      return found && Buffer.from(found)
    }
    expect(rosterOfIndex(get, 2)).toHaveLength(4)
    expect(epochOfIndex(get, 2)).toBeUndefined()
    expect(epochOfIndex(get, 41)?.number).toBe(1)
    expect(epochOfIndex(get, 81)?.number).toBe(2)
    expect(epochOfIndex(get, 81)?.seed).not.toEqual(epochOfIndex(get, 41)?.seed)
    expect(epochOfIndex(get, 60)).toBeUndefined()
  })
})
