/** Owns the log lines about a chain that does not move: when the reason changes, and now and then while it stays. */
import type { StallRecord } from '../../api/index.js'
import type { Logger } from '../process/logger.js'

/** A stall that lasts is logged again after this many ms. */
const REPEAT_MS = 10_000

export class StallLog {
  private last: { readonly reason: string; readonly atMs: number } | undefined

  constructor(
    private readonly logger: Logger,
    /** Monotonic ms. */
    private readonly monotonicMs: () => number,
  ) {}

  /** `stall`: as of now; undefined while the chain moves or has nothing to do. */
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
