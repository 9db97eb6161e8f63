/** Owns latency statistics: quantiles and a text histogram. Pure. */
import { count } from '../text/figures.js'

/** Quantiles of times in ms; each is a measured value, without interpolation. */
export interface Latencies {
  readonly p50: number
  readonly p90: number
  readonly p99: number
  readonly max: number
}

/** Number of times up to the bound and above the previous bucket. */
export interface Bucket {
  /** Upper bound in ms; null for latencies above every bound. */
  readonly upToMs: number | null
  readonly count: number
}

/** Upper bounds in ms: steps of 1, 2, 5 are about even on a logarithmic scale. */
const BOUNDS_MS = [1, 2, 5, 10, 20, 50, 100, 200, 500, 1_000, 2_000, 5_000, 10_000, 20_000, 60_000]
/** Width of the longest bar, in columns. */
const BAR_COLUMNS = 40

/** Quantiles by nearest rank; undefined if nothing was measured. */
export function latenciesOf(timesMs: readonly number[]): Latencies | undefined {
  if (timesMs.length === 0) return undefined
  const sorted = Float64Array.from(timesMs).sort()
  const at = (q: number): number => sorted[Math.ceil(q * sorted.length) - 1]!
  return { p50: at(0.5), p90: at(0.9), p99: at(0.99), max: at(1) }
}

/** Buckets from the first to the last non-empty one. */
export function histogramOf(timesMs: readonly number[]): Bucket[] {
  const counts = new Array<number>(BOUNDS_MS.length + 1).fill(0)
  for (const time of timesMs) {
    const found = BOUNDS_MS.findIndex((bound) => time <= bound)
    counts[found < 0 ? BOUNDS_MS.length : found]! += 1
  }
  const first = counts.findIndex((one) => one > 0)
  const last = counts.findLastIndex((one) => one > 0)
  return counts
    .map((number, index) => ({ upToMs: BOUNDS_MS[index] ?? null, count: number }))
    .slice(Math.max(0, first), last + 1)
}

/** One line per bucket; every non-empty bucket has a bar. */
export function histogramLines(buckets: readonly Bucket[]): string[] {
  const most = Math.max(1, ...buckets.map((one) => one.count))
  return buckets.map(({ upToMs, count: number }) => {
    const bound = upToMs === null ? `> ${count(BOUNDS_MS.at(-1)!)}` : `<= ${count(upToMs)}`
    const bar = '█'.repeat(number === 0 ? 0 : Math.max(1, Math.round((number * BAR_COLUMNS) / most)))
    return `${bound.padStart(10)} ms  ${count(number).padStart(7)}  ${bar}`.trimEnd()
  })
}
