/**
 * Owns the rerouting of queued transactions after a change of the policy, and of misrouted transactions found by a
 * builder.
 */

import { sameBytes } from '../../base/bytes.js'
import { Mutex } from '../../base/mutex.js'
import type { CodecContext } from '../../codec/index.js'
import { type Abi, routeFactsOf } from '../../executor/index.js'
import type { LanesView, RouteFacts, RoutingDecision } from '../../lanes/index.js'
import { keyString, signedTransaction } from '../../model/index.js'
import type { QueuedTransaction, TransactionQueue } from '../../queue/index.js'
import type { LedgerPort, LedgerRequest } from '../ledger/protocol.js'
import { type BatchBounds, batchesOf } from './batches.js'

/**
 * Maximum transactions routed in one request: a few milliseconds of the ledger thread. Bytes are bounded too, since
 * routing facts are part of them and a message to the thread has a limit.
 */
const BATCH: BatchBounds = { items: 1_024, bytes: 4 * 1024 * 1024 }

export interface LaneRoutingModules {
  readonly abi: Abi
  readonly codec: CodecContext
  readonly queue: TransactionQueue
  readonly ledger: Pick<LedgerPort, 'route'>
  /** Called with transactions that left the queue because no lane accepts them. */
  readonly onDropped: (dropped: readonly { readonly transaction: QueuedTransaction; readonly code: string }[]) => void
}

export class LaneRouting {
  /** Number of changes of the lanes so far. */
  changes = 0
  private readonly turns = new Mutex()

  constructor(private readonly modules: LaneRoutingModules) {}

  /** Resolves once every reported change was applied. */
  get ready(): Promise<unknown> {
    return this.turns.idle
  }

  /** Route the whole queue again if the lanes of the next height have changed. */
  changed(before: LanesView | undefined, after: LanesView | undefined): void {
    const same =
      before === undefined || after === undefined ? before === after : sameBytes(before.fingerprint, after.fingerprint)
    if (same) return
    this.changes += 1
    void this.reroute([...this.modules.queue.all()]).catch(() => undefined)
  }

  /** Route transactions again; those without a route leave the queue. Rejects if the ledger thread has ended. */
  reroute(transactions: readonly QueuedTransaction[]): Promise<void> {
    return this.turns.run(() => this.run(transactions))
  }

  private async run(transactions: readonly QueuedTransaction[]): Promise<void> {
    const { queue, onDropped } = this.modules
    const routes = new Map<string, RoutingDecision>()
    const dropped: { transaction: QueuedTransaction; code: string }[] = []
    for (const together of batchesOf(transactions, ({ bytes }) => bytes.length, BATCH)) {
      const batch: QueuedTransaction[] = []
      const facts: LedgerRequest<'route'>['facts'][number][] = []
      for (const transaction of together) {
        const read = this.factsOf(transaction)
        if (typeof read !== 'string') {
          batch.push(transaction)
          facts.push(read)
        } else if (queue.remove(transaction.id) !== undefined) dropped.push({ transaction, code: read })
      }
      const found = await this.modules.ledger.route({ facts })
      for (const [index, transaction] of batch.entries()) {
        const route = found.routes[index]
        if (route?.kind !== 'routed') {
          if (queue.remove(transaction.id) !== undefined) {
            dropped.push({ transaction, code: 'queue_unresolved_route' })
          }
          continue
        }
        const { lane, dataspace } = route.value
        if (lane !== transaction.route.lane || dataspace !== transaction.route.dataspace) {
          routes.set(keyString(transaction.id), { lane, dataspace })
        }
      }
    }
    if (routes.size > 0) queue.reroute(routes)
    if (dropped.length > 0) onDropped(dropped)
  }

  /** Routing facts of a transaction, or the error code if the active ABI cannot decode it. */
  private factsOf(transaction: QueuedTransaction): RouteFacts | string {
    const decoded = signedTransaction.decode(transaction.bytes, this.modules.codec)
    if (!decoded.ok) return decoded.fault.code
    return routeFactsOf(this.modules.abi, decoded.value.payload.value)
  }
}
