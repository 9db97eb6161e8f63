/**
 * Owns the counts of hits and misses of caches, in memory shared by threads: one thread counts, another one exports
 * them.
 */

/** Counted caches; the index in this list is the index of the counters in memory. */
const CACHES = ['blocks', 'state_rows', 'state_pages', 'contract_modules', 'verified_transactions'] as const
export type CountedCache = (typeof CACHES)[number]

/** Reads of one cache since the process started. */
export interface CacheReads {
  readonly cache: CountedCache
  readonly hits: number
  readonly misses: number
}

/** Counters of this thread: hits, then misses, of each cache. */
let own: Float64Array = new Float64Array(2 * CACHES.length)
/** Counters of successive ledger threads; they survive the end of a thread. */
const ofLedger = new Float64Array(new SharedArrayBuffer(own.byteLength))
const shown: readonly Float64Array[] = [own, ofLedger]

/** Memory for the counters of a ledger thread that is about to start; it uses them through `countInto`. */
export const countsForThread = (): Float64Array => ofLedger

/** Redirect the counters of this thread to shared memory. */
export function countInto(counts: Float64Array): void {
  own = counts
}

/** Count the reads of one cache. */
export function readCounter(cache: CountedCache): (isHit: boolean) => void {
  const place = 2 * CACHES.indexOf(cache)
  return (isHit) => {
    const at = isHit ? place : place + 1
    own[at] = (own[at] ?? 0) + 1
  }
}

/** Reads of all caches, of this thread and of the threads that share their counters. */
export const cacheReads = (): readonly CacheReads[] =>
  CACHES.map((cache, at) => ({ cache, hits: sumAt(2 * at), misses: sumAt(2 * at + 1) }))

const sumAt = (at: number): number => shown.reduce((sum, counts) => sum + (counts[at] ?? 0), 0)
