/**
 * Owns the committed blocks on disk (docs/design/consensus.md 8, docs/design/ledger.md 6).
 *
 * `blocks/lane_<NNN>_<alias>/` signed records per lane; `merge_ledger/lane_<NNN>_<alias>_merge.log` their order;
 * `blocks/outcomes/` results and events; `blocks/headers.log` one record per block: header, certificate, extents;
 * `blocks/headers.idx` places and hashes. The rest of a body is in a whole record itself,
 * and behind the outcome of a packed one. The header record is synced last: it is the commit point.
 * `blocks/first_height` says where the blocks begin that were not pruned; header records and genesis always stay.
 */
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import {
  assertInvariant,
  type BlockHeader,
  type CertifiedHeader,
  type CommittedBlock,
  FIRST_VOTED_HEIGHT,
  GENESIS_HEIGHT,
  type QuorumCertificate,
} from '../model/index.js'
import { BlockCache } from './block-cache.js'
import { type BlockRecord, type BodyRest, bodyRest } from './block-record.js'
import { corrupt } from './corrupt.js'
import { failPoint } from './fail-point.js'
import { syncFolder } from './files.js'
import { HeaderLog } from './header-log.js'
import type { LaneName } from './lane-folders.js'
import { type EntrySlice, LaneStore } from './lane-store.js'
import { BLOCK_CACHE_BYTES, BLOCK_CACHE_COUNT } from './limits.js'
import { isPackable } from './packed-record.js'
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
  /** Writes the packed form of the header record, which release 0.1.0 does not read. */
  readonly isPacked?: boolean
}

/** Steps of an append after which a fail point may stop. */
export type AppendStep = 'payload' | 'header'

export interface BlockStoreOptions {
  /** Active lanes of the catalogue, whose names the files have. Absent: files are not moved, and accept no entries. */
  readonly lanes?: readonly LaneName[]
  /** Called after each step of an append (fail points of crash tests). */
  readonly onStep?: (step: AppendStep, height: number) => Promise<void> | void
  /** Payload segments are closed beyond this many bytes. */
  readonly segmentMaxBytes?: number
}

/** The block store of one node; one at a time per data directory. */
export class BlockStore {
  private readonly cache = new BlockCache(BLOCK_CACHE_COUNT, BLOCK_CACHE_BYTES)
  private appending: Promise<void> | undefined
  private fault: unknown

  private constructor(
    private readonly headers: HeaderLog,
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
    const headers = await HeaderLog.open(blocks)
    try {
      const { height } = headers
      const tip = await headers.read(height)
      const lanes = await LaneStore.open(folder, options.lanes, tip?.ends ?? [], height, options.segmentMaxBytes)
      const end =
        tip === undefined
          ? { segment: 0, offset: 0 }
          : { segment: tip.outcome.segment, offset: tip.outcome.offset + tip.outcome.bytes }
      const outcomes = await Segments.open(join(blocks, 'outcomes'), end, height, options.segmentMaxBytes)
      const mark = new PrunedMark(join(blocks, 'first_height'))
      const first = Math.max(await firstWhole(headers), await mark.read(height))
      return new BlockStore(headers, lanes, outcomes, mark, first, options.onStep)
    } catch (error) {
      await headers.close()
      throw error
    }
  }

