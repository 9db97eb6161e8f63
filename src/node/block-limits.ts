/** Owns how much work a proposer puts into a block: less with each view of the height that failed (design/consensus.md 6). */
import type { Tip } from './ledger/protocol.js'

/** Largest body that a proposer builds, in bytes: a proposal with it fits one frame and one moment. */
const BODY_BYTES_MAX = 4 * 1024 * 1024
/** Beyond it a block has the thousandth part of the work, which no view is too short for. */
const HALVINGS_MAX = 10

/** What one block may hold. */
export interface BlockLimits {
  /** Execution units; the first transaction of a block is admitted whatever it costs. */
  readonly blockTeu: number
  readonly maxTransactions: number
  readonly maxBytes: number
}

/**
 * The limits of a block that is made in this view. A block whose execution fails its view would fail the next one too, so
 * the work halves with each failed view until it fits; one transaction always does.
 */
export function limitsAtView({ blockTeu, blockMaxTransactions }: Tip['limits'], view: number): BlockLimits {
  const share = 2 ** Math.min(view, HALVINGS_MAX)
  return {
    blockTeu: Math.floor(blockTeu / share),
    maxTransactions: Math.max(1, Math.floor(blockMaxTransactions / share)),
    maxBytes: Math.floor(BODY_BYTES_MAX / share),
  }
}
