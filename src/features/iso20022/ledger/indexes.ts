/** Owns the read index of messages by id: settled messages, and messages rejected in a block. */
import { type Infer, struct, u16 } from '../../../codec/index.js'
import type { IndexedBlock, IndexRun } from '../../../executor/reads.js'
import { changedRows, featureIndexPrefix } from '../../../ledger/indexes.js'
import { type AccountId, keyBytes, rejectionOf } from '../../../model/index.js'
import { rowKey, type TableDef } from '../../../state/index.js'
import { claimedPayment } from '../schema/claimed.js'
import { ISO_INDEXES } from '../schema/ids.js'
import { claimKey, type IsoFamily } from '../schema/instructions.js'
import { committedFields, type PaymentOutcome } from '../schema/messages.js'
import { claims, heads, payments } from './tables.js'

const rejectedMessage = struct('RejectedMessage', { ...committedFields, code: u16 })
/** A message whose transaction was rejected in a block, with the number of the error. */
export type RejectedMessage = Infer<typeof rejectedMessage>

/** Identity of a message: submitter, family and id. */
type Identity = Pick<RejectedMessage, 'submitter' | 'family' | 'messageId'>

const FAMILIES: Readonly<Record<IsoFamily, number>> = { pacs008: 0, pacs009: 1 }
/** Upper bound of keys, above every id length and every family. */
const BEYOND = Buffer.of(0xff)
/**
 * Value of a paid message, whose row has the other fields. It is empty because release 0.1.0 expects an empty value.
 */
const PAID = Buffer.alloc(0)
/**
 * Value of a message with several payments, or of a message whose only payment was rejected; its rows have the other
 * fields.
 */
const HEAD = Buffer.of(1)
const REJECTED = Buffer.of(2)

const idPrefix = (messageId: string): Buffer => {
  const id = Buffer.from(messageId, 'utf8')
  return Buffer.concat([featureIndexPrefix(ISO_INDEXES.messages), Buffer.of(id.length), id])
}
function submitterPrefix(messageId: string, submitter: AccountId): Buffer {
  const id = keyBytes(submitter)
  return Buffer.concat([idPrefix(messageId), Buffer.of(id.length), id])
}
const messageKey = ({ messageId, submitter, family }: Identity): Buffer =>
  Buffer.concat([submitterPrefix(messageId, submitter), Buffer.of(FAMILIES[family])])

/** Key range of the messages of an id, of one submitter or of all. */
export function messageRange(messageId: string, submitter: AccountId | undefined) {
  const gte = submitter === undefined ? idPrefix(messageId) : submitterPrefix(messageId, submitter)
  return { gte, lt: Buffer.concat([gte, BEYOND]), submitterAt: idPrefix(messageId).length + 1 }
}

/** Row of the ledger that an entry refers to. */
export type IndexedMessage = Pick<Identity, 'family' | 'submitter'> &
  (
    | { readonly kept: 'claim' | 'head' | 'rejection' }
    /** Stored in the entry itself: the transaction of its claim was rejected. */
    | { readonly kept: 'entry'; readonly rejected: RejectedMessage }
  )

/** Decode an entry of the range. */
export function messageAt(key: Buffer, value: Buffer, submitterAt: number): IndexedMessage {
  const family: IsoFamily = key.at(-1) === FAMILIES.pacs008 ? 'pacs008' : 'pacs009'
  const submitter: AccountId = key.toString('latin1', submitterAt, key.length - 1)
  if (value.equals(PAID)) return { family, submitter, kept: 'claim' }
  if (value.equals(HEAD)) return { family, submitter, kept: 'head' }
  if (value.equals(REJECTED)) return { family, submitter, kept: 'rejection' }
  const decoded = rejectedMessage.decode(value)
  if (!decoded.ok) throw new Error(`a rejected message does not decode: ${decoded.fault.message}`)
  return { family, submitter, kept: 'entry', rejected: decoded.value }
}

/** Messages that were rejected in a block and not paid before. */
function* rejectedIn({ entries, results, before, height, timeMs }: IndexedBlock): Generator<RejectedMessage> {
  for (const [at, { outcome }] of results.entries()) {
    const entry = entries[at]
    if (rejectionOf(outcome) === undefined || entry === undefined) continue
    const payload = entry.signed.payload.value
    const found = claimedPayment(payload, outcome)
    if (found?.code === undefined) continue
    const { submitter, family, messageId, bodyHash, details } = found.claim
    const key = claimKey(submitter, family, messageId)
    if (before.hasRow(rowKey(claims, key)) || before.hasRow(rowKey(heads, key))) continue
    const { asset, to: target, amount } = found.transfer
    yield {
      submitter,
      family,
      messageId,
      bodyHash,
      details,
      source: asset.account,
      target,
      definition: asset.definition,
      amount,
      transactionHash: entry.id,
      receivedAtMs: payload.createdAtMs,
      height,
      timeMs,
      code: found.code,
    }
  }
}

/** Index changes of one block. Later changes win: a payment after rejections in the same block. */
export const isoIndexes: IndexRun = (block) => {
  const entries = <V extends Identity>(table: TableDef<Uint8Array, V>, value: Buffer, isMeant: (row: V) => boolean) =>
    [...changedRows(table, block.rows)]
      .filter((row) => isMeant(row.value))
      .map((row): [Uint8Array, Uint8Array] => [messageKey(row.value), value])
  const rejected = [...rejectedIn(block)].map((one): [Uint8Array, Uint8Array] => [
    messageKey(one),
    rejectedMessage.encode(one),
  ])
  return {
    put: [
      ...rejected,
      ...entries(payments, REJECTED, isOnly),
      ...entries(claims, PAID, () => true),
      ...entries(heads, HEAD, () => true),
    ],
    del: [],
  }
}

/** True if a row is of a message with one payment; its key is then the key of the message. */
const isOnly = ({ payments: count }: PaymentOutcome): boolean => count === 1
