/**
 * Owns the queued transactions that the builder skips for a while, because a block with them was too slow on this node.
 */
import { PAUSE_DOUBLINGS_MAX, PAUSE_MS, SHARED_PAUSE_DOUBLINGS_MAX } from './limits.js'

/** True if a transaction was slow by itself, false if only its block was. */
export type PauseCause = 'slow' | 'shared'

/**
 * Pauses of queued transactions, by id; removed with the transactions, so that their number is bounded by the queue.
 */
export class Pauses {
  /** Number of pauses of each transaction. */
  private readonly counts = new Map<string, number>()
  private readonly lasting = new Map<string, { readonly untilMs: number; readonly teu: number }>()
  private units = 0
  /** Earliest end of a pause, monotonic ms; no search is needed before it. */
  private firstEndMs = Number.POSITIVE_INFINITY

  /**
   * Pause a transaction, twice as long as the last time, up to the maximum of its cause. A call during a pause does not
   * count.
   */
  begin(key: string, teu: number, monotonicMs: number, cause: PauseCause): void {
    this.end(monotonicMs)
    if (this.lasting.has(key)) return
    const count = this.countOf(key) + 1
    this.counts.set(key, count)
    const doublings = cause === 'slow' ? PAUSE_DOUBLINGS_MAX : SHARED_PAUSE_DOUBLINGS_MAX
    this.hold(key, teu, monotonicMs + PAUSE_MS * 2 ** Math.min(count, doublings))
  }

  /** Hold a transaction until this time; does not count as a pause, since nothing was slow. */
  hold(key: string, teu: number, untilMs: number): void {
    this.stop(key)
    this.lasting.set(key, { untilMs, teu })
    this.units += teu
    this.firstEndMs = Math.min(this.firstEndMs, untilMs)
  }

  /** True while a transaction is paused. */
  has(key: string, monotonicMs: number): boolean {
    return (this.lasting.get(key)?.untilMs ?? 0) > monotonicMs
  }

  /** Number of pauses of a transaction. */
  countOf(key: string): number {
    return this.counts.get(key) ?? 0
  }

  /** Number of current pauses, and the static execution units of their transactions. */
  at(monotonicMs: number): { readonly count: number; readonly teu: number } {
    this.end(monotonicMs)
    return { count: this.lasting.size, teu: this.units }
  }

  /** Change the static cost of a transaction. */
  reprice(key: string, teu: number): void {
    const pause = this.lasting.get(key)
    if (pause === undefined) return
    this.lasting.set(key, { ...pause, teu })
    this.units += teu - pause.teu
  }

  /** Remove a transaction that left the queue. */
  remove(key: string): void {
    this.counts.delete(key)
    this.stop(key)
  }

  private stop(key: string): void {
    this.units -= this.lasting.get(key)?.teu ?? 0
    this.lasting.delete(key)
  }

  private end(monotonicMs: number): void {
    if (monotonicMs < this.firstEndMs) return
    this.firstEndMs = Number.POSITIVE_INFINITY
    for (const [key, { untilMs }] of this.lasting) {
      if (untilMs <= monotonicMs) this.stop(key)
      else this.firstEndMs = Math.min(this.firstEndMs, untilMs)
    }
  }
}
