/** Owns the content of a snapshot: the state of one height, the headers that certify it, and the replay window. */
import { rm } from 'node:fs/promises'
import type { CodecContext } from '../../codec/index.js'
import { type Abi, replay, replayStart, SINGLETON_KEY } from '../../executor/index.js'
import {
  type CertifiedHeader,
  FIRST_VOTED_HEIGHT,
  hashOfHeader,
  LedgerError,
  type SignedGenesis,
} from '../../model/index.js'
import { FrozenState, LeafSum, type StoredRow } from '../../state/index.js'
import type { BlockStore } from '../../storage/index.js'
import { replayBlockKey } from '../chain/indexes.js'
import { describeRow } from '../chain/rows.js'
import { FRAME_TARGET_BYTES, type ReplayIds, type SnapshotHead, type SnapshotRow, SnapshotWriter } from './format.js'
import type { Pacer } from './pacer.js'
import { namedRosters } from './rosters.js'

/** Headers per frame. */
const HEADERS_PER_FRAME = 64

/** Source of a snapshot. */
export interface SnapshotSource {
  readonly state: FrozenState
  readonly store: Pick<BlockStore, 'readCertificate' | 'readCertificates'>
  readonly genesis: SignedGenesis
  readonly codec: CodecContext
  /** Newest ABI of the chain, used to describe damaged rows. */
  readonly records: Abi
}

/** Result of writing a snapshot. */
export interface WrittenSnapshot {
  readonly head: SnapshotHead
  readonly certified: CertifiedHeader
  readonly rows: number
}

/** Options for writing a file. */
export interface WritingOptions {
  readonly pacer: Pick<Pacer, 'step'>
  /** Called with the number of rows so far. */
  readonly onRow?: ((count: number) => void) | undefined
  /** Called with the bytes of the file in order. */
  readonly onWritten?: (bytes: Uint8Array) => void
}

/**
 * Write a new file; on failure the file is removed.
 *
 * @throws LedgerError `file_exists`, and the errors of `writeFrames`
 */
export async function writeSnapshot(
  path: string,
  source: SnapshotSource,
  { pacer, onRow, onWritten }: WritingOptions,
): Promise<WrittenSnapshot> {
  const writer = await SnapshotWriter.create(path, onWritten)
  try {
    const written = await writeFrames(writer, source, pacer, onRow)
    await writer.end()
    return written
  } catch (error) {
    await writer.abandon()
    await rm(path, { force: true })
    throw error
  }
}

/**
 * Write everything except the end of the file.
 *
 * @throws LedgerError `storage_corrupt` with table and key if a stored row is not the committed row; `snapshot_invalid`
 * if there is no block above genesis
 */
async function writeFrames(
  writer: SnapshotWriter,
  source: SnapshotSource,
  pacer: Pick<Pacer, 'step'>,
  onRow: (count: number) => void = () => {},
): Promise<WrittenSnapshot> {
  const { state, store, genesis } = source
  const { height } = state
  const certified = await store.readCertificate(height)
  if (certified === undefined) {
    throw new LedgerError('snapshot_invalid', 'cannot create a snapshot: the chain has no block above genesis')
  }
  const counters = state.meta('counters')
  const head: SnapshotHead = {
    chain: certified.header.chain,
    genesisHash: hashOfHeader(genesis.header),
    height,
    blockHash: hashOfHeader(certified.header),
    stateRoot: state.root,
    approved: counters?.readUIntBE(0, 6) ?? 0,
    rejected: counters?.readUIntBE(6, 6) ?? 0,
  }
  await writer.write('head', head)
  await writeHeaders(writer, source, pacer)
  const { epochs, rosters } = await namedRosters(genesis, state, () => pacer.step())
  if (epochs.length > 0) await writer.write('epochs', epochs)
  await writer.write('rosters', rosters)
  await writeReplayIds(writer, state, pacer)
  return { head, certified, rows: await writeRows(writer, source, pacer, onRow) }
}

async function writeHeaders(
  writer: SnapshotWriter,
  { store, state: { height } }: SnapshotSource,
  pacer: Pick<Pacer, 'step'>,
): Promise<void> {
  for (let from = FIRST_VOTED_HEIGHT; from <= height; from += HEADERS_PER_FRAME) {
    const to = Math.min(from + HEADERS_PER_FRAME - 1, height)
    const chunk: CertifiedHeader[] = []
    while (from + chunk.length <= to) {
      const at = from + chunk.length
      const read = await store.readCertificates(at, to - at + 1)
      if (read.length === 0) throw new LedgerError('storage_corrupt', `the certificate of block ${at} is missing`)
      chunk.push(...read)
      await pacer.step()
    }
    await writer.write('headers', chunk)
  }
}

/** Write the transaction ids of the replay window by block; the state has their digests. */
async function writeReplayIds(writer: SnapshotWriter, state: FrozenState, pacer: Pick<Pacer, 'step'>): Promise<void> {
  let chunk: ReplayIds[] = []
  let chunkBytes = 0
  const first = state.get(replayStart, SINGLETON_KEY) ?? FIRST_VOTED_HEIGHT
  for (let height = first; height <= state.height; height += 1) {
    if (state.get(replay, height) === undefined) continue
    const ids = state.indexGet(replayBlockKey(height))
    if (ids === undefined)
      throw new LedgerError('storage_corrupt', `the transaction ids of block ${height} are missing`)
    chunk.push({ height, ids })
    chunkBytes += ids.length
    await pacer.step()
    if (chunkBytes < FRAME_TARGET_BYTES) continue
    await writer.write('replay', chunk)
    chunk = []
    chunkBytes = 0
  }
  if (chunk.length > 0) await writer.write('replay', chunk)
}

async function writeRows(
  writer: SnapshotWriter,
  source: SnapshotSource,
  pacer: Pick<Pacer, 'step'>,
  onRow: (count: number) => void,
): Promise<number> {
  const { state } = source
  const step = (): Promise<void> => pacer.step()
  const sum = new LeafSum()
  let chunk: SnapshotRow[] = []
  let chunkBytes = 0
  let count = 0
  for await (const stored of state.rows(step)) {
    FrozenState.addTo(sum, stored)
    const { key, bytes } = stored
    chunk.push({ row: key, value: bytes })
    chunkBytes += key.length + bytes.length
    count += 1
    if (chunkBytes < FRAME_TARGET_BYTES) continue
    await writer.write('rows', chunk)
    onRow(count)
    chunk = []
    chunkBytes = 0
  }
  if (chunk.length > 0) await writer.write('rows', chunk)
  const recorded = await state.leafSum(step)
  if (recorded === undefined || !sum.equals(recorded)) throw damaged(await state.damagedRow(step), source)
  return count
}

/** Error for a damaged state, with the row that differs from the tree, or for damage outside of the rows. */
function damaged(stored: StoredRow | undefined, { records, codec }: SnapshotSource): LedgerError {
  const row = stored?.key.toString('latin1')
  return new LedgerError(
    'storage_corrupt',
    row === undefined
      ? 'the state tree has leaves whose rows are missing or misplaced'
      : `a stored row differs from the committed one: ${JSON.stringify(describeRow(records, codec, row))}`,
    { hint: 'Run `causeway block replay --explain`, then restore this node from another one.' },
  )
}
