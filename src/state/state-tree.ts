/** Owns the state tree of one node: computes updates without changing anything, applies them, and proves records. */
import { GenerationCache } from '../crypto/generation-cache.js'
import { HASH_BYTES } from '../crypto/hash.js'
import {
  EMPTY_PAGE,
  type LeafChange,
  leafCount,
  leafKey,
  leafValue,
  mergePage,
  splitAt,
  subtreeHash,
} from './leaf-page.js'
import { EMPTY_HASH, keyHashOf, pathBit, type StateProof } from './proof.js'
import { type LevelChange, MANY, TreeTop } from './tree-top.js'

/** Least and greatest depth of the buckets; 18 takes 17 MB and suits up to some three million records. */
export const MIN_TREE_BITS = 4
export const MAX_TREE_BITS = 20
export const DEFAULT_TREE_BITS = 18

/** What one set of changes does to the tree. */
export interface TreeUpdate {
  readonly root: Buffer
  /** Changed buckets, ascending. */
  readonly buckets: Uint32Array
  /** Their new pages, in the same order; empty when no leaf is left. */
  readonly pages: readonly Buffer[]
  /** Changed nodes per level, from the buckets to the root; empty without changes. */
  readonly levels: readonly LevelChange[]
}

/** Memory of one cached page besides its leaves, in bytes. */
const PAGE_OVERHEAD_BYTES = 250

/** The tree over all records. Its upper levels are in memory, leaf pages are read through a cache. */
export class StateTree {
  readonly top: TreeTop
  private readonly cache: GenerationCache<Buffer, number>
  /** Pages that are current but may not have reached the backend yet. */
  private readonly unwritten = new Map<number, Buffer>()

  /**
   * @param bits depth of the buckets, 4 to 20
   * @param cacheBytes bound on cached leaf pages
   * @param loadPage reads a page from the backend
   */
  constructor(
    readonly bits: number,
    cacheBytes: number,
    private readonly loadPage: (bucket: number) => Buffer | undefined,
  ) {
    if (!Number.isInteger(bits) || bits < MIN_TREE_BITS || bits > MAX_TREE_BITS) {
      throw new Error(`tree bits must be ${MIN_TREE_BITS} to ${MAX_TREE_BITS}, got ${bits}`)
    }
    this.top = new TreeTop(bits)
    this.cache = new GenerationCache(cacheBytes)
  }

  /** Root of the applied state. */
  get root(): Buffer {
    return this.top.hashOf(1)
  }

  /** Bytes of pages held in the cache. */
  get cachedBytes(): number {
    return this.cache.weight
  }

  /** The effect of changes on the applied state; nothing is modified. Each key at most once. */
  computeUpdate(changes: readonly LeafChange[]): TreeUpdate {
    if (changes.length === 0) return { root: this.root, buckets: new Uint32Array(0), pages: [], levels: [] }
    const sorted = sortedByKey(changes)
    const buckets = new Uint32Array(sorted.length)
    const nodes = new Uint32Array(sorted.length)
    const hashes = Buffer.allocUnsafe(sorted.length * HASH_BYTES)
    const counts = new Uint8Array(sorted.length)
    const pages: Buffer[] = []
    for (let from = 0; from < sorted.length; ) {
      const bucket = this.bucketOf(sorted[from]!.keyHash)
      let to = from + 1
      while (to < sorted.length && this.bucketOf(sorted[to]!.keyHash) === bucket) {
        if (sorted[to]!.keyHash.equals(sorted[to - 1]!.keyHash)) throw new Error('state tree: a key was changed twice')
        to += 1
      }
      const page = mergePage(this.page(bucket), sorted, from, to)
      const at = pages.length
      buckets[at] = bucket
      nodes[at] = this.top.firstBucket + bucket
      counts[at] = Math.min(MANY, leafCount(page))
      hashes.set(subtreeHash(page, 0, leafCount(page), this.bits), at * HASH_BYTES)
      pages.push(page)
      from = to
    }
    const size = pages.length
    const levels = this.top.propagate({
      nodes: nodes.subarray(0, size),
      hashes: hashes.subarray(0, size * HASH_BYTES),
      counts: counts.subarray(0, size),
    })
    return { root: Buffer.from(levels[levels.length - 1]!.hashes), buckets: buckets.subarray(0, size), pages, levels }
  }

