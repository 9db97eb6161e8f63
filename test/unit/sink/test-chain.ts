/** Owns a small chain with rows for every table of a sink: real signatures and certificates, made-up state. */
import type { FinalityProof } from '../../../src/api/index.js'
import type { StoredBlock } from '../../../src/api/services.js'
import { type CausewayClient, routes } from '../../../src/client/index.js'
import { selectCommittee, sortRoster } from '../../../src/consensus/index.js'
import { nobleBackend } from '../../../src/crypto/bls-noble.js'
import { signEd25519 } from '../../../src/crypto/index.js'
import { merkleRoot } from '../../../src/crypto/merkle.js'
import { events as assetEvents } from '../../../src/features/assets/schema/events.js'
import { instructions as assets } from '../../../src/features/assets/schema/instructions.js'
import { claimKey, instructions as iso, isoBodyHash } from '../../../src/features/iso20022/schema/instructions.js'
import {
  accountKeyOf,
  type BlockHeader,
  type BlockOutcome,
  type CertifiedHeader,
  chainHashOf,
  composeBody,
  type DataEvent,
  entryResultLeaf,
  event,
  genesisSeed,
  hashOfHeader,
  instruction,
  NO_METADATA,
  payloadHash,
  sealTransaction,
} from '../../../src/model/index.js'
import { certificateOf } from '../../support/certificates.js'
import { CHAIN, testPeer } from '../../support/chain.js'
import { genesisHeader, headerAfter } from '../../support/headers.js'
import { accountOf, alice, bob, CODEC } from '../gateway/support.js'
import { DETAILS } from '../iso20022/support.js'

/** Height of the last block. */
export const LAST = 6

const DEFINITION = 'usd#bank'
const GENESIS_BODY = Buffer.from('genesis of a test')
const SEED = genesisSeed(GENESIS_BODY)
const CHAIN_HASH = chainHashOf(CHAIN, SEED)
const [ALICE, BOB] = [accountOf(alice), accountOf(bob)]
const BLS = nobleBackend()

const peers = await Promise.all([0, 1, 2, 3].map((index) => testPeer(index)))
const roster = sortRoster(peers.map(({ peer }) => peer.key))
const committeeAt = (height: number) => selectCommittee(roster, CHAIN_HASH, SEED, height)
const units = (mantissa: bigint) => ({ mantissa, scale: 0 })
const held = { definition: DEFINITION, account: ALICE }

/** A payment message of alice's, or a transfer alone. */
function payment(nonce: number, amount: bigint, messageId: string | undefined) {
  const transfer = instruction(assets.transfer, { asset: held, to: BOB, amount: units(amount) })
  const claim = messageId === undefined ? [] : [claimOf(messageId)]
  const payload = {
    chain: CHAIN,
    authority: ALICE,
    createdAtMs: nonce,
    ttlMs: 1_000,
    nonce,
    executable: { kind: 'instructions' as const, value: [...claim, transfer] },
    metadata: NO_METADATA,
    dataspace: undefined,
  }
  return sealTransaction(payload, CODEC, accountKeyOf('ed25519', alice.publicKey.bytes), (id) =>
    signEd25519(alice.secret, id),
  )
}

const claimOf = (messageId: string) =>
  instruction(iso.claimMessage, {
    submitter: ALICE,
    family: 'pacs008',
    messageId,
    idHash: claimKey(ALICE, 'pacs008', messageId),
    bodyHash: isoBodyHash(Buffer.from(messageId)),
    details: DETAILS,
  })

/** A message that is paid, a transfer, one that is rejected, and what is minted for them. */
function blockAfter(parent: BlockHeader): StoredBlock {
  const height = parent.height + 1
  const amount = BigInt(height)
  const sealed = [`M-${height}`, undefined, undefined].map((id, at) => payment(height * 10 + at, amount, id))
  const transferred = event(assetEvents.transferred, { asset: held, to: BOB, amount: units(amount) })
  const minted = event(assetEvents.minted, { asset: held, amount: units(100n) })
  const caused: readonly (readonly DataEvent[])[] = [[minted, transferred], [transferred], []]
  const outcome: BlockOutcome = {
    results: sealed.map(({ id }, at) => ({
      transactionId: id,
      outcome:
        at === 2 ? { kind: 'rejected', value: { code: 9, instruction: 0 } } : { kind: 'approved', value: undefined },
      teu: 10 + at,
    })),
    events: caused.flatMap((events, entry) => events.map((one) => ({ entry, event: one }))),
    texts: [{ entry: 2, text: 'the balance is too small' }],
  }
  const body = composeBody(
    undefined,
    [],
    sealed.map(({ bytes }) => ({ lane: 0, dataspace: 0n, bytes })),
  )
  const header = {
    ...headerAfter(parent, CHAIN_HASH, () => ({ roster, seed: SEED })),
    transactionCount: sealed.length,
    payloadHash: payloadHash(body),
    payloadBytes: body.length,
    resultsRoot: merkleRoot(outcome.results.map(entryResultLeaf)),
    stateRoot: Buffer.alloc(32, height),
  }
  const context = { committee: committeeAt(height), chainHash: CHAIN_HASH, epoch: 0, height } as never
  const certificate = certificateOf(context, peers, 'commit', header, undefined, 0, BLS)
  return { block: { header, certificate, body }, outcome }
}

const genesis = {
  ...genesisHeader(committeeAt(2).hash),
  originProposer: peers[0]?.peer.key ?? '',
  payloadHash: payloadHash(GENESIS_BODY),
}
const chain: StoredBlock[] = [
  {
    block: { header: genesis, certificate: undefined, body: GENESIS_BODY },
    outcome: { results: [], events: [], texts: [] },
  },
]
for (let height = 2; height <= LAST; height++) chain.push(blockAfter(chain.at(-1)?.block.header ?? genesis))

const certified = (height: number): CertifiedHeader => {
  const { header, certificate } = chain[height - 1]?.block ?? {}
  if (header === undefined || certificate === undefined) throw new Error(`no block ${height} with a certificate`)
  return { header, certificate }
}

const proofOf = (height: number): FinalityProof => ({
  genesisHeader: genesis,
  genesisPayload: GENESIS_BODY,
  rosters: [{ height: 2, roster, epoch: undefined, before: undefined, first: certified(2) }],
  block: certified(height),
})

/** A gateway of the chain. */
export const CHAIN_CLIENT = {
  chain: async () => ({ chain: CHAIN, genesisHash: hashOfHeader(genesis) }),
  height: async () => LAST,
  async *storedBlocks({ fromHeight }: { readonly fromHeight: number }) {
    for (const value of chain.slice(fromHeight - 1)) yield { kind: 'block', value }
  },
  route: async (row: unknown, { params }: { readonly params: { readonly height: number } }) => {
    if (row === routes.explorer.finality) return proofOf(params.height)
    throw new Error('the gateway of a test has no such route')
  },
} as unknown as CausewayClient

export const NAMING = { codec: CODEC, errorName: (code: number) => `error_${code}` }
