/** A reader of blocks takes what a quorum signed, and nothing that a gateway makes of it. */
import { beforeAll, describe, expect, it } from 'vitest'
import { ChainVerifier, chainPlace, type RosterSource } from '../../../src/client/chain-verifier.js'
import { committeeOf, selectCommittee, sortRoster } from '../../../src/consensus/index.js'
import { InlineCrypto } from '../../../src/crypto/index.js'
import { merkleRoot } from '../../../src/crypto/merkle.js'
import {
  type BlockHeader,
  type BlockOutcome,
  type CommittedBlock,
  chainHashOf,
  genesisSeed,
  hashOfHeader,
  payloadHash,
  ZERO_HASH,
} from '../../../src/model/index.js'
import { certificateOf } from '../../support/certificates.js'
import { CHAIN, type TestPeer, testPeer } from '../../support/chain.js'
import { genesisHeader, headerAfter } from '../../support/headers.js'

const GENESIS_BODY = Buffer.from('genesis of a test')
const SEED = genesisSeed(GENESIS_BODY)
const CHAIN_HASH = chainHashOf(CHAIN, SEED)
const NOTHING: BlockOutcome = { results: [], events: [], texts: [] }
/** The second roster acts from here on. */
const CHANGE = 4

let peers: readonly TestPeer[]
/** Genesis and five blocks; a fifth validator from the fourth on. */
let chain: readonly CommittedBlock[]
let genesisHash: Buffer
let crypto: InlineCrypto

const rosterAt = (height: number): string[] =>
  sortRoster(peers.slice(0, height >= CHANGE ? 5 : 4).map(({ peer }) => peer.key))
const committeeAt = (height: number) => selectCommittee(rosterAt(height), CHAIN_HASH, SEED, height)

function blockAfter(parent: BlockHeader, height: number): CommittedBlock {
  const body = Buffer.from(`body ${height}`)
  const header: BlockHeader = {
    ...headerAfter(parent, CHAIN_HASH, (at) => ({ roster: rosterAt(at), seed: SEED })),
    payloadHash: payloadHash(body),
    payloadBytes: body.length,
    resultsRoot: merkleRoot([]),
  }
  return { header, certificate: sign(header), body }
}

const sign = (header: BlockHeader, phase: 'commit' | 'prepare' = 'commit', signers?: number, epoch = 0) => {
  const committee = committeeAt(header.height)
  const context = { committee, chainHash: CHAIN_HASH, epoch, height: header.height } as never
  return certificateOf(context, peers, phase, header, signers)
}

/** Returns the rosters like a node. */
const honest: RosterSource = async (height) => ({
  rosters: [2, CHANGE]
    .filter((one) => one <= height)
    .map((one) => ({
      height: one,
      roster: rosterAt(one),
      epoch: undefined,
      before: undefined,
      first: undefined as never,
    })),
})

beforeAll(async () => {
  crypto = await InlineCrypto.create()
  peers = await Promise.all([0, 1, 2, 3, 4].map((index) => testPeer(index)))
  const genesis = { ...genesisHeader(committeeAt(2).hash), payloadHash: payloadHash(GENESIS_BODY) }
  const made: CommittedBlock[] = [{ header: genesis, certificate: undefined, body: GENESIS_BODY }]
  for (let height = 2; height <= 6; height++) made.push(blockAfter(made.at(-1)?.header ?? genesis, height))
  chain = made
  genesisHash = hashOfHeader(genesis)
})

const block = (height: number): CommittedBlock => {
  const found = chain[height - 1]
  if (found === undefined) throw new Error(`the chain has no block ${height}`)
  return found
}

async function readTo(height: number, rosters = honest): Promise<ChainVerifier> {
  const verifier = new ChainVerifier(genesisHash, crypto, rosters)
  for (let at = 1; at <= height; at++) await verifier.take(block(at), NOTHING)
  return verifier
}

