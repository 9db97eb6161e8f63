/** Owns the bounded cache shared by crypto and state: two generations in plain maps, without bookkeeping per read. */
import { type CountedCache, readCounter } from './cache-counts.js'

interface Entry<V> {
  readonly value: V
  readonly weight: number
}

/**
 * Map bounded by total weight (entries, or bytes, as the caller counts). Entries are in a fresh and an old generation,
 * each at most half the bound; when the fresh generation is full, it becomes the old one, and the previous old one is
 * dropped. A hit in the old generation moves the entry to the fresh one. Reads cost about as much as with a
 * least-recently-used list, writes a third.
 */
export class GenerationCache<V, K extends string | number = string> {
  private fresh = new Map<K, Entry<V>>()
  private old = new Map<K, Entry<V>>()
  private freshWeight = 0
  private oldWeight = 0
  private readonly half: number
  private readonly count: ((isHit: boolean) => void) | undefined

  /**
   * @param maxWeight maximum sum of weights, in the caller's unit
   * @param counted name under which its reads are counted; undefined: not counted
   */
  constructor(
    readonly maxWeight: number,
    counted?: CountedCache,
  ) {
    this.half = maxWeight / 2
    this.count = counted && readCounter(counted)
  }

  /** Current sum of the weights; never above `maxWeight`. */
  get weight(): number {
    return this.freshWeight + this.oldWeight
  }

  /** Value of a key, or undefined. */
  get(key: K): V | undefined {
    const value = this.find(key)
    this.count?.(value !== undefined)
    return value
  }

  /** Store a value; a value heavier than half the bound is not stored. */
  set(key: K, value: V, weight = 1): void {
    if (weight > this.half) this.delete(key)
    else this.insert(key, { value, weight })
  }

  /** Remove a key. */
  delete(key: K): void {
    const inFresh = this.fresh.get(key)
    if (inFresh !== undefined) {
      this.fresh.delete(key)
      this.freshWeight -= inFresh.weight
    }
    const inOld = this.old.get(key)
    if (inOld !== undefined) {
      this.old.delete(key)
      this.oldWeight -= inOld.weight
    }
  }

  /** Remove everything. */
  clear(): void {
    this.fresh = new Map()
    this.old = new Map()
    this.freshWeight = 0
    this.oldWeight = 0
  }

  private find(key: K): V | undefined {
    const hit = this.fresh.get(key)
    if (hit !== undefined) return hit.value
    const aged = this.old.get(key)
    if (aged === undefined) return undefined
    // It also stays in the old generation, hidden by the fresh one: deleting from a map costs more than the memory.
    this.insert(key, aged)
    return aged.value
  }

  private insert(key: K, entry: Entry<V>): void {
    const replaced = this.fresh.get(key)
    if (replaced !== undefined) this.freshWeight -= replaced.weight
    if (this.freshWeight + entry.weight > this.half) {
      if (replaced !== undefined) this.fresh.delete(key)
      this.old = this.fresh
      this.oldWeight = this.freshWeight
      this.fresh = new Map()
      this.freshWeight = 0
    }
    this.fresh.set(key, entry)
    this.freshWeight += entry.weight
  }
}
