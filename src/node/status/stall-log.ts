/** Owns the log lines about a stalled chain: on each change of the reason, and at an interval while it lasts. */
import type { StallRecord } from '../../api/index.js'
import type { Logger } from '../process/logger.js'

/** Interval between log lines about a continuing stall, in ms. */
const REPEAT_MS = 10_000

export class StallLog {
  private last: { readonly reason: string; readonly atMs: number } | undefined

  constructor(
    private readonly logger: Logger,
    /** Monotonic clock, ms. */
    private readonly monotonicMs: () => number,
  ) {}

  /** `stall`: current stall; undefined while the chain moves or is idle. */
  report(stall: StallRecord | undefined): void {
    if (stall === undefined) {
      if (this.last !== undefined) this.logger.info('the chain is no longer stalled')
      this.last = undefined
      return
    }
    const { reason, missing, text } = stall
    const nowMs = this.monotonicMs()
    if (this.last?.reason === reason && nowMs - this.last.atMs < REPEAT_MS) return
    this.last = { reason, atMs: nowMs }
    this.logger.warn({ reason, missing, since_ms: stall.sinceMs }, `the chain is stalled: ${text}`)
  }
}
