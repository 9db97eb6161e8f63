/**
 * Owns the loading of a snapshot into a state: all its parts are verified during loading, from the pinned genesis hash
 * on.
 */

import { sameBytes } from '../../base/bytes.js'
import type { CryptoService } from '../../crypto/index.js'
import type { Abi } from '../../executor/index.js'
import { entriesOfStart, type RosterStart } from '../../ledger/roster-index.js'
import { type CertifiedHeader, hashOfHeader, keyString, LedgerError } from '../../model/index.js'
import { type StateBackend, WorldState } from '../../state/index.js'
import { blockIndexes } from '../chain/indexes.js'
import type { PinnedGenesis } from '../identity/identity.js'
import { HeaderChain, type VerifiedCertificates } from './chain.js'
import { type OnRead, readSnapshot, type SnapshotHead, type SnapshotRow } from './format.js'
import { COMMIT_BYTES, WindowLoader } from './window.js'

export interface LoadOptions {
  readonly path: string
  readonly abi: Abi
  readonly pinned: PinnedGenesis
  readonly crypto: CryptoService
  readonly certificates: VerifiedCertificates
  /** Backend of the state; empty before the load. */
  readonly backend: StateBackend
  readonly treeBits?: number
  /**
   * Hash of a block that the operator trusts, for a chain whose old rosters are missing, so that the headers alone
   * prove nothing.
   */
  readonly trustedBlock?: Uint8Array | undefined
  /** Receives the headers in order, before any row; they are proven once the first row arrives. */
  readonly onHeaders?: (headers: readonly CertifiedHeader[]) => Promise<void>
  /** Called with the number of bytes read. */
  readonly onRead?: OnRead
}

/** Result of a verification. */
export interface LoadedSnapshot extends SnapshotHead {
  readonly rows: number
  /** Height up to which certificates prove the chain without a gap from genesis. */
  readonly provenTo: number
}

const invalid = (what: string, hint?: string): LedgerError => new LedgerError('snapshot_invalid', what, { hint })
/** Load and verify a snapshot; throws `snapshot_invalid`, `genesis_mismatch`. */
export async function loadSnapshot(options: LoadOptions): Promise<LoadedSnapshot> {
  const { pinned, abi, backend, crypto, certificates } = options
  const codec = abi.codec(pinned.genesis.payload.value.addressPrefix)
  const { treeBits } = options
  const world = await WorldState.open({ backend, context: codec, treeBits })
  const chain = new HeaderChain(pinned, crypto, certificates)
  await loadRosters(options.path, chain)
  let head: SnapshotHead | undefined
  let proven = false
  /** Number of transactions in all headers. */
  let transactions = 0
  let isTrustedMet = options.trustedBlock === undefined
  const window = new WindowLoader(world)
  const rows = new RowLoader(abi, world)
  for await (const frame of readSnapshot(options.path, options.onRead)) {
    if (frame.kind === 'head') {
      if (head !== undefined) throw invalid('two heads')
      head = checkHead(frame.value, pinned)
      continue
    }
    if (head === undefined) throw invalid('no head')
    if (frame.kind === 'headers') {
      isTrustedMet = (await takeHeaders(chain, frame.value, options)) || isTrustedMet
      for (const { header } of frame.value) transactions += header.transactionCount
      await options.onHeaders?.(frame.value)
    } else if (frame.kind === 'epochs') continue
    else if (frame.kind === 'rosters') {
      if (proven) throw invalid('two lists of rosters')
      if (!isTrustedMet) throw invalid('the trusted block is not in the snapshot')
      await requireProof(chain, head)
      proven = true
    } else if (!proven) throw invalid('rows before the headers that certify them')
    else if (frame.kind === 'replay') await window.take(frame.value, head.height)
    else await rows.take(frame.value, head.height)
  }
  if (head === undefined || !proven) throw invalid('the snapshot has no headers')
  await window.flush(head.height)
  await rows.flush(head.height)
  await finish(world, head, { window, starts: chain.starts, transactions })
  return { ...head, rows: rows.count, provenTo: chain.provenTo }
}

function checkHead(head: SnapshotHead, pinned: PinnedGenesis): SnapshotHead {
  if (!sameBytes(head.genesisHash, pinned.hash)) {
    const found = Buffer.from(head.genesisHash).toString('hex')
    throw new LedgerError('genesis_mismatch', `the snapshot belongs to the network with genesis ${found}`)
  }
  return head
}

/**
 * Read the rosters and epochs. They follow the headers in the file; reading them first means that headers need not wait
 * in memory.
 */
