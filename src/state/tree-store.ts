/**
 * Owns the state tree on disk. Each block writes, in the batch of its rows: the changed leaf pages, one delta record
 * (bucket, count, hash of every changed bucket) and the dirty chunks whose turn it is. Every chunk has its turn once in
 * a cycle of blocks, so a delta is not needed after a cycle, and no block writes more than that part of the buckets.
 * Opening reads chunks, then deltas from the oldest on, and recomputes the levels above: independent of the record count.
 */
import { HASH_BYTES } from '../crypto/hash.js'
import type { StateBackend, StateBatch } from './backend.js'
import { numberedDbKey, numberOfDbKey, SPACE } from './key-space.js'
import type { StateTree, TreeUpdate } from './state-tree.js'

/**
 * Blocks after which every dirty chunk has been written. A chunk of 8 kB is written for a change of 33 bytes: with cycles
 * of 64 blocks chunks were a quarter of the work of a small block. An opening reads as many deltas, 37 bytes per change.
 */
export const CYCLE_BLOCKS = 512
/** Buckets of one chunk: 8.4 kB. */
const CHUNK_BUCKETS = 256
/** A bucket in a chunk: count and hash. */
const BUCKET_BYTES = 1 + HASH_BYTES
/** A bucket in a delta: number, count and hash. */
const DELTA_BYTES = 4 + BUCKET_BYTES

/** Writes and reloads the tree of one world. */
export class TreeStore {
  private readonly chunkBuckets: number
  private readonly dirty: Uint8Array

  /** Database key of a bucket's leaf page. */
  static pageKey(bucket: number): Buffer {
    return numberedDbKey(SPACE.page, bucket)
  }

  constructor(private readonly tree: StateTree) {
    this.chunkBuckets = Math.min(CHUNK_BUCKETS, tree.top.firstBucket)
    this.dirty = new Uint8Array(tree.top.firstBucket / this.chunkBuckets)
  }

  /**
   * Adds an applied update to the batch.
   *
   * @param sequence number of this commit, one more than that of the last
   */
  persist(update: TreeUpdate, sequence: number, batch: StateBatch): void {
    update.pages.forEach((page, at) => {
      const key = TreeStore.pageKey(update.buckets[at]!)
      if (page.length === 0) batch.del(key)
      else batch.put(key, page)
    })
    if (update.buckets.length > 0) batch.put(numberedDbKey(SPACE.delta, sequence), this.deltaOf(update))
    for (const bucket of update.buckets) this.dirty[Math.floor(bucket / this.chunkBuckets)] = 1
    for (let chunk = sequence % CYCLE_BLOCKS; chunk < this.dirty.length; chunk += CYCLE_BLOCKS) {
      if (this.dirty[chunk] === 0) continue
      batch.put(numberedDbKey(SPACE.chunk, chunk), this.chunkOf(chunk))
      this.dirty[chunk] = 0
    }
    // Whatever that delta changed has been written with its chunk since.
    if (sequence > CYCLE_BLOCKS) batch.del(numberedDbKey(SPACE.delta, sequence - CYCLE_BLOCKS))
  }

  /** Fills the tree from the backend. The caller compares the root with the one it expects. */
  async load(backend: StateBackend): Promise<void> {
    const { top } = this.tree
    const everything = (space: number) => ({ gte: Buffer.of(space), lt: Buffer.of(space + 1) })
    for await (const [key, value] of backend.range(everything(SPACE.chunk))) {
      const chunk = numberOfDbKey(key)
      if (chunk >= this.dirty.length || value.length !== this.chunkBuckets * BUCKET_BYTES) {
        throw new Error(`state tree: chunk ${chunk} is damaged`)
      }
      for (let at = 0; at < this.chunkBuckets; at += 1) {
        const node = top.firstBucket + chunk * this.chunkBuckets + at
        top.counts[node] = value[at * BUCKET_BYTES]!
        top.hashes.set(value.subarray(at * BUCKET_BYTES + 1, (at + 1) * BUCKET_BYTES), node * HASH_BYTES)
      }
    }
    for await (const [key, value] of backend.range(everything(SPACE.delta))) {
      if (value.length % DELTA_BYTES !== 0) throw new Error(`state tree: delta ${numberOfDbKey(key)} is damaged`)
      for (let at = 0; at < value.length; at += DELTA_BYTES) {
        const bucket = value.readUInt32BE(at)
        if (bucket >= top.firstBucket) throw new Error(`state tree: delta ${numberOfDbKey(key)} is damaged`)
        top.counts[top.firstBucket + bucket] = value[at + 4]!
        top.hashes.set(value.subarray(at + 5, at + DELTA_BYTES), (top.firstBucket + bucket) * HASH_BYTES)
        // The chunk on disk may be older than this delta.
        this.dirty[Math.floor(bucket / this.chunkBuckets)] = 1
      }
    }
    top.rebuild()
  }

  private deltaOf(update: TreeUpdate): Buffer {
    const level = update.levels[0]!
    const out = Buffer.allocUnsafe(update.buckets.length * DELTA_BYTES)
    for (let at = 0; at < update.buckets.length; at += 1) {
      const start = at * DELTA_BYTES
      out.writeUInt32BE(update.buckets[at]!, start)
      out[start + 4] = level.counts[at]!
      out.set(level.hashes.subarray(at * HASH_BYTES, (at + 1) * HASH_BYTES), start + 5)
    }
    return out
  }

  private chunkOf(chunk: number): Buffer {
    const { top } = this.tree
    const out = Buffer.allocUnsafe(this.chunkBuckets * BUCKET_BYTES)
    for (let at = 0; at < this.chunkBuckets; at += 1) {
      const node = top.firstBucket + chunk * this.chunkBuckets + at
      out[at * BUCKET_BYTES] = top.counts[node]!
      out.set(top.hashes.subarray(node * HASH_BYTES, (node + 1) * HASH_BYTES), at * BUCKET_BYTES + 1)
    }
    return out
  }
}
