/** Owns what became of a message: derived from the ledger, never from memory (docs/design/iso20022.md 5). */

import type { NodeServices } from '../../../api/services.js'
import * as queries from '../../explorer/schema/queries.js'
import { reasonForError } from '../message/index.js'
import { claimKey } from '../schema/instructions.js'
import { isoClaim } from '../schema/queries.js'
import type { ClaimView } from '../schema/views.js'
import type { BridgeRecord } from './record.js'
import type { MessageIdentity, RecordStore } from './store.js'

/** Brings records to what the ledger says. */
export class Settlement {
  constructor(
    private readonly services: NodeServices,
    private readonly store: RecordStore,
    private readonly clockMs: () => number,
  ) {}

  /** The claim of a message on the ledger, whichever gateway made it. */
  claimOf(identity: MessageIdentity): Promise<ClaimView | undefined> {
    const key = claimKey(identity.submitter, identity.family, identity.messageId)
    return this.services.query(isoClaim, { key })
  }

  /** The record as it stands on the ledger now; what changed is written. */
  async reconcile(record: BridgeRecord): Promise<BridgeRecord> {
    const next = await this.now(record)
    if (next !== record) await this.store.put(next)
    return next
  }

  private async now(record: BridgeRecord): Promise<BridgeRecord> {
    if (record.state === 'settled') return record
    // Held or refused here, and paid through another gateway.
    if (record.state !== 'sent') return (await this.wonElsewhere(record)) ?? record
    if (record.transactionHash === undefined) return record
    const found = await this.services.query(queries.transaction, { hash: record.transactionHash })
    return found === undefined ? this.unseen(record) : this.seen(record, found.rejection)
  }

  private async seen(record: BridgeRecord, rejection: string | undefined): Promise<BridgeRecord> {
    const updatedAtMs = this.clockMs()
    if (rejection === undefined) return { ...record, state: 'settled', body: undefined, updatedAtMs }
    const won = rejection === 'iso_duplicate_message' ? await this.wonElsewhere(record) : undefined
    if (won !== undefined) return won
    return { ...record, state: 'rejected', reasonCode: reasonForError(rejection), detail: rejection, updatedAtMs }
  }

  /** Not in a block: still waiting, or expired; an earlier winner of the claim settles it either way. */
  private async unseen(record: BridgeRecord): Promise<BridgeRecord> {
    const won = await this.wonElsewhere(record)
    if (won !== undefined) return won
    const now = this.clockMs()
    if (now <= record.expiresAtMs || record.transactionHash === undefined) return record
    if (this.services.pending(record.transactionHash).kind === 'queued') return record
    return { ...record, state: 'rejected', reasonCode: 'TM01', detail: 'transaction_expired', updatedAtMs: now }
  }

  /** The record with the transaction that paid this very message, when there is one. */
  private async wonElsewhere(record: BridgeRecord): Promise<BridgeRecord | undefined> {
    const winner = await this.claimOf(record)
    if (winner === undefined || Buffer.compare(winner.bodyHash, record.bodyHash) !== 0) return undefined
    return {
      ...record,
      state: 'settled',
      transactionHash: winner.transactionHash,
      body: undefined,
      reasonCode: undefined,
      detail: undefined,
      updatedAtMs: this.clockMs(),
    }
  }
}
