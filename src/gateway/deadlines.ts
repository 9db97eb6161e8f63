/** Owns the deadlines of responses; all requests have the same timeout, so that one timer is sufficient. */

/** Wait that ends with `met` or at its deadline. */
export interface Deadline {
  /** Deadline on the monotonic clock, ms. */
  readonly atMs: number
  readonly onLate: () => void
}

export class Deadlines {
  /** In order of their start, which is the order of their deadlines. */
  private readonly waiting = new Set<Deadline>()
  private timer: NodeJS.Timeout | undefined

  constructor(private readonly timeoutMs: number) {}

  /** Start a wait; `onLate` is called once, unless the wait ends before its deadline. */
  start(onLate: () => void): Deadline {
    const deadline = { atMs: performance.now() + this.timeoutMs, onLate }
    this.waiting.add(deadline)
    if (this.timer === undefined) this.arm(this.timeoutMs)
    return deadline
  }

  /** End a wait; false if its deadline has passed. */
  met(deadline: Deadline): boolean {
    return this.waiting.delete(deadline)
  }

  private arm(afterMs: number): void {
    this.timer = setTimeout(() => this.look(), afterMs)
    // The timer alone must not keep the process alive.
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
