/** Owns the semaphore of iterable queries: the number of concurrent reads, in total and per account. */
import { Quota } from '../../base/quota.js'
import { type AccountId, LedgerError } from '../../model/index.js'

/**
 * Maximum concurrent queries. Each has at most one page in progress on the ledger thread, which must also execute
 * blocks.
 */
export const READING_MAX = 4
/** Maximum concurrent queries of one account, so that one client cannot block others. */
export const READING_PER_ACCOUNT_MAX = 2

export class Semaphore {
  private readonly reading = new Quota<AccountId>({ total: READING_MAX, perParty: READING_PER_ACCOUNT_MAX })

  /** Run the work of an account if it may read now; otherwise `rate_limited`. */
  async take<T>(authority: AccountId, work: () => Promise<T>): Promise<T | LedgerError> {
    const refusal = this.reading.refusal(authority)
    if (refusal !== undefined) {
      const scope = refusal === 'share' ? 'of this account ' : ''
      return new LedgerError('rate_limited', `other iterable queries ${scope}are running`)
    }
    this.reading.take(authority)
    try {
      return await work()
    } finally {
      this.reading.give(authority)
    }
  }
}
