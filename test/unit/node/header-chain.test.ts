/** Headers of a snapshot are proven in batches: one bad certificate among hundreds is found, and named. */
import { afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { selectCommittee, sortRoster } from '../../../src/consensus/index.js'
import type { BlsBackend } from '../../../src/crypto/bls.js'
import { loadBls } from '../../../src/crypto/bls-load.js'
import { InlineCrypto } from '../../../src/crypto/index.js'
import type { RosterEpoch } from '../../../src/ledger/roster-index.js'
import { type CertifiedHeader, chainHashOf, genesisSeed, hashOfHeader } from '../../../src/model/index.js'
import type { PinnedGenesis } from '../../../src/node/identity/identity.js'
import { HeaderChain, type VerifiedCertificates } from '../../../src/node/snapshot/chain.js'
import { certificateOf } from '../../support/certificates.js'
import { CHAIN, type TestPeer, testPeer } from '../../support/chain.js'
import { genesisHeader, headerAfter } from '../../support/headers.js'

const GENESIS_BODY = Buffer.from('genesis of a test')
const SEED = genesisSeed(GENESIS_BODY)
const CHAIN_HASH = chainHashOf(CHAIN, SEED)
/** Two whole batches and a piece of a third. */
const HEADERS = 150

let peers: readonly TestPeer[]
let pinned: PinnedGenesis
/** From height 2 on. */
let headers: readonly CertifiedHeader[]
/** The same over three epochs. */
let elected: readonly CertifiedHeader[]
let crypto: InlineCrypto
let bls: BlsBackend

/** Two more epochs of the same validators, and from where on they act. */
const EPOCHS: readonly (readonly [number, RosterEpoch])[] = [
  [70, { number: 1, seed: Buffer.alloc(32, 1) }],
  [100, { number: 2, seed: Buffer.alloc(32, 2) }],
]
const GENESIS_EPOCH: RosterEpoch = { number: 0, seed: SEED }
const electedAt = (height: number): RosterEpoch => EPOCHS.findLast(([from]) => from <= height)?.[1] ?? GENESIS_EPOCH

const rosterOf = (): string[] => sortRoster(peers.map(({ peer }) => peer.key))

/** Headers of a chain above the genesis of the test, each certified. */
function certified(epochAt: (height: number) => RosterEpoch): readonly CertifiedHeader[] {
  const drawnAt = (height: number) => ({ roster: rosterOf(), seed: epochAt(height).seed })
  const made: CertifiedHeader[] = []
  for (let parent = pinned.genesis.header; made.length < HEADERS; ) {
    const header = headerAfter(parent, CHAIN_HASH, drawnAt)
    const { height } = header
    const { roster, seed } = drawnAt(height)
    const committee = selectCommittee(roster, CHAIN_HASH, seed, height)
    const context = { committee, chainHash: CHAIN_HASH, epoch: epochAt(height).number, height } as never
    made.push({ header, certificate: certificateOf(context, peers, 'commit', header, undefined, undefined, bls) })
    parent = header
  }
  return made
}

beforeAll(async () => {
  crypto = await InlineCrypto.create()
  // Hundreds of signatures: by the fast library where there is one.
  bls = await loadBls()
  peers = await Promise.all([0, 1, 2, 3].map((index) => testPeer(index)))
  const header = genesisHeader(selectCommittee(rosterOf(), CHAIN_HASH, SEED, 2).hash)
  const topology = peers.map(({ peer }) => peer)
  pinned = {
    genesis: { header, payload: { bytes: GENESIS_BODY, value: { topology } } },
    hash: hashOfHeader(header),
    chainHash: CHAIN_HASH,
  } as never
  headers = certified(() => GENESIS_EPOCH)
  elected = certified(electedAt)
})

interface Proving {
  readonly epochs?: typeof EPOCHS
  readonly trusted?: number
  readonly which?: VerifiedCertificates
}

/** Accept all headers and verify the waiting ones; a block on the way may be trusted. */
async function prove(
  list: readonly CertifiedHeader[],
  { epochs = [], trusted, which = 'every' }: Proving = {},
): Promise<HeaderChain> {
  const chain = new HeaderChain(pinned, crypto, which)
  for (const [height, epoch] of epochs) chain.addEpoch(height, epoch)
  for (const one of list) {
    await chain.take(one)
    if (one.header.height === trusted) await chain.trustTip()
  }
  await chain.flush()
  return chain
}

/** The headers with other certificates at some heights. */
const withCertificates = (
  change: (height: number, of: CertifiedHeader['certificate']) => CertifiedHeader['certificate'],
) => headers.map(({ header, certificate }) => ({ header, certificate: change(header.height, certificate) }))

const aggregateAt = (height: number): Uint8Array => headers[height - 2]?.certificate.aggregate ?? Buffer.alloc(0)

describe('the header proof', () => {
  it('reaches the last header, even if the last batch is partial', async () => {
    const chain = await prove(headers)
    expect([chain.tip.height, chain.certifiedTo, chain.provenTo]).toEqual([HEADERS + 1, HEADERS + 1, HEADERS + 1])
  })

  it.each([2, 65, 66, 100, HEADERS + 1])('fails at header %i if its signature is wrong', async (bad) => {
    const forged = withCertificates((height, certificate) =>
      height === bad ? { ...certificate, aggregate: aggregateAt(bad === 2 ? 3 : 2) } : certificate,
    )
    await expect(prove(forged)).rejects.toMatchObject({
      code: 'snapshot_invalid',
      message: `header ${bad}: its certificate is invalid`,
    })
  })

  it('detects two certificates with swapped signatures, even though their sum is valid', async () => {
    const forged = withCertificates((height, certificate) =>
      height === 10 || height === 11 ? { ...certificate, aggregate: aggregateAt(21 - height) } : certificate,
    )
    await expect(prove(forged)).rejects.toThrow('header 10: its certificate is invalid')
  })

  it('reports the first of several invalid headers', async () => {
    const forged = withCertificates((height, certificate) =>
      height >= 70 ? { ...certificate, aggregate: aggregateAt(2) } : certificate,
    )
    await expect(prove(forged)).rejects.toThrow('header 70: its certificate is invalid')
  })

  it('proves nothing above an invalid header', async () => {
    const forged = withCertificates((height, certificate) =>
      height === 80 ? { ...certificate, aggregate: aggregateAt(2) } : certificate,
    )
    const chain = new HeaderChain(pinned, crypto, 'every')
    const taken = (async () => {
      for (const one of forged) await chain.take(one)
      await chain.flush()
    })()
    await expect(taken).rejects.toThrow('header 80')
    expect([chain.certifiedTo, chain.provenTo]).toEqual([65, 65])
  })
})

describe('the header proof across epochs', () => {
  const LAST = HEADERS + 1
  const [[FIRST, first] = [0, GENESIS_EPOCH], [SECOND, second] = [0, GENESIS_EPOCH]] = EPOCHS

  it.each(['every', 'needed'] as const)(
    'determines the roster and the epoch from each height on, with %s certificate checked',
    async (which) => {
      const chain = await prove(elected, { epochs: EPOCHS, which })
      expect([chain.certifiedTo, chain.provenTo]).toEqual([LAST, LAST])
      const roster = rosterOf()
      expect(chain.starts).toEqual([
        { height: 2, roster, epoch: GENESIS_EPOCH },
        { height: FIRST, roster, epoch: first },
        { height: SECOND, roster, epoch: second },
      ])
    },
  )

  it('ends before an unknown epoch with a known roster, unless a trusted block proves the later headers', async () => {
    const epochs = EPOCHS.slice(1)
    const chain = await prove(elected, { epochs })
    expect([chain.tip.height, chain.certifiedTo, chain.provenTo]).toEqual([LAST, FIRST - 1, FIRST - 1])
    const proven = await prove(elected, { epochs, trusted: SECOND + 5 })
    expect([proven.certifiedTo, proven.provenTo]).toEqual([LAST, FIRST - 1])
    expect(proven.starts).toEqual([{ height: SECOND + 6, roster: rosterOf(), epoch: second }])
  })

  it('proves nothing above a trusted block with an unknown epoch', async () => {
    const chain = await prove(elected, { epochs: EPOCHS.slice(0, 1), trusted: SECOND + 5 })
    expect([chain.certifiedTo, chain.provenTo]).toEqual([SECOND + 5, SECOND - 1])
  })

  it('rejects an epoch that its validators did not sign', async () => {
    const forgery = [[FIRST, { ...first, number: 7 }]] as const
    await expect(prove(elected.slice(0, SECOND - 2), { epochs: forgery })).rejects.toThrow(
      `header ${FIRST}: its certificate is invalid`,
    )
  })
})

describe('the header proof with only the required certificates', () => {
  beforeEach(() => {
    vi.spyOn(Math, 'random').mockReturnValue(0.5)
  })
  afterEach(() => {
    vi.restoreAllMocks()
  })
  const LAST = HEADERS + 1
  const [FIRST = 0, SECOND = 0] = EPOCHS.map(([height]) => height)
  /** The chain over epochs with a certificate of another header at one height. */
  const forgedAt = (bad: number) =>
    elected.map(({ header, certificate }) =>
      header.height === bad
        ? { header, certificate: { ...certificate, aggregate: aggregateAt(50) } }
        : { header, certificate },
    )
  const needed = (list: readonly CertifiedHeader[]) => prove(list, { epochs: EPOCHS, which: 'needed' })

  it.each([2, FIRST - 1, FIRST, SECOND - 1, SECOND, LAST])(
    'is rejected if the certificate of header %i is invalid',
    async (bad) => {
      await expect(needed(forgedAt(bad))).rejects.toThrow(`header ${bad}: its certificate is invalid`)
    },
  )

  it('verifies no other certificates, since parent hashes prove the headers in between', async () => {
    const verified = vi.spyOn(crypto, 'blsVerifyAggregates')
    const chain = await needed(forgedAt(30))
    expect([chain.certifiedTo, chain.provenTo]).toEqual([LAST, LAST])
    expect(verified.mock.calls.reduce((sum, [list]) => sum + list.length, 0)).toBe(6)
  })

  it('also verifies a random sample of the other certificates', async () => {
    vi.spyOn(Math, 'random').mockReturnValue(0.01)
    await expect(needed(forgedAt(30))).rejects.toThrow('header 30: its certificate is invalid')
  })

  it('rejects headers that branch off the certified chain', async () => {
    const parted = elected.slice(0, 40)
    const drawnAt = (height: number) => ({ roster: rosterOf(), seed: electedAt(height).seed })
    const last = parted.at(-1) as CertifiedHeader
    const made = { ...headerAfter(last.header, CHAIN_HASH, drawnAt), timeMs: 7 }
    const next = headerAfter(made, CHAIN_HASH, drawnAt)
    const { certificate } = last
    await expect(needed([...parted, { header: made, certificate }, { header: next, certificate }])).rejects.toThrow(
      `header ${next.height}`,
    )
  })

  it('ends before a range whose last header does not match its roster, because an epoch is missing', async () => {
    const chain = await prove(elected, { epochs: EPOCHS.slice(1), which: 'needed' })
    expect(chain.certifiedTo).toBeLessThan(FIRST)
    const proven = await prove(elected, { epochs: EPOCHS.slice(1), which: 'needed', trusted: SECOND + 5 })
    expect([proven.certifiedTo, proven.starts]).toEqual([
      LAST,
      [{ height: SECOND + 6, roster: rosterOf(), epoch: EPOCHS[1]?.[1] }],
    ])
  })
})
