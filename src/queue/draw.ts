/** Owns what a proposer draws from the queue for one block: turns over the lanes, under its limits (specification 1.6, rules 6 and 7). */
import type { QueuedTransaction, TransactionQueue } from './queue.js'

/** Limits of one block. */
export interface DrawLimits {
  readonly blockTeu: number
  readonly maxTransactions: number
  readonly maxBytes: number
  /** Transactions that expire at or before this time are left out, ms since the Unix epoch. */
  readonly timeMs: number
}

/**
 * Draws the next block: one transaction of each lane in turn, first in first out inside a lane. A lane whose first
 * exceeds the rest closes for this block; the block's first is always admitted. Nothing leaves the queue.
 */
export function drawBlock(queue: TransactionQueue, lanes: readonly number[], limits: DrawLimits): QueuedTransaction[] {
  const open = lanes.map((lane) => queue.ofLane(lane)[Symbol.iterator]())
  const drawn: QueuedTransaction[] = []
  let teu = 0
  let bytes = 0
  while (open.length > 0) {
    for (let at = 0; at < open.length; ) {
      const next = nextAlive(open[at] as Iterator<QueuedTransaction>, limits.timeMs)
      const fits =
        next !== undefined &&
        drawn.length < limits.maxTransactions &&
        (drawn.length === 0 || (teu + next.teu <= limits.blockTeu && bytes + next.bytes.length <= limits.maxBytes))
      if (next === undefined || !fits) {
        open.splice(at, 1)
        continue
      }
      drawn.push(next)
      teu += next.teu
      bytes += next.bytes.length
      at += 1
    }
  }
  return drawn
}

function nextAlive(lane: Iterator<QueuedTransaction>, timeMs: number): QueuedTransaction | undefined {
  for (;;) {
    const { value, done } = lane.next()
    if (done === true) return undefined
    if (value.expiresAtMs > timeMs) return value
  }
}
