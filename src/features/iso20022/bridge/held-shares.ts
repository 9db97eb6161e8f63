/** Owns the bounds on payments that wait for an operator, of one submitter and of all: only a decision ends their wait. */
import '../schema/errors.js'
import { LedgerError } from '../../../model/index.js'
import { Shares } from './shares.js'

/** Payments of one submitter that wait at most: a quarter of all, so that one keeps no other out. */
export const HELD_PER_SUBMITTER_MAX = 2_048
/** Payments that wait at most. Each is compared with the ledger once a minute. */
export const HELD_MAX = 8_192
/** Bytes of the bodies of one submitter that wait at most: 16 KiB each on average. */
export const HELD_BYTES_PER_SUBMITTER_MAX = 32 * 1024 * 1024
/** Bytes of all bodies that wait at most; they are on the disk. */
export const HELD_BYTES_MAX = 128 * 1024 * 1024

/** Seconds until another try: an operator has to decide first. */
const RETRY_AFTER_SECONDS = 60

/** Payments that wait for an operator, by submitter. */
export class HeldShares extends Shares {
  constructor() {
    super('held')
  }

  /** Reason why a submitter has no room for a message with this many held payments; undefined: it has. */
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
