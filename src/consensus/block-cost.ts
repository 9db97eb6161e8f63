/** Owns the measurement of the processor time that blocks cost this node, and the median of recent blocks. */
import { PACE_BLOCKS } from './limits.js'

/** Processor time of recent blocks. */
export interface BlockCosts {
  /** Costs in ms, the newest last. */
  readonly recentMs: readonly number[]
  /** Their median in ms, 0 if none was measured. */
  readonly medianMs: number
}

/** Costs of a node that has measured nothing yet. */
export const NO_BLOCK_COSTS: BlockCosts = { recentMs: [], medianMs: 0 }

/** Add the cost of the newest block. */
export function withCost({ recentMs }: BlockCosts, costMs: number): BlockCosts {
  const recent = [...recentMs.slice(1 - PACE_BLOCKS), costMs]
  const sorted = recent.toSorted((a, b) => a - b)
  return { recentMs: recent, medianMs: sorted[Math.floor((sorted.length - 1) / 2)] ?? 0 }
}

/**
 * Meter of the processor time of the node from the first work of a height to its commit. Other work of the node in that
 * time counts too; time in which nothing waits for a block does not.
 */
export class BlockCost {
  private height = 0
  private begunMs = 0

  /** @param spentMs processor time that the node has spent so far, in ms */
  constructor(private readonly spentMs: () => number) {}

  /** Mark the first work of a height; idempotent for the same height. */
  begin(height: number): void {
    if (this.height === height) return
    this.height = height
    this.begunMs = this.spentMs()
  }

  /** Cost in ms of the height being committed; undefined if this node did no work for it. */
  end(height: number): number | undefined {
    return this.height === height ? this.spentMs() - this.begunMs : undefined
  }
}
