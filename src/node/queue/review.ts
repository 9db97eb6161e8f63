/** Owns the revalidation of the queue after rule changes, under the ABI and the limits of the next height. */
import { setImmediate } from 'node:timers/promises'
import type { CodecContext } from '../../codec/index.js'
import {
  type Abi,
  type StaticCost,
  staticCost,
  type TransactionLimits,
  transactionFault,
} from '../../executor/index.js'
import { keyString, signedTransaction } from '../../model/index.js'
import type { QueuedTransaction, TransactionQueue } from '../../queue/index.js'
import type { Tip } from '../ledger/protocol.js'

/** Transactions validated in one slice: about 10 ms of the main thread. */
const SLICE = 128

export interface QueueReviewModules {
  readonly abi: Abi
  readonly codec: CodecContext
  readonly chain: string
  readonly queue: TransactionQueue
  readonly limits: () => TransactionLimits
  readonly wallMs: () => number
  /** Transactions that left the queue because no block can contain them. */
  readonly onDropped: (dropped: readonly { readonly transaction: QueuedTransaction; readonly code: string }[]) => void
}

type Rules = Pick<Tip, 'abi' | 'limits'>

/** True if both sets of rules give the same validation results. */
const sameRules = (before: Rules, after: Rules): boolean =>
  before.abi.number === after.abi.number && JSON.stringify(before.limits) === JSON.stringify(after.limits)

export class QueueReview {
  /** Number of changes of the rules so far. */
  changes = 0
  private turn: Promise<void> = Promise.resolve()

  constructor(private readonly modules: QueueReviewModules) {}

  /** Resolves when every reported change is applied. */
  get done(): Promise<void> {
    return this.turn
  }

  /** Validate the queue again if the rules of the next height have changed. Blocks do not wait for it. */
  changed(before: Rules, after: Rules): void {
    if (sameRules(before, after)) return
    this.changes += 1
    void this.again([...this.modules.queue.all()])
  }

  /** Validate transactions again. */
  again(transactions: readonly QueuedTransaction[]): Promise<void> {
    this.turn = this.turn.then(() => this.run(transactions))
    return this.turn
  }

  private async run(transactions: readonly QueuedTransaction[]): Promise<void> {
    for (let at = 0; at < transactions.length; at += SLICE) {
      this.review(transactions.slice(at, at + SLICE))
      await setImmediate()
    }
  }

  private review(slice: readonly QueuedTransaction[]): void {
    const { queue, onDropped } = this.modules
    const costs = new Map<string, StaticCost>()
    const dropped: { transaction: QueuedTransaction; code: string }[] = []
    for (const transaction of slice) {
      const cost = this.costOf(transaction)
      if (typeof cost !== 'string') costs.set(keyString(transaction.id), cost)
      else if (queue.remove(transaction.id) !== undefined) dropped.push({ transaction, code: cost })
    }
    queue.reprice(costs)
    if (dropped.length > 0) onDropped(dropped)
  }

  /** Current cost of a transaction, or the code of its refusal. */
  private costOf({ bytes }: QueuedTransaction): StaticCost | string {
    const { abi, codec, chain, limits, wallMs } = this.modules
    const decoded = signedTransaction.decode(bytes, codec)
    if (!decoded.ok) return decoded.fault.code
    // A transaction from before the clock was set back waits for its time.
    const timeMs = Math.max(wallMs(), decoded.value.payload.value.createdAtMs)
    const fault = transactionFault({ abi, chain, limits: limits(), timeMs }, bytes.length, decoded.value)
    return fault === undefined ? staticCost(abi, decoded.value, bytes.length) : fault.code
  }
}
