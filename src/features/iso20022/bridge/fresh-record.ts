/** Owns attempts: the initial record of a payment, and the refusals after which it may be retried. */
import '../schema/errors.js'
import { normalizeNumeric } from '../../../codec/index.js'
import { LedgerError } from '../../../model/index.js'
import { type Payment, type ReadPayment, reasonForError } from '../message/index.js'
import type { BridgeContext } from './context.js'
import type { BridgeRecord } from './record.js'
import type { MessageIdentity } from './store.js'

/**
 * Reasons after which resubmitting the same body starts a new attempt under the same identity (docs/design/iso20022.md
 * 4).
 */
const RETRYABLE: ReadonlySet<string> = new Set(['TM01', 'ED06'])

/** True if the cause of a rejection may no longer exist. */
export const isRetryableReason = (rejection: string): boolean => RETRYABLE.has(reasonForError(rejection))

/**
 * True if a rejected payment is validated again when its message is resubmitted; a decision of an operator is final.
 */
export const isRetryableRecord = ({ reasonCode, transactionHash, decidedBy }: BridgeRecord): boolean =>
  RETRYABLE.has(reasonCode ?? '') || (transactionHash === undefined && decidedBy === undefined)

/** A decoded payment with the hash of its message. */
interface Submitted {
  readonly bodyHash: Uint8Array
  readonly read: ReadPayment
}

/** New record before any decision; `before`: the record of the previous attempt. */
export function freshRecord(
  { wallMs }: BridgeContext,
  identity: MessageIdentity,
  { bodyHash, read }: Submitted,
  before: BridgeRecord | undefined,
  where: Pick<BridgeRecord, 'payments' | 'place' | 'batchBooking'>,
): BridgeRecord {
  const nowMs = wallMs()
  return {
    ...identity,
    ...where,
    bodyHash,
    ...(read.ok ? fieldsOf(read.payment) : faultyFieldsOf(read.references)),
    source: undefined,
    target: undefined,
    definition: undefined,
    body: undefined,
    transaction: undefined,
    transactionHash: undefined,
    expiresAtMs: 0,
    state: 'sent',
    reasonCode: undefined,
    detail: undefined,
    holdReason: undefined,
    decidedBy: undefined,
    attempt: (before?.attempt ?? 0) + 1,
    receivedAtMs: nowMs,
    updatedAtMs: nowMs,
  }
}

type Fields = Pick<BridgeRecord, 'amount' | 'details'>

function fieldsOf(payment: Payment): Fields {
  const { currency, settlementDate, instructionId, endToEndId, transactionId, uetr } = payment
  return {
    amount: normalAmount(payment.amount),
    details: {
      currency,
      settlementDate,
      instructionId,
      endToEndId,
      senderTransactionId: transactionId,
      uetr,
      changes: [],
    },
  }
}

/** Currency and date in a record whose values could not be read. */
export const UNREAD = { currency: 'XXX', settlementDate: '0000-00-00' } as const

/** Readable fields of a faulty payment. */
function faultyFieldsOf(references: Extract<ReadPayment, { ok: false }>['references']): Fields {
  const { amount, instructionId, endToEndId, transactionId, uetr } = references
  return {
    amount: normalAmount(amount?.value ?? { mantissa: 0n, scale: 0 }),
    details: {
      currency: amount?.currency ?? UNREAD.currency,
      settlementDate: UNREAD.settlementDate,
      instructionId,
      endToEndId,
      senderTransactionId: transactionId,
      uetr,
      changes: [],
    },
  }
}

/** Amount in canonical form; the reader has checked its bounds. */
function normalAmount(amount: Payment['amount']): BridgeRecord['amount'] {
  const normal = normalizeNumeric(amount)
  if (normal === undefined) throw new Error('an amount within its bounds has no canonical form')
  return normal
}

/** Error of a body whose message id already belongs to another body. */
export const duplicateMessage = ({ messageId }: MessageIdentity): LedgerError =>
  new LedgerError('iso_duplicate_message', `message ${messageId} was submitted with another body`)
