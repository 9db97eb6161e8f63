/**
 * Owns the rate limit of logged failures: a number per minute for all clients together, since clients have any number
 * of IPv6 addresses, and disk space is limited.
 */
import { FAILURES_NOTED_PER_MINUTE, MINUTE_MS } from './limits.js'

export class FailureNotes {
  private sinceMs = Number.NEGATIVE_INFINITY
  private noted = 0
  private leftOut = 0

  constructor(private readonly monotonicMs: () => number) {}

  /**
   * Count a failure. Returns the number of failures omitted since the last logged one, or undefined if this one is
   * omitted.
   */
  take(): number | undefined {
    const nowMs = this.monotonicMs()
    if (nowMs - this.sinceMs >= MINUTE_MS) {
      this.sinceMs = nowMs
      this.noted = 0
    }
    if (this.noted >= FAILURES_NOTED_PER_MINUTE) {
      this.leftOut += 1
      return undefined
    }
    this.noted += 1
    const { leftOut } = this
    this.leftOut = 0
    return leftOut
  }
}
