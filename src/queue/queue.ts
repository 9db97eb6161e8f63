/**
 * Owns the queue of admitted transactions: per lane, with accounts in turn, bounded, kept until committed or expired.
 */
import type { RoutingDecision } from '../lanes/index.js'
import { keyString } from '../model/index.js'
import { LaneQueue } from './lane-queue.js'
import {
  QUEUE_BYTES,
  QUEUE_BYTES_PER_ACCOUNT,
  QUEUE_CAPACITY,
  QUEUE_CAPACITY_PER_ACCOUNT,
  UNVERIFIED_PROOFS_PER_ACCOUNT,
} from './limits.js'
import { type PauseCause, Pauses } from './pauses.js'
import type { QueuedTransaction } from './transaction.js'

/** Transactions ahead of a transaction in its lane. */
export interface QueuePlace {
  readonly lane: number
  /** Number of transactions, and their static execution units. */
  readonly ahead: number
  readonly teuAhead: number
}

/** Reason why the queue refuses a transaction. */
export type QueueRefusal = 'queue_full' | 'per_user_queue_limit' | 'already_enqueued'

export interface QueueLimits {
  readonly capacity: number
  readonly capacityPerAccount: number
}

/** Usage of the queue by one account. */
interface Own {
  readonly count: number
  readonly bytes: number
  readonly unverifiedProofs: number
}

/** Usage of an account without transactions. */
const NOTHING: Own = { count: 0, bytes: 0, unverifiedProofs: 0 }

/** Queue of admitted transactions; a new transaction does not evict others. */
export class TransactionQueue {
  private readonly byId = new Map<string, QueuedTransaction>()
  /** By hash of the signed record, as in compact proposals. */
  private readonly bySignedHash = new Map<string, QueuedTransaction>()
  private readonly lanes = new Map<number, LaneQueue>()
  private readonly perAccount = new Map<string, Own>()
  private bytes = 0
  private units = 0
  private readonly pauses = new Pauses()

  constructor(
    private readonly limits: QueueLimits = {
      capacity: QUEUE_CAPACITY,
      capacityPerAccount: QUEUE_CAPACITY_PER_ACCOUNT,
    },
  ) {}

  get size(): number {
    return this.byId.size
  }

  get capacity(): number {
    return this.limits.capacity
  }

  /** Maximum transactions of one account. */
  get capacityPerAccount(): number {
    return this.limits.capacityPerAccount
  }

  /** Sum of static execution units. */
  get teu(): number {
    return this.units
  }

  /**
   * Input of the next block: true if a transaction waits that is not paused, and the static execution units of all such
   * transactions.
   */
  readyAt(monotonicMs: number): { readonly pending: boolean; readonly teu: number } {
    const paused = this.pauses.at(monotonicMs)
    return { pending: this.byId.size > paused.count, teu: this.units - paused.teu }
  }

  /** Pause a transaction; no effect if it has left the queue. Times are in monotonic ms. */
  pause(id: Uint8Array, monotonicMs: number, cause: PauseCause): void {
    const held = this.get(id)
    if (held !== undefined) this.pauses.begin(keyString(id), held.teu, monotonicMs, cause)
  }

  /**
   * Hold a transaction until this time. Does not count as a pause, since nothing was slow; no effect if it has left the
   * queue.
   */
  hold(id: Uint8Array, untilMs: number): void {
    const held = this.get(id)
    if (held !== undefined) this.pauses.hold(keyString(id), held.teu, untilMs)
  }

  /** Number of pauses of a transaction since it was queued. */
  pausesOf(id: Uint8Array): number {
    return this.pauses.countOf(keyString(id))
  }

  /** True while a transaction is paused. */
  isPaused(id: Uint8Array, monotonicMs: number): boolean {
    return this.pauses.has(keyString(id), monotonicMs)
  }

  /** Bytes of all queued records. */
  get recordBytes(): number {
    return this.bytes
  }

  has(id: Uint8Array): boolean {
    return this.byId.has(keyString(id))
  }

  get(id: Uint8Array): QueuedTransaction | undefined {
    return this.byId.get(keyString(id))
  }

  /** Transaction with this hash of the signed record. */
  withSignedHash(signedHash: Uint8Array): QueuedTransaction | undefined {
    return this.bySignedHash.get(keyString(signedHash))
  }

  /** Reason why a transaction would be refused; undefined if it would be accepted. */
  refusalOf(id: Uint8Array, authority: string, recordBytes: number, unverifiedProofs = 0): QueueRefusal | undefined {
    if (this.byId.has(keyString(id))) return 'already_enqueued'
    if (this.byId.size >= this.limits.capacity || this.bytes + recordBytes > QUEUE_BYTES) return 'queue_full'
    const own = this.perAccount.get(authority) ?? NOTHING
    const isFull = own.count >= this.limits.capacityPerAccount || own.bytes + recordBytes > QUEUE_BYTES_PER_ACCOUNT
    const proofs = own.unverifiedProofs + unverifiedProofs
    const isUnproven = unverifiedProofs > 0 && own.unverifiedProofs > 0 && proofs > UNVERIFIED_PROOFS_PER_ACCOUNT
    return isFull || isUnproven ? 'per_user_queue_limit' : undefined
  }

