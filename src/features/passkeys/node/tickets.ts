/**
 * Owns the tickets for new passkeys: requested with the signature of an operator key, valid once and for a limited
 * time.
 */
import { createHash, randomBytes } from 'node:crypto'
import { type AccountId, LedgerError } from '../../../model/index.js'
import '../schema.js'
import { TICKET_MS, TICKETS_MAX } from './limits.js'

const TICKET_BYTES = 32

/** Registration that a ticket permits. */
export interface Ticket {
  readonly account: AccountId
  readonly label: string
  /** End on the monotonic clock, ms. */
  readonly endsAtMs: number
}

/** Digest of a ticket. Only digests are stored: a lookup by digest has no timing leak. */
const digestOf = (ticket: string): string => createHash('sha256').update(ticket, 'utf8').digest('base64')

export class Tickets {
  private readonly tickets = new Map<string, Ticket>()

  constructor(private readonly monotonicMs: () => number) {}

  /** Create a ticket. */
  issue(account: AccountId, label: string): string | LedgerError {
    const nowMs = this.monotonicMs()
    for (const [digest, { endsAtMs }] of this.tickets) if (endsAtMs <= nowMs) this.tickets.delete(digest)
    if (this.tickets.size >= TICKETS_MAX) {
      return new LedgerError('passkey_limit', `${TICKETS_MAX} tickets are unused: wait until one expires`)
    }
    const text = randomBytes(TICKET_BYTES).toString('base64url')
    this.tickets.set(digestOf(text), { account, label, endsAtMs: nowMs + TICKET_MS })
    return text
  }

  /** Registration that a ticket permits; undefined if the ticket is unknown, used or expired. */
  find(text: string): Ticket | undefined {
    const found = this.tickets.get(digestOf(text))
    return found !== undefined && found.endsAtMs > this.monotonicMs() ? found : undefined
  }

  /** Consume a ticket; undefined as in `find`. */
  take(text: string): Ticket | undefined {
    const found = this.find(text)
    this.tickets.delete(digestOf(text))
    return found
  }

  /** Restore a ticket that had no effect. */
  restore(text: string, ticket: Ticket): void {
    this.tickets.set(digestOf(text), ticket)
  }
}
