/**
 * Owns the world state of one node: the committed records, their root, and the one atomic batch per block.
 *
 * Executing a block yields a candidate without changing the state; several may be based on one state. Committing one
 * switches reads at once and then writes rows, tree, indexes and height together; unwritten data is served from memory.
 */
import { sameBytes } from '../base/bytes.js'
import type { CodecContext } from '../codec/index.js'
import { LedgerError } from '../model/errors.js'
import type { KeyRange, StateBackend, StateBatch } from './backend.js'
import { BucketDepths, DEFAULT_TREE_BITS } from './bucket-depths.js'
import { StateFault, stateCorrupt } from './fault.js'
import { FrozenState } from './frozen-state.js'
import { decodeHead, encodeHead, HEAD_KEY, type Head } from './head.js'
import { HeightState } from './height-state.js'
import { bytesOfHeld, type HeldRow } from './held-row.js'
import { metaDbKey, prefixedDbKey, rowDbKey, SPACE } from './key-space.js'
import type { LeafChange } from './leaf-page.js'
import { Overlay } from './overlay.js'
import { EMPTY_HASH, keyHashOf, type StateProof, valueHashOf } from './proof.js'
import { type IndexRange, indexEntriesOf, rowsOf, type TableRange } from './ranges.js'
import type { RowReader, StateReader } from './reader.js'
import { RowCache } from './row-cache.js'
import { StateTree, type TreeUpdate } from './state-tree.js'
import { type RowKey, rowKeyBytes, type TableDef } from './table.js'
import { TreeStore } from './tree-store.js'

/** Options for opening a world state. */
export interface WorldStateOptions {
  readonly backend: StateBackend
  /** Maximum bytes of cached rows and leaf pages together; default 64 MiB. The tree's upper levels are extra. */
  readonly cacheBytes?: number | undefined
  /**
   * Initial depth of the buckets of the tree, 4 to 20; default: the depth in the database, otherwise 18. A local
   * choice: the root does not depend on it.
   */
  readonly treeBits?: number | undefined
  /** Resolver of open enums in records. */
  readonly context?: CodecContext | undefined
}

/** Row of a candidate: its canonical bytes, or undefined if it is deleted. */
export interface CandidateRow {
  readonly row: RowKey
  readonly bytes: Buffer | undefined
}

/** Computed state after a block, not yet applied. */
export interface StateCandidate {
  /** State root after the block. */
  readonly root: Buffer
  /** Changed rows in byte order of their keys. */
  readonly rows: readonly CandidateRow[]
  /** Number of the commit that it is based on. */
  readonly base: number
  readonly update: TreeUpdate
}

/** Changes of the read indexes by a block. They are derived data, outside of the state root. */
export interface IndexChanges {
  readonly put?: readonly (readonly [Uint8Array, Uint8Array])[]
  readonly del?: readonly Uint8Array[]
}

/** Additional data of a commit besides the candidate. */
export interface CommitOptions {
  readonly height: number
  readonly indexes?: IndexChanges
  /** Named values of the node's own bookkeeping, written in the same batch; undefined removes. */
  readonly meta?: readonly (readonly [string, Uint8Array | undefined])[]
}

/** Value of a record with its proof. */
export interface ProvenRow {
  /** Canonical bytes; undefined if the record does not exist. */
  readonly bytes: Buffer | undefined
  readonly proof: StateProof
  readonly root: Buffer
  readonly height: number
}

const DEFAULT_CACHE_BYTES = 64 * 1024 * 1024
/** Share of the cache for leaf pages. */
const PAGE_SHARE = 0.25

/** Committed state of one commit; using it after the next commit is a bug and throws. */
class BaseReader implements RowReader {
  constructor(
    private readonly world: WorldState,
    private readonly rows: RowReader,
    readonly sequence: number,
  ) {}

  getRow<V>(table: Pick<TableDef<unknown, V>, 'name' | 'value'>, row: RowKey): V | undefined {
    this.assertCurrent()
    return this.rows.getRow(table, row)
  }

  hasRow(row: RowKey): boolean {
    this.assertCurrent()
    return this.rows.hasRow(row)
  }

  held(row: RowKey): HeldRow {
    this.assertCurrent()
    return this.rows.held(row)
  }

  private assertCurrent(): void {
    if (this.world.sequence !== this.sequence) throw new StateFault('the overlay is based on a superseded state')
  }
}

/** World state of one node. */
export class WorldState {
  private readonly store: TreeStore
  private base: BaseReader
  private writing: Promise<void> | undefined
  private failure: Error | undefined

  private constructor(
    private readonly backend: StateBackend,
    private readonly rows: RowCache,
    private readonly tree: StateTree,
    private head: Head,
  ) {
    this.store = new TreeStore(tree)
    this.base = new BaseReader(this, rows, head.sequence)
  }

