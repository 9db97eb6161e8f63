/**
 * Owns the queue of one lane: fair queueing by account (docs/decisions/0038). Accounts are served in turn, the least
 * recently served first; within an account first in, first out. Thus an account with many transactions delays only
 * itself.
 */
import type { QueuedTransaction } from './transaction.js'

/** Transactions of one lane, in service order. */
export class LaneQueue {
  /**
   * Accounts in the order of their turns, each with its transactions by id, oldest first. No account is without
   * transactions.
   */
  private readonly accounts = new Map<string, Map<string, QueuedTransaction>>()
  private count = 0
  private units = 0

  /** Number of queued transactions. */
  get size(): number {
    return this.count
  }

  /** Sum of their static execution units. */
  get teu(): number {
    return this.units
  }

  /** Add a transaction as the last of its account; an account without other transactions gets the last turn. */
  push(key: string, transaction: QueuedTransaction): void {
    const own = this.accounts.get(transaction.authority)
    if (own === undefined) this.accounts.set(transaction.authority, new Map([[key, transaction]]))
    else own.set(key, transaction)
    this.count += 1
    this.units += transaction.teu
  }

  /** Replace the transaction of the same id, in its place. */
  replace(key: string, transaction: QueuedTransaction): void {
    const own = this.accounts.get(transaction.authority)
    const before = own?.get(key)
    if (own === undefined || before === undefined) return
    own.set(key, transaction)
    this.units += transaction.teu - before.teu
  }

  /** Remove a transaction; its account counts as served and gets the last turn. */
  remove(key: string, { authority }: QueuedTransaction): void {
    const own = this.accounts.get(authority)
    const before = own?.get(key)
    if (own === undefined || before === undefined) return
    own.delete(key)
    this.count -= 1
    this.units -= before.teu
    this.accounts.delete(authority)
    if (own.size > 0) this.accounts.set(authority, own)
  }

  /**
   * Service order: the first transaction of each account, then the second of each, and so on. The queue must not change
   * meanwhile.
   */
  *inOrder(): Iterable<QueuedTransaction> {
    let round: Iterator<QueuedTransaction>[] = []
    for (const own of this.accounts.values()) {
      const waiting = own.values()
      yield waiting.next().value as QueuedTransaction
      if (own.size > 1) round.push(waiting)
    }
    while (round.length > 0) {
      const next: typeof round = []
      for (const waiting of round) {
        const { value, done } = waiting.next()
        if (done === true) continue
        yield value
        next.push(waiting)
      }
      round = next
    }
  }
}
