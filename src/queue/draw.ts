/** Owns what a proposer draws from the queue for one block: turns over the lanes, under its limits (specification 1.6, rules 6 and 7). */
import { type BlockLimits, type BlockLoad, loadFault } from '../consensus/index.js'
import { fitsLane, type LaneTurn } from '../lanes/index.js'
import { DEFERRALS_PER_LANE_MAX } from './limits.js'
import type { QueuedTransaction, TransactionQueue } from './queue.js'

/** Bytes of an entry in a body beside its record: lane, dataspace and length at their longest. */
const ENTRY_BYTES_MAX = 5 + 10 + 5

/** The block that is drawn for. */
export interface DrawPlace {
  readonly limits: BlockLimits
  /** Transactions that expire at or before this time are left out, ms since the Unix epoch. */
  readonly timeMs: number
  /** Evidence records of the block, and bytes of its body without any transaction. */
  readonly evidence: number
  readonly bodyBytes: number
}

/** Transactions of a lane that had to wait for a later block, by reason. */
export interface Deferrals {
  /** Above the capacity of the lane: it keeps its place, later ones may pass. */
  readonly capExceeded: number
  /** The first that no longer fitted into the block: the lane closed. */
  readonly blockFull: number
}

/** What was drawn, in block order, and what each lane deferred. */
export interface Draw {
  readonly drawn: readonly QueuedTransaction[]
  readonly deferrals: ReadonlyMap<number, Deferrals>
}

/** A lane while a block is drawn. */
interface OpenLane {
  readonly turn: LaneTurn
  readonly waiting: Iterator<QueuedTransaction>
  count: number
  teu: number
  capExceeded: number
  blockFull: number
}

/**
 * Draws the next block: one transaction of each lane in turn, first in first out inside a lane. What exceeds the
 * capacity of its lane keeps its place and later ones may pass; the first of a lane is taken even overweight. A lane
 * whose next exceeds the rest of the block closes; the block's first is always taken. Nothing leaves the queue.
 */
export function drawBlock(queue: TransactionQueue, turns: readonly LaneTurn[], place: DrawPlace): Draw {
  const lanes = turns.map(
    (turn): OpenLane => ({
      turn,
      waiting: queue.ofLane(turn.lane)[Symbol.iterator](),
      count: 0,
      teu: 0,
      capExceeded: 0,
      blockFull: 0,
    }),
  )
  const open = [...lanes]
  const drawn: QueuedTransaction[] = []
  let load: BlockLoad = { transactions: 0, teu: 0, work: 0, bytes: place.bodyBytes, evidence: place.evidence }
  while (open.length > 0) {
    for (let at = 0; at < open.length; ) {
      const lane = open[at] as OpenLane
      const next = nextOf(lane, place.timeMs)
      const loaded = next && loadWith(load, next)
      if (next === undefined || loaded === undefined || loadFault(place.limits, loaded) !== undefined) {
        if (next !== undefined) lane.blockFull += 1
        open.splice(at, 1)
        continue
      }
      drawn.push(next)
      load = loaded
      lane.count += 1
      lane.teu += next.teu
      at += 1
    }
  }
  const deferred = lanes.filter((lane) => lane.capExceeded + lane.blockFull > 0)
  return {
    drawn,
    deferrals: new Map(
      deferred.map(({ turn, capExceeded, blockFull }) => [turn.lane, { capExceeded, blockFull }] as const),
    ),
  }
}

const loadWith = (load: BlockLoad, { teu, work, bytes }: QueuedTransaction): BlockLoad => ({
  transactions: load.transactions + 1,
  teu: load.teu + teu,
  work: load.work + work,
  bytes: load.bytes + ENTRY_BYTES_MAX + bytes.length,
  evidence: load.evidence,
})

/** The next transaction of a lane that is alive and fits its capacity; undefined: none, or too many were passed. */
function nextOf(lane: OpenLane, timeMs: number): QueuedTransaction | undefined {
  while (lane.capExceeded < DEFERRALS_PER_LANE_MAX) {
    const { value, done } = lane.waiting.next()
    if (done === true) return undefined
    if (value.expiresAtMs <= timeMs) continue
    if (fitsLane(lane.turn, lane.count, lane.teu, value.teu)) return value
    lane.capExceeded += 1
  }
  return undefined
}