  /** Open the state of a backend, rebuild the tree's upper levels and check them against the last root. */
  static async open(options: WorldStateOptions): Promise<WorldState> {
    const { backend } = options
    const stored = backend.getSync(HEAD_KEY)
    const known = stored === undefined ? undefined : decodeHead(stored)
    const treeBits = options.treeBits ?? known?.treeBits ?? DEFAULT_TREE_BITS
    if (known !== undefined && known.treeBits !== treeBits) {
      const message = `the state database was created with tree bits ${known.treeBits}, not ${treeBits}`
      throw new LedgerError('config_invalid', message, { hint: `Set state.tree_bits = ${known.treeBits}.` })
    }
    const cacheBytes = options.cacheBytes ?? DEFAULT_CACHE_BYTES
    const pageBytes = Math.floor(cacheBytes * PAGE_SHARE)
    const rows = new RowCache(backend, cacheBytes - pageBytes)
    rows.context = options.context
    await rows.loadTables()
    const depths = new BucketDepths(treeBits, known?.moved)
    const tree = new StateTree(depths, pageBytes, (bucket) => backend.getSync(TreeStore.pageKey(depths, bucket)))
    const head = known ?? { sequence: 0, height: 0, treeBits, moved: 0, root: EMPTY_HASH }
    const world = new WorldState(backend, rows, tree, head)
    await world.store.load(backend)
    if (!sameBytes(tree.root, head.root)) {
      throw stateCorrupt(
        `state tree of height ${head.height} is corrupt: root ${tree.root.toString('hex')}, recorded ${head.root.toString('hex')}`,
      )
    }
    return world
  }

  /** Committed records, always the latest. */
  get reader(): StateReader & RowReader {
    return this.rows
  }

  /** Height of the last committed block; 0 before genesis. */
  get height(): number {
    return this.head.height
  }

  /** State root after the last committed block. */
  get root(): Buffer {
    return this.head.root
  }

  /** Number of commits so far. */
  get sequence(): number {
    return this.head.sequence
  }

  /** Estimated bytes held in caches; at most `cacheBytes`. */
  get cachedBytes(): number {
    return this.rows.cachedBytes + this.tree.cachedBytes
  }

  /** Set the resolver of open enums from now on, after a switch of the ABI. */
  setContext(context: CodecContext): void {
    this.rows.context = context
  }

  /** Overlay on the committed state; valid until the next commit. */
  overlay(): Overlay {
    return new Overlay(this.base)
  }

  /**
   * Encode the changes that are not encoded yet, and compute the root after them. Changes nothing; the overlay stays
   * usable.
   */
  prepare(overlay: Overlay): StateCandidate {
    if (overlay.parent !== this.base) throw new Error('the overlay is not based on the committed state')
    const context = this.rows.context
    return this.prepareRows(overlay.changes().map(({ row, held }) => ({ row, bytes: bytesOfHeld(held, context) })))
  }

  /** Candidate of rows in canonical bytes (snapshots, repair); each row once. */
  prepareRows(rows: readonly CandidateRow[]): StateCandidate {
    this.assertHealthy()
    const leaves: LeafChange[] = rows.map(({ row, bytes }) => ({
      keyHash: keyHashOf(rowKeyBytes(row)),
      valueHash: bytes === undefined ? undefined : valueHashOf(bytes),
    }))
    const update = this.tree.computeUpdate(leaves)
    return { root: update.root, rows, base: this.sequence, update }
  }

  /**
   * Commit a candidate. Readers see it at once; it is in the database when the promise resolves. An I/O error rejects
   * and makes this object unusable: memory is ahead of the disk, and the node must stop.
   */
  async commit(candidate: StateCandidate, options: CommitOptions): Promise<void> {
    while (this.writing !== undefined) await this.writing
    this.assertHealthy()
    if (candidate.base !== this.sequence) throw new Error('the candidate is based on a superseded state')
    const batch = this.switchTo(candidate, options)
    this.writing = this.write(batch)
    await this.writing
    this.assertHealthy()
  }

  /** Record of a row key with its proof under the committed root. */
  prove(row: RowKey): ProvenRow {
    return {
      bytes: this.rows.bytesOf(row),
      proof: this.tree.prove(rowKeyBytes(row)),
      root: this.root,
      height: this.height,
    }
  }

  /** Canonical bytes of a row. */
  rowBytes(row: RowKey): Buffer | undefined {
    return this.rows.bytesOf(row)
  }

  /** Hash of a row's value in the tree; undefined if the tree has no such row. */
  recordedHash(row: RowKey): Buffer | undefined {
    return this.tree.valueHashOf(rowKeyBytes(row))
  }

  /** Entry of the read indexes. */
  indexGet(key: Uint8Array): Buffer | undefined {
    return this.backend.getSync(prefixedDbKey(SPACE.index, key))
  }

  /** Entries of the read indexes in byte order, at the time when the iteration began. */
  indexRange(range: IndexRange): AsyncIterable<readonly [Buffer, Buffer]> {
    return indexEntriesOf(this.backend, range)
  }

