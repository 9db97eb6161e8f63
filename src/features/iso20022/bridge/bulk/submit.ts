/**
 * Owns the submission of a message with several payments: each is validated, held, sent or refused separately
 * (docs/design/iso20022.md 10). Submissions of one message are serialised.
 */
import '../../schema/errors.js'
import { sameBytes } from '../../../../base/bytes.js'
import { type AccountId, LedgerError } from '../../../../model/index.js'
import {
  faultJson,
  type IsoFault,
  type Payment,
  type PaymentMessage,
  type ReadPayment,
  totalsOf,
} from '../../message/index.js'
import type { BridgeContext } from '../context.js'
import { duplicateMessage, freshRecord, isRetryableReason, isRetryableRecord } from '../fresh-record.js'
import { type BridgeRecord, isOpen } from '../record.js'
import { type HoldReason, holdReason } from '../stages/hold.js'
import { committedMessages } from '../stages/reconcile.js'
import { duplicateUetr, uetrTurn } from '../stages/uetr.js'
import { unknownSubmitter, validatePayments } from '../stages/validate.js'
import type { BridgeAnswer } from '../status.js'
import type { MessageIdentity } from '../store.js'
import { type Parties, type Payable, refusedOf } from '../transaction.js'
import { type KnownMessage, type KnownPayment, reconcileMessage } from './known.js'
import { messageView } from './view.js'

/** A payment of the message that this submission attempts. */
interface Tried {
  readonly place: number
  readonly read: ReadPayment
  readonly before: KnownPayment | undefined
}

/** A payment that was refused before it was signed. */
interface Refused {
  readonly record: BridgeRecord
  readonly fault: IsoFault
}

/** A payment that passed all checks. */
interface Sound {
  readonly record: BridgeRecord
  readonly parties: Parties
  /** Reason to hold the payment for an operator; undefined if it is not held. */
  readonly reason: HoldReason | undefined
}

/**
 * Accept a message with several payments; the same body again retries only payments that failed before they were
 * signed.
 */
export async function takeSeveral(
  context: BridgeContext,
  identity: MessageIdentity,
  message: PaymentMessage,
  body: Uint8Array,
): Promise<BridgeAnswer> {
  const { services, reference } = context
  const known = await reconcileMessage(context, identity)
  const isOther = known !== undefined && !sameBytes(known.bodyHash, message.bodyHash)
  if (isOther && !isReplaceable(known)) return duplicateMessage(identity)
  if (known === undefined && (await isTakenByOne(context, identity))) return duplicateMessage(identity)
  const earlier = isOther ? undefined : known
  const tried = message.payments.flatMap((read, at): Tried[] => {
    const before = earlier?.payments[at]
    return before !== undefined && !isTriedAgain(before) ? [] : [{ place: at + 1, read, before }]
  })
  if (earlier !== undefined && tried.length === 0) return messageView(services, earlier, true)
  const unavailable = reference.unavailable()
  if (unavailable !== undefined) return unavailable
  const take = () => takeTried(context, identity, message, body, { earlier, tried, isOther })
  return context.duplicateUetr === 'refuse' ? inUetrTurns(context, identity, tried, take) : take()
}

/**
 * Run work under the mutexes of the UETRs of payments, so that the second of two concurrent messages with the same UETR
 * finds the first.
 */
function inUetrTurns<T>(
  { mutex }: BridgeContext,
  identity: MessageIdentity,
  tried: readonly Tried[],
  work: () => Promise<T>,
): Promise<T> {
  const uetrs = new Set(tried.flatMap(({ read }) => (read.ok ? (read.payment.uetr ?? []) : [])))
  // Sorted, so that two messages cannot deadlock.
  const turns = [...uetrs].sort().map((uetr) => uetrTurn(identity, uetr))
  return turns.reduceRight<() => Promise<T>>((inner, turn) => () => mutex.run(turn, inner), work)()
}

