/** Owns how many messages wait for an operator at most, of one submitter and of all: nothing but a decision ends their wait. */
import '../schema/errors.js'
import { LedgerError } from '../../../model/index.js'
import { Shares } from './shares.js'

/** Messages of one submitter that wait at most: a quarter of all, so that one keeps no other out. */
export const HELD_PER_SUBMITTER_MAX = 2_048
/** Messages that wait at most. Each is compared with the ledger once a minute. */
export const HELD_MAX = 8_192
/** Bytes of the bodies of one submitter that wait at most: 16 KiB each on average. */
export const HELD_BYTES_PER_SUBMITTER_MAX = 32 * 1024 * 1024
/** Bytes of all bodies that wait at most; they are on the disk. */
export const HELD_BYTES_MAX = 128 * 1024 * 1024

/** Seconds until another try: somebody has to decide something first. */
const RETRY_AFTER_SECONDS = 60

/** Who has how many messages that wait. */
export class HeldShares extends Shares {
  constructor() {
    super('held')
  }

  /** Why a submitter has no room for a message more; undefined: it has. */
  fault(submitter: string, bytes: number): LedgerError | undefined {
    const own = this.of(submitter)
    const refuse = (message: string): LedgerError =>
      new LedgerError('iso_held_limit', message, { details: { retry_after_seconds: RETRY_AFTER_SECONDS } })
    if (own.messages >= HELD_PER_SUBMITTER_MAX || own.bytes + bytes > HELD_BYTES_PER_SUBMITTER_MAX) {
      return refuse(`${own.messages} messages of the submitter wait for an operator`)
    }
    if (this.all.messages >= HELD_MAX || this.all.bytes + bytes > HELD_BYTES_MAX) {
      return refuse(`${this.all.messages} messages wait for an operator`)
    }
    return undefined
  }
}
