/**
 * Owns the committed blocks on disk (docs/design/consensus.md 8, docs/design/ledger.md 6).
 *
 * `blocks/lane_<NNN>_<alias>/` signed records per lane; `merge_ledger/lane_<NNN>_<alias>_merge.log` their order;
 * `blocks/outcomes/` results and events; `blocks/headers.log` one record per block: header, certificate, extents, the
 * rest of the body; `blocks/headers.idx` offsets and hashes. The header record is synced last: it is the commit point.
 * `blocks/first_height` is the first height that was not pruned; header records and genesis are always kept.
 */
import { mkdir, readdir } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import {
  assertInvariant,
  type BlockHeader,
  blockHash,
  blockHeader,
  type CertifiedHeader,
  type CommittedBlock,
  FIRST_VOTED_HEIGHT,
  GENESIS_HEIGHT,
  type QuorumCertificate,
} from '../model/index.js'
import { BlockCache } from './block-cache.js'
import { type BlockRecord, blockRecord } from './block-record.js'
import { corrupt } from './corrupt.js'
import { failPoint } from './fail-point.js'
import { syncFolder } from './files.js'
import { LOG_HEADER_BYTES } from './frame.js'
import { HeaderIndex, type HeaderPlace } from './header-index.js'
import type { LaneName } from './lane-folders.js'
import { type EntrySlice, LaneStore } from './lane-store.js'
import { BLOCK_CACHE_BYTES, BLOCK_CACHE_COUNT, FRAME_MAX_BYTES, HEADERS_READ_MAX_BYTES } from './limits.js'
import { LogFile } from './log-file.js'
import { PrunedMark } from './pruned-mark.js'
import { Segments } from './segments.js'

/** A block to store. */
export interface NewBlock {
  readonly header: BlockHeader
  /** Absent at genesis only. */
  readonly certificate: QuorumCertificate | undefined
  /** Canonical body bytes; at height 1 the signed genesis record. */
  readonly body: Uint8Array
  /** The signed records inside the body, in block order, without overlap. */
  readonly entries: readonly EntrySlice[]
  /** Results and events, opaque here. */
  readonly outcome: Uint8Array
}

/** Steps of an append after which a fail point may stop. */
export type AppendStep = 'payload' | 'header'

export interface BlockStoreOptions {
  /** Active lanes of the catalogue: their files are named after them. Absent: files stay where they are, and none takes entries. */
  readonly lanes?: readonly LaneName[]
  /** Called after each step of an append (fail points of crash tests). */
  readonly onStep?: (step: AppendStep, height: number) => Promise<void> | void
  /** Payload segments are closed beyond this many bytes. */
  readonly segmentMaxBytes?: number
}

const HEADERS = 'headers.log'

/** The block store of one node; one at a time per data directory. */
export class BlockStore {
  private readonly cache = new BlockCache(BLOCK_CACHE_COUNT, BLOCK_CACHE_BYTES)
  private appending: Promise<void> | undefined
  private fault: unknown

  private constructor(
    private readonly log: LogFile,
    private readonly index: HeaderIndex,
    private readonly lanes: LaneStore,
    private readonly outcomes: Segments,
    private readonly mark: PrunedMark,
    /** Above genesis, the height from which on blocks are whole here: before it are headers alone, and pruned blocks. */
    private first: number,
    private readonly onStep: BlockStoreOptions['onStep'],
  ) {}

