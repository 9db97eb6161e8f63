/** Owns the state tree of one node: computes updates without modifying it, applies them, and proves records. */
import { sameBytes } from '../base/bytes.js'
import { GenerationCache } from '../crypto/generation-cache.js'
import { HASH_BYTES } from '../crypto/hash.js'
import type { BucketDepths } from './bucket-depths.js'
import { StateFault } from './fault.js'
import {
  EMPTY_PAGE,
  type LeafChange,
  leafCount,
  leafKey,
  leafValue,
  mergePage,
  splitAt,
  splitPage,
  subtreeHash,
  valueIn,
} from './leaf-page.js'
import { keyHashOf, pathBit, type StateProof } from './proof.js'
import { type LevelChange, MANY, TreeTop } from './tree-top.js'

/** Effect of a set of changes on the tree. */
export interface TreeUpdate {
  readonly root: Buffer
  /** Changed buckets in the order of keys. */
  readonly buckets: LevelChange
  /** New pages of the buckets, in the same order; empty if no leaf is left. */
  readonly pages: readonly Buffer[]
  /** Changed nodes per level, from the deepest buckets to the root; empty if nothing changed. */
  readonly levels: readonly LevelChange[]
}

/** Buckets whose leaves moved to deeper ones. */
export interface MovedBuckets {
  /** Removed buckets. */
  readonly gone: Uint32Array
  /** First of the consecutive buckets that have these leaves now. */
  readonly first: number
  /** Pages of those buckets; empty for buckets without leaves. */
  readonly pages: readonly Buffer[]
}

/**
 * Average leaves per bucket beyond which a tree deepens; below, reading the other leaves costs less than the memory.
 */
const CROWDED_LEAVES = 4
/**
 * Number of buckets moved at once, by a block that changes at least half as many: fewer changed buckets are too small a
 * sample of the average, and a small block should not wait for a large move.
 */
const MOVED_AT_ONCE = 256

const NO_BUCKETS: LevelChange = { nodes: new Uint32Array(0), hashes: Buffer.alloc(0), counts: new Uint8Array(0) }

/** Memory overhead of a cached page, in bytes. */
const PAGE_OVERHEAD_BYTES = 250

/** Tree over all records. Its upper levels are in memory, leaf pages are read through a cache. */
export class StateTree {
  readonly top: TreeTop
  private readonly cache: GenerationCache<Buffer, number>
  /** Current pages that may not have reached the backend yet. */
  private readonly unwritten = new Map<number, Buffer>()

  /**
   * @param depths depths of the buckets
   * @param cacheBytes maximum bytes of cached leaf pages
   * @param loadPage reads a page from the backend
   */
  constructor(
    readonly depths: BucketDepths,
    cacheBytes: number,
    private readonly loadPage: (bucket: number) => Buffer | undefined,
  ) {
    this.top = new TreeTop(depths)
    this.cache = new GenerationCache(cacheBytes, 'state_pages')
  }

  /** Root of the applied state. */
  get root(): Buffer {
    return this.top.hashOf(1)
  }

  /** Bytes of cached pages. */
  get cachedBytes(): number {
    return this.cache.weight
  }

  /** Compute the effect of changes on the applied state without modifying it. Each key may occur at most once. */
  computeUpdate(changes: readonly LeafChange[]): TreeUpdate {
    if (changes.length === 0) return { root: this.root, buckets: NO_BUCKETS, pages: [], levels: [] }
    const sorted = sortedByKey(changes)
    const nodes = new Uint32Array(sorted.length)
    const hashes = Buffer.allocUnsafeSlow(sorted.length * HASH_BYTES)
    const counts = new Uint8Array(sorted.length)
    const pages: Buffer[] = []
    for (let from = 0; from < sorted.length; ) {
      const bucket = this.depths.bucketOf(sorted[from]!.keyHash)
      let to = from + 1
      while (to < sorted.length && this.depths.bucketOf(sorted[to]!.keyHash) === bucket) {
        if (sorted[to]!.keyHash.equals(sorted[to - 1]!.keyHash)) throw new Error('state tree: a key was changed twice')
        to += 1
      }
      const page = mergePage(this.page(bucket), sorted, from, to)
      const at = pages.length
      nodes[at] = bucket
      counts[at] = Math.min(MANY, leafCount(page))
      hashes.set(subtreeHash(page, 0, leafCount(page), this.depths.depthOf(bucket)), at * HASH_BYTES)
      pages.push(page)
      from = to
    }
    const size = pages.length
    const buckets: LevelChange = {
      nodes: nodes.subarray(0, size),
      hashes: hashes.subarray(0, size * HASH_BYTES),
      counts: counts.subarray(0, size),
    }
    const levels = this.top.propagate(buckets)
    return { root: Buffer.from(levels[levels.length - 1]!.hashes), buckets, pages, levels }
  }

  /** Apply an update, which must have been computed on exactly this state. */
  apply(update: TreeUpdate): void {
    this.top.apply(update.levels)
    update.pages.forEach((page, at) => {
      this.unwritten.set(update.buckets.nodes[at]!, page)
    })
  }

