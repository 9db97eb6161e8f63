/**
 * Owns the state tree on disk. Each block writes, in the batch of its rows, the changed leaf pages, one delta record
 * (bucket, count, hash of every changed bucket) and the dirty chunks of its turn. Every chunk has one turn in a cycle
 * of blocks, so a delta is not needed after a cycle, and a block writes at most its part of the chunks. Opening reads
 * the chunks, then the deltas from the oldest, and recomputes the levels above, independently of the number of records.
 */

import { HASH_BYTES } from '../crypto/hash.js'
import type { StateBackend, StateBatch } from './backend.js'
import type { BucketDepths } from './bucket-depths.js'
import { stateCorrupt } from './fault.js'
import { numberedDbKey, numberOfDbKey, SPACE } from './key-space.js'
import type { MovedBuckets, StateTree, TreeUpdate } from './state-tree.js'
import type { LevelChange } from './tree-top.js'

/**
 * Number of blocks in which every dirty chunk is written. A chunk of 8 kB is written for a change of 33 bytes; with
 * cycles of 64 blocks, chunks were a quarter of the work of a small block. An opening reads the deltas of one cycle, 37
 * bytes per change.
 */
export const CYCLE_BLOCKS = 512
/** Buckets per chunk: 8.4 kB. */
const CHUNK_BUCKETS = 256
/** Size of a bucket in a chunk: count and hash. */
const BUCKET_BYTES = 1 + HASH_BYTES
/** Size of a bucket in a delta: number, count and hash. */
const DELTA_BYTES = 4 + BUCKET_BYTES

/**
 * Writer and loader of the tree of one world. Buckets have the numbers of `BucketDepths`, and chunks are numbered
 * accordingly.
 */
export class TreeStore {
  private readonly chunkBuckets: number
  /** Chunks whose hashes differ from those on disk. */
  private readonly dirty = new Set<number>()

  constructor(private readonly tree: StateTree) {
    this.chunkBuckets = Math.min(CHUNK_BUCKETS, 2 ** tree.depths.base)
  }

  /** Database key of a bucket's leaf page. */
  static pageKey(depths: BucketDepths, bucket: number): Buffer {
    return numberedDbKey(SPACE.page, depths.numberOf(bucket))
  }

  /**
   * Add an applied update to the batch.
   *
   * @param sequence number of this commit, one more than the last
   */
  persist(update: TreeUpdate, sequence: number, batch: StateBatch): void {
    const { depths } = this.tree
    const { nodes } = update.buckets
    update.pages.forEach((page, at) => {
      const key = TreeStore.pageKey(depths, nodes[at]!)
      if (page.length === 0) batch.del(key)
      else batch.put(key, page)
    })
    if (nodes.length > 0) batch.put(numberedDbKey(SPACE.delta, sequence), this.deltaOf(update.buckets))
    for (const bucket of nodes) this.dirty.add(this.chunkOf(bucket))
    this.writeTurn(sequence % CYCLE_BLOCKS, batch)
    // All changes of that delta have since been written with their chunks.
    if (sequence > CYCLE_BLOCKS) batch.del(numberedDbKey(SPACE.delta, sequence - CYCLE_BLOCKS))
  }

  /** Add the move of buckets to the batch of the update before it. */
  persistMoved({ gone, first, pages }: MovedBuckets, batch: StateBatch): void {
    const { depths } = this.tree
    // Removed buckets of the first depth have no number any more.
    for (const bucket of gone) batch.del(numberedDbKey(SPACE.page, bucket - 2 ** depths.base))
    const chunk = (gone[0]! - 2 ** depths.base) / this.chunkBuckets
    batch.del(numberedDbKey(SPACE.chunk, chunk))
    this.dirty.delete(chunk)
    for (const [at, page] of pages.entries()) {
      if (page.length > 0) batch.put(TreeStore.pageKey(depths, first + at), page)
    }
    for (let at = 0; at < pages.length; at += this.chunkBuckets) this.writeChunk(this.chunkOf(first + at), batch)
  }

