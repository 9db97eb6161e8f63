/**
 * Owns the limits on payments held for an operator, per submitter and in total. Only a decision of an operator ends a
 * hold.
 */
import '../schema/errors.js'
import { LedgerError } from '../../../model/index.js'
import { Shares } from './shares.js'

/** Maximum number of held payments of one submitter: a quarter of the total, so that it cannot exclude others. */
export const HELD_PER_SUBMITTER_MAX = 2_048
/** Maximum number of held payments. Each is compared with the ledger once a minute. */
export const HELD_MAX = 8_192
/** Maximum size of the held bodies of one submitter, in bytes: 16 KiB each on average. */
export const HELD_BYTES_PER_SUBMITTER_MAX = 32 * 1024 * 1024
/** Maximum size of all held bodies, in bytes; they are on disk. */
export const HELD_BYTES_MAX = 128 * 1024 * 1024

/** Retry delay in seconds; a retry succeeds only after an operator decides. */
const RETRY_AFTER_SECONDS = 60

/** Held payments by submitter. */
export class HeldShares extends Shares {
  constructor() {
    super('held')
  }

  /** Reason why a message with this many held payments exceeds the limits; undefined if it does not. */
  fault(submitter: string, bytes: number, payments = 1): LedgerError | undefined {
    const own = this.of(submitter)
    const refuse = (message: string): LedgerError =>
      new LedgerError('iso_held_limit', message, { details: { retry_after_seconds: RETRY_AFTER_SECONDS } })
    if (own.payments + payments > HELD_PER_SUBMITTER_MAX || own.bytes + bytes > HELD_BYTES_PER_SUBMITTER_MAX) {
      return refuse(`${own.payments} payments of the submitter wait for an operator`)
    }
    if (this.all.payments + payments > HELD_MAX || this.all.bytes + bytes > HELD_BYTES_MAX) {
      return refuse(`${this.all.payments} payments wait for an operator`)
    }
    return undefined
  }
}