  /** Height of the last committed block; 0 for none. */
  get height(): number {
    return this.headers.height
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
   * Commit the next block; resolves when it is durable. One at a time, in order of height. After an I/O error the store
   * accepts no more blocks: the content of the disk is unknown, and the process has to end.
   */
  append(block: NewBlock): Promise<void> {
    if (this.fault !== undefined) return Promise.reject(this.fault)
    assertInvariant(this.appending === undefined, 'blocks are appended one at a time')
    const { height } = block.header
    assertInvariant(height === this.height + 1, `block ${height} follows block ${this.height}`)
    const follows = height === 1 || this.headers.hashAt(height - 1).equals(block.header.parentHash)
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
   * Hide the blocks above genesis and below a height from reads. They are visible again after a start unless
   * `dropHidden` followed.
   */
  hideBelow(height: number): void {
    assertInvariant(height <= this.height, `block ${height} stays: it is the last or above`)
    this.first = Math.max(this.first, height)
  }

  /** Makes durable that hidden blocks are gone, then frees the segments that hold nothing else. */
  async dropHidden(): Promise<void> {
    await this.mark.write(this.first)
    failPoint(231)
    const [last, genesis] = [await this.headers.read(this.first - 1), await this.headers.read(GENESIS_HEIGHT)]
    assertInvariant(last !== undefined && genesis !== undefined, 'header records are never pruned')
    await this.lanes.dropBefore(last.ends)
    await this.outcomes.dropBefore(last.outcome.segment, genesis.outcome.offset + genesis.outcome.bytes)
  }

  /** The whole block, its body byte for byte; undefined above the tip, below 1, and where it is not held. */
  async read(height: number): Promise<CommittedBlock | undefined> {
    if (!this.holds(height)) return undefined
    const known = this.cache.get(height)
    if (known !== undefined) return known
    const record = await this.headers.read(height)
    if (record === undefined) return undefined
    const body = await this.whileHeld(height, this.readBody(record))
    if (body === undefined) return undefined
    const block = { header: record.header, certificate: record.certificate, body }
    this.cache.set(height, block)
    return block
  }

  /** The header alone. */
  async readHeader(height: number): Promise<BlockHeader | undefined> {
    return (await this.headers.read(height))?.header
  }

  /** The header with its commit certificate; undefined at genesis too. */
  async readCertificate(height: number): Promise<CertifiedHeader | undefined> {
    const record = await this.headers.read(height)
    return record?.certificate === undefined ? undefined : { certificate: record.certificate, header: record.header }
  }

  /**
   * Headers with their certificates from a height above genesis on, read in one go: as many as are asked for, or fewer where
   * they are large or the chain ends; none above the tip.
   */
  async readCertificates(from: number, countMax: number): Promise<CertifiedHeader[]> {
    assertInvariant(from >= FIRST_VOTED_HEIGHT, 'genesis has no certificate')
    const records = await this.headers.readFollowing(from, Math.min(this.height, from + countMax - 1))
    return records.map(({ header, certificate }) => {
      assertInvariant(certificate !== undefined, `block ${header.height} has a certificate`)
      return { header, certificate }
    })
  }

  /** Height of a committed block hash. */
  heightOf(hash: Uint8Array): number | undefined {
    return this.headers.heightOf(hash)
  }

  /** Block hash at a height. */
  hashAt(height: number): Buffer | undefined {
    return height >= 1 && height <= this.height ? this.headers.hashAt(height) : undefined
  }

  /** Results and events as they were given to `append`. */
  async readOutcome(height: number): Promise<Uint8Array | undefined> {
    const record = this.holds(height) ? await this.headers.read(height) : undefined
    if (record === undefined) return undefined
    const bytes = await this.whileHeld(height, this.outcomes.read(record.outcome, height))
    return bytes?.subarray(0, record.outcomeBytes)
  }

  /** The lowest height from `from` up whose body is here; undefined when there is none. */
  firstWhole(from: number): number | undefined {
    const found = from <= GENESIS_HEIGHT ? GENESIS_HEIGHT : Math.max(from, this.first)
    return found <= this.height ? found : undefined
  }

  /** Waits for an append under way and closes all files. */
  async close(): Promise<void> {
    await this.appending?.catch(() => {})
    await Promise.all([this.lanes.close(), this.outcomes.close(), this.headers.close()])
  }

  private holds(height: number): boolean {
    return height === GENESIS_HEIGHT || height >= this.first
  }

  /** Read a part of a block, unless the block was pruned meanwhile. */
  private async whileHeld<T>(height: number, reading: Promise<T>): Promise<T | undefined> {
    try {
      return await reading
    } catch (error) {
      if (this.holds(height)) throw error
      return undefined
    }
  }

  private async readBody(record: BlockRecord): Promise<Buffer> {
    return this.lanes.read(record, record.rest ?? (await this.readRest(record)))
  }

  private async readRest({ header, outcome, outcomeBytes }: BlockRecord): Promise<BodyRest> {
    const bytes = await this.outcomes.read(outcome, header.height)
    const decoded = bodyRest.decode(bytes.subarray(outcomeBytes), undefined, { maxBytes: bytes.length })
    if (!decoded.ok) throw corrupt(header.height, this.outcomes.folder, 'the rest of its body is damaged')
    return decoded.value
  }

  private async writeHeaders(headers: readonly CertifiedHeader[]): Promise<void> {
    const outcome = { ...this.outcomes.end, bytes: 0, checksum: 0 }
    const rest = { rest: Buffer.alloc(0), restBytes: [] }
    const records = headers.map(({ header, certificate }, at) => {
      assertInvariant(header.height === this.height + 1 + at, 'headers are appended in order')
      const record = { header, certificate, rest, outcome, outcomeBytes: 0, parts: [], ends: this.lanes.ends }
      return { record, rest }
    })
    await this.headers.appendWhole(records)
    this.first = this.height + 1
  }

  private async write(block: NewBlock): Promise<void> {
    const { header, certificate, body, entries } = block
    const rest = restOf(body, entries)
    const isPacked = block.isPacked === true && isPackable(block)
    const [parts, outcome] = await Promise.all([
      this.lanes.append(header.height, body, entries),
      this.outcomes.append(isPacked ? Buffer.concat([block.outcome, bodyRest.encode(rest)]) : block.outcome),
    ])
    await this.onStep?.('payload', header.height)
    const outcomeBytes = block.outcome.length
    const record = { header, certificate, rest: undefined, outcome, outcomeBytes, parts, ends: this.lanes.ends }
    await (isPacked ? this.headers.appendPacked(record) : this.headers.appendWhole([{ record, rest }]))
    await this.onStep?.('header', header.height)
  }
}

/** True for a record without its body: the bytes of a body outside its entries are one stretch at least. */
const isHeaderOnly = ({ rest }: BlockRecord): boolean => rest?.restBytes.length === 0

/** The height above genesis behind all headers that came without their bodies. */
async function firstWhole(headers: HeaderLog): Promise<number> {
  let bare = GENESIS_HEIGHT
  let whole = headers.height + 1
  while (whole - bare > 1) {
    const middle = (bare + whole) >>> 1
    const record = await headers.read(middle)
    if (record !== undefined && isHeaderOnly(record)) bare = middle
    else whole = middle
  }
  return bare + 1
}

/** The bytes of a body outside its signed records. */
function restOf(body: Uint8Array, entries: readonly EntrySlice[]): BodyRest {
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