  /**
   * Opens or creates the store in a data directory. What an append left unfinished is cut everywhere.
   *
   * @throws LedgerError `storage_corrupt` with height and file when committed bytes are missing or damaged
   */
  static async open(folder: string, options: BlockStoreOptions): Promise<BlockStore> {
    const blocks = join(folder, 'blocks')
    const made = await mkdir(blocks, { recursive: true, mode: 0o700 })
    if (made !== undefined) await syncFolder(folder)
    const index = HeaderIndex.open(join(blocks, 'headers.idx'))
    let log: LogFile | undefined
    try {
      log = await openHeaders(join(blocks, HEADERS), index)
      const { height } = index
      const tip = height === 0 ? undefined : await readRecord(log, index, height)
      const lanes = await LaneStore.open(folder, options.lanes, tip?.ends ?? [], height, options.segmentMaxBytes)
      const end =
        tip === undefined
          ? { segment: 0, offset: 0 }
          : { segment: tip.outcome.segment, offset: tip.outcome.offset + tip.outcome.bytes }
      const outcomes = await Segments.open(join(blocks, 'outcomes'), end, height, options.segmentMaxBytes)
      const mark = new PrunedMark(join(blocks, 'first_height'))
      const first = Math.max(await firstWhole(log, index), await mark.read(height))
      return new BlockStore(log, index, lanes, outcomes, mark, first, options.onStep)
    } catch (error) {
      index.close()
      await log?.close()
      throw error
    }
  }

  /** Height of the last committed block; 0 for none. */
  get height(): number {
    return this.index.height
  }

  /** The lowest height from which on every block is here: 1, or behind what a snapshot or pruning left out; genesis is here anyway. */
  get firstHeight(): number {
    return this.first === FIRST_VOTED_HEIGHT ? GENESIS_HEIGHT : this.first
  }

  /** Brings the files to a new lane catalogue; call it before the first block that uses it. */
  async setLanes(lanes: readonly LaneName[]): Promise<void> {
    assertInvariant(this.appending === undefined, 'lanes change between blocks')
    await this.lanes.setLanes(lanes)
  }

  /**
   * Commits the next block; resolves when it is durable. One at a time, in order of height. After an I/O error the store
   * takes no more blocks: what the disk holds is unknown, and the process has to end.
   */
  append(block: NewBlock): Promise<void> {
    if (this.fault !== undefined) return Promise.reject(this.fault)
    assertInvariant(this.appending === undefined, 'blocks are appended one at a time')
    const { height } = block.header
    assertInvariant(height === this.height + 1, `block ${height} follows block ${this.height}`)
    const follows = height === 1 || this.index.hashAt(height - 1).equals(block.header.parentHash)
    assertInvariant(follows, `block ${height} names the stored block ${height - 1} as its parent`)
    this.appending = this.write(block)
      .catch((error: unknown) => {
        this.fault = error
        throw error
      })
      .finally(() => {
        this.appending = undefined
      })
    return this.appending
  }

  /**
   * Appends headers without their bodies: what a node that starts from a snapshot knows of the blocks before it.
   * Durable when it resolves; `read` and `readOutcome` give nothing at these heights.
   */
  appendHeaders(headers: readonly CertifiedHeader[]): Promise<void> {
    assertInvariant(this.appending === undefined, 'blocks are appended one at a time')
    this.appending = this.writeHeaders(headers).finally(() => {
      this.appending = undefined
    })
    return this.appending
  }

  /**
   * Hides the blocks above genesis and below a height: nobody reads them from here on. They are there again after a start
   * unless `dropHidden` followed.
   */
  hideBelow(height: number): void {
    assertInvariant(height <= this.height, `block ${height} stays: it is the last or above`)
    this.first = Math.max(this.first, height)
  }

  /** Makes durable that hidden blocks are gone, then frees the segments that hold nothing else. */
  async dropHidden(): Promise<void> {
    await this.mark.write(this.first)
    failPoint(231)
    const [last, genesis] = [await this.record(this.first - 1), await this.record(GENESIS_HEIGHT)]
    assertInvariant(last !== undefined && genesis !== undefined, 'header records are never pruned')
    await this.lanes.dropBefore(last.ends)
    await this.outcomes.dropBefore(last.outcome.segment, genesis.outcome.offset + genesis.outcome.bytes)
  }

  /** The whole block, its body byte for byte; undefined above the tip, below 1, and where it is not held. */
  async read(height: number): Promise<CommittedBlock | undefined> {
    if (!this.holds(height)) return undefined
    const known = this.cache.get(height)
    if (known !== undefined) return known
    const record = await this.record(height)
    if (record === undefined) return undefined
    const body = await this.whileHeld(height, this.lanes.read(record))
    if (body === undefined) return undefined
    const block = { header: record.header, certificate: record.certificate, body }
    this.cache.set(height, block)
    return block
  }

