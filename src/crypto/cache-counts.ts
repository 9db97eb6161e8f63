/** Owns the counts of hits and misses of caches, in memory that threads share: one thread counts in place, another one shows them. */

/** Counted caches; the index in this list is the index of the counters in memory. */
const CACHES = ['blocks', 'state_rows', 'state_pages', 'contract_modules', 'verified_transactions'] as const
export type CountedCache = (typeof CACHES)[number]

/** Reads of one cache since the process started. */
export interface CacheReads {
  readonly cache: CountedCache
  readonly hits: number
  readonly misses: number
}

/** Where this thread counts: hits, then misses, of each cache. */
let own: Float64Array = new Float64Array(2 * CACHES.length)
/** Where the ledger thread counts, one after the other: what one counted stays when it ends. */
const ofLedger = new Float64Array(new SharedArrayBuffer(own.byteLength))
const shown: readonly Float64Array[] = [own, ofLedger]

/** Memory for the counts of a ledger thread that is about to start, which counts into it by `countInto`. */
export const countsForThread = (): Float64Array => ofLedger

/** Redirect the counters of this thread to shared memory. */
export function countInto(counts: Float64Array): void {
  own = counts
}

/** Counts the reads of one cache. */
export function readCounter(cache: CountedCache): (isHit: boolean) => void {
  const place = 2 * CACHES.indexOf(cache)
  return (isHit) => {
    const at = isHit ? place : place + 1
    own[at] = (own[at] ?? 0) + 1
  }
}

/** Reads of all caches, of this thread and of those that count for it. */
export const cacheReads = (): readonly CacheReads[] =>
  CACHES.map((cache, at) => ({ cache, hits: sumAt(2 * at), misses: sumAt(2 * at + 1) }))

const sumAt = (at: number): number => shown.reduce((sum, counts) => sum + (counts[at] ?? 0), 0)
