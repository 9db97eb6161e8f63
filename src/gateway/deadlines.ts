/** Owns the time that answers have: one timer for all requests, because all have the same time. */

/** A wait that ends in one of two ways. */
export interface Deadline {
  /** Monotonic ms. */
  readonly atMs: number
  readonly onLate: () => void
}

export class Deadlines {
  /** In the order of their start, which is the order of their end. */
  private readonly waiting = new Set<Deadline>()
  private timer: NodeJS.Timeout | undefined

  constructor(private readonly timeoutMs: number) {}

  /** Starts a wait; `onLate` is called once unless it is met before. */
  start(onLate: () => void): Deadline {
    const deadline = { atMs: performance.now() + this.timeoutMs, onLate }
    this.waiting.add(deadline)
    if (this.timer === undefined) this.arm(this.timeoutMs)
    return deadline
  }

  /** Ends a wait; false when it was too late. */
  met(deadline: Deadline): boolean {
    return this.waiting.delete(deadline)
  }

  private arm(afterMs: number): void {
    this.timer = setTimeout(() => this.look(), afterMs)
    // Nothing waits for an answer when nothing else keeps the process.
    this.timer.unref()
  }

  /** End overdue requests, and schedule the next check. */
  private look(): void {
    this.timer = undefined
    const nowMs = performance.now()
    for (const deadline of this.waiting) {
      if (deadline.atMs > nowMs) {
        this.arm(Math.ceil(deadline.atMs - nowMs))
        return
      }
      this.waiting.delete(deadline)
      deadline.onLate()
    }
  }
}