  /** The header alone. */
  async readHeader(height: number): Promise<BlockHeader | undefined> {
    return (await this.record(height))?.header
  }

  /** The header with its commit certificate; undefined at genesis too. */
  async readCertificate(height: number): Promise<CertifiedHeader | undefined> {
    const record = await this.record(height)
    return record?.certificate === undefined ? undefined : { certificate: record.certificate, header: record.header }
  }

  /**
   * Headers with their certificates from a height above genesis on, read in one go: as many as are asked for, or fewer where
   * they are large or the chain ends; none above the tip.
   */
  async readCertificates(from: number, countMax: number): Promise<CertifiedHeader[]> {
    assertInvariant(from >= FIRST_VOTED_HEIGHT, 'genesis has no certificate')
    const records = await readRecords(this.log, this.index, from, Math.min(this.height, from + countMax - 1))
    return records.map(({ header, certificate }) => {
      assertInvariant(certificate !== undefined, `block ${header.height} has a certificate`)
      return { header, certificate }
    })
  }

  /** Height of a committed block hash. */
  heightOf(hash: Uint8Array): number | undefined {
    return this.index.heightOf(hash)
  }

  /** Block hash at a height. */
  hashAt(height: number): Buffer | undefined {
    return height >= 1 && height <= this.height ? this.index.hashAt(height) : undefined
  }

  /** Results and events as they were given to `append`. */
  async readOutcome(height: number): Promise<Uint8Array | undefined> {
    const record = this.holds(height) ? await this.record(height) : undefined
    return record === undefined ? undefined : this.whileHeld(height, this.outcomes.read(record.outcome, height))
  }

  /** The lowest height from `from` up whose body is here; undefined when there is none. */
  firstWhole(from: number): number | undefined {
    const found = from <= GENESIS_HEIGHT ? GENESIS_HEIGHT : Math.max(from, this.first)
    return found <= this.height ? found : undefined
  }

  /** Waits for an append under way and closes all files. */
  async close(): Promise<void> {
    await this.appending?.catch(() => {})
    await Promise.all([this.lanes.close(), this.outcomes.close(), this.log.close()])
    this.index.close()
  }

  private holds(height: number): boolean {
    return height === GENESIS_HEIGHT || height >= this.first
  }

  /** What is read of a block, unless the block was pruned meanwhile. */
  private async whileHeld<T>(height: number, reading: Promise<T>): Promise<T | undefined> {
    try {
      return await reading
    } catch (error) {
      if (this.holds(height)) throw error
      return undefined
    }
  }

  private async record(height: number): Promise<BlockRecord | undefined> {
    if (!Number.isSafeInteger(height) || height < 1 || height > this.height) return undefined
    return readRecord(this.log, this.index, height)
  }

  private async writeHeaders(headers: readonly CertifiedHeader[]): Promise<void> {
    const outcome = { ...this.outcomes.end, bytes: 0, checksum: 0 }
    const none = { rest: Buffer.alloc(0), restBytes: [], outcome, parts: [], ends: this.lanes.ends }
    const records = headers.map(({ header, certificate }, at) => {
      assertInvariant(header.height === this.height + 1 + at, 'headers are appended in order')
      return [blockRecord.encode({ header, certificate, ...none })]
    })
    const places = await this.log.appendAll(records)
    for (const [at, { header }] of headers.entries()) {
      this.index.add(blockHash(blockHeader.encode(header)), places[at] as HeaderPlace)
    }
    this.first = this.height + 1
  }

