/**
 * Owns the lookup of a message with several payments: on the ledger, which is the same on every node, otherwise in the
 * records of this gateway.
 */
import { sameBytes } from '../../../../base/bytes.js'
import { toHex } from '../../../../codec/index.js'
import type { LedgerMessage, MessageHead } from '../../schema/messages.js'
import { queries } from '../../schema/queries.js'
import { type BridgeRecord, isOpen } from '../record.js'
import {
  closed,
  committedMessages,
  decides,
  reconcile,
  rejected,
  type Sources,
  type TransactionEnd,
  transactionEnd,
} from '../stages/reconcile.js'
import type { MessageIdentity, RecordStore } from '../store.js'

/**
 * A payment of a message. If all optional fields are absent, it is unknown to this gateway, although another gateway
 * may have it.
 */
export interface KnownPayment {
  /** Place in the message, from 1. */
  readonly place: number
  /** The record of this gateway. */
  readonly record?: BridgeRecord | undefined
  /** Its outcome in a block, unless this gateway retried the payment after that block. */
  readonly outcome?: LedgerMessage | undefined
  /** ISO reason of the gateway that refused it, as recorded in the head on the ledger. */
  readonly refused?: string | undefined
}

/** A message with several payments. */
export interface KnownMessage {
  readonly identity: MessageIdentity
  readonly bodyHash: Uint8Array
  /** undefined: no block contains a payment of it. */
  readonly head: MessageHead | undefined
  /** One entry per payment, by place. */
  readonly payments: readonly KnownPayment[]
}

/** Known state of a message; changed records are written. Calls for one message are serialised. */
export async function reconcileMessage(
  context: Sources & { readonly store: RecordStore },
  identity: MessageIdentity,
): Promise<KnownMessage | undefined> {
  return (await reconciled(context, identity)).known
}

/**
 * Known state of a message, and the open records of a different body that were closed because the id belongs to the
 * body on the ledger.
 */
async function reconciled(
  context: Sources & { readonly store: RecordStore },
  { family, messageId, submitter }: MessageIdentity,
): Promise<{ readonly known: KnownMessage | undefined; readonly others: readonly BridgeRecord[] }> {
  const identity = { family, messageId, submitter }
  const head = await headOf(context, identity)
  const records = await context.store.placesOf(identity)
  const known = await knownMessage(context, identity, head, records)
  if (known === undefined) return { known, others: [] }
  const before = new Set(records)
  const changed = known.payments.flatMap(({ record }) => (record === undefined || before.has(record) ? [] : [record]))
  const others = records
    .filter((record) => isOpen(record) && !sameBytes(record.bodyHash, known.bodyHash))
    .map((record) =>
      rejected({ ...record, updatedAtMs: known.head?.timeMs ?? record.updatedAtMs }, 'iso_duplicate_message'),
    )
  if (changed.length + others.length > 0) await context.store.settle([...changed, ...others])
  if (!known.payments.some(({ record }) => record?.state === 'held')) await context.store.dropBody(identity)
  return { known, others }
}

/** Reconcile the open records of a message with the ledger and return them. Runs under the mutex of the message. */
export async function reconcileRecords(
  context: Sources & { readonly store: RecordStore },
  records: readonly BridgeRecord[],
): Promise<readonly BridgeRecord[]> {
  const current: BridgeRecord[] = []
  const [one] = records.filter(({ payments }) => payments === 1)
  const [several] = records.filter(({ payments }) => payments > 1)
  if (one !== undefined) current.push((await reconcile(context, one))?.record ?? one)
  if (several !== undefined) {
    const { known, others } = await reconciled(context, several)
    for (const record of records) {
      const other = others.find(({ place }) => place === record.place)
      if (record.payments > 1) current.push(other ?? known?.payments[record.place - 1]?.record ?? record)
    }
  }
  return current
}

