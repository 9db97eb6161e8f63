/** Owns the cache of transactions with verified signatures: by signed hash, bounded, each verified once. */
import { GenerationCache } from '../../crypto/index.js'
import { keyString } from '../../model/index.js'

/**
 * Maximum number of signed hashes in the cache: twice the queue, so that queued transactions are not verified again in
 * a block.
 */
const VERIFIED_MAX = 131_072

/** The verified-once cache; keyed by the hash of the SIGNED record, never by the transaction id. */
export class VerifiedTransactions {
  private readonly seen = new GenerationCache<true>(VERIFIED_MAX, 'verified_transactions')

  has(signedHash: Uint8Array): boolean {
    return this.seen.get(keyString(signedHash)) === true
  }

  add(signedHash: Uint8Array): void {
    this.seen.set(keyString(signedHash), true, 1)
  }
}
