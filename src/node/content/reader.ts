/** Owns the content reader of transactions: small ones are read at once, large ones on a separate thread. */
import { compiledUrl, JobThread } from '../../crypto/index.js'
import type { AccountId } from '../../model/index.js'
import { type ContentAnswer, type ContentRules, contentOf } from './content.js'
import type { ContentJob } from './worker.js'

/**
 * Maximum size of records that are decoded directly, in bytes. They take a few milliseconds; a thread would cost
 * memory.
 */
export const INLINE_MAX_BYTES = 32 * 1024
/**
 * Maximum number of records that wait for the thread: at most 64 MiB, and about twenty seconds of the most expensive
 * content.
 */
const WAITING_MAX = 64
/** Maximum number of waiting records of one account, so that an account delays only itself. */
export const WAITING_PER_ACCOUNT_MAX = 4

export class ContentReader {
  private readonly thread = new JobThread<ContentJob, ContentAnswer>(compiledUrl('node/content/worker.js'), 'content')

  /** Number of waiting records by account. */
  private readonly accounts = new Map<AccountId, number>()

  constructor(private readonly addressPrefix: string) {}

  /**
   * Decode a record of an account as `contentOf` does, on either thread; rejects if the thread has ended.
   * `isAcknowledged`: exempt from the limits on waiting records.
   */
  async read(
    rules: ContentRules,
    authority: AccountId,
    record: Uint8Array,
    isAcknowledged = false,
  ): Promise<ContentAnswer> {
    if (record.length <= INLINE_MAX_BYTES) return contentOf(rules, record)
    const own = this.accounts.get(authority) ?? 0
    if (own >= WAITING_PER_ACCOUNT_MAX && !isAcknowledged) {
      const message = `${own} large transactions of the authority are waiting to be read`
      return { ok: false, code: 'per_user_queue_limit', message }
    }
    if (this.thread.size >= WAITING_MAX && !isAcknowledged) {
      return { ok: false, code: 'queue_full', message: `${WAITING_MAX} large transactions are waiting to be read` }
    }
    const { abi, chain, limits, timeMs, lanesEnabled } = rules
    const copy = new Uint8Array(record).buffer
    const job = {
      record: copy,
      abi: abi.number,
      addressPrefix: this.addressPrefix,
      chain,
      limits,
      timeMs,
      lanesEnabled,
    }
    this.accounts.set(authority, own + 1)
    try {
      return await this.thread.run(job, [copy])
    } finally {
      const left = (this.accounts.get(authority) ?? 1) - 1
      if (left === 0) this.accounts.delete(authority)
      else this.accounts.set(authority, left)
    }
  }

  /** End the thread; waiting reads are rejected. */
  close(): Promise<void> {
    return this.thread.close()
  }
}