  /** Makes an update the current state. It must have been computed on exactly this state. */
  apply(update: TreeUpdate): void {
    this.top.apply(update.levels)
    update.pages.forEach((page, at) => {
      this.unwritten.set(update.buckets[at]!, page)
    })
  }

  /** Tells that the backend holds every applied page now. */
  pagesWritten(): void {
    for (const [bucket, page] of this.unwritten) this.cache.set(bucket, page, page.length + PAGE_OVERHEAD_BYTES)
    this.unwritten.clear()
  }

  /** The proof that the record has its value, or that it does not exist, under the applied root. */
  prove(rowKeyBytes: Uint8Array): StateProof {
    const keyHash = keyHashOf(rowKeyBytes)
    const { top } = this
    const siblings: Buffer[] = []
    let node = 1
    let depth = 0
    for (; depth < this.bits && top.counts[node] === MANY; depth += 1) {
      const child = 2 * node + pathBit(keyHash, depth)
      siblings.push(top.hashOf(child ^ 1))
      node = child
    }
    if (top.counts[node] === 0) return { siblings, other: undefined }
    if (depth < this.bits) {
      // A lone leaf has risen to here: it is in the one bucket below that is not empty.
      while (node < top.firstBucket) node = top.counts[2 * node] === 0 ? 2 * node + 1 : 2 * node
      return { siblings, other: foreign(this.page(node - top.firstBucket), 0, keyHash) }
    }
    const page = this.page(node - top.firstBucket)
    let from = 0
    let to = leafCount(page)
    for (; to - from > 1; depth += 1) {
      const middle = splitAt(page, from, to, depth)
      if (pathBit(keyHash, depth) === 1) {
        siblings.push(subtreeHash(page, from, middle, depth + 1))
        from = middle
      } else {
        siblings.push(subtreeHash(page, middle, to, depth + 1))
        to = middle
      }
    }
    return { siblings, other: from === to ? undefined : foreign(page, from, keyHash) }
  }

  /** Value hash of a record, or undefined when there is none. */
  valueHashOf(rowKeyBytes: Uint8Array): Buffer | undefined {
    const keyHash = keyHashOf(rowKeyBytes)
    const page = this.page(this.bucketOf(keyHash))
    for (let at = 0; at < leafCount(page); at += 1) {
      if (leafKey(page, at).equals(keyHash)) return Buffer.from(leafValue(page, at))
    }
    return undefined
  }

  private bucketOf(keyHash: Buffer): number {
    return keyHash.readUInt32BE(0) >>> (32 - this.bits)
  }

  private page(bucket: number): Buffer {
    if (this.top.counts[this.top.firstBucket + bucket] === 0) return EMPTY_PAGE
    const held = this.unwritten.get(bucket) ?? this.cache.get(bucket)
    if (held !== undefined) return held
    const page = this.loadPage(bucket)
    if (page === undefined) throw new Error(`state tree: the page of bucket ${bucket} is missing`)
    this.cache.set(bucket, page, page.length + PAGE_OVERHEAD_BYTES)
    return page
  }
}

/** The changes in byte order of their key hashes; almost all orders are decided by the first six bytes. */
function sortedByKey(changes: readonly LeafChange[]): LeafChange[] {
  const keyed = changes.map((change) => ({ head: change.keyHash.readUIntBE(0, 6), change }))
  keyed.sort((left, right) => left.head - right.head || left.change.keyHash.compare(right.change.keyHash))
  return keyed.map((entry) => entry.change)
}

/** The leaf as the other record of an exclusion proof; undefined when it is the record itself. */
function foreign(page: Buffer, at: number, keyHash: Buffer): StateProof['other'] {
  if (leafKey(page, at).equals(keyHash)) return undefined
  return { keyHash: Buffer.from(leafKey(page, at)), valueHash: Buffer.from(leafValue(page, at)) }
}

/** Root of a state without records. */
export const EMPTY_ROOT: Buffer = EMPTY_HASH
