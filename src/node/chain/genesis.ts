/** Owns building and applying the genesis block: one block, deterministic bytes (docs/design/ledger.md 8). */
import { lazyOf } from '../../codec/index.js'
import { merkleRoot, verifyEd25519 } from '../../crypto/index.js'
import { type Abi, evidenceRootOf, executeGenesis } from '../../executor/index.js'
import { laneCommitmentRoot } from '../../lanes/index.js'
import {
  type BlockHeader,
  blockHeader,
  blockOutcome,
  GENESIS_HEIGHT,
  type GenesisPayload,
  genesisPayload,
  genesisSignBytes,
  hashOfHeader,
  keyBytes,
  LedgerError,
  NO_PROPOSER,
  payloadHash,
  type SignedGenesis,
  signedGenesis,
  ZERO_HASH,
} from '../../model/index.js'
import { MemoryBackend, type Overlay, type StateCandidate, WorldState } from '../../state/index.js'
import type { BlockStore } from '../../storage/index.js'
import { blockIndexes, NOTHING_BEFORE } from './indexes.js'

/** Tree depth of the throw-away state that genesis is computed on: the root does not depend on it. */
const SCRATCH_TREE_BITS = 8

function headerOf(abi: Abi, payload: GenesisPayload, bytes: Uint8Array, world: WorldState) {
  const overlay: Overlay = world.overlay()
  const run = executeGenesis(abi, payload, bytes, overlay)
  const state: StateCandidate = world.prepare(overlay)
  const header: BlockHeader = {
    chain: payload.chain,
    height: GENESIS_HEIGHT,
    parentHash: ZERO_HASH,
    originView: 0,
    originProposer: NO_PROPOSER,
    timeMs: payload.createdAtMs,
    transactionCount: 0,
    transactionsRoot: merkleRoot([]),
    payloadHash: payloadHash(bytes),
    payloadBytes: bytes.length,
    resultsRoot: merkleRoot([]),
    stateRoot: state.root,
    evidenceRoot: evidenceRootOf([]),
    laneCommitmentRoot: laneCommitmentRoot([]),
    rosterHash: run.rosterHash,
    committeeHash: ZERO_HASH,
    nextCommitteeHash: run.nextCommitteeHash,
    parentCertificateHash: ZERO_HASH,
  }
  return { header, state, events: run.events }
}

/** Execute a genesis payload and sign its block. `sign` returns the Ed25519 signature of the genesis key. */
export async function signGenesis(
  abi: Abi,
  payload: GenesisPayload,
  sign: (message: Uint8Array) => Uint8Array | Promise<Uint8Array>,
): Promise<{ readonly genesis: SignedGenesis; readonly bytes: Buffer; readonly hash: Buffer }> {
  const codec = abi.codec(payload.addressPrefix)
  const bytes = genesisPayload.encode(payload, codec)
  const world = await WorldState.open({ backend: new MemoryBackend(), treeBits: SCRATCH_TREE_BITS, context: codec })
  const { header } = headerOf(abi, payload, bytes, world)
  const genesis: SignedGenesis = {
    payload: lazyOf(genesisPayload, payload, codec),
    header,
    signature: await sign(genesisSignBytes(blockHeader.encode(header))),
  }
  return { genesis, bytes: signedGenesis.encode(genesis, codec), hash: hashOfHeader(header) }
}

/** Verify a signed genesis: the signature, and every root by executing it again; throws `genesis_invalid`. */
export async function verifyGenesis(abi: Abi, genesis: SignedGenesis): Promise<{ readonly hash: Buffer }> {
  const payload = genesis.payload.value
  const world = await WorldState.open({
    backend: new MemoryBackend(),
    treeBits: SCRATCH_TREE_BITS,
    context: abi.codec(payload.addressPrefix),
  })
  checkGenesis(abi, genesis, world)
  return { hash: hashOfHeader(genesis.header) }
}

function checkGenesis(abi: Abi, genesis: SignedGenesis, world: WorldState) {
  const payload = genesis.payload.value
  const message = genesisSignBytes(blockHeader.encode(genesis.header))
  if (!verifyEd25519(keyBytes(payload.genesisKey), message, genesis.signature)) {
    throw new LedgerError('genesis_invalid', 'the signature was not made by the genesis key in the payload')
  }
  const own = headerOf(abi, payload, genesis.payload.bytes, world)
  for (const field of Object.keys(own.header) as (keyof BlockHeader)[]) {
    const [theirs, ours] = [genesis.header[field], own.header[field]].map((value) =>
      value instanceof Uint8Array ? Buffer.from(value).toString('hex') : String(value),
    )
    if (theirs !== ours) {
      throw new LedgerError(
        'genesis_invalid',
        `${field} of the genesis block is ${theirs}, but this release computes ${ours}`,
      )
    }
  }
  return own
}

/** Apply genesis to an empty ledger: block store first, then the state batch. */
export async function applyGenesis(
  abi: Abi,
  genesis: SignedGenesis,
  world: WorldState,
  blocks: BlockStore,
): Promise<void> {
  const codec = abi.codec(genesis.payload.value.addressPrefix)
  world.setContext(codec)
  const { header, state, events } = checkGenesis(abi, genesis, world)
  if (blocks.height === 0) {
    const outcome = blockOutcome.encode(
      { results: [], events: events.map((event) => ({ entry: 0, event })), texts: [] },
      codec,
    )
    await blocks.append({
      header,
      certificate: undefined,
      body: Buffer.from(genesis.payload.bytes),
      entries: [],
      outcome,
    })
  }
  const indexes = blockIndexes(abi, {
    height: GENESIS_HEIGHT,
    timeMs: header.timeMs,
    payloadBytes: header.payloadBytes,
    entries: [],
    results: [],
    events: events.map((event) => ({ entry: 0, event })),
    rows: state.rows,
    before: NOTHING_BEFORE,
  })
  await world.commit(state, { height: GENESIS_HEIGHT, indexes })
}
