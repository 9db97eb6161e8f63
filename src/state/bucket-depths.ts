/**
 * Owns the depths of the buckets of the state tree. All have the same depth or, while a crowded tree deepens, the first
 * of them have a greater one. A bucket is the heap index of its node (root 1, children of i at 2i and 2i + 1).
 */

/** Minimum and maximum depth of the buckets; 18 uses 17 MB, 20 uses 69 MB. */
export const MIN_TREE_BITS = 4
export const MAX_TREE_BITS = 20
export const DEFAULT_TREE_BITS = 18

/** Number of levels by which a crowded tree deepens, once; four buckets replace each bucket. */
const DEEPENED_BY = 2

/** Depths of the buckets of one tree. */
export class BucketDepths {
  /** Depth of the moved buckets; the common depth if none was moved. */
  readonly deep: number
  /**
   * Heap index of the first bucket at depth `base`, and the number of buckets; stored, since computing powers per
   * bucket has a measurable cost.
   */
  private readonly first: number
  /** Heap index of the first bucket at depth `deep`, and the number of buckets there. */
  private readonly firstDeep: number

  /**
   * @param base initial depth of the tree
   * @param moved number of leading buckets at that depth whose leaves have moved deeper
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

  /** Bucket of a key. */
  bucketOf(keyHash: Buffer): number {
    const head = keyHash.readUInt32BE(0)
    const atBase = head >>> (32 - this.base)
    return atBase < this.moved ? this.firstDeep + (head >>> (32 - this.deep)) : this.first + atBase
  }

  /** Depth of a bucket. */
  depthOf(bucket: number): number {
    return this.isDeep(bucket) ? this.deep : this.base
  }

  /** True for a deepened bucket. */
  isDeep(bucket: number): boolean {
    return this.moved > 0 && bucket >= this.firstDeep
  }

  /** True for a bucket, that is a node with leaves and no child nodes. */
  isBucket(node: number): boolean {
    return this.isDeep(node) || (node >= this.first + this.moved && node < 2 * this.first)
  }

  /**
   * On-disk number of a bucket: from 0 at the first depth, as in trees that never deepened; the heap index at the
   * greater depth, which is above all numbers of the first depth.
   */
  numberOf(bucket: number): number {
    return this.isDeep(bucket) ? bucket : bucket - this.first
  }

  /** True for the on-disk number of an existing bucket, or of one whose leaves were moved. */
  isNumber(number: number): boolean {
    return (
      number < this.first ||
      (number >= this.firstDeep && number < this.firstDeep + this.moved * 2 ** (this.deep - this.base))
    )
  }

  /** Bucket of an on-disk number; undefined if its leaves were moved since then. */
  bucketOfNumber(number: number): number | undefined {
    if (number >= this.first) return number
    return number < this.moved ? undefined : this.first + number
  }
}