  /** Add a transaction; returns the reason if it is refused. */
  push(transaction: QueuedTransaction): QueueRefusal | undefined {
    const { unverifiedProofs = 0 } = transaction
    const refusal = this.refusalOf(transaction.id, transaction.authority, transaction.bytes.length, unverifiedProofs)
    if (refusal !== undefined) return refusal
    const key = keyString(transaction.id)
    this.byId.set(key, transaction)
    this.bySignedHash.set(keyString(transaction.signedHash), transaction)
    this.laneOf(transaction).push(key, transaction)
    const own = this.perAccount.get(transaction.authority) ?? NOTHING
    this.perAccount.set(transaction.authority, {
      count: own.count + 1,
      bytes: own.bytes + transaction.bytes.length,
      unverifiedProofs: own.unverifiedProofs + unverifiedProofs,
    })
    this.bytes += transaction.bytes.length
    this.units += transaction.teu
    if (transaction.drawnFromMs !== undefined) this.pauses.hold(key, transaction.teu, transaction.drawnFromMs)
    return undefined
  }

  /**
   * Set new routes: all transactions enter their lanes again in the order of their arrival. Ids that left the queue
   * meanwhile are ignored.
   */
  reroute(routes: ReadonlyMap<string, RoutingDecision>): void {
    for (const [key, route] of routes) {
      const before = this.byId.get(key)
      if (before === undefined) continue
      // Setting a key again keeps its place among all.
      const after = { ...before, route }
      this.byId.set(key, after)
      this.bySignedHash.set(keyString(before.signedHash), after)
    }
    this.lanes.clear()
    for (const [key, transaction] of this.byId) this.laneOf(transaction).push(key, transaction)
  }

  /** Set new static costs; each transaction keeps its place. Ids that left the queue meanwhile are ignored. */
  reprice(costs: ReadonlyMap<string, Pick<QueuedTransaction, 'teu' | 'work' | 'proofWork'>>): void {
    for (const [key, { teu, work, proofWork }] of costs) {
      const before = this.byId.get(key)
      if (before === undefined || (before.teu === teu && before.work === work && before.proofWork === proofWork))
        continue
      const after = { ...before, teu, work, proofWork }
      // Setting a key again keeps its place.
      this.byId.set(key, after)
      this.bySignedHash.set(keyString(after.signedHash), after)
      this.laneOf(after).replace(key, after)
      this.units += teu - before.teu
      this.pauses.reprice(key, teu)
    }
  }

  private laneOf({ route }: QueuedTransaction): LaneQueue {
    let members = this.lanes.get(route.lane)
    if (members === undefined) {
      members = new LaneQueue()
      this.lanes.set(route.lane, members)
    }
    return members
  }

  /** Remove a transaction that is committed, expired, or no longer valid. */
  remove(id: Uint8Array): QueuedTransaction | undefined {
    const key = keyString(id)
    const transaction = this.byId.get(key)
    if (transaction === undefined) return undefined
    this.byId.delete(key)
    this.bySignedHash.delete(keyString(transaction.signedHash))
    this.pauses.remove(key)
    this.lanes.get(transaction.route.lane)?.remove(key, transaction)
    const own = this.perAccount.get(transaction.authority) ?? NOTHING
    if (own.count <= 1) this.perAccount.delete(transaction.authority)
    else {
      this.perAccount.set(transaction.authority, {
        count: own.count - 1,
        bytes: own.bytes - transaction.bytes.length,
        unverifiedProofs: own.unverifiedProofs - (transaction.unverifiedProofs ?? 0),
      })
    }
    this.bytes -= transaction.bytes.length
    this.units -= transaction.teu
    return transaction
  }

  /** Remove and return the transactions expired at `wallMs`. */
  expire(wallMs: number): QueuedTransaction[] {
    const gone = [...this.byId.values()].filter((transaction) => transaction.expiresAtMs <= wallMs)
    for (const transaction of gone) this.remove(transaction.id)
    return gone
  }

  /** Number of transactions queued in a lane. */
  depthOf(lane: number): number {
    return this.lanes.get(lane)?.size ?? 0
  }

  /** Static execution units queued in a lane. */
  teuOf(lane: number): number {
    return this.lanes.get(lane)?.teu ?? 0
  }

  /** Transactions ahead of a transaction in its lane. Walks the lane, so it is only for user requests. */
  placeOf(id: Uint8Array): QueuePlace | undefined {
    const held = this.get(id)
    if (held === undefined) return undefined
    const { lane } = held.route
    let [ahead, teuAhead] = [0, 0]
    for (const other of this.ofLane(lane)) {
      if (other === held) break
      ahead += 1
      teuAhead += other.teu
    }
    return { lane, ahead, teuAhead }
  }

  /** Transactions of a lane in service order. */
  ofLane(lane: number): Iterable<QueuedTransaction> {
    return this.lanes.get(lane)?.inOrder() ?? []
  }

  /** All transactions, oldest first. */
  all(): Iterable<QueuedTransaction> {
    return this.byId.values()
  }
}
