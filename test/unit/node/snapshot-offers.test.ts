/** Which of the snapshots that peers offer is tried first, whatever one of them says of its own. */
import { describe, expect, it } from 'vitest'
import type { CryptoService } from '../../../src/crypto/index.js'
import { ZERO_HASH } from '../../../src/model/index.js'
import type { PinnedGenesis } from '../../../src/node/identity/identity.js'
import { type Offer, ranked } from '../../../src/node/joining/offers.js'
import { BLANK_HEADER, uncheckedCertificate } from '../../support/headers.js'

/** This genesis has no validators, so that no offer is proven at once. */
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
  it('is the newest snapshot, even if it is larger than others', async () => {
    expect(await order(offer('a', 10, MIB), offer('b', 30, 3 * MIB), offer('c', 20, 2 * MIB))).toEqual(['b', 'c', 'a'])
  })

  it('is not a snapshot with a claimed size far above most others, which is tried last', async () => {
    const forgery = offer('liar', 99, 32 * 1024 * MIB)
    expect(await order(forgery, offer('a', 10, MIB), offer('b', 20, 2 * MIB))).toEqual(['b', 'a', 'liar'])
    // Another file of the same peer is no second vote.
    expect(await order(forgery, { ...forgery }, offer('a', 10, MIB), offer('b', 20, 2 * MIB))).toEqual([
      'b',
      'a',
      'liar',
      'liar',
    ])
  })

  it('is the newest snapshot even if a peer claims a tiny one, and also with only two peers', async () => {
    expect(await order(offer('liar', 5, 1), offer('a', 10, MIB), offer('b', 20, 2 * MIB))).toEqual(['b', 'a', 'liar'])
    expect(await order(offer('liar', 5, 1), offer('a', 20, 2 * MIB))).toEqual(['a', 'liar'])
  })
})
