/**
 * Owns the check that a sender is a submitter before its message is read. Reading costs far more than a query, and
 * anyone can create keys.
 */
import type { NodeServices } from '../../../api/services.js'
import { BoundedSet } from '../../../base/bounded.js'
import type { AccountId } from '../../../model/index.js'
import { isSubmitter } from './resolve.js'

/** Maximum number of cached submitters, above the number that one bridge serves. */
const KNOWN_MAX = 1_024

export class Submitters {
  /** Submitters found by earlier queries; the oldest is evicted first. */
  private readonly known = new BoundedSet<AccountId>(KNOWN_MAX)

  /** True if an account is a submitter on the ledger; cached once one of its messages was read. */
  async has(services: NodeServices, account: AccountId, timeMs: number): Promise<boolean> {
    return this.known.has(account) || this.ask(services, account, timeMs)
  }

  /** Query the ledger. */
  async ask(services: NodeServices, account: AccountId, timeMs: number): Promise<boolean> {
    const isKnown = await isSubmitter(services, account, timeMs)
    this.known.delete(account)
    if (isKnown) this.known.add(account)
    return isKnown
  }
}
