/** Owns how many messages of one submitter wait for a block at most: those of all are transactions of one account, which share its room in the queue. */
import { LedgerError } from '../../../model/index.js'
import { Shares } from './shares.js'

/** Part of the room of the bridge's account that one submitter may fill, 1 in so many: one keeps no other out while blocks are slow. */
export const SENT_SHARE = 4

/** Who has how many messages that were sent and are not decided. */
export class SentShares extends Shares {
  constructor() {
    super('sent')
  }

  /** Why a submitter has no room for a message more in a queue that takes so many of the bridge's account; undefined: it has. */
  fault(submitter: string, capacity: number): LedgerError | undefined {
    const own = this.of(submitter).messages
    if (own < Math.max(1, Math.floor(capacity / SENT_SHARE))) return undefined
    return new LedgerError('per_user_queue_limit', `${own} messages of the submitter wait for a block`)
  }
}
