/** Owns timing and cancellation of an execution. */
import { SYSTEM_CLOCKS } from '../../base/clocks.js'
import type { LedgerResponse } from './protocol.js'

/** Execution time from which a transaction is slow, in ms; correctly priced transactions are much faster. */
export const SLOW_MS = 150

/** Time of an execution. */
export type ExecutionTime = LedgerResponse<'execute'>['took']

/** Time of a skipped execution. */
export const NO_TIME: ExecutionTime = { ms: 0, slow: [] }

/** Monitor of one execution of a block; times never affect the result. */
export class ExecutionWatch {
  private startedMs: number | undefined
  private markMs = 0
  private readonly slow: number[] = []

  /**
   * @param goesOn returns true while the block is still needed
   * @param monotonicMs monotonic clock, ms
   */
  constructor(
    private readonly goesOn: () => boolean,
    private readonly monotonicMs = SYSTEM_CLOCKS.monotonicMs,
  ) {}

  /**
   * Called before each transaction and after the last one, with the number executed so far; false ends the execution.
   */
  readonly between = (ran: number): boolean => {
    const nowMs = this.monotonicMs()
    this.startedMs ??= nowMs
    if (ran > 0 && nowMs - this.markMs > SLOW_MS) this.slow.push(ran - 1)
    this.markMs = nowMs
    return this.goesOn()
  }

  /** Execution time so far. */
  get took(): ExecutionTime {
    if (this.startedMs === undefined) return NO_TIME
    return { ms: Math.round(this.monotonicMs() - this.startedMs), slow: this.slow }
  }
}
