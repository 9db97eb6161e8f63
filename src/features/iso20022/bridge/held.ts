/** Owns decisions of operators on held messages (docs/design/iso20022.md 5): release, refuse, change; each is audited. */
// Its codes must be in the catalogue.
import '../schema/errors.js'
import { sameBytes } from '../../../base/bytes.js'
import { formatNumeric, toHex } from '../../../codec/index.js'
import { formatAddress, LedgerError } from '../../../model/index.js'
import { checkSettlementDate, type Payment, REASON_CODES, totalsOf } from '../message/index.js'
import type { ChangeRequest, HeldList, IsoRecordView, RefuseRequest, ReleaseRequest } from '../schema/views.js'
import { reconcileMessage } from './bulk/known.js'
import { messageView } from './bulk/view.js'
import type { BridgeContext } from './context.js'
import { type BridgeRecord, ONLY } from './record.js'
import { readHeld } from './stages/read.js'
import { reconcile } from './stages/reconcile.js'
import { validatePayments } from './stages/validate.js'
import { type BridgeAnswer, findMessage } from './status.js'
import type { MessageIdentity, RecordStore } from './store.js'
import { type Payable, refusedOf } from './transaction.js'
import { recordView, viewOf } from './view.js'

/** Maximum number of messages in one list. */
const LIST_MAX = 500
/** Form of a reference: the characters of an end-to-end id. */
const REFERENCE = /^[0-9A-Za-z/\-?:().,'+ ]{1,35}$/

/** ISO reasons of a change. */
const DATE_CHANGED = 'DT06'
const REFERENCE_CHANGED = 'NARR'

/** List held messages, oldest first. */
export async function listHeld({ store, services }: BridgeContext): Promise<HeldList> {
  const held: IsoRecordView[] = []
  for await (const record of store.unsettled()) {
    // Converted to views at once: any field decoded from a record keeps all its bytes in memory, including the body.
    if (record.state === 'held') held.push(recordView(services, record, false))
  }
  held.sort((a, b) => a.receivedAtMs - b.receivedAtMs || (a.messageId < b.messageId ? -1 : 1))
  return { items: held.slice(0, LIST_MAX), total: held.length }
}

/** Send a held message. It is validated again, and stays held if that fails. */
export function releaseHeld(
  context: BridgeContext,
  messageId: string,
  request: ReleaseRequest,
  operator: string,
): Promise<BridgeAnswer> {
  return decide(context, { name: 'release', operator, act: (records) => send(context, records) }, messageId, request)
}

/** Close a held message as RJCT. It was not signed, so no funds can move. */
export async function refuseHeld(
  context: BridgeContext,
  messageId: string,
  request: RefuseRequest,
  operator: string,
): Promise<BridgeAnswer> {
  const { reasonCode = 'NARR', text: detail = 'refused by an operator' } = request
  if (!Object.hasOwn(REASON_CODES, reasonCode)) {
    return new LedgerError('validation_failed', `reason_code: ${reasonCode} is not supported by this bridge`)
  }
  const act = (records: readonly BridgeRecord[]): Promise<readonly BridgeRecord[]> =>
    put(
      context,
      records.map((record) => ({ ...record, state: 'rejected', reasonCode, detail, body: undefined })),
    )
  return decide(context, { name: 'refuse', operator, act }, messageId, request)
}

/** Change settlement date or reference of a held message: ACWC, and with `release` then ACSP. */
export async function changeHeld(
  context: BridgeContext,
  messageId: string,
  request: ChangeRequest,
  operator: string,
): Promise<BridgeAnswer> {
  const { settlementDate, reference, release } = request
  const fault = changeFault(request)
  if (fault !== undefined) return new LedgerError('validation_failed', fault)
  const act = async (records: readonly BridgeRecord[]): Promise<readonly BridgeRecord[] | LedgerError> => {
    const changed = await put(
      context,
      records.map((record) => {
        const { details } = record
        const changes = new Set(details.changes)
        if (settlementDate !== undefined) changes.add(DATE_CHANGED)
        if (reference !== undefined) changes.add(REFERENCE_CHANGED)
        return {
          ...record,
          details: {
            ...details,
            settlementDate: settlementDate ?? details.settlementDate,
            endToEndId: reference ?? details.endToEndId,
            changes: [...changes],
          },
        }
      }),
    )
    return release === true ? send(context, changed) : changed
  }
  return decide(context, { name: 'change', operator, act }, messageId, request)
}

/**
 * Run the stages of a submission after reading, for held payments of one message. If any payment cannot be made now,
 * all remain held, and the error of the first such payment is returned.
 */
async function send(
  context: BridgeContext,
  records: readonly BridgeRecord[],
): Promise<readonly BridgeRecord[] | LedgerError> {
  const [first] = records
  if (first === undefined) return []
  const read = await readHeld(context, records)
  const payments: Payment[] = []
  for (const one of read) {
    if (one instanceof LedgerError) return one
    payments.push(one)
  }
  const validated = await validatePayments(context, payments, first.submitter)
  const refused = first.payments === 1 ? [] : refusedOf(await context.store.placesOf(first))
  const payables: Payable[] = []
  for (const [at, record] of records.entries()) {
    const result = validated[at]
    if (result?.ok !== true) return result?.error ?? new LedgerError('internal', 'a payment was not validated')
    payables.push({ record, parties: result.parties, refused })
  }
  return context.batches.submitAll(payables)
}

/** Write records of one message; its body is kept while any of its payments is held. */
async function put({ store }: BridgeContext, records: readonly BridgeRecord[]): Promise<readonly BridgeRecord[]> {
  const [first] = records
  if (first?.payments === 1) await store.put(first)
  else if (first !== undefined) await store.putPlaces(records, await bodyLeft(store, first, records))
  return records
}

/** Body of a message if any of its payments is held after these records are written; otherwise undefined. */
async function bodyLeft(
  store: RecordStore,
  identity: MessageIdentity,
  written: readonly BridgeRecord[],
): Promise<Uint8Array | undefined> {
  const now = new Map(written.map((record) => [record.place, record]))
  const records = await store.placesOf(identity)
  const isHeld = records.some((record) => (now.get(record.place) ?? record).state === 'held')
  return isHeld ? store.bodyOf(identity) : undefined
}

/** Decision of an operator, and its effect on the held payments that it applies to. */
interface Decision {
  readonly name: 'release' | 'refuse' | 'change'
  /** Address of the account. */
  readonly operator: string
  act(records: readonly BridgeRecord[]): Promise<readonly BridgeRecord[] | LedgerError>
}

/** Apply a decision under the mutex of its message, if this gateway holds payments of it. */
async function decide(
  context: BridgeContext,
  decision: Decision,
  messageId: string,
  request: ReleaseRequest,
): Promise<BridgeAnswer> {
  const found = await findMessage(context, messageId, request)
  if (found instanceof LedgerError) return found
  const { submitter, family } =
    'payments' in found ? found.identity : found.by === 'ledger' ? found.message : found.record
  const identity: MessageIdentity = { submitter, family, messageId }
  return context.mutex.run(identity, async () => {
    const { wallMs } = context
    const held = await ('payments' in found ? heldPlaces : heldOne)(context, identity, request)
    if (held instanceof LedgerError) return held
    const [first] = held
    if (first === undefined) return notHeld(messageId, 'gone')
    const attempt = Math.max(...held.map((record) => record.attempt))
    if (attempt !== request.attempt || !sameBytes(first.bodyHash, request.bodyHash)) {
      return new LedgerError(
        'iso_held_changed',
        `message ${messageId} has another body or attempt than the one that was read`,
        {
          details: { message_id: messageId, body_hash: toHex(first.bodyHash), attempt },
        },
      )
    }
    const updatedAtMs = wallMs()
    const outcome = await decision.act(held.map((one) => ({ ...one, decidedBy: decision.operator, updatedAtMs })))
    const answer = outcome instanceof LedgerError ? outcome : await answerOf(context, identity, outcome)
    await auditDecision(context, decision, outcome instanceof LedgerError ? held : outcome, answer)
    return answer
  })

  /** View of the record of a message with one payment, or of the current state of a message with several. */
  async function answerOf(
    { services }: BridgeContext,
    message: MessageIdentity,
    records: readonly BridgeRecord[],
  ): Promise<BridgeAnswer> {
    const [only] = records
    if (only?.payments === 1) return recordView(services, only, false)
    const known = await reconcileMessage(context, message)
    return known === undefined ? notHeld(messageId, 'gone') : messageView(services, known, false)
  }
}

const notHeld = (messageId: string, code: string): LedgerError =>
  new LedgerError('iso_not_held', `message ${messageId} is not held: ${code}`, {
    details: { message_id: messageId, pacs002_code: code },
  })

/** Record of a message with one payment, if it is held and the request names no place other than the first. */
async function heldOne(
  context: BridgeContext,
  identity: MessageIdentity,
  { place = ONLY.place }: ReleaseRequest,
): Promise<readonly BridgeRecord[] | LedgerError> {
  const known = await reconcile(context, identity)
  const isHeld = known?.by === 'gateway' && known.record.state === 'held'
  if (isHeld && place === ONLY.place) return [known.record]
  return notHeld(identity.messageId, known === undefined ? 'gone' : viewOf(context.services, known, false).pacs002Code)
}

/** Held payment at the place of a request, or all held payments of the message. */
async function heldPlaces(
  context: BridgeContext,
  identity: MessageIdentity,
  { place }: ReleaseRequest,
): Promise<readonly BridgeRecord[] | LedgerError> {
  const known = await reconcileMessage(context, identity)
  const payments = known?.payments.filter((one) => (place ?? one.place) === one.place) ?? []
  const held = payments.flatMap(({ record, outcome }) =>
    record?.state === 'held' && outcome === undefined ? [record] : [],
  )
  if (held.length > 0 && known !== undefined) return held
  const code = known === undefined ? 'gone' : messageView(context.services, known, false).pacs002Code
  return notHeld(identity.messageId, code)
}

/** @param records records of the payments after the decision */
function auditDecision(
  { audit, services }: BridgeContext,
  { name, operator }: Decision,
  records: readonly BridgeRecord[],
  answer: BridgeAnswer,
): Promise<void> {
  const [first] = records
  if (first === undefined) return Promise.resolve()
  const { submitter, family, messageId, bodyHash, payments } = first
  const isView = !(answer instanceof LedgerError)
  return audit.append({
    action: `iso_${name}`,
    actor: operator,
    fields: {
      submitter: formatAddress(submitter, services.info.addressPrefix),
      family,
      message_id: messageId,
      body_hash: toHex(bodyHash),
      attempt: Math.max(...records.map((record) => record.attempt)),
      ...sumFields(records),
      settlement_date: common(records, ({ details }) => details.settlementDate),
      reference: common(records, ({ details }) => details.endToEndId),
      outcome: isView ? answer.pacs002Code : answer.code,
      reason: isView ? common(records, ({ reasonCode }) => reasonCode) : null,
      ...(payments === 1
        ? {}
        : { places: records.map(({ place }) => place).join(' '), number_of_transactions: payments }),
    },
  })
}

/** Value that is the same in all records; null if the values differ or are absent. */
function common(
  records: readonly BridgeRecord[],
  fieldOf: (record: BridgeRecord) => string | undefined,
): string | null {
  const [first, ...others] = new Set(records.map(fieldOf))
  return others.length === 0 ? (first ?? null) : null
}

/** Sum of payments, one for each currency. */
function sumFields(records: readonly BridgeRecord[]) {
  const sums = [...totalsOf(records.map(({ amount, details }) => ({ amount, currency: details.currency })))]
  const [only, ...others] = sums
  if (only !== undefined && others.length === 0) return { amount: formatNumeric(only[1]), currency: only[0] }
  const amounts = sums.map(([code, one]) => `${formatNumeric(one)} ${code}`)
  return { amount: null, currency: null, amounts: amounts.join(', ') }
}

function changeFault({ settlementDate, reference }: ChangeRequest): string | undefined {
  if (settlementDate === undefined && reference === undefined) return 'no change given: set a date or a reference'
  if (reference !== undefined && !REFERENCE.test(reference)) {
    return 'reference: 1 to 35 characters of the ISO 20022 set'
  }
  const dated = settlementDate === undefined ? undefined : checkSettlementDate(settlementDate, undefined)
  return dated === undefined ? undefined : `settlement_date: expected ${dated.expected}`
}