/** Payments of a message that this submission attempts, and earlier records of it. */
interface Attempt {
  readonly earlier: KnownMessage | undefined
  readonly tried: readonly Tried[]
  /** True if an earlier, different body used the id and none of its payments was signed. */
  readonly isOther: boolean
}

/** Validate payments of a message, then hold, send or refuse each. */
async function takeTried(
  context: BridgeContext,
  identity: MessageIdentity,
  message: PaymentMessage,
  body: Uint8Array,
  { earlier, tried, isOther }: Attempt,
): Promise<BridgeAnswer> {
  const { services, store } = context
  const { sound, refused, isUnregistered } = await validateTried(context, identity, message, tried)
  if (isUnregistered) return unknownSubmitter().error
  const isAllRefused = sound.length === 0
  const kept = (earlier?.payments ?? []).filter((one) => !tried.some(({ place }) => place === one.place))
  const held = sound.filter(({ reason }) => reason !== undefined).map((one) => heldRecord(one))
  const sent = sound.filter(({ reason }) => reason === undefined)
  const full = roomFault(context, identity.submitter, held.length, sent.length, body)
  if (full !== undefined) return full
  const hasHeld = held.length > 0 || kept.some(({ record }) => record?.state === 'held')
  if (isOther) await store.removePlaces(identity)
  await store.putPlaces([...refused.map(({ record }) => record), ...held], hasHeld ? Buffer.from(body) : undefined)
  if (isAllRefused && kept.length === 0) return refusalOf(refused)

  const refusals = refusedOf([...refused, ...kept].flatMap(({ record }) => (record === undefined ? [] : [record])))
  const payables = sent.map(({ record, parties }): Payable => ({ record, parties, refused: refusals }))
  const records = await context.batches.submitAll(payables)
  if (records instanceof LedgerError) return records
  const now = new Map([...records, ...held, ...refused.map(({ record }) => record)].map((one) => [one.place, one]))
  const payments = message.payments.map((_, at): KnownPayment => {
    const record = now.get(at + 1)
    return record === undefined ? (earlier?.payments[at] ?? { place: at + 1 }) : { place: at + 1, record }
  })
  const head = earlier?.head
  return messageView(services, { identity, bodyHash: message.bodyHash, head, payments }, isAllRefused)
}

/** Validate payments separately and together. Writes nothing. */
async function validateTried(
  context: BridgeContext,
  identity: MessageIdentity,
  message: PaymentMessage,
  tried: readonly Tried[],
): Promise<{
  readonly sound: readonly Sound[]
  readonly refused: readonly Refused[]
  readonly isUnregistered: boolean
}> {
  const refused: Refused[] = []
  const candidates: { readonly record: BridgeRecord; readonly payment: Payment }[] = []
  for (const one of tried) {
    const record = recordOf(context, identity, message, one)
    const { read, place } = one
    if (!read.ok) refused.push(refuse(record, read.faults[0] as IsoFault))
    else if (read.untimely !== undefined) refused.push(refuse(record, numbered(place, read.untimely)))
    else candidates.push({ record, payment: read.payment })
  }
  const results = await validatePayments(
    context,
    candidates.map(({ payment }) => payment),
    identity.submitter,
  )
  const totals = totalsOf(message.payments.flatMap((one) => (one.ok ? [one.payment] : [])))
  const sound: Sound[] = []
  let isUnregistered = false
  for (const [index, { record, payment }] of candidates.entries()) {
    const result = results[index]
    if (result?.ok !== true) {
      isUnregistered ||= result?.unregistered === true
      refused.push(refuse(record, numbered(record.place, result?.faults[0] as IsoFault)))
      continue
    }
    // The ledger makes only one payment per UETR anyway (AM05), so a mere log line does not justify a lookup per
    // payment.
    const repeated = context.duplicateUetr === 'refuse' ? await duplicateUetr(context, record, payment) : undefined
    if (repeated !== undefined) refused.push(refuse(record, numbered(record.place, repeated)))
    else {
      const reason = holdReason(context.holds, payment, identity.submitter, totals)
      sound.push({ record, parties: result.parties, reason })
    }
  }
  refused.sort((a, b) => a.record.place - b.record.place)
  return { sound, refused, isUnregistered }
}

