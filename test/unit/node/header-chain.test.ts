/** Headers of a snapshot are proven in batches: one bad certificate among hundreds is found, and named. */
import { beforeAll, describe, expect, it } from 'vitest'
import { keyListHash, selectCommittee, sortRoster } from '../../../src/consensus/index.js'
import type { BlsBackend } from '../../../src/crypto/bls.js'
import { loadBls } from '../../../src/crypto/bls-load.js'
import { InlineCrypto } from '../../../src/crypto/index.js'
import {
  type BlockHeader,
  type CertifiedHeader,
  chainHashOf,
  genesisSeed,
  hashOfHeader,
  NO_PROPOSER,
  ZERO_HASH,
} from '../../../src/model/index.js'
import type { PinnedGenesis } from '../../../src/node/identity.js'
import { HeaderChain } from '../../../src/node/snapshot/chain.js'
import { certificateOf } from '../../support/certificates.js'
import { CHAIN, type TestPeer, testPeer } from '../../support/chain.js'
import { BLANK_HEADER } from '../../support/headers.js'

const GENESIS_BODY = Buffer.from('genesis of a test')
const SEED = genesisSeed(GENESIS_BODY)
const CHAIN_HASH = chainHashOf(CHAIN, SEED)
/** Two whole batches and a piece of a third. */
const HEADERS = 150

let peers: readonly TestPeer[]
let pinned: PinnedGenesis
/** From height 2 on. */
let headers: readonly CertifiedHeader[]
let crypto: InlineCrypto
let bls: BlsBackend

const rosterOf = (): string[] => sortRoster(peers.map(({ peer }) => peer.key))
const committeeAt = (height: number) => selectCommittee(rosterOf(), CHAIN_HASH, SEED, height)

function certified(parent: BlockHeader): CertifiedHeader {
  const height = parent.height + 1
  const committee = committeeAt(height)
  const header: BlockHeader = {
    ...BLANK_HEADER,
    chain: CHAIN,
    height,
    parentHash: hashOfHeader(parent),
    originView: 0,
    originProposer: committee.keys[0] ?? '',
    timeMs: parent.timeMs + 10,
    rosterHash: keyListHash(rosterOf()),
    committeeHash: committee.hash,
    nextCommitteeHash: committeeAt(height + 1).hash,
  }
  const context = { committee, chainHash: CHAIN_HASH, epoch: 0, height } as never
  return { header, certificate: certificateOf(context, peers, 'commit', header, undefined, undefined, bls) }
}

beforeAll(async () => {
  crypto = await InlineCrypto.create()
  // Hundreds of signatures: by the fast library where there is one.
  bls = await loadBls()
  peers = await Promise.all([0, 1, 2, 3].map((index) => testPeer(index)))
  const header: BlockHeader = {
    ...BLANK_HEADER,
    chain: CHAIN,
    height: 1,
    parentHash: ZERO_HASH,
    originView: 0,
    originProposer: NO_PROPOSER,
    timeMs: 1_000,
    nextCommitteeHash: committeeAt(2).hash,
  }
  const topology = peers.map(({ peer }) => peer)
  pinned = {
    genesis: { header, payload: { bytes: GENESIS_BODY, value: { topology } } },
    hash: hashOfHeader(header),
    chainHash: CHAIN_HASH,
  } as never
  const made: CertifiedHeader[] = []
  for (let count = 0; count < HEADERS; count += 1) made.push(certified(made.at(-1)?.header ?? header))
  headers = made
}, 60_000)

/** Takes them all and verifies what waits. */
async function prove(list: readonly CertifiedHeader[]): Promise<HeaderChain> {
  const chain = new HeaderChain(pinned, crypto)
  for (const one of list) await chain.take(one)
  await chain.flush()
  return chain
}

/** The headers with other certificates at some heights. */
const withCertificates = (
  change: (height: number, of: CertifiedHeader['certificate']) => CertifiedHeader['certificate'],
) => headers.map(({ header, certificate }) => ({ header, certificate: change(header.height, certificate) }))

const aggregateAt = (height: number): Uint8Array => headers[height - 2]?.certificate.aggregate ?? Buffer.alloc(0)

describe('the proof of headers', () => {
  it('goes on to the last of them, a piece of a batch too', async () => {
    const chain = await prove(headers)
    expect([chain.tip.height, chain.certifiedTo, chain.provenTo]).toEqual([HEADERS + 1, HEADERS + 1, HEADERS + 1])
  })

  it.each([2, 65, 66, 100, HEADERS + 1])('ends at header %i where its signature is another', async (bad) => {
    const forged = withCertificates((height, certificate) =>
      height === bad ? { ...certificate, aggregate: aggregateAt(bad === 2 ? 3 : 2) } : certificate,
    )
    await expect(prove(forged)).rejects.toMatchObject({
      code: 'snapshot_invalid',
      message: `header ${bad}: its certificate is invalid`,
    })
  })

  it("finds two certificates with each other's signature, whose sum is right", async () => {
    const forged = withCertificates((height, certificate) =>
      height === 10 || height === 11 ? { ...certificate, aggregate: aggregateAt(21 - height) } : certificate,
    )
    await expect(prove(forged)).rejects.toThrow('header 10: its certificate is invalid')
  })

  it('names the first of several bad ones', async () => {
    const forged = withCertificates((height, certificate) =>
      height >= 70 ? { ...certificate, aggregate: aggregateAt(2) } : certificate,
    )
    await expect(prove(forged)).rejects.toThrow('header 70: its certificate is invalid')
  })

  it('proves nothing above a bad one', async () => {
    const forged = withCertificates((height, certificate) =>
      height === 80 ? { ...certificate, aggregate: aggregateAt(2) } : certificate,
    )
    const chain = new HeaderChain(pinned, crypto)
    const taken = (async () => {
      for (const one of forged) await chain.take(one)
      await chain.flush()
    })()
    await expect(taken).rejects.toThrow('header 80')
    expect([chain.certifiedTo, chain.provenTo]).toEqual([65, 65])
  })
})
