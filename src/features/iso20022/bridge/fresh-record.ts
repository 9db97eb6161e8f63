/** Owns attempts: the record of a payment before anything was decided, and the refusals after which it is tried again. */
import '../schema/errors.js'
import { normalizeNumeric } from '../../../codec/index.js'
import { LedgerError } from '../../../model/index.js'
import { type Payment, type ReadPayment, reasonForError } from '../message/index.js'
import type { BridgeContext } from './context.js'
import type { BridgeRecord } from './record.js'
import type { MessageIdentity } from './store.js'

/** Reasons after which the same body starts a new attempt under its identity (docs/design/iso20022.md 4). */
const RETRYABLE: ReadonlySet<string> = new Set(['TM01', 'ED06'])

/** True if the ledger rejected a payment for a reason that may be over. */
export const isRetryableReason = (rejection: string): boolean => RETRYABLE.has(reasonForError(rejection))

/** True if a payment that was rejected is validated anew if its message is submitted again; the decision of an operator stays. */
export const isRetryableRecord = ({ reasonCode, transactionHash, decidedBy }: BridgeRecord): boolean =>
  RETRYABLE.has(reasonCode ?? '') || (transactionHash === undefined && decidedBy === undefined)

/** A payment as it was read, with the hash of its message. */
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
      ...{ currency, settlementDate, instructionId, endToEndId, senderTransactionId: transactionId, uetr },
      changes: [],
    },
  }
}

/** Currency and date that a record has in place of values that could not be read. */
export const UNREAD = { currency: 'XXX', settlementDate: '0000-00-00' } as const

/** The fields of a faulty payment that could be read. */
function faultyFieldsOf(references: Extract<ReadPayment, { ok: false }>['references']): Fields {
  const { amount, instructionId, endToEndId, transactionId, uetr } = references
  return {
    amount: normalAmount(amount?.value ?? { mantissa: 0n, scale: 0 }),
    details: {
      currency: amount?.currency ?? UNREAD.currency,
      settlementDate: UNREAD.settlementDate,
      ...{ instructionId, endToEndId, senderTransactionId: transactionId, uetr },
      changes: [],
    },
  }
}

/** An amount in canonical form; the reader has bounded it. */
function normalAmount(amount: Payment['amount']): BridgeRecord['amount'] {
  const normal = normalizeNumeric(amount)
  if (normal === undefined) throw new Error('an amount that the reader bounded has a canonical form')
  return normal
}

/** The error of a body whose message id already belongs to another body. */
export const duplicateMessage = ({ messageId }: MessageIdentity): LedgerError =>
  new LedgerError('iso_duplicate_message', `message ${messageId} was submitted with another body`)
