/** Owns the limit of static execution units up to which a proposer draws transactions for a block. */

/** Growth of the limit with each block that fits: it doubles within eight blocks. */
const GROWTH = 1.1
/**
 * Minimum drawn share of the units of the chain. Without it, a sender of a few transactions with a low static cost and
 * much work would leave the next fifty blocks of each proposer almost empty.
 */
const SHARE_MIN = 1 / 2

/**
 * Draw limit of this proposer, below the limit of the chain. Some transactions, such as payments of messages, use more
 * units in execution than their static cost. If the units of a block run out before its last transaction, the block is
 * executed again without the rest. The limit keeps most blocks from being executed twice.
 */
export class DrawUnits {
  private limit = Number.POSITIVE_INFINITY

  /** Static units to draw: at most the allowed units, and at least half of them. */
  within(allowed: number): number {
    return Math.min(allowed, Math.max(this.limit, allowed * SHARE_MIN))
  }

  /** Record that a block fits. */
  fitted(): void {
    this.limit *= GROWTH
  }

  /**
   * Record that the units of a block ran out at one of the drawn transactions. If that is the first one, no sum is
   * known to fit.
   */
  ranOutAt(index: number, drawn: readonly { readonly teu: number }[]): void {
    if (index === 0) return
    const fitting = drawn.slice(0, index).reduce((sum, { teu }) => sum + teu, 0)
    // Between the sum that fits and the one that does not.
    this.limit = fitting + (drawn[index]?.teu ?? 0) / 2
  }
}
