/** Which of the snapshots that peers offer is tried first, whatever one of them says of its own. */
import { describe, expect, it } from 'vitest'
import type { CryptoService } from '../../../src/crypto/index.js'
import { ZERO_HASH } from '../../../src/model/index.js'
import type { PinnedGenesis } from '../../../src/node/identity.js'
import { type Offer, ranked } from '../../../src/node/snapshot/offers.js'
import { BLANK_HEADER, uncheckedCertificate } from '../../support/headers.js'

/** Nobody is a validator of this genesis, so that no offer is proven at once. */
const pinned = { genesis: { payload: { value: { topology: [] } } } } as unknown as PinnedGenesis
const crypto = {} as CryptoService

const MIB = 1024 * 1024
function offer(peer: string, height: number, bytes: number): Offer {
  const place = {
    chain: 'chain',
    height,
    parentHash: ZERO_HASH,
    originView: 0,
    originProposer: 'p'.repeat(48),
    timeMs: 1,
  }
  const header = { ...BLANK_HEADER, ...place }
  const hashes = { genesisHash: ZERO_HASH, blockHash: ZERO_HASH, stateRoot: header.stateRoot }
  const head = { chain: 'chain', height, approved: 0, rejected: 0, ...hashes }
  const certified = { header, certificate: uncheckedCertificate(header) }
  return { peer, manifest: { head, certified, bytes, pages: Buffer.alloc(0) } }
}
const order = async (...offers: Offer[]): Promise<string[]> =>
  (await ranked(offers, pinned, crypto)).map(({ peer }) => peer)

describe('the snapshot that is tried first', () => {
  it('is the newest one, also where it is longer', async () => {
    expect(await order(offer('a', 10, MIB), offer('b', 30, 3 * MIB), offer('c', 20, 2 * MIB))).toEqual(['b', 'c', 'a'])
  })

  it('is none that one peer says to be far longer than those of most, which comes last', async () => {
    const lie = offer('liar', 99, 32 * 1024 * MIB)
    expect(await order(lie, offer('a', 10, MIB), offer('b', 20, 2 * MIB))).toEqual(['b', 'a', 'liar'])
    // Another file of the same peer is no second vote.
    expect(await order(lie, { ...lie }, offer('a', 10, MIB), offer('b', 20, 2 * MIB))).toEqual([
      'b',
      'a',
      'liar',
      'liar',
    ])
  })

  it('is the newest where a peer says that its own is tiny, or where there are two', async () => {
    expect(await order(offer('liar', 5, 1), offer('a', 10, MIB), offer('b', 20, 2 * MIB))).toEqual(['b', 'a', 'liar'])
    expect(await order(offer('liar', 5, 1), offer('a', 20, 2 * MIB))).toEqual(['a', 'liar'])
  })
})
