/** Owns leaf pages: the sorted leaves of one bucket as one byte string, and the subtree hash over them. */
import { HASH_BYTES, innerHash } from '../crypto/hash.js'
import { EMPTY_HASH, leafHashOf, pathBit } from './proof.js'

/** Size of a leaf in a page: key hash and value hash. */
export const LEAF_BYTES = 2 * HASH_BYTES
/** Page of an empty bucket. */
export const EMPTY_PAGE: Buffer = Buffer.alloc(0)

/** Changed record as input of the tree; without a value hash the leaf is removed. */
export interface LeafChange {
  readonly keyHash: Buffer
  readonly valueHash: Buffer | undefined
}

/** Number of leaves. */
export const leafCount = (page: Buffer): number => Math.floor(page.length / LEAF_BYTES)
/** Key hash of a leaf, as a view. */
export const leafKey = (page: Buffer, at: number): Buffer =>
  page.subarray(at * LEAF_BYTES, at * LEAF_BYTES + HASH_BYTES)
/** Value hash of a leaf, as a view. */
export const leafValue = (page: Buffer, at: number): Buffer =>
  page.subarray(at * LEAF_BYTES + HASH_BYTES, (at + 1) * LEAF_BYTES)

/** Value hash of a record in a page, or undefined if there is none. */
export function valueIn(page: Buffer, keyHash: Buffer): Buffer | undefined {
  for (let at = 0; at < leafCount(page); at += 1) {
    if (leafKey(page, at).equals(keyHash)) return Buffer.from(leafValue(page, at))
  }
  return undefined
}

/**
 * Merge changes into a page.
 *
 * @param page sorted by key hash
 * @param changes list sorted by key hash, each key once; `from` to `to` of it are applied
 */
export function mergePage(page: Buffer, changes: readonly LeafChange[], from: number, to: number): Buffer {
  const out = Buffer.allocUnsafeSlow(page.length + (to - from) * LEAF_BYTES)
  let size = 0
  let at = 0
  for (let index = from; index < to; index += 1) {
    const change = changes[index]!
    while (at < page.length) {
      const order = page.compare(change.keyHash, 0, HASH_BYTES, at, at + HASH_BYTES)
      if (order > 0) break
      if (order < 0) size += page.copy(out, size, at, at + LEAF_BYTES)
      at += LEAF_BYTES
      if (order === 0) break
    }
    if (change.valueHash !== undefined) {
      out.set(change.keyHash, size)
      out.set(change.valueHash, size + HASH_BYTES)
      size += LEAF_BYTES
    }
  }
  size += page.copy(out, size, at)
  return out.subarray(0, size)
}

/** First leaf of [from, to) whose bit at the depth is 1; `to` if there is none. */
export function splitAt(page: Buffer, from: number, to: number, depth: number): number {
  let low = from
  let high = to
  while (low < high) {
    const middle = (low + high) >>> 1
    if (pathBit(leafKey(page, middle), depth) === 1) high = middle
    else low = middle + 1
  }
  return low
}

/** Split the page of a bucket at depth `from` into pages of buckets at depth `to`, including empty ones. */
export function splitPage(page: Buffer, from: number, to: number): Buffer[] {
  // Copied to separate memory: a view would pin the whole page.
  if (from === to) return [Buffer.from(new Uint8Array(page).buffer)]
  const middle = splitAt(page, 0, leafCount(page), from) * LEAF_BYTES
  return [page.subarray(0, middle), page.subarray(middle)].flatMap((half) => splitPage(half, from + 1, to))
}

/** Hash of the subtree at a depth with exactly the leaves [from, to), which share all bits above. */
export function subtreeHash(page: Buffer, from: number, to: number, depth: number): Buffer {
  if (from === to) return EMPTY_HASH
  if (to - from === 1) return leafHashOf(leafKey(page, from), leafValue(page, from))
  const middle = splitAt(page, from, to, depth)
  return innerHash(subtreeHash(page, from, middle, depth + 1), subtreeHash(page, middle, to, depth + 1))
}
