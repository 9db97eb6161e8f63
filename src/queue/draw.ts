/** Owns block building from the queue: round-robin over the lanes, within the limits of a block (specification 1.6, rules 6 and 7). */
import { type BlockLimits, type BlockLoad, loadFault } from '../consensus/index.js'
import { fitsLane, type LaneSlot } from '../lanes/index.js'
import { ACCOUNT_SHARE, DEFERRALS_PER_LANE_MAX } from './limits.js'
import type { TransactionQueue } from './queue.js'
import type { QueuedTransaction } from './transaction.js'

/** Maximum bytes of an entry in a body besides its record: lane, dataspace and length. */
const ENTRY_BYTES_MAX = 5 + 10 + 5

/** Block to build. */
export interface DrawPlace {
  readonly limits: BlockLimits
  /** Transactions that expire at or before this time are left out, ms since the Unix epoch. */
  readonly timeMs: number
  /** Transactions paused at this time are skipped, monotonic ms. */
  readonly monotonicMs: number
  /** Evidence records of the block, and bytes of its body without any transaction. */
  readonly evidence: number
  readonly bodyBytes: number
}

/** Transactions of a lane that had to wait for a later block, by reason. */
export interface Deferrals {
  /** Transactions above the capacity of the lane; they keep their place, and later ones may be included before them. */
  readonly capExceeded: number
  /** First transaction that did not fit into the rest of the block, which closed the lane. */
  readonly blockFull: number
}

/** Drawn transactions in block order, and the deferrals of each lane. */
export interface Draw {
  readonly drawn: readonly QueuedTransaction[]
  readonly deferrals: ReadonlyMap<number, Deferrals>
}

/** State of a lane during block building. */
interface OpenLane {
  readonly slot: LaneSlot
  readonly waiting: Iterator<QueuedTransaction>
  count: number
  teu: number
  /** Number of transactions that were skipped in favour of later ones. */
  passed: number
  capExceeded: number
  blockFull: number
}

/** State of a block during building. */
interface Drawing {
  readonly place: DrawPlace
  /** Bytes of the drawn records of each account. */
  readonly bytesOf: Map<string, number>
}

/**
 * Limits of a block with a transaction that was paused this often. They are halved with each pause, so that
 * transactions that were too slow together are retried in smaller blocks, and a slow transaction finally alone.
 */
function narrowed(limits: BlockLimits, pauses: number): BlockLimits {
  if (pauses === 0) return limits
  const part = (limit: number): number => Math.floor(limit / 2 ** pauses)
  const { transactions, teu, bytes, work, proofWork, evidence } = limits
  const fewer = Math.min(transactions, Math.max(1, part(transactions)))
  return { transactions: fewer, teu: part(teu), bytes: part(bytes), work: part(work), proofWork, evidence }
}

/**
 * Draw the next block: one transaction of each lane in turn, and within a lane one of each account in turn. A
 * transaction that exceeds the capacity of its lane, or the share of one account in a block, keeps its place and later
 * ones may be included before it; the first of a lane is included even if oversized. A lane whose next transaction
 * exceeds the rest of the block closes; the first of the block is always included. A previously paused transaction
 * waits for a smaller block if this one is too large for it. The queue is not changed.
 */
export function drawBlock(queue: TransactionQueue, slots: readonly LaneSlot[], place: DrawPlace): Draw {
  const lanes = slots.map(
    (slot): OpenLane => ({
      slot,
      waiting: queue.ofLane(slot.lane)[Symbol.iterator](),
      count: 0,
      teu: 0,
      passed: 0,
      capExceeded: 0,
      blockFull: 0,
    }),
  )
  const open = [...lanes]
  const drawn: QueuedTransaction[] = []
  const drawing: Drawing = { place, bytesOf: new Map() }
  /** Highest number of pauses of a drawn transaction. */
  let pauses = 0
  let load: BlockLoad = {
    transactions: 0,
    teu: 0,
    work: 0,
    proofWork: 0,
    bytes: place.bodyBytes,
    evidence: place.evidence,
  }
  while (open.length > 0) {
    for (let at = 0; at < open.length; ) {
      const lane = open[at] as OpenLane
      const next = nextOf(queue, lane, drawing)
      const loaded = next && loadWith(load, next)
      const most = Math.max(pauses, next === undefined ? 0 : queue.pausesOf(next.id))
      const fits = (count: number): boolean =>
        loaded !== undefined && loadFault(narrowed(place.limits, count), loaded) === undefined
      if (most > pauses && !fits(most) && fits(pauses)) continue
      if (next === undefined || loaded === undefined || !fits(most)) {
        if (next !== undefined) lane.blockFull += 1
        open.splice(at, 1)
        continue
      }
      drawn.push(next)
      drawing.bytesOf.set(next.authority, (drawing.bytesOf.get(next.authority) ?? 0) + next.bytes.length)
      load = loaded
      pauses = most
      lane.count += 1
      lane.teu += next.teu
      at += 1
    }
  }
  const deferred = lanes.filter((lane) => lane.capExceeded + lane.blockFull > 0)
  return {
    drawn,
    deferrals: new Map(
      deferred.map(({ slot, capExceeded, blockFull }) => [slot.lane, { capExceeded, blockFull }] as const),
    ),
  }
}

const loadWith = (load: BlockLoad, { teu, work, proofWork, bytes }: QueuedTransaction): BlockLoad => ({
  transactions: load.transactions + 1,
  teu: load.teu + teu,
  work: load.work + work,
  proofWork: load.proofWork + proofWork,
  bytes: load.bytes + ENTRY_BYTES_MAX + bytes.length,
  evidence: load.evidence,
})

/**
 * Next transaction of a lane that has not expired, is not paused, and fits the capacity of the lane and the share of
 * its account; undefined if there is none, or if too many were skipped.
 */
function nextOf(queue: TransactionQueue, lane: OpenLane, drawing: Drawing): QueuedTransaction | undefined {
  const { timeMs, monotonicMs } = drawing.place
  for (; lane.passed < DEFERRALS_PER_LANE_MAX; lane.passed += 1) {
    let next = lane.waiting.next()
    while (next.done !== true && (next.value.expiresAtMs <= timeMs || queue.isPaused(next.value.id, monotonicMs))) {
      next = lane.waiting.next()
    }
    if (next.done === true) return undefined
    const { value } = next
    if (!fitsLane(lane.slot, lane.count, lane.teu, value.teu)) lane.capExceeded += 1
    else if (fitsShare(drawing, value)) return value
  }
  return undefined
}

/** True if a transaction is the first of its account in the block, or fits the byte share of one account. */
function fitsShare({ place, bytesOf }: Drawing, { authority, bytes }: QueuedTransaction): boolean {
  const taken = bytesOf.get(authority) ?? 0
  return taken === 0 || taken + bytes.length <= place.limits.bytes / ACCOUNT_SHARE
}