  private async write(block: NewBlock): Promise<void> {
    const { header, certificate, body, entries } = block
    const [parts, outcome] = await Promise.all([
      this.lanes.append(header.height, body, entries),
      this.outcomes.append(block.outcome),
    ])
    await this.onStep?.('payload', header.height)
    const record: BlockRecord = { header, certificate, ...restOf(body, entries), outcome, parts, ends: this.lanes.ends }
    const place = await this.log.append([blockRecord.encode(record)])
    this.index.add(blockHash(blockHeader.encode(header)), place)
    await this.onStep?.('header', header.height)
  }
}

/** True for a record without its body: the bytes of a body outside its entries are one stretch at least. */
const isHeaderOnly = (record: BlockRecord): boolean => record.restBytes.length === 0

/** The height above genesis behind all headers that came without their bodies. */
async function firstWhole(log: LogFile, index: HeaderIndex): Promise<number> {
  let bare = GENESIS_HEIGHT
  let whole = index.height + 1
  while (whole - bare > 1) {
    const middle = (bare + whole) >>> 1
    if (isHeaderOnly(await readRecord(log, index, middle))) bare = middle
    else whole = middle
  }
  return bare + 1
}

/** The bytes of a body outside its signed records. */
function restOf(body: Uint8Array, entries: readonly EntrySlice[]): { rest: Buffer; restBytes: number[] } {
  const stretches: Uint8Array[] = []
  let at = 0
  for (const { start, end } of entries) {
    assertInvariant(at <= start && start <= end && end <= body.length, 'the entries are in the body, in order')
    stretches.push(body.subarray(at, start))
    at = end
  }
  stretches.push(body.subarray(at))
  return { rest: Buffer.concat(stretches), restBytes: stretches.map((stretch) => stretch.length) }
}

const decodeRecord = (payload: Uint8Array): BlockRecord | undefined => {
  const decoded = blockRecord.decode(payload, undefined, { maxBytes: FRAME_MAX_BYTES })
  return decoded.ok ? decoded.value : undefined
}

function openRecord(log: LogFile, payload: Buffer | undefined, height: number): BlockRecord {
  const record = payload === undefined ? undefined : decodeRecord(payload)
  if (record?.header.height !== height) throw corrupt(height, log.path, 'its header record is missing or corrupt')
  return record
}

async function readRecord(log: LogFile, index: HeaderIndex, height: number): Promise<BlockRecord> {
  const { offset, length } = index.placeOf(height)
  return openRecord(log, await log.read(offset, length), height)
}

/** Records that follow each other, in one read of bounded size: one at least, unless `to` is below `from`. */
async function readRecords(log: LogFile, index: HeaderIndex, from: number, to: number): Promise<BlockRecord[]> {
  const places: HeaderPlace[] = []
  let bytes = 0
  for (let height = from; height <= to; height += 1) {
    const place = index.placeOf(height)
    if (places.length > 0 && bytes + place.length > HEADERS_READ_MAX_BYTES) break
    places.push(place)
    bytes += place.length
  }
  return (await log.readAll(places)).map((payload, at) => openRecord(log, payload, from + at))
}

/** Opens the header log, cuts its torn tail, and indexes what the index does not know yet. */
async function openHeaders(path: string, index: HeaderIndex): Promise<LogFile> {
  let misplaced = false
  const add = (payload: Buffer, offset: number, length: number): void => {
    const record = decodeRecord(payload)
    if (record?.header.height !== index.height + 1) misplaced = true
    else if (!misplaced) index.add(blockHash(blockHeader.encode(record.header)), { offset, length })
  }
  const log = await LogFile.open(path, add, index.endOffset)
  if (log === undefined) {
    // It is created before any lane: beside payload bytes it was lost, and an empty one would cut them all.
    const lost = (await readdir(dirname(path))).some((name) => name.startsWith('lane_'))
    if (index.height > 0 || lost) throw corrupt(1, path, 'the file is missing')
    return LogFile.create(path)
  }
  if (log.damagedAt !== undefined || misplaced) {
    await log.close()
    throw corrupt(
      log.damagedAt !== undefined && log.damagedAt < LOG_HEADER_BYTES ? 1 : index.height + 1,
      path,
      'its header record is corrupt',
    )
  }
  return log
}
