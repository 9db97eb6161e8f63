/** Owns what operators decide about held messages (docs/design/iso20022.md 5): release, refuse, change; each decision is audited. */
// Its codes must be in the catalogue.
import '../schema/errors.js'
import type { NodeServices } from '../../../api/services.js'
import { type AuditTrail, formatAddress, LedgerError } from '../../../model/index.js'
import { checkSettlementDate, type Payment, REASON_CODES } from '../message/index.js'
import type { ChangeRequest, HeldList, RefuseRequest, ReleaseRequest } from '../schema/views.js'
import type { BridgeRecord } from './record.js'
import { parseRefusal } from './refusal.js'
import type { BridgeAnswer, IsoBridge } from './service.js'
import type { RecordStore } from './store.js'

/** Messages of one list. */
const LIST_MAX = 500
/** Characters of a reference, as of an end-to-end id. */
const REFERENCE = /^[0-9A-Za-z/\-?:().,'+ ]{1,35}$/

/** ISO reasons of a change. */
const DATE_CHANGED = 'DT06'
const REFERENCE_CHANGED = 'NARR'

type Decision = 'release' | 'refuse' | 'change'

export class HeldMessages {
  constructor(
    private readonly services: NodeServices,
    private readonly store: RecordStore,
    private readonly bridge: IsoBridge,
    private readonly options: { readonly clockMs: () => number; readonly audit: AuditTrail },
  ) {}

  /** Messages that wait, oldest first. */
  async list(): Promise<HeldList> {
    const held: BridgeRecord[] = []
    for await (const record of this.store.unsettled()) {
      if (record.state === 'held') held.push(record)
    }
    held.sort((a, b) => a.receivedAtMs - b.receivedAtMs || (a.messageId < b.messageId ? -1 : 1))
    const items = held.slice(0, LIST_MAX).map((record) => this.bridge.view(record, false))
    return { items, total: held.length }
  }

  /** Sends a held message: it is judged again as things stand now, and stays held when that refuses it. */
  release(messageId: string, request: ReleaseRequest, operator: string): Promise<BridgeAnswer> {
    return this.decide('release', messageId, request, operator, (record) => this.send(record))
  }

  /** Ends a held message as RJCT. Nothing was signed, so nothing can move. */
  refuse(messageId: string, request: RefuseRequest, operator: string): Promise<BridgeAnswer> {
    const reasonCode = request.reasonCode ?? 'NARR'
    if (!Object.hasOwn(REASON_CODES, reasonCode)) {
      return Promise.resolve(
        new LedgerError('validation_failed', `reason_code: ${reasonCode} is not supported by this bridge`),
      )
    }
    return this.decide('refuse', messageId, request, operator, async (record) => {
      const detail = request.text ?? 'refused by an operator'
      const refused: BridgeRecord = { ...record, state: 'rejected', reasonCode, detail, body: undefined }
      await this.store.put(refused)
      return refused
    })
  }

  /** Changes settlement date or reference of a held message: ACWC, and with `release` on to ACSP. */
  change(messageId: string, request: ChangeRequest, operator: string): Promise<BridgeAnswer> {
    const { settlementDate, reference, release } = request
    const fault = changeFault(request)
    if (fault !== undefined) return Promise.resolve(new LedgerError('validation_failed', fault))
    return this.decide('change', messageId, request, operator, async (record) => {
      const changes = new Set(record.changes)
      if (settlementDate !== undefined) changes.add(DATE_CHANGED)
      if (reference !== undefined) changes.add(REFERENCE_CHANGED)
      const changed: BridgeRecord = {
        ...record,
        settlementDate: settlementDate ?? record.settlementDate,
        endToEndId: reference ?? record.endToEndId,
        changes: [...changes],
      }
      await this.store.put(changed)
      return release === true ? this.send(changed) : changed
    })
  }

  private async send(record: BridgeRecord): Promise<BridgeRecord | LedgerError> {
    if (record.body === undefined) throw new Error('a held record keeps its body')
    const { settlementWindow, ...rest } = this.bridge.parseOptions(record.family)
    // The date that counts is the one that stands now.
    const parsed = await this.bridge.read(record.body, rest)
    if (parsed instanceof LedgerError) return parsed
    if (!parsed.ok) return parseRefusal(parsed)
    const payment: Payment = { ...parsed.payment, settlementDate: record.settlementDate }
    const dated = checkSettlementDate(payment.settlementDate, settlementWindow)
    if (dated !== undefined) return parseRefusal({ ok: false, stage: 'invalid', faults: [dated] })
    const verdict = await this.bridge.validate(payment, record.submitter)
    if (!verdict.ok) return verdict.error
    const { source, target, definition } = verdict.parties
    return this.bridge.send(record, { source, target, definition })
  }

  private async decide(
    decision: Decision,
    messageId: string,
    filter: ReleaseRequest,
    operator: string,
    act: (record: BridgeRecord) => Promise<BridgeRecord | LedgerError>,
  ): Promise<BridgeAnswer> {
    const found = await this.bridge.find(messageId, filter)
    if (found instanceof LedgerError) return found
    return this.bridge.inTurn(found, async () => {
      const stored = await this.store.get(found)
      const record = stored === undefined ? undefined : await this.bridge.settlement.reconcile(stored)
      if (record?.state !== 'held') {
        const code = record === undefined ? 'gone' : this.bridge.view(record, true).pacs002Code
        return new LedgerError('iso_not_held', `message ${messageId} is not held: ${code}`, {
          details: { message_id: messageId, pacs002_code: code },
        })
      }
      const outcome = await act({ ...record, decidedBy: operator, updatedAtMs: this.options.clockMs() })
      const view = outcome instanceof LedgerError ? outcome : this.bridge.view(outcome, false)
      await this.audit(decision, record, operator, view)
      return view
    })
  }

  private audit(decision: Decision, record: BridgeRecord, operator: string, outcome: BridgeAnswer): Promise<void> {
    const isView = !(outcome instanceof LedgerError)
    return this.options.audit.append({
      action: `iso_${decision}`,
      actor: operator,
      fields: {
        submitter: formatAddress(record.submitter, this.services.info.addressPrefix),
        family: record.family,
        message_id: record.messageId,
        settlement_date: isView ? outcome.settlementDate : record.settlementDate,
        reference: (isView ? outcome.endToEndId : record.endToEndId) ?? null,
        outcome: isView ? outcome.pacs002Code : outcome.code,
        reason: (isView ? outcome.rejectionReasonCode : undefined) ?? null,
      },
    })
  }
}

function changeFault({ settlementDate, reference }: ChangeRequest): string | undefined {
  if (settlementDate === undefined && reference === undefined) return 'nothing is changed: give a date or a reference'
  if (reference !== undefined && !REFERENCE.test(reference)) {
    return 'reference: 1 to 35 characters of the ISO 20022 set'
  }
  const dated = settlementDate === undefined ? undefined : checkSettlementDate(settlementDate, undefined)
  return dated === undefined ? undefined : `settlement_date: expected ${dated.expected}`
}
