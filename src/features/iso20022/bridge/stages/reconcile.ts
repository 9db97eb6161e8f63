/** Owns what is known of a message: by the ledger on every node, else by the record of this gateway (docs/design/iso20022.md 5). */

import { sameBytes } from '../../../../base/bytes.js'
import { queries as explorerQueries } from '../../../explorer/schema/queries.js'
import { reasonForError } from '../../message/index.js'
import type { LedgerMessage } from '../../schema/messages.js'
import { queries as isoQueries } from '../../schema/queries.js'
import type { BridgeContext } from '../context.js'
import { type BridgeRecord, isOpen } from '../record.js'
import type { MessageIdentity, RecordStore } from '../store.js'

/** What a message is looked up in; a node without a bridge has no records. */
export type Sources = Pick<BridgeContext, 'services' | 'wallMs'> & { readonly store: RecordStore | undefined }

/** What is known of a message, with the record of this gateway as it stands now. */
export type Known =
  | { readonly by: 'ledger'; readonly message: LedgerMessage; readonly record: BridgeRecord | undefined }
  | { readonly by: 'gateway'; readonly record: BridgeRecord }

/** Messages of an id that blocks paid or rejected, by all submitters or one. */
export async function committedMessages(
  { services }: Pick<Sources, 'services'>,
  messageId: string,
  submitter: string | undefined,
): Promise<readonly LedgerMessage[]> {
  return (await services.query(isoQueries.isoMessages, { messageId, submitter }))?.items ?? []
}

/** What is known of a message; what changed in its record is written. Runs alone on its message. */
export async function reconcile(
  context: Sources & { readonly store: RecordStore },
  { submitter, family, messageId }: MessageIdentity,
): Promise<Known | undefined> {
  const { store } = context
  const record = await store.get({ submitter, family, messageId })
  const messages = await committedMessages(context, messageId, submitter)
  const known = await knownOf(
    context,
    record,
    messages.find((one) => one.family === family),
  )
  if (known?.record !== undefined && known.record !== record) await store.put(known.record)
  return known
}

/** What a block did with the transaction of a record. */
interface Decided {
  readonly transactionHash: Uint8Array | undefined
  /** Header time of the block, in ms since the Unix epoch. */
  readonly timeMs: number
}

/** The record of a message while its transaction is the one of a block. */
async function sentIn(
  { store }: { readonly store: RecordStore },
  identity: MessageIdentity,
  { transactionHash }: Decided,
): Promise<BridgeRecord | undefined> {
  const record = await store.get(identity)
  if (record?.state !== 'sent' || record.transactionHash === undefined || transactionHash === undefined)
    return undefined
  return sameBytes(record.transactionHash, transactionHash) ? record : undefined
}

/**
 * Closes the record of a payment as a block decided it: made, or rejected with a code. That of one which another gateway sent is
 * closed by what the ledger says. Alone on its message.
 */
export async function closeRecord(
  context: Sources & { readonly store: RecordStore },
  identity: MessageIdentity,
  decided: Decided,
  code: string | undefined,
): Promise<void> {
  const record = await sentIn(context, identity, decided)
  if (record === undefined) {
    await reconcile(context, identity)
    return
  }
  const end = { ...record, updatedAtMs: decided.timeMs }
  await context.store.settle([code === undefined ? { ...end, state: 'settled' } : rejected(end, code)])
}

/**
 * Closes the record of a payment that its own transaction did not make and that the ledger may have nothing of: it repeats another
 * one, or the bridge may not claim it. Alone on its message.
 */
export async function refuseRecord(
  context: Sources & { readonly store: RecordStore },
  identity: MessageIdentity,
  decided: Decided,
  code: string,
): Promise<void> {
  const record = await sentIn(context, identity, decided)
  if (record === undefined) return
  const known = await reconcile(context, identity)
  if (known?.record !== undefined && !isOpen(known.record)) return
  await context.store.settle([rejected({ ...record, updatedAtMs: decided.timeMs }, code)])
}

/** What is known of a message by its record and by the ledger. Nothing is written. */
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

/** True where the ledger has the last word: a payment always; a rejection unless this gateway tried again after it. */
function decides(message: LedgerMessage, record: BridgeRecord): boolean {
  if (message.rejection === undefined) return true
  if (sameBytes(message.transactionHash, record.transactionHash ?? NOTHING)) return true
  return !isOpen(record) && message.timeMs >= record.updatedAtMs
}
const NOTHING = Buffer.alloc(0)

/** A record that the ledger decided. */
function closed(record: BridgeRecord, { transactionHash, bodyHash, rejection, timeMs }: LedgerMessage): BridgeRecord {
  if (!isOpen(record)) return record
  const end = { ...record, body: undefined, updatedAtMs: timeMs }
  if (rejection !== undefined) return rejected(end, rejection)
  if (!sameBytes(bodyHash, record.bodyHash)) return rejected(end, 'iso_duplicate_message')
  return { ...end, state: 'settled', transactionHash }
}

const rejected = (record: BridgeRecord, code: string): BridgeRecord => ({
  ...record,
  state: 'rejected',
  reasonCode: reasonForError(code),
  detail: code,
})

/** A sent record as it stands now: it waits, was rejected before its claim was looked at, or expired. */
async function current(
  { services, wallMs }: Pick<Sources, 'services' | 'wallMs'>,
  record: BridgeRecord,
): Promise<BridgeRecord> {
  const { transactionHash: hash, expiresAtMs } = record
  if (hash === undefined) return record
  const found = await services.query(explorerQueries.transaction, { hash })
  if (found !== undefined) {
    const isApplied = found.rejection === undefined
    if (isApplied && record.transaction === undefined) return shared(services, record, found.timeMs)
    // Paid or claimed since the ledger was asked for the message: told at the next look.
    if (isApplied || found.rejection === 'iso_duplicate_message') return record
    return rejected({ ...record, updatedAtMs: found.timeMs }, found.rejection)
  }
  // By the time of the chain: a block that was prepared in time may hold it, whatever the clock says.
  if (services.chainTimeMs() < expiresAtMs || services.pending(hash).kind === 'queued') {
    if (wallMs() > expiresAtMs) services.awaitChainTime(expiresAtMs)
    return record
  }
  const updatedAtMs = wallMs()
  return rejected({ ...record, updatedAtMs }, 'transaction_expired')
}

/**
 * A record whose transaction makes several payments and is in a block, by what the ledger says when it is asked anew: of a payment that
 * failed in several transactions it keeps the last failure, and of a claim that was refused nothing.
 */
async function shared(services: Sources['services'], record: BridgeRecord, updatedAtMs: number): Promise<BridgeRecord> {
  const { messageId, submitter, family } = record
  const messages = await committedMessages({ services }, messageId, submitter)
  const message = messages.find((one) => one.family === family)
  const code = message === undefined ? 'not_permitted' : message.rejection
  return code === undefined ? record : rejected({ ...record, updatedAtMs }, code)
}
