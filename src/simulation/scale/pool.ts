/** Owns the transactions of a modelled node: pending and committed ones. */

const UNKNOWN = 0
const WAITING = 1
const COMMITTED = 2

export class TransactionPool {
  /** Pending transactions in the order of their arrival. */
  private readonly queue = new Set<number>()
  private marks = new Uint8Array(4_096)

  get size(): number {
    return this.queue.size
  }

  get waiting(): Iterable<number> {
    return this.queue
  }

  /** True if the record of the transaction is stored here. */
  has(transaction: number): boolean {
    return (this.marks[transaction] ?? UNKNOWN) !== UNKNOWN
  }

  add(transaction: number): void {
    if (this.has(transaction)) return
    this.mark(transaction, WAITING)
    this.queue.add(transaction)
  }

  commit(transaction: number): void {
    this.mark(transaction, COMMITTED)
    this.queue.delete(transaction)
  }

  private mark(transaction: number, as: number): void {
    if (transaction >= this.marks.length) {
      const more = new Uint8Array(2 * (transaction + 1))
      more.set(this.marks)
      this.marks = more
    }
    this.marks[transaction] = as
  }
}