/** Known state of a message, from its head on the ledger and the records of this gateway. Writes nothing. */
export async function knownMessage(
  context: Pick<Sources, 'services' | 'wallMs'>,
  identity: MessageIdentity,
  head: MessageHead | undefined,
  records: readonly BridgeRecord[],
): Promise<KnownMessage | undefined> {
  // Before the outcomes are read, so that they include those of every transaction in a block.
  const ends = await endsOf(context, records)
  const current = ends.size === 0 ? head : await headOf(context, identity)
  const [first] = records
  const count = current?.payments ?? first?.payments
  const bodyHash = current?.bodyHash ?? first?.bodyHash
  if (count === undefined || bodyHash === undefined) return undefined
  const own = records.filter((record) => sameBytes(record.bodyHash, bodyHash))
  const byPlace = new Map(own.map((record) => [record.place, record]))
  const ledger = await onLedger(context, identity, current)
  const payments = Array.from({ length: count }, (_, at): KnownPayment => {
    const known = combined(at + 1, byPlace.get(at + 1), ledger.get(at + 1))
    const { record, outcome } = known
    const end = record?.state === 'sent' && outcome === undefined ? ends.get(transactionText(record)) : undefined
    return record === undefined || end === undefined
      ? known
      : { place: at + 1, record: ended(record, end, context.wallMs()) }
  })
  return { identity, bodyHash, head: current, payments }
}

const transactionText = ({ transactionHash }: BridgeRecord): string =>
  transactionHash === undefined ? '' : toHex(transactionHash)

/** Ends of the transactions of sent records, by transaction hash; transactions that are still queued are left out. */
async function endsOf(
  sources: Pick<Sources, 'services' | 'wallMs'>,
  records: readonly BridgeRecord[],
): Promise<ReadonlyMap<string, TransactionEnd>> {
  const sent = new Map(records.filter(({ state }) => state === 'sent').map((one) => [transactionText(one), one]))
  const ends = new Map<string, TransactionEnd>()
  for (const [hash, record] of sent) {
    const end = await transactionEnd(sources, record)
    if (end !== undefined) ends.set(hash, end)
  }
  return ends
}

async function headOf(
  context: Pick<Sources, 'services'>,
  { messageId, submitter, family }: MessageIdentity,
): Promise<MessageHead | undefined> {
  const { heads } = await committedMessages(context, messageId, submitter)
  return heads.find((one) => one.family === family)
}

interface OnLedger {
  readonly outcome: LedgerMessage | undefined
  readonly refused: string | undefined
}

/** Payments of the message on the ledger, by place. */
async function onLedger(
  { services }: Pick<Sources, 'services'>,
  { submitter, family, messageId }: MessageIdentity,
  head: MessageHead | undefined,
): Promise<ReadonlyMap<number, OnLedger>> {
  const found = new Map<number, OnLedger>()
  if (head === undefined) return found
  for (let after = 0; after < head.payments; ) {
    const page = await services.query(queries.isoPayments, { submitter, family, messageId, after })
    const items = page?.items ?? []
    for (const item of items) found.set(item.place, item)
    const last = items.at(-1)?.place
    if (last === undefined) break
    after = last
  }
  return found
}

/** Merge the record and the ledger outcome of a payment. */
function combined(place: number, record: BridgeRecord | undefined, found: OnLedger | undefined): KnownPayment {
  const { outcome, refused } = found ?? {}
  if (outcome !== undefined && (record === undefined || decides(outcome, record))) {
    return { place, outcome, record: record && closed(record, outcome) }
  }
  return { place, record, refused }
}

/** Close a sent record whose transaction ended without an outcome of its payment. */
function ended(record: BridgeRecord, end: TransactionEnd, nowMs: number): BridgeRecord {
  if (!isOpen(record)) return record
  if (end.kind === 'expired') return rejected({ ...record, updatedAtMs: nowMs }, 'transaction_expired')
  // The transaction was applied but the payment has no outcome: its claim was refused.
  return rejected({ ...record, updatedAtMs: end.timeMs }, end.rejection ?? 'not_permitted')
}
