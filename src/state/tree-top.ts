/**
 * Owns the upper levels of the state tree: flat arrays in heap order (root 1, children of i at 2i and 2i + 1), one hash
 * and one saturating leaf count (0, 1, many) per node. The counts drive the rise of a lone leaf and exact deletion.
 */
import { HASH_BYTES, HASH_WORDS, innerHashWords, wordsOf } from '../crypto/hash.js'
import type { BucketDepths } from './bucket-depths.js'

/** Count that means "more than one". */
export const MANY = 2

/** New contents of nodes, sorted by node index; of one level except for buckets. */
export interface LevelChange {
  readonly nodes: Uint32Array
  /** One hash per node, concatenated; in separate memory, so that its words have the byte order of the machine. */
  readonly hashes: Buffer
  readonly counts: Uint8Array
}

/** Levels from the root down to the buckets. */
export class TreeTop {
  hashes: Buffer
  counts: Uint8Array
  /** Memory of the hashes, as words. */
  private words: Int32Array

  /** Uses 2^(depth + 1) * 33 bytes of memory, for the greatest depth of a bucket. */
  constructor(private readonly depths: BucketDepths) {
    const nodes = 2 * 2 ** (depths.moved > 0 ? depths.deep : depths.base)
    this.hashes = Buffer.alloc(nodes * HASH_BYTES)
    this.words = wordsOf(this.hashes)
    this.counts = new Uint8Array(nodes)
  }

  /** Allocate the greater depth. */
  deepen(): void {
    const nodes = 2 * 2 ** this.depths.deep
    if (this.counts.length === nodes) return
    const { hashes, counts } = this
    this.hashes = Buffer.alloc(nodes * HASH_BYTES)
    this.hashes.set(hashes)
    this.words = wordsOf(this.hashes)
    this.counts = new Uint8Array(nodes)
    this.counts.set(counts)
  }

  /** Hash of a node, copied. */
  hashOf(node: number): Buffer {
    return Buffer.from(this.hashes.subarray(node * HASH_BYTES, (node + 1) * HASH_BYTES))
  }

  /** Recompute everything above the buckets. */
  rebuild(): void {
    const { base, deep, moved } = this.depths
    if (moved > 0) {
      for (let depth = deep - 1; depth >= base; depth -= 1) {
        this.recompute(2 ** depth, 2 ** depth + moved * 2 ** (depth - base))
      }
    }
    this.recompute(1, 2 ** base)
  }

  /** Recompute the nodes [from, to) from their children, the last one first. */
  recompute(from: number, to: number): void {
    for (let node = to - 1; node >= from; node -= 1) {
      const left = this.counts[2 * node]!
      const total = left + this.counts[2 * node + 1]!
      const { words } = this
      const start = 2 * node * HASH_WORDS
      this.counts[node] = Math.min(MANY, total)
      if (total >= MANY) innerHashWords(words, start, words, start + HASH_WORDS, words, node * HASH_WORDS)
      // A lone leaf rises; without leaves both are zero.
      else copyHash(words, left === 1 ? start : start + HASH_WORDS, words, node * HASH_WORDS)
    }
  }

  /** Changes of every level up to the root for changed buckets of both depths; nothing is modified. */
  propagate(buckets: LevelChange): LevelChange[] {
    const { depths } = this
    const levels: LevelChange[] = []
    // Moved buckets come first in key order, and last in node order.
    let deep = 0
    while (deep < buckets.nodes.length && depths.isDeep(buckets.nodes[deep]!)) deep += 1
    let level = buckets
    if (deep > 0) {
      level = part(buckets, 0, deep)
      for (let depth = depths.deep; depth > depths.base; depth -= 1) {
        levels.push(level)
        level = this.parentsOf(level)
      }
      level = joined(level, part(buckets, deep, buckets.nodes.length))
    }
    levels.push(level)
    for (let depth = depths.base; depth > 0; depth -= 1) {
      level = this.parentsOf(level)
      levels.push(level)
    }
    return levels
  }

  /** Apply changes computed by `propagate`. */
  apply(levels: readonly LevelChange[]): void {
    for (const { nodes, hashes, counts } of levels) {
      const words = wordsOf(hashes)
      for (let at = 0; at < nodes.length; at += 1) {
        const node = nodes[at]!
        copyHash(words, at * HASH_WORDS, this.words, node * HASH_WORDS)
        this.counts[node] = counts[at]!
      }
    }
  }

  private parentsOf(below: LevelChange): LevelChange {
    const most = below.nodes.length
    const nodes = new Uint32Array(most)
    const hashes = Buffer.allocUnsafeSlow(most * HASH_BYTES)
    const counts = new Uint8Array(most)
    const changed = wordsOf(below.hashes)
    const target = wordsOf(hashes)
    let size = 0
    for (let at = 0; at < most; size += 1) {
      const parent = below.nodes[at]! >>> 1
      let leftWords = this.words
      let rightWords = this.words
      let leftAt = 2 * parent * HASH_WORDS
      let rightAt = leftAt + HASH_WORDS
      let left = this.counts[2 * parent]!
      let right = this.counts[2 * parent + 1]!
      // One or both children changed; siblings are adjacent.
      for (; at < most && below.nodes[at]! >>> 1 === parent; at += 1) {
        if ((below.nodes[at]! & 1) === 1) {
          rightWords = changed
          rightAt = at * HASH_WORDS
          right = below.counts[at]!
        } else {
          leftWords = changed
          leftAt = at * HASH_WORDS
          left = below.counts[at]!
        }
      }
      nodes[size] = parent
      counts[size] = Math.min(MANY, left + right)
      if (left + right >= MANY) innerHashWords(leftWords, leftAt, rightWords, rightAt, target, size * HASH_WORDS)
      else if (left === 1) copyHash(leftWords, leftAt, target, size * HASH_WORDS)
      else copyHash(rightWords, rightAt, target, size * HASH_WORDS)
    }
    return part({ nodes, hashes, counts }, 0, size)
  }
}

/** Part `from` to `to` of a list of changes. */
const part = ({ nodes, hashes, counts }: LevelChange, from: number, to: number): LevelChange => ({
  nodes: nodes.subarray(from, to),
  hashes: hashes.subarray(from * HASH_BYTES, to * HASH_BYTES),
  counts: counts.subarray(from, to),
})

/** Join two parts of the changes of one level. */
function joined(first: LevelChange, second: LevelChange): LevelChange {
  const size = first.nodes.length
  const nodes = new Uint32Array(size + second.nodes.length)
  const counts = new Uint8Array(nodes.length)
  nodes.set(first.nodes)
  nodes.set(second.nodes, size)
  counts.set(first.counts)
  counts.set(second.counts, size)
  const hashes = Buffer.allocUnsafeSlow(nodes.length * HASH_BYTES)
  hashes.set(first.hashes)
  hashes.set(second.hashes, size * HASH_BYTES)
  return { nodes, counts, hashes }
}

/** Copy a hash: for so few words a loop takes a fifth of the time of the runtime's copy. */
function copyHash(source: Int32Array, from: number, target: Int32Array, to: number): void {
  for (let word = 0; word < HASH_WORDS; word += 1) target[to + word] = source[from + word]!
}
