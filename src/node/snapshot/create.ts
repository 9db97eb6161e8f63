/** Owns snapshot creation: the state at the last committed height, the headers that certify it, the replay window. */
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { replay, replayStart, rosterStarts, rosters, SINGLETON_KEY } from '../../executor/index.js'
import { rosterKey } from '../../ledger/indexes.js'
import { epochOfIndex, type RosterEpoch, rosterOfIndex } from '../../ledger/roster-index.js'
import { FIRST_VOTED_HEIGHT, hashOfHeader, LedgerError, type ValidatorKey } from '../../model/index.js'
import { LevelBackend, rowDamage, rowKeyBytes, WorldState } from '../../state/index.js'
import { BlockStore } from '../../storage/index.js'
import { describeRow } from '../ledger/divergence.js'
import { replayBlockKey } from '../ledger/indexes.js'
import { openLedger } from '../ledger/open.js'
import { type OfflinePlace, recordsOf } from '../offline.js'
import { genesisRoster } from './chain.js'
import { CHUNK_BYTES, type ReplayIds, type SnapshotRow, SnapshotWriter } from './format.js'

/** Rosters that a snapshot names: those of its longest list. */
const NOTED_ROSTERS_MAX = 65_536

/** What a snapshot file holds. */
export interface SnapshotSummary {
  readonly chain: string
  readonly height: number
  readonly blockHash: Uint8Array
  readonly stateRoot: Uint8Array
  readonly rows: number
}

/**
 * Writes the state of a node that does not run to a new file.
 *
 * @throws LedgerError `file_exists`, `storage_corrupt` with table and key when a stored row is not the committed one
 */
export async function createSnapshot(
  place: OfflinePlace,
  path: string,
  onRow: (count: number) => void = () => {},
): Promise<SnapshotSummary> {
  const { folder, pinned } = place
  const records = recordsOf(place)
  const { genesis } = pinned
  const codec = records.codec(genesis.payload.value.addressPrefix)
  // Brings the state up to the last stored block, which a crash may have left behind.
  await (await openLedger({ ...place, genesis })).close()
  const store = await BlockStore.open(folder, {})
  const backend = await LevelBackend.open(join(folder, 'state'))
  let writer: SnapshotWriter | undefined
  try {
    const world = await WorldState.open({ backend, context: codec })
    const { height } = world
    const header = await store.readHeader(height)
    if (header === undefined || height < 2) {
      throw new LedgerError('snapshot_invalid', 'there is no block above genesis yet: there is nothing to snapshot')
    }
    writer = await SnapshotWriter.create(path)
    const counters = world.meta('counters')
    await writer.write('head', {
      chain: header.chain,
      genesisHash: pinned.hash,
      height,
      blockHash: hashOfHeader(header),
      stateRoot: world.root,
      approved: counters?.readUIntBE(0, 6) ?? 0,
      rejected: counters?.readUIntBE(6, 6) ?? 0,
    })
    await writeHeaders(writer, store, height)
    const noted = await notedRosters(world, height)
    const epochs = noted.flatMap(({ height: from, epoch }) => (epoch === undefined ? [] : [{ height: from, epoch }]))
    if (epochs.length > 0) await writer.write('epochs', epochs)
    await writer.write('rosters', [...knownRosters(place, world), ...epochRosters(noted)])
    await writer.write('replay', replayIds(world))
    const rows = await writeRows(writer, world, (row) => JSON.stringify(describeRow(records, codec, row)), onRow)
    await writer.end()
    return { chain: header.chain, height, blockHash: hashOfHeader(header), stateRoot: world.root, rows }
  } catch (error) {
    if (writer !== undefined) {
      await writer.abandon()
      await rm(path, { force: true })
    }
    throw error
  } finally {
    await Promise.all([backend.close(), store.close()])
  }
}

async function writeHeaders(writer: SnapshotWriter, store: BlockStore, height: number): Promise<void> {
  const perChunk = 1_024
  for (let from = 2; from <= height; from += perChunk) {
    const chunk = []
    for (let at = from; at < from + perChunk && at <= height; at += 1) {
      const certified = await store.readCertificate(at)
      if (certified === undefined) throw new LedgerError('storage_corrupt', `the certificate of block ${at} is missing`)
      chunk.push(certified)
    }
    await writer.write('headers', chunk)
  }
}

/** Rosters that the state still knows, and that of genesis: older ones are gone with their heights. */
function knownRosters(place: OfflinePlace, world: WorldState): (readonly ValidatorKey[])[] {
  const kept = (world.reader.get(rosterStarts, SINGLETON_KEY) ?? []).flatMap((start) => {
    const row = world.reader.get(rosters, start)
    return row === undefined ? [] : [row.roster]
  })
  return [genesisRoster(place.pinned.genesis), ...kept]
}

interface NotedRoster {
  readonly height: number
  readonly roster: readonly ValidatorKey[]
  readonly epoch: RosterEpoch | undefined
}

/** Every roster that the index notes, with its epoch. */
async function notedRosters(world: WorldState, to: number): Promise<NotedRoster[]> {
  const found: NotedRoster[] = []
  const indexGet = (key: Uint8Array) => world.indexGet(key)
  const range = { gte: rosterKey(FIRST_VOTED_HEIGHT), lt: rosterKey(to + 1), limit: NOTED_ROSTERS_MAX }
  for await (const [key] of world.indexRange(range)) {
    const height = key.readUIntBE(key.length - 6, 6)
    const roster = rosterOfIndex(indexGet, height)
    if (roster !== undefined) found.push({ height, roster, epoch: epochOfIndex(indexGet, height) })
  }
  return found
}

/** Rosters of networks that elect: their headers are proven with every one of them, so the index gives what the state forgot. */
const epochRosters = (noted: readonly NotedRoster[]): (readonly ValidatorKey[])[] =>
  noted.some(({ epoch }) => epoch !== undefined) ? noted.map(({ roster }) => roster) : []

/** The transaction ids that may not come again, per block; the state holds their digests. */
function replayIds(world: WorldState): ReplayIds[] {
  const found: ReplayIds[] = []
  const first = world.reader.get(replayStart, SINGLETON_KEY) ?? 2
  for (let height = first; height <= world.height; height += 1) {
    if (world.reader.get(replay, height) === undefined) continue
    const ids = world.indexGet(replayBlockKey(height))
    if (ids === undefined)
      throw new LedgerError('storage_corrupt', `the transaction ids of block ${height} are missing`)
    found.push({ height, ids })
  }
  return found
}

async function writeRows(
  writer: SnapshotWriter,
  world: WorldState,
  describe: (row: string) => string,
  onRow: (count: number) => void,
): Promise<number> {
  let chunk: SnapshotRow[] = []
  let chunkBytes = 0
  let count = 0
  for await (const { row, bytes } of world.allRows()) {
    if (bytes === undefined || rowDamage(world, row) !== undefined) {
      throw new LedgerError('storage_corrupt', `a stored row is not the one that was committed: ${describe(row)}`, {
        hint: 'Run `causeway block replay --explain`, then restore this node from another one.',
      })
    }
    chunk.push({ row: rowKeyBytes(row), value: bytes })
    chunkBytes += row.length + bytes.length
    count += 1
    if (chunkBytes < CHUNK_BYTES) continue
    await writer.write('rows', chunk)
    onRow(count)
    chunk = []
    chunkBytes = 0
  }
  if (chunk.length > 0) await writer.write('rows', chunk)
  return count
}