async function loadRosters(path: string, chain: HeaderChain): Promise<void> {
  let lists = 0
  for await (const { kind, value } of readSnapshot(path, undefined, (one) => one !== 'headers')) {
    if (kind === 'head') continue
    // At most one list of each kind, which bounds the memory: the file length is unbounded.
    lists += 1
    if (kind === 'epochs' && lists === 1) for (const { height, epoch } of value) chain.addEpoch(height, epoch)
    else {
      if (kind === 'rosters') for (const roster of value) chain.addRoster(roster)
      return
    }
  }
}

/** Accept headers; true if the block that the operator trusts is among them. */
async function takeHeaders(
  chain: HeaderChain,
  headers: readonly CertifiedHeader[],
  { trustedBlock }: LoadOptions,
): Promise<boolean> {
  let isMet = false
  for (const certified of headers) {
    await chain.take(certified)
    if (trustedBlock === undefined || !sameBytes(hashOfHeader(chain.tip), trustedBlock)) continue
    isMet = true
    await chain.trustTip()
  }
  return isMet
}

/** Throw unless the headers prove the block of the snapshot. */
async function requireProof(chain: HeaderChain, head: SnapshotHead): Promise<void> {
  await chain.flush()
  const { tip } = chain
  if (tip.height !== head.height || !sameBytes(hashOfHeader(tip), head.blockHash)) {
    throw invalid(`the headers end at ${tip.height}, but the snapshot is of height ${head.height}`)
  }
  if (!sameBytes(tip.stateRoot, head.stateRoot)) throw invalid('its state root differs from its header')
  if (chain.certifiedTo < head.height) {
    throw invalid(
      `certificates prove the chain up to height ${chain.certifiedTo} of ${head.height}: later rosters are unknown`,
      'Get the hash of a later block from a node that you trust, preferably the last of the snapshot, and give it as --trust-block, or as snapshots.trust_block.',
    )
  }
}

/** Loader of rows into the state, in batches. */
class RowLoader {
  count = 0
  private last = ''
  private waiting: { row: string; bytes: Buffer }[] = []
  private waitingBytes = 0
  constructor(
    private readonly abi: Abi,
    private readonly world: WorldState,
  ) {}

  async take(chunk: readonly SnapshotRow[], height: number): Promise<void> {
    const rows = chunk.map(({ row, value }) => ({ row: keyString(row), bytes: Buffer.from(value) }))
    for (const { row } of rows) {
      if (row <= this.last) throw invalid('its rows are not in order')
      this.last = row
    }
    this.waiting.push(...rows)
    this.waitingBytes += rows.reduce((sum, { row, bytes }) => sum + row.length + bytes.length, 0)
    if (this.waitingBytes >= COMMIT_BYTES) await this.flush(height)
  }

  /** Write the waiting rows to the state. */
  async flush(height: number): Promise<void> {
    const { world, waiting: rows } = this
    this.waiting = []
    this.waitingBytes = 0
    const before = {
      hasRow: () => false,
      rowBytes: () => undefined,
      indexGet: (key: Uint8Array) => world.indexGet(key),
    }
    // Rows without the events that created them.
    const made = { timeMs: 0, payloadBytes: 0, entries: [], results: [], events: [] }
    const indexes = blockIndexes(this.abi, { ...made, height, rows, before })
    await world.commit(world.prepareRows(rows), { height, indexes })
    this.count += rows.length
  }
}

/**
 * Check that the root is the certified one, and that its digests match the transaction ids. Index the rosters that the
 * headers prove: nodes that start from a snapshot of this node need them.
 */
async function finish(
  world: WorldState,
  head: SnapshotHead,
  {
    window,
    starts,
    transactions,
  }: { readonly window: WindowLoader; readonly starts: readonly RosterStart[]; readonly transactions: number },
): Promise<void> {
  if (!sameBytes(world.root, head.stateRoot)) {
    const [found, wanted] = [world.root, head.stateRoot].map((root) => Buffer.from(root).toString('hex'))
    throw invalid(`the state root of its rows is ${found}, but the certified one is ${wanted}`)
  }
  await window.verify()
  const put = starts.flatMap(entriesOfStart)
  // The number of approved transactions is unproven; headers prove only the total.
  const approved = Math.min(head.approved, transactions)
  const counters = Buffer.alloc(12)
  counters.writeUIntBE(approved, 0, 6)
  counters.writeUIntBE(transactions - approved, 6, 6)
  await world.commit(world.prepareRows([]), { height: head.height, indexes: { put }, meta: [['counters', counters]] })
}
