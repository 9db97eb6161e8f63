/**
 * Owns the lookup of a message: on the ledger, which is the same on every node, otherwise in the record of this gateway
 * (docs/design/iso20022.md 5).
 */

import { sameBytes } from '../../../../base/bytes.js'
import { queries as explorerQueries } from '../../../explorer/schema/queries.js'
import { reasonForError } from '../../message/index.js'
import type { LedgerMessage, LedgerMessages } from '../../schema/messages.js'
import { queries as isoQueries } from '../../schema/queries.js'
import type { BridgeContext } from '../context.js'
import { type BridgeRecord, isOpen } from '../record.js'
import type { MessageIdentity, RecordStore } from '../store.js'

/** Sources for looking up a message; a node without a bridge has no records. */
export type Sources = Pick<BridgeContext, 'services' | 'wallMs'> & { readonly store: RecordStore | undefined }

/** Known state of a message, with the current record of this gateway. */
export type Known =
  | { readonly by: 'ledger'; readonly message: LedgerMessage; readonly record: BridgeRecord | undefined }
  | { readonly by: 'gateway'; readonly record: BridgeRecord }

/**
 * Messages with an id that blocks paid or rejected, of one submitter or all: messages with one payment, and the heads
 * of messages with several.
 */
export async function committedMessages(
  { services }: Pick<Sources, 'services'>,
  messageId: string,
  submitter: string | undefined,
): Promise<LedgerMessages> {
  return (await services.query(isoQueries.isoMessages, { messageId, submitter })) ?? NO_MESSAGES
}
const NO_MESSAGES: LedgerMessages = { items: [], heads: [] }

/** Known state of a message with one payment; a changed record is written. Calls for one message are serialised. */
export async function reconcile(
  context: Sources & { readonly store: RecordStore },
  identity: MessageIdentity,
): Promise<Known | undefined> {
  const { messageId, submitter, family } = identity
  const { items } = await committedMessages(context, messageId, submitter)
  return reconcileWith(
    context,
    identity,
    items.find((one) => one.family === family),
  )
}

/** Known state of a message with one payment, given its row on the ledger; a changed record is written. */
export async function reconcileWith(
  context: Sources & { readonly store: RecordStore },
  { submitter, family, messageId }: MessageIdentity,
  message: LedgerMessage | undefined,
): Promise<Known | undefined> {
  const { store } = context
  const record = await store.get({ submitter, family, messageId })
  const known = await knownOf(context, record, message)
  if (known?.record !== undefined && known.record !== record) await store.put(known.record)
  return known
}

/** Known state of a message, from its record and the ledger. Writes nothing. */
export async function knownOf(
  context: Pick<Sources, 'services' | 'wallMs'>,
  record: BridgeRecord | undefined,
  message: LedgerMessage | undefined,
): Promise<Known | undefined> {
  if (message !== undefined && (record === undefined || decides(message, record))) {
    return { by: 'ledger', message, record: record === undefined ? undefined : closed(record, message) }
  }
  if (record === undefined) return undefined
  return { by: 'gateway', record: record.state === 'sent' ? await current(context, record) : record }
}

/**
 * True if the ledger row takes precedence: always for a settled payment, and for a rejection unless this gateway
 * retried after it.
 */
export function decides(message: LedgerMessage, record: BridgeRecord): boolean {
  if (message.rejection === undefined) return true
  if (sameBytes(message.transactionHash, record.transactionHash ?? NOTHING)) return true
  return !isOpen(record) && message.timeMs >= record.updatedAtMs
}
const NOTHING = Buffer.alloc(0)

/** Record closed with the outcome on the ledger. */
export function closed(
  record: BridgeRecord,
  { transactionHash, bodyHash, rejection, timeMs }: LedgerMessage,
): BridgeRecord {
  if (!isOpen(record)) return record
  const end = { ...record, body: undefined, updatedAtMs: timeMs }
  if (rejection !== undefined) return rejected(end, rejection)
  if (!sameBytes(bodyHash, record.bodyHash)) return rejected(end, 'iso_duplicate_message')
  return { ...end, state: 'settled', transactionHash }
}

export const rejected = (record: BridgeRecord, code: string): BridgeRecord => ({
  ...record,
  state: 'rejected',
  reasonCode: reasonForError(code),
  detail: code,
})

/** Current state of a sent record: queued, rejected with its transaction, or expired. */
async function current(sources: Pick<Sources, 'services' | 'wallMs'>, record: BridgeRecord): Promise<BridgeRecord> {
  const end = await transactionEnd(sources, record)
  if (end === undefined) return record
  if (end.kind === 'expired') return rejected({ ...record, updatedAtMs: sources.wallMs() }, 'transaction_expired')
  const { rejection, timeMs } = end
  if (rejection === undefined) {
    // Settled or claimed since the message was queried; the next lookup finds it.
    return record.transaction === undefined ? shared(sources.services, record, timeMs) : record
  }
  return rejection === 'iso_duplicate_message' ? record : rejected({ ...record, updatedAtMs: timeMs }, rejection)
}

/** End of the transaction of a record: it is in a block, or has expired and cannot be in one. */
export type TransactionEnd =
  | { readonly kind: 'expired' }
  | { readonly kind: 'committed'; readonly rejection: string | undefined; readonly timeMs: number }

/** Query the end of the transaction of a sent record; undefined: it waits for a block. */
export async function transactionEnd(
  { services, wallMs }: Pick<Sources, 'services' | 'wallMs'>,
  { transactionHash: hash, expiresAtMs }: BridgeRecord,
): Promise<TransactionEnd | undefined> {
  if (hash === undefined) return undefined
  const found = await services.query(explorerQueries.transaction, { hash })
  if (found !== undefined) return { kind: 'committed', rejection: found.rejection, timeMs: found.timeMs }
  // By chain time: a block prepared before the expiry may contain it, whatever the local clock is.
  if (services.chainTimeMs() < expiresAtMs || services.pending(hash).kind === 'queued') {
    if (wallMs() > expiresAtMs) services.awaitChainTime(expiresAtMs)
    return undefined
  }
  return { kind: 'expired' }
}

/**
 * Record whose transaction makes several payments and is in a block, after a second query of the ledger. For a payment
 * that failed in several transactions the ledger has only the last failure; for a refused claim it has nothing.
 */
async function shared(services: Sources['services'], record: BridgeRecord, updatedAtMs: number): Promise<BridgeRecord> {
  const { messageId, submitter, family } = record
  const { items } = await committedMessages({ services }, messageId, submitter)
  const message = items.find((one) => one.family === family)
  const code = message === undefined ? 'not_permitted' : message.rejection
  return code === undefined ? record : rejected({ ...record, updatedAtMs }, code)
}