/** Manipulations of block 3 by a gateway. */
const FORGERIES: Readonly<Record<string, () => CommittedBlock>> = {
  'another body': () => ({ ...block(3), body: Buffer.from('body 4') }),
  'a block left out': () => block(4),
  'the block before once more': () => block(2),
  'another parent': () => {
    const header = { ...block(3).header, parentHash: hashOfHeader(block(1).header) }
    return { ...block(3), header, certificate: sign(header) }
  },
  'no certificate': () => ({ ...block(3), certificate: undefined }),
  'the certificate of another block': () => ({ ...block(3), certificate: block(2).certificate }),
  'a certificate of too few': () => ({ ...block(3), certificate: sign(block(3).header, 'commit', 2) }),
  'a prepare certificate': () => ({ ...block(3), certificate: sign(block(3).header, 'prepare') }),
  'a certificate of another epoch': () => ({ ...block(3), certificate: sign(block(3).header, 'commit', undefined, 7) }),
  'a header that nobody signed': () => ({ ...block(3), header: { ...block(3).header, timeMs: 5 } }),
  'another chain': () => {
    const header = { ...block(3).header, chain: 'other-chain' }
    return { ...block(3), header, certificate: sign(header) }
  },
  'votes that nobody gave': () => {
    const { certificate } = block(3)
    return { ...block(3), certificate: certificate && { ...certificate, bitmap: Buffer.of(0b1111) } }
  },
  'a committee of its own': () => {
    const own = committeeOf(3, [...committeeAt(3).keys].reverse())
    const header = { ...block(3).header, committeeHash: own.hash }
    return { ...block(3), header, certificate: sign(header) }
  },
}

describe('a block reader', () => {
  it('follows the chain from genesis over a roster change', async () => {
    const verifier = await readTo(6)
    expect(verifier.place?.header).toEqual(block(6).header)
    expect(verifier.place?.roster?.keys).toEqual(rosterAt(6))
  })

  it('resumes from the position of another reader', async () => {
    const { place } = await readTo(3)
    if (place === undefined) throw new Error('a place is known after three blocks')
    const kept = chainPlace.decode(chainPlace.encode(place))
    if (!kept.ok) throw new Error(kept.fault.message)
    const verifier = new ChainVerifier(genesisHash, crypto, honest, kept.value)
    for (const height of [4, 5, 6]) await verifier.take(block(height), NOTHING)
    expect(verifier.place?.header.height).toBe(6)
  })

  it.each(Object.entries(FORGERIES))('refuses %s', async (_name, forgery) => {
    const verifier = await readTo(2)
    await expect(verifier.take(forgery(), NOTHING)).rejects.toMatchObject({ code: 'proof_invalid' })
    // It stands where it was, and goes on with the truth.
    await verifier.take(block(3), NOTHING)
    expect(verifier.place?.header.height).toBe(3)
  })

  it('refuses results that do not match the header', async () => {
    const verifier = await readTo(2)
    const invented = { transactionId: ZERO_HASH, outcome: { kind: 'approved' }, teu: 1 } as never
    await expect(verifier.take(block(3), { ...NOTHING, results: [invented] })).rejects.toMatchObject({
      code: 'proof_invalid',
    })
  })

  it('does not start from another genesis or from a later block', async () => {
    const other = new ChainVerifier(Buffer.alloc(32, 1), crypto, honest)
    await expect(other.take(block(1), NOTHING)).rejects.toMatchObject({ code: 'proof_invalid' })
    await expect(new ChainVerifier(genesisHash, crypto, honest).take(block(2), NOTHING)).rejects.toMatchObject({
      code: 'proof_invalid',
    })
  })

  it.each([
    ['names none', async () => ({ rosters: [] })],
    [
      'names validators of its own',
      async (height: number) => ({
        rosters: (await honest(height)).rosters.map((step) => ({
          ...step,
          roster: sortRoster([peers[4]?.peer.key ?? '']),
        })),
      }),
    ],
  ] as [string, RosterSource][])('refuses a roster forged by a gateway: it %s', async (_name, rosters) => {
    const { place } = await readTo(CHANGE - 1)
    const verifier = new ChainVerifier(genesisHash, crypto, rosters, place)
    await expect(verifier.take(block(CHANGE), NOTHING)).rejects.toMatchObject({ code: 'proof_invalid' })
  })
})
