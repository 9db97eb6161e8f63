/**
 * Owns the upper levels of the state tree: flat arrays in heap order (root 1, children of i at 2i and 2i + 1), one hash
 * and one saturating leaf count (0, 1, many) per node. The counts drive the rise of a lone leaf and exact deletion.
 */
import { HASH_BYTES, innerHashInto } from '../crypto/hash.js'

/** The count that means "more than one". */
export const MANY = 2

/** New contents of some nodes of one level, sorted by node index. */
export interface LevelChange {
  readonly nodes: Uint32Array
  /** One hash per node, concatenated. */
  readonly hashes: Buffer
  readonly counts: Uint8Array
}

/** The upper levels down to 2^bits buckets. */
export class TreeTop {
  readonly hashes: Buffer
  readonly counts: Uint8Array
  /** Node index of bucket 0. */
  readonly firstBucket: number

  /** @param bits depth of the buckets; 2^(bits + 1) * 33 bytes of memory */
  constructor(readonly bits: number) {
    this.firstBucket = 2 ** bits
    this.hashes = Buffer.alloc(2 * this.firstBucket * HASH_BYTES)
    this.counts = new Uint8Array(2 * this.firstBucket)
  }

  /** Hash of a node, copied. */
  hashOf(node: number): Buffer {
    return Buffer.from(this.hashes.subarray(node * HASH_BYTES, (node + 1) * HASH_BYTES))
  }

  /** Recomputes everything above the buckets. */
  rebuild(): void {
    for (let node = this.firstBucket - 1; node >= 1; node -= 1) {
      const left = this.counts[2 * node]!
      const total = left + this.counts[2 * node + 1]!
      const start = 2 * node * HASH_BYTES
      this.counts[node] = Math.min(MANY, total)
      if (total >= MANY) {
        innerHashInto(this.hashes.subarray(start, start + 2 * HASH_BYTES), this.hashes, node * HASH_BYTES)
      } else {
        copyLone(this.hashes, start, left, this.hashes, node * HASH_BYTES)
      }
    }
  }

  /** The changes of every level up to the root that follow from changed buckets; nothing is modified. */
  propagate(buckets: LevelChange): LevelChange[] {
    const levels = [buckets]
    for (let depth = this.bits; depth > 0; depth -= 1) levels.push(this.parentsOf(levels[levels.length - 1]!))
    return levels
  }

  /** Takes over changes computed by `propagate`. */
  apply(levels: readonly LevelChange[]): void {
    for (const level of levels) {
      for (let at = 0; at < level.nodes.length; at += 1) {
        const node = level.nodes[at]!
        level.hashes.copy(this.hashes, node * HASH_BYTES, at * HASH_BYTES, (at + 1) * HASH_BYTES)
        this.counts[node] = level.counts[at]!
      }
    }
  }

  private parentsOf(below: LevelChange): LevelChange {
    const most = below.nodes.length
    const nodes = new Uint32Array(most)
    const hashes = Buffer.allocUnsafe(most * HASH_BYTES)
    const counts = new Uint8Array(most)
    const pair = Buffer.allocUnsafe(2 * HASH_BYTES)
    let size = 0
    for (let at = 0; at < most; size += 1) {
      const parent = below.nodes[at]! >>> 1
      this.hashes.copy(pair, 0, 2 * parent * HASH_BYTES, (2 * parent + 2) * HASH_BYTES)
      let left = this.counts[2 * parent]!
      let right = this.counts[2 * parent + 1]!
      // One or both children changed; siblings stand next to each other.
      for (; at < most && below.nodes[at]! >>> 1 === parent; at += 1) {
        const isRight = (below.nodes[at]! & 1) === 1
        below.hashes.copy(pair, isRight ? HASH_BYTES : 0, at * HASH_BYTES, (at + 1) * HASH_BYTES)
        if (isRight) right = below.counts[at]!
        else left = below.counts[at]!
      }
      nodes[size] = parent
      counts[size] = Math.min(MANY, left + right)
      if (left + right >= MANY) innerHashInto(pair, hashes, size * HASH_BYTES)
      else copyLone(pair, 0, left, hashes, size * HASH_BYTES)
    }
    return {
      nodes: nodes.subarray(0, size),
      hashes: hashes.subarray(0, size * HASH_BYTES),
      counts: counts.subarray(0, size),
    }
  }
}

/** Copies the hash of a lone leaf up from two children; without any leaf both are zero. */
function copyLone(children: Buffer, start: number, leftCount: number, target: Buffer, at: number): void {
  const from = leftCount === 1 ? start : start + HASH_BYTES
  children.copy(target, at, from, from + HASH_BYTES)
}
