/** Owns the counts of the gateway's fuzzing: how many requests, what they were answered, and whether the heap grew. */
import { expect } from 'vitest'
import { collectedHeapBytes } from '../../support/collected-heap.js'
import { TEST_MS } from '../../support/ports.js'

/** Requests of each kind; `npm run soak -- --gateway-fuzz N` raises it, `--seed N` makes others. */
const COUNT = Number(process.env['CAUSEWAY_GATEWAY_FUZZ'] ?? 300)
export const FUZZ_RUNS = { numRuns: COUNT, seed: Number(process.env['CAUSEWAY_GATEWAY_FUZZ_SEED'] ?? 20_260_101) }
/** Longest time of one test, in ms. */
export const FUZZ_TIMEOUT_MS = TEST_MS + 20 * COUNT
/** Requests after which caches are warm and growth is a leak. */
const WARM = 2_000
/** Growth that a run may show: caches with a bound of their own still fill. */
const GROWTH_MAX_BYTES = 16 * 1024 * 1024

export class FuzzFigures {
  private readonly statuses = new Map<number, number>()
  private total = 0
  private warmBytes: number | undefined

  constructor(private readonly what: string) {}

  /** Counts an answer. */
  note(status: number): void {
    this.statuses.set(status, (this.statuses.get(status) ?? 0) + 1)
    this.total += 1
    if (this.total === WARM) this.warmBytes = collectedHeapBytes()
  }

  /** Fails when the heap grew; tells the figures of a long run. */
  expectBoundedHeap(): void {
    if (this.warmBytes === undefined) return
    const grown = collectedHeapBytes() - this.warmBytes
    const statuses = [...this.statuses].sort(([a], [b]) => a - b).map(([status, count]) => `${status}: ${count}`)
    const heap = `heap ${(this.warmBytes / 1e6).toFixed(1)} MB after ${WARM}, ${(grown / 1e6).toFixed(1)} MB more at the end`
    process.stdout.write(`${this.total} ${this.what} (${statuses.join(', ')}); ${heap}\n`)
    expect(grown).toBeLessThan(GROWTH_MAX_BYTES)
  }
}