/** Initial record of a payment; for a faulty payment it has the fields that could be read. */
function recordOf(
  context: BridgeContext,
  identity: MessageIdentity,
  { bodyHash, payments, batchBooking }: PaymentMessage,
  { place, read, before }: Tried,
): BridgeRecord {
  const where = { payments: payments.length, place, batchBooking }
  return freshRecord(context, identity, { bodyHash, read }, before?.record, where)
}

const refuse = (record: BridgeRecord, fault: IsoFault): Refused => ({
  record: { ...record, state: 'rejected', reasonCode: fault.reasonCode, detail: fault.code },
  fault,
})

/** Add the number of the payment to a fault that has no position in the body. */
const numbered = (place: number, fault: IsoFault): IsoFault =>
  fault.line > 0 || fault.path === ''
    ? fault
    : { ...fault, path: `CdtTrfTxInf[${place}]/${fault.path.replace(/^\//, '')}` }

const heldRecord = ({ record, parties, reason }: Sound): BridgeRecord => ({
  ...record,
  ...parties,
  state: 'held',
  holdReason: reason,
})

/** True if another body may use the id: no payment was signed, and none is held. */
const isReplaceable = ({ head, payments }: KnownMessage): boolean =>
  head === undefined &&
  payments.every(({ record }) => record === undefined || (!isOpen(record) && record.transactionHash === undefined))

/** True if the id belongs to a message with one payment that was not rejected, at this gateway or on the ledger. */
async function isTakenByOne(context: BridgeContext, identity: MessageIdentity): Promise<boolean> {
  const one = await context.store.get(identity)
  if (one !== undefined && one.state !== 'rejected') return true
  const { items } = await committedMessages(context, identity.messageId, identity.submitter)
  return items.some(({ family, rejection }) => family === identity.family && rejection === undefined)
}

/** True if the id belongs to a message with several payments at this gateway, so that another body may not use it. */
export async function hasTaken(context: BridgeContext, identity: MessageIdentity): Promise<boolean> {
  if (!(await context.store.hasPlaces(identity))) return false
  const known = await reconcileMessage(context, identity)
  return known !== undefined && !isReplaceable(known)
}

/**
 * True if the same body retries the payment: it was refused before it was signed, it expired, or it did not fit in the
 * queue. Payments that are held or that an operator refused are unchanged. A payment that only another gateway may have
 * is retried, since the ledger makes it once.
 */
function isTriedAgain({ outcome, record }: KnownPayment): boolean {
  if (outcome !== undefined) return outcome.rejection !== undefined && isRetryableReason(outcome.rejection)
  if (record === undefined) return true
  return record.state === 'rejected' && isRetryableRecord(record)
}

/** Reason why there is no capacity for the payments of a message; undefined if there is. */
function roomFault(
  { store, services }: BridgeContext,
  submitter: AccountId,
  held: number,
  sent: number,
  body: Uint8Array,
): LedgerError | undefined {
  if (held > 0) {
    const full = store.held.fault(submitter, body.length, held)
    if (full !== undefined) return full
  }
  return sent > 0 ? store.sent.fault(submitter, services.accountCapacity(), sent) : undefined
}

/** Error of a message whose payments were all refused: the first fault of each payment, and the counts by reason. */
function refusalOf(refused: readonly Refused[]): LedgerError {
  const reasons = new Map<string, number>()
  for (const { fault } of refused) reasons.set(fault.reasonCode, (reasons.get(fault.reasonCode) ?? 0) + 1)
  const counts = [...reasons].map(([reason, count]) => `${count} ${reason}`).join(', ')
  const faults = refused.map(({ fault }) => faultJson(fault))
  const details = { pacs002_code: 'RJCT', rejection_reason_code: refused[0]?.fault.reasonCode ?? 'NARR', faults }
  return new LedgerError('iso_invalid', `no payment of the message can be made: ${counts}`, { details })
}
