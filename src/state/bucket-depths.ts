/**
 * Owns the depths of the buckets of the state tree: all at one depth, or while a crowded tree deepens, the first of
 * them already at a greater one. A bucket is the heap index of its node (root 1, children of i at 2i and 2i + 1).
 */

/** Minimum and maximum depth of the buckets; 18 uses 17 MB, 20 uses 69 MB. */
export const MIN_TREE_BITS = 4
export const MAX_TREE_BITS = 20
export const DEFAULT_TREE_BITS = 18

/** Bits by which a crowded tree deepens, once: four buckets for each. */
const DEEPENED_BY = 2

/** Depths of the buckets of one tree. */
export class BucketDepths {
  /** Depth of the moved buckets; the depth of all if none was moved. */
  readonly deep: number
  /** Heap index of the first bucket at the depth `base`, and how many there are. Powers are not taken for each bucket: it shows. */
  private readonly first: number
  /** The same at the depth `deep`. */
  private readonly firstDeep: number

  /**
   * @param base depth that the tree began with
   * @param moved buckets at that depth, from the first on, whose leaves stand deeper by now
   */
  constructor(
    readonly base: number,
    public moved = 0,
  ) {
    if (!Number.isInteger(base) || base < MIN_TREE_BITS || base > MAX_TREE_BITS) {
      throw new Error(`tree bits must be ${MIN_TREE_BITS} to ${MAX_TREE_BITS}, got ${base}`)
    }
    this.deep = Math.min(base + DEEPENED_BY, MAX_TREE_BITS)
    this.first = 2 ** base
    this.firstDeep = 2 ** this.deep
    if (moved > this.first) throw new Error(`${moved} buckets were moved, of ${this.first}`)
  }

  /** True if some buckets can be deepened. */
  get canDeepen(): boolean {
    return this.deep > this.base && this.moved < this.first
  }

  /** The bucket of a key. */
  bucketOf(keyHash: Buffer): number {
    const head = keyHash.readUInt32BE(0)
    const atBase = head >>> (32 - this.base)
    return atBase < this.moved ? this.firstDeep + (head >>> (32 - this.deep)) : this.first + atBase
  }

  /** Depth of a bucket. */
  depthOf(bucket: number): number {
    return this.isDeep(bucket) ? this.deep : this.base
  }

  /** True for a bucket that was deepened. */
  isDeep(bucket: number): boolean {
    return this.moved > 0 && bucket >= this.firstDeep
  }

  /** True for a bucket: a node with leaves and no nodes below it. */
  isBucket(node: number): boolean {
    return this.isDeep(node) || (node >= this.first + this.moved && node < 2 * this.first)
  }

  /**
   * Number of a bucket on disk: from 0 on at the first depth, as before trees deepened; the heap index at the greater one,
   * which is above all of those.
   */
  numberOf(bucket: number): number {
    return this.isDeep(bucket) ? bucket : bucket - this.first
  }

  /** True for a number on disk of a bucket that is there, or was before its leaves were moved. */
  isNumber(number: number): boolean {
    return (
      number < this.first ||
      (number >= this.firstDeep && number < this.firstDeep + this.moved * 2 ** (this.deep - this.base))
    )
  }

  /** The bucket of a number on disk; undefined for one whose leaves were moved since. */
  bucketOfNumber(number: number): number | undefined {
    if (number >= this.first) return number
    return number < this.moved ? undefined : this.first + number
  }
}
