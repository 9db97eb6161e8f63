/** Owns what operators decide about held messages (docs/design/iso20022.md 5): release, refuse, change; each decision is audited. */
// Its codes must be in the catalogue.
import '../schema/errors.js'
import { sameBytes } from '../../../base/bytes.js'
import { formatNumeric, toHex } from '../../../codec/index.js'
import { formatAddress, LedgerError } from '../../../model/index.js'
import { checkSettlementDate, REASON_CODES } from '../message/index.js'
import type { ChangeRequest, HeldList, IsoRecordView, RefuseRequest, ReleaseRequest } from '../schema/views.js'
import type { BridgeContext } from './context.js'
import type { BridgeRecord } from './record.js'
import { readHeld } from './stages/read.js'
import { reconcile } from './stages/reconcile.js'
import { validatePayment } from './stages/validate.js'
import { type BridgeAnswer, findMessage } from './status.js'
import type { MessageIdentity } from './store.js'
import { recordView, viewOf } from './view.js'

/** Messages of one list. */
const LIST_MAX = 500
/** Characters of a reference, as of an end-to-end id. */
const REFERENCE = /^[0-9A-Za-z/\-?:().,'+ ]{1,35}$/

/** ISO reasons of a change. */
const DATE_CHANGED = 'DT06'
const REFERENCE_CHANGED = 'NARR'

/** Messages that wait, oldest first. */
export async function listHeld({ store, services }: BridgeContext): Promise<HeldList> {
  const held: IsoRecordView[] = []
  for await (const record of store.unsettled()) {
    // As views at once: any field of a record in bytes keeps all of it in memory, its body too.
    if (record.state === 'held') held.push(recordView(services, record, false))
  }
  held.sort((a, b) => a.receivedAtMs - b.receivedAtMs || (a.messageId < b.messageId ? -1 : 1))
  return { items: held.slice(0, LIST_MAX), total: held.length }
}

/** Sends a held message: it is validated again as things stand now, and stays held when that refuses it. */
export function releaseHeld(
  context: BridgeContext,
  messageId: string,
  request: ReleaseRequest,
  operator: string,
): Promise<BridgeAnswer> {
  return decide(context, { name: 'release', operator, act: (record) => send(context, record) }, messageId, request)
}

/** Ends a held message as RJCT. Nothing was signed, so nothing can move. */
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
  const act = (record: BridgeRecord): Promise<BridgeRecord> =>
    put(context, { ...record, state: 'rejected', reasonCode, detail, body: undefined })
  return decide(context, { name: 'refuse', operator, act }, messageId, request)
}

/** Changes settlement date or reference of a held message: ACWC, and with `release` on to ACSP. */
export async function changeHeld(
  context: BridgeContext,
  messageId: string,
  request: ChangeRequest,
  operator: string,
): Promise<BridgeAnswer> {
  const { settlementDate, reference, release } = request
  const fault = changeFault(request)
  if (fault !== undefined) return new LedgerError('validation_failed', fault)
  const act = async (record: BridgeRecord): Promise<BridgeRecord | LedgerError> => {
    const { details } = record
    const changes = new Set(details.changes)
    if (settlementDate !== undefined) changes.add(DATE_CHANGED)
    if (reference !== undefined) changes.add(REFERENCE_CHANGED)
    const changed = await put(context, {
      ...record,
      details: {
        ...details,
        settlementDate: settlementDate ?? details.settlementDate,
        endToEndId: reference ?? details.endToEndId,
        changes: [...changes],
      },
    })
    return release === true ? send(context, changed) : changed
  }
  return decide(context, { name: 'change', operator, act }, messageId, request)
}

/** The stages of a submission from reading on, for a message that was held. */
async function send(context: BridgeContext, record: BridgeRecord): Promise<BridgeRecord | LedgerError> {
  const payment = await readHeld(context, record)
  if (payment instanceof LedgerError) return payment
  const validated = await validatePayment(context, payment, record.submitter)
  return validated.ok ? context.batches.submit({ record, parties: validated.parties }) : validated.error
}

async function put({ store }: BridgeContext, record: BridgeRecord): Promise<BridgeRecord> {
  await store.put(record)
  return record
}

/** A decision of an operator, and what it does with the record. */
interface Decision {
  readonly name: 'release' | 'refuse' | 'change'
  /** Address of the account. */
  readonly operator: string
  act(record: BridgeRecord): Promise<BridgeRecord | LedgerError>
}

/** Carries a decision out, alone on its message, where this gateway holds it. */
async function decide(
  context: BridgeContext,
  decision: Decision,
  messageId: string,
  request: ReleaseRequest,
): Promise<BridgeAnswer> {
  const found = await findMessage(context, messageId, request)
  if (found instanceof LedgerError) return found
  const { submitter, family } = found.by === 'ledger' ? found.message : found.record
  const identity: MessageIdentity = { submitter, family, messageId }
  return context.mutex.run(identity, async () => {
    const { services, wallMs } = context
    const known = await reconcile(context, identity)
    if (known?.by !== 'gateway' || known.record.state !== 'held') {
      const code = known === undefined ? 'gone' : viewOf(services, known, false).pacs002Code
      return new LedgerError('iso_not_held', `message ${messageId} is not held: ${code}`, {
        details: { message_id: messageId, pacs002_code: code },
      })
    }
    const { record } = known
    if (record.attempt !== request.attempt || !sameBytes(record.bodyHash, request.bodyHash)) {
      return new LedgerError('iso_held_changed', `message ${messageId} is not the one that was decided on`, {
        details: { message_id: messageId, body_hash: toHex(record.bodyHash), attempt: record.attempt },
      })
    }
    const outcome = await decision.act({ ...record, decidedBy: decision.operator, updatedAtMs: wallMs() })
    const answer = outcome instanceof LedgerError ? outcome : recordView(services, outcome, false)
    await auditDecision(context, decision, record, answer)
    return answer
  })
}

function auditDecision(
  { audit, services }: BridgeContext,
  { name, operator }: Decision,
  { submitter, family, messageId, bodyHash, attempt, amount, details }: BridgeRecord,
  answer: BridgeAnswer,
): Promise<void> {
  const isView = !(answer instanceof LedgerError)
  return audit.append({
    action: `iso_${name}`,
    actor: operator,
    fields: {
      submitter: formatAddress(submitter, services.info.addressPrefix),
      family,
      message_id: messageId,
      body_hash: toHex(bodyHash),
      attempt,
      amount: formatNumeric(amount),
      currency: details.currency,
      settlement_date: isView ? answer.settlementDate : details.settlementDate,
      reference: (isView ? answer.endToEndId : details.endToEndId) ?? null,
      outcome: isView ? answer.pacs002Code : answer.code,
      reason: (isView ? answer.rejectionReasonCode : undefined) ?? null,
    },
  })
}

function changeFault({ settlementDate, reference }: ChangeRequest): string | undefined {
  if (settlementDate === undefined && reference === undefined) return 'nothing is changed: give a date or a reference'
  if (reference !== undefined && !REFERENCE.test(reference)) {
    return 'reference: 1 to 35 characters of the ISO 20022 set'
  }
  const dated = settlementDate === undefined ? undefined : checkSettlementDate(settlementDate, undefined)
  return dated === undefined ? undefined : `settlement_date: expected ${dated.expected}`
}