  /** True if an update shows that buckets have too many leaves, and is large enough to move some of them. */
  isCrowded({ pages }: TreeUpdate): boolean {
    if (!this.depths.canDeepen || 2 * pages.length < this.movedAtOnce) return false
    // During a move most pages may belong to deep buckets already.
    if (this.depths.moved > 0) return true
    // Keys are evenly distributed, so the changed buckets are a fair sample.
    return pages.reduce((sum, page) => sum + leafCount(page), 0) > CROWDED_LEAVES * pages.length
  }

  /**
   * Move the leaves of the next buckets to deeper ones. No hash above changes, so the root stays; an update computed
   * before becomes unusable.
   */
  deepen(): MovedBuckets {
    const { depths, top, movedAtOnce } = this
    const { base, deep, moved } = depths
    const from = 2 ** base + moved
    const gone = Uint32Array.from({ length: movedAtOnce }, (_, at) => from + at)
    const pages = [...gone].flatMap((bucket) => splitPage(this.page(bucket), base, deep))
    const kept = Buffer.from(top.hashes.subarray(from * HASH_BYTES, (from + movedAtOnce) * HASH_BYTES))
    top.deepen()
    const first = 2 ** deep + moved * 2 ** (deep - base)
    for (const [at, page] of pages.entries()) {
      top.counts[first + at] = Math.min(MANY, leafCount(page))
      top.hashes.set(subtreeHash(page, 0, leafCount(page), deep), (first + at) * HASH_BYTES)
      this.unwritten.set(first + at, page)
    }
    for (let depth = deep - 1; depth >= base; depth -= 1) {
      const width = 2 ** (depth - base)
      top.recompute(2 ** depth + moved * width, 2 ** depth + (moved + movedAtOnce) * width)
    }
    if (!sameBytes(kept, top.hashes.subarray(from * HASH_BYTES, (from + movedAtOnce) * HASH_BYTES))) {
      throw new StateFault(
        `state tree: the pages of buckets ${moved} to ${moved + movedAtOnce - 1} do not match their hashes`,
      )
    }
    for (const bucket of gone) {
      this.unwritten.delete(bucket)
      this.cache.delete(bucket)
    }
    depths.moved += movedAtOnce
    return { gone, first, pages }
  }

  /** Mark every applied page as stored in the backend. */
  pagesWritten(): void {
    for (const [bucket, page] of this.unwritten) this.cache.set(bucket, page, page.length + PAGE_OVERHEAD_BYTES)
    this.unwritten.clear()
  }

  /** Proof under the applied root that the record has its value, or does not exist. */
  prove(rowKeyBytes: Uint8Array): StateProof {
    const keyHash = keyHashOf(rowKeyBytes)
    const { top } = this
    const siblings: Buffer[] = []
    let node = 1
    let depth = 0
    const bits = this.depths.depthOf(this.depths.bucketOf(keyHash))
    for (; depth < bits && top.counts[node] === MANY; depth += 1) {
      const child = 2 * node + pathBit(keyHash, depth)
      siblings.push(top.hashOf(child ^ 1))
      node = child
    }
    if (top.counts[node] === 0) return { siblings, other: undefined }
    if (depth < bits) {
      // A lone leaf has risen to this node: it is in the only non-empty bucket below.
      while (!this.depths.isBucket(node)) node = top.counts[2 * node] === 0 ? 2 * node + 1 : 2 * node
      return { siblings, other: foreign(this.page(node), 0, keyHash) }
    }
    const page = this.page(node)
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

  /** Value hash of a record; undefined if it does not exist. */
  valueHashOf(rowKeyBytes: Uint8Array): Buffer | undefined {
    const keyHash = keyHashOf(rowKeyBytes)
    return valueIn(this.page(this.depths.bucketOf(keyHash)), keyHash)
  }

  /** Number of buckets moved by one block: whole chunks of the store. */
  private get movedAtOnce(): number {
    return Math.min(MOVED_AT_ONCE, 2 ** this.depths.base)
  }

  private page(bucket: number): Buffer {
    if (this.top.counts[bucket] === 0) return EMPTY_PAGE
    const held = this.unwritten.get(bucket) ?? this.cache.get(bucket)
    if (held !== undefined) return held
    const page = this.loadPage(bucket)
    if (page === undefined) throw new Error(`state tree: the page of bucket ${bucket} is missing`)
    this.cache.set(bucket, page, page.length + PAGE_OVERHEAD_BYTES)
    return page
  }
}

/** Changes in byte order of their key hashes; the first six bytes decide almost every comparison. */
function sortedByKey(changes: readonly LeafChange[]): LeafChange[] {
  const keyed = changes.map((change) => ({ head: change.keyHash.readUIntBE(0, 6), change }))
  keyed.sort((left, right) => left.head - right.head || left.change.keyHash.compare(right.change.keyHash))
  return keyed.map((entry) => entry.change)
}

/** Leaf as the other record of an exclusion proof; undefined if it is the record itself. */
function foreign(page: Buffer, at: number, keyHash: Buffer): StateProof['other'] {
  if (leafKey(page, at).equals(keyHash)) return undefined
  return { keyHash: Buffer.from(leafKey(page, at)), valueHash: Buffer.from(leafValue(page, at)) }
}
