/** Owns the token bucket: a steady rate with a burst. */

/** Refill rate in tokens per second, and burst size in tokens. */
export interface Rate {
  readonly perSecond: number
  readonly burst: number
}

/** Bucket that is initially full. Times are monotonic, in ms. */
export class TokenBucket {
  private tokens: number

  constructor(
    private readonly rate: Rate,
    private atMs: number,
  ) {
    this.tokens = rate.burst
  }

  /**
   * Take tokens. Returns 0, or the seconds until they are available, without taking any. More than the burst is never
   * available.
   */
  take(amount: number, monotonicMs: number): number {
    const { perSecond, burst } = this.rate
    this.tokens = Math.min(burst, this.tokens + (Math.max(0, monotonicMs - this.atMs) * perSecond) / 1000)
    this.atMs = monotonicMs
    if (this.tokens < amount) return (amount - this.tokens) / perSecond
    this.tokens -= amount
    return 0
  }

  /** Return unused tokens, up to the burst. */
  give(amount: number): void {
    this.tokens = Math.min(this.rate.burst, this.tokens + amount)
  }
}