  /**
   * Remove entries of the read indexes that no block in progress writes. Resolves once the removal is on disk together
   * with the state of the last committed block; the caller may then remove blocks that a start from an older state
   * would need.
   */
  async dropIndexes(keys: readonly Uint8Array[]): Promise<void> {
    this.assertHealthy()
    const batch = this.backend.batch()
    for (const key of keys) batch.del(prefixedDbKey(SPACE.index, key))
    // An empty batch is not written, and would sync nothing.
    if (keys.length === 0) batch.del(metaDbKey('none'))
    await batch.write({ sync: true })
  }

  /** All rows in byte order of their keys, at the time when the iteration began (snapshots). */
  async *allRows(): AsyncIterable<CandidateRow> {
    await this.writing
    const range: KeyRange = { gte: Buffer.of(SPACE.row), lt: Buffer.of(SPACE.row + 1) }
    for await (const [key, value] of this.backend.range(range)) {
      yield { row: key.toString('latin1', 1), bytes: value }
    }
  }

  /**
   * Records of a table in the byte order of their keys, after the given key; not a snapshot across batches. `maxBytes`:
   * size beyond which the range ends; includes the record that exceeds it.
   */
  async rowRange<K, V>(table: TableDef<K, V>, range: TableRange<K>): Promise<{ key: K; value: V; bytes: number }[]> {
    await this.writing
    return rowsOf(this.backend, table, range, this.rows.context)
  }

  /**
   * Write a named value of the node's own bookkeeping at once; values that change with a block are written with its
   * commit.
   */
  async keepMeta(name: string, value: Uint8Array): Promise<void> {
    while (this.writing !== undefined) await this.writing
    this.assertHealthy()
    const batch = this.backend.batch()
    batch.put(metaDbKey(name), viewOf(value))
    await batch.write()
  }

  /** Named value of the node's own bookkeeping. */
  meta(name: string): Buffer | undefined {
    return this.backend.getSync(metaDbKey(name))
  }

  /** State of the last commit, unaffected by later commits until it is closed (snapshots). */
  async frozen(): Promise<FrozenState> {
    while (this.writing !== undefined) await this.writing
    this.assertHealthy()
    const { base, moved } = this.tree.depths
    return new FrozenState(this.backend.frozen(), this.head, new BucketDepths(base, moved), this.rows.context)
  }

  /** State of the last commit for reads and discarded overlays. `cacheBytes`: maximum bytes of decoded rows. */
  async heightState(cacheBytes: number): Promise<HeightState> {
    while (this.writing !== undefined) await this.writing
    this.assertHealthy()
    return new HeightState(this.backend.frozen(), cacheBytes)
  }

  /** Wait for the current batch and close the backend. */
  async close(): Promise<void> {
    await this.writing
    await this.backend.close()
  }

  /** Switch the in-memory state to the candidate and fill the batch. After a failure the object is unusable. */
  private switchTo(candidate: StateCandidate, options: CommitOptions): StateBatch {
    try {
      const batch = this.backend.batch()
      const { tree, store } = this
      const sequence = this.sequence + 1
      tree.apply(candidate.update)
      store.persist(candidate.update, sequence, batch)
      if (tree.isCrowded(candidate.update)) store.persistMoved(tree.deepen(), batch)
      for (const { row, bytes } of candidate.rows) {
        this.rows.replace(row, bytes)
        if (bytes === undefined) batch.del(rowDbKey(row))
        else batch.put(rowDbKey(row), bytes)
      }
      addSideData(batch, options)
      const { base, moved } = tree.depths
      const head = { sequence, height: options.height, treeBits: base, moved, root: candidate.root }
      batch.put(HEAD_KEY, encodeHead(head))
      this.head = head
      this.base = new BaseReader(this, this.rows, head.sequence)
      return batch
    } catch (cause) {
      this.failure = new Error('cannot switch the state', { cause })
      throw this.failure
    }
  }

  private async write(batch: StateBatch): Promise<void> {
    try {
      await batch.write()
      this.rows.rowsWritten()
      this.tree.pagesWritten()
    } catch (cause) {
      this.failure = new Error('cannot write the state database', { cause })
    } finally {
      this.writing = undefined
    }
  }

  private assertHealthy(): void {
    if (this.failure !== undefined) throw this.failure
  }
}

/** View of the bytes for the backend, which copies its input. */
const viewOf = (bytes: Uint8Array): Buffer =>
  Buffer.isBuffer(bytes) ? bytes : Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length)

function addSideData(batch: StateBatch, options: CommitOptions): void {
  for (const key of options.indexes?.del ?? []) batch.del(prefixedDbKey(SPACE.index, key))
  for (const [key, value] of options.indexes?.put ?? []) {
    batch.put(prefixedDbKey(SPACE.index, key), viewOf(value))
  }
  for (const [name, value] of options.meta ?? []) {
    if (value === undefined) batch.del(metaDbKey(name))
    else batch.put(metaDbKey(name), viewOf(value))
  }
}
