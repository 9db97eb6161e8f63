/** Owns lane counters: totals of blocks, and deferrals of this node's own proposals. */
import type { LaneCommitment } from '../../lanes/index.js'
import type { Deferrals } from '../../queue/index.js'

/** Totals of one lane since the node started. */
export interface LaneTotals {
  readonly transactions: number
  readonly teu: number
  readonly bytes: number
  readonly deferrals: Deferrals
}

const NONE: LaneTotals = { transactions: 0, teu: 0, bytes: 0, deferrals: { capExceeded: 0, blockFull: 0 } }

export class LaneTelemetry {
  private readonly byLane = new Map<number, LaneTotals>()

  /** Totals by lane. */
  get totals(): ReadonlyMap<number, LaneTotals> {
    return this.byLane
  }

  /** Add the lanes of a committed block. */
  committed(commitments: readonly LaneCommitment[]): void {
    for (const { lane, txCount, teu, bytes } of commitments) {
      const before = this.byLane.get(lane) ?? NONE
      this.byLane.set(lane, {
        ...before,
        transactions: before.transactions + txCount,
        teu: before.teu + teu,
        bytes: before.bytes + bytes,
      })
    }
  }

  /** Add the transactions that a block built by this node deferred. */
  deferred(deferrals: ReadonlyMap<number, Deferrals>): void {
    for (const [lane, { capExceeded, blockFull }] of deferrals) {
      const before = this.byLane.get(lane) ?? NONE
      this.byLane.set(lane, {
        ...before,
        deferrals: {
          capExceeded: before.deferrals.capExceeded + capExceeded,
          blockFull: before.deferrals.blockFull + blockFull,
        },
      })
    }
  }
}
