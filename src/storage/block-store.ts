/**
 * Owns the committed blocks on disk (docs/design/consensus.md 8, docs/design/ledger.md 6).
 *
 * `blocks/lane_<NNN>_<alias>/`: signed records per lane; `merge_ledger/lane_<NNN>_<alias>_merge.log`: their order;
 * `blocks/outcomes/`: results and events; `blocks/headers.log`: one record per block with header, certificate and
 * extents; `blocks/headers.idx`: positions and hashes. The rest of a body is part of a whole record, or follows the
 * outcome for a packed record. The header record is synced last and is the commit point. `blocks/first_height` is the
 * first height that was not pruned; header records and genesis are always kept.
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

/** Block to store. */
export interface NewBlock {
  readonly header: BlockHeader
  /** Absent only at genesis. */
  readonly certificate: QuorumCertificate | undefined
  /** Canonical body bytes; at height 1 the signed genesis record. */
  readonly body: Uint8Array
  /** Signed records in the body, in block order, without overlap. */
  readonly entries: readonly EntrySlice[]
  /** Results and events, opaque to the store. */
  readonly outcome: Uint8Array
  /** True to write the packed form of the header record, which release 0.1.0 cannot read. */
  readonly isPacked?: boolean
}

/** Steps of an append after which a fail point may stop. */
export type AppendStep = 'payload' | 'header'

export interface BlockStoreOptions {
  /**
   * Active lanes of the catalogue, which determine the names of the files. Absent: files are not moved and accept no
   * entries.
   */
  readonly lanes?: readonly LaneName[]
  /** Called after each step of an append (fail points of crash tests). */
  readonly onStep?: (step: AppendStep, height: number) => Promise<void> | void
  /** Size beyond which payload segments are closed, in bytes. */
  readonly segmentMaxBytes?: number
}

/** Block store of one node; only one may be open per data directory. */
export class BlockStore {
  private readonly cache = new BlockCache(BLOCK_CACHE_COUNT, BLOCK_CACHE_BYTES)
  private appending: Promise<void> | undefined
  private fault: unknown

  private constructor(
    private readonly headers: HeaderLog,
    private readonly lanes: LaneStore,
    private readonly outcomes: Segments,
    private readonly mark: PrunedMark,
    /** First height above genesis with a whole block; below it, blocks were pruned or only headers are stored. */
    private first: number,
    private readonly onStep: BlockStoreOptions['onStep'],
  ) {}

  /**
   * Open or create the store in a data directory. Incomplete appends are truncated.
   *
   * @throws LedgerError `storage_corrupt` with height and file if committed bytes are missing or damaged
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

  /** Height of the last committed block; 0 if there is none. */
  get height(): number {
    return this.headers.height
  }

  /**
   * Lowest height from which every block is stored: 1, or the first height that a snapshot did not omit and that was
   * not pruned. Genesis is always stored.
   */
  get firstHeight(): number {
    return this.first === FIRST_VOTED_HEIGHT ? GENESIS_HEIGHT : this.first
  }

  /** Apply a new lane catalogue to the files; called before the first block that uses it. */
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
   * Append headers without bodies, for the earlier blocks of a node that starts from a snapshot. Durable once it
   * resolves; `read` and `readOutcome` return undefined at these heights.
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

  /** Make the removal of hidden blocks durable, then free the segments that contain no other blocks. */
  async dropHidden(): Promise<void> {
    await this.mark.write(this.first)
    failPoint(231)
    const [last, genesis] = [await this.headers.read(this.first - 1), await this.headers.read(GENESIS_HEIGHT)]
    assertInvariant(last !== undefined && genesis !== undefined, 'header records are never pruned')
    await this.lanes.dropBefore(last.ends)
    await this.outcomes.dropBefore(last.outcome.segment, genesis.outcome.offset + genesis.outcome.bytes)
  }

  /** Whole block, with its exact body; undefined above the tip, below 1, and if it is not stored. */
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

  /** Header of a block. */
  async readHeader(height: number): Promise<BlockHeader | undefined> {
    return (await this.headers.read(height))?.header
  }

  /** Header with its commit certificate; undefined at genesis too. */
  async readCertificate(height: number): Promise<CertifiedHeader | undefined> {
    const record = await this.headers.read(height)
    return record?.certificate === undefined ? undefined : { certificate: record.certificate, header: record.header }
  }

  /**
   * Headers with their certificates from a height above genesis, in one read: the requested number, or fewer if they
   * are large or the chain ends; none above the tip.
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

  /** Results and events as passed to `append`. */
  async readOutcome(height: number): Promise<Uint8Array | undefined> {
    const record = this.holds(height) ? await this.headers.read(height) : undefined
    if (record === undefined) return undefined
    const bytes = await this.whileHeld(height, this.outcomes.read(record.outcome, height))
    return bytes?.subarray(0, record.outcomeBytes)
  }

  /** Lowest height, at least `from`, whose body is stored; undefined if there is none. */
  firstWhole(from: number): number | undefined {
    const found = from <= GENESIS_HEIGHT ? GENESIS_HEIGHT : Math.max(from, this.first)
    return found <= this.height ? found : undefined
  }

  /** Wait for a running append and close all files. */
  async close(): Promise<void> {
    await this.appending?.catch(() => {})
    await Promise.all([this.lanes.close(), this.outcomes.close(), this.headers.close()])
  }

  private holds(height: number): boolean {
    return height === GENESIS_HEIGHT || height >= this.first
  }

  /** Read a part of a block; undefined if the block was pruned meanwhile. */
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

/** True for a record without its body: a body has at least one range of bytes outside its entries. */
const isHeaderOnly = ({ rest }: BlockRecord): boolean => rest?.restBytes.length === 0

/** First height above genesis after all headers without bodies. */
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

/** Bytes of a body outside its signed records. */
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
