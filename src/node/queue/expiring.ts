/**
 * Owns transactions that have expired by the clock of this node but not by chain time. Proposers no longer include
 * them, but an earlier proposal may. They expire for good once the time of the last block reaches their expiry.
 */
import { BoundedMap } from '../../base/bounded.js'
import { keyString } from '../../model/index.js'
import type { QueuedTransaction } from '../../queue/index.js'

/**
 * Maximum number of transactions: as many as the queue of a node without a network may lose within some minutes; older
 * ones are removed.
 */
const EXPIRING_MAX = 16_384

export interface ExpiringModules {
  /** Header time of the last block, in ms since the Unix epoch. */
  readonly chainTimeMs: () => number
  readonly wallMs: () => number
  /** Called when no block can contain the transaction. */
  readonly onExpired: (transaction: QueuedTransaction) => void
}

export class ExpiringTransactions {
  private readonly waiting = new BoundedMap<string, QueuedTransaction>(EXPIRING_MAX)
  /** Chain time at which all requested transactions are decided. */
  private wantedMs = 0

  constructor(private readonly modules: ExpiringModules) {}

  has(id: Uint8Array): boolean {
    return this.waiting.has(keyString(id))
  }

  /** All transactions, oldest first. */
  all(): Iterable<QueuedTransaction> {
    return this.waiting.values()
  }

  /** True while a block is needed only to advance the time. */
  get isDue(): boolean {
    const { chainTimeMs, wallMs } = this.modules
    return chainTimeMs() < this.wantedMs && this.wantedMs <= wallMs()
  }

  /** Request blocks until the chain time reaches a time, in ms. */
  want(timeMs: number): void {
    this.wantedMs = Math.max(this.wantedMs, timeMs)
  }

  /** Add a transaction that expired by the clock of this node and left the queue. */
  add(transaction: QueuedTransaction): void {
    if (transaction.expiresAtMs <= this.modules.chainTimeMs()) return this.modules.onExpired(transaction)
    this.want(transaction.expiresAtMs)
    this.waiting.set(keyString(transaction.id), transaction)
  }

  /** Remove the transactions of a committed block. */
  committed(content: readonly { readonly id: Uint8Array }[]): void {
    if (this.waiting.size === 0) return
    for (const { id } of content) this.waiting.delete(keyString(id))
    const timeMs = this.modules.chainTimeMs()
    for (const [key, transaction] of this.waiting) {
      if (transaction.expiresAtMs > timeMs) continue
      this.waiting.delete(key)
      this.modules.onExpired(transaction)
    }
  }
}