  /** Fill the tree from the backend. The caller compares the root with the expected one. */
  async load(backend: StateBackend): Promise<void> {
    const { top, depths } = this.tree
    const everything = (space: number) => ({ gte: Buffer.of(space), lt: Buffer.of(space + 1) })
    for await (const [key, value] of backend.range(everything(SPACE.chunk))) {
      const chunk = numberOfDbKey(key)
      const isKnown = depths.isNumber(chunk * this.chunkBuckets)
      if (!isKnown || value.length !== this.chunkBuckets * BUCKET_BYTES) {
        throw stateCorrupt(`state tree: chunk ${chunk} is corrupt`)
      }
      for (let at = 0; at < this.chunkBuckets; at += 1) {
        this.fill(chunk * this.chunkBuckets + at, value.subarray(at * BUCKET_BYTES, (at + 1) * BUCKET_BYTES))
      }
    }
    for await (const [key, value] of backend.range(everything(SPACE.delta))) {
      if (value.length % DELTA_BYTES !== 0) throw stateCorrupt(`state tree: delta ${numberOfDbKey(key)} is corrupt`)
      for (let at = 0; at < value.length; at += DELTA_BYTES) {
        const number = value.readUInt32BE(at)
        if (!depths.isNumber(number)) throw stateCorrupt(`state tree: delta ${numberOfDbKey(key)} is corrupt`)
        const bucket = this.fill(number, value.subarray(at + 4, at + DELTA_BYTES))
        // The chunk on disk may be older than this delta.
        if (bucket !== undefined) this.dirty.add(this.chunkOf(bucket))
      }
    }
    top.rebuild()
  }

  /** Read count and hash of a numbered bucket; undefined if its leaves were moved since then. */
  private fill(number: number, record: Buffer): number | undefined {
    const { depths, top } = this.tree
    const bucket = depths.bucketOfNumber(number)
    if (bucket === undefined) return undefined
    top.counts[bucket] = record[0]!
    top.hashes.set(record.subarray(1), bucket * HASH_BYTES)
    return bucket
  }

  private deltaOf({ nodes, hashes, counts }: LevelChange): Buffer {
    const out = Buffer.allocUnsafe(nodes.length * DELTA_BYTES)
    for (let at = 0; at < nodes.length; at += 1) {
      const start = at * DELTA_BYTES
      out.writeUInt32BE(this.tree.depths.numberOf(nodes[at]!), start)
      out[start + 4] = counts[at]!
      out.set(hashes.subarray(at * HASH_BYTES, (at + 1) * HASH_BYTES), start + 5)
    }
    return out
  }

  /** Chunk of a bucket. */
  private chunkOf(bucket: number): number {
    return Math.floor(this.tree.depths.numberOf(bucket) / this.chunkBuckets)
  }

  /** Write the dirty chunks of one turn of the cycle. */
  private writeTurn(turn: number, batch: StateBatch): void {
    const { base, deep, moved } = this.tree.depths
    const write = (from: number, to: number): void => {
      const first = from + ((((turn - from) % CYCLE_BLOCKS) + CYCLE_BLOCKS) % CYCLE_BLOCKS)
      for (let chunk = first; chunk < to; chunk += CYCLE_BLOCKS) {
        if (this.dirty.delete(chunk)) this.writeChunk(chunk, batch)
      }
    }
    write(0, 2 ** base / this.chunkBuckets)
    if (moved > 0) write(2 ** deep / this.chunkBuckets, 2 ** (deep + 1) / this.chunkBuckets)
  }

  private writeChunk(chunk: number, batch: StateBatch): void {
    const { depths, top } = this.tree
    const out = Buffer.alloc(this.chunkBuckets * BUCKET_BYTES)
    for (let at = 0; at < this.chunkBuckets; at += 1) {
      const bucket = depths.bucketOfNumber(chunk * this.chunkBuckets + at)
      if (bucket === undefined) throw stateCorrupt(`state tree: chunk ${chunk} contains no buckets`)
      const count = top.counts[bucket]!
      // In a small ledger most buckets are empty, and their records stay zero.
      if (count === 0) continue
      out[at * BUCKET_BYTES] = count
      out.set(top.hashes.subarray(bucket * HASH_BYTES, (bucket + 1) * HASH_BYTES), at * BUCKET_BYTES + 1)
    }
    batch.put(numberedDbKey(SPACE.chunk, chunk), out)
  }
}
