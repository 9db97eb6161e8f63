/** Owns the semaphore of iterable queries: how many read at a time, in all and per account. */
import { type AccountId, LedgerError } from '../../model/index.js'

/** Queries that read at a time: the ledger thread has blocks to execute, and each has one page of its own on it. */
export const READING_MAX = 4
/** Of them, those of one account: a client that reads several lists at once keeps nobody out. */
export const READING_PER_ACCOUNT_MAX = 2

export class Semaphore {
  private readonly reading = new Map<AccountId, number>()
  private total = 0

  /** Does the work of an account when it may read now, else says `rate_limited`. */
  async take<T>(authority: AccountId, work: () => Promise<T>): Promise<T | LedgerError> {
    const own = this.reading.get(authority) ?? 0
    if (own >= READING_PER_ACCOUNT_MAX || this.total >= READING_MAX) {
      const whose = own >= READING_PER_ACCOUNT_MAX ? 'of this account ' : ''
      return new LedgerError('rate_limited', `other iterable queries ${whose}are running`)
    }
    this.reading.set(authority, own + 1)
    this.total += 1
    try {
      return await work()
    } finally {
      this.total -= 1
      const left = (this.reading.get(authority) ?? 1) - 1
      if (left === 0) this.reading.delete(authority)
      else this.reading.set(authority, left)
    }
  }
}
