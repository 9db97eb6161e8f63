/** Owns the bridge of one node: a message becomes one transfer, never two (docs/design/iso20022.md 3 to 5). */
// Its codes must be in the catalogue.
import '../schema/errors.js'
import type { BridgeSigner, NodeServices } from '../../../api/services.js'
import { normalizeNumeric } from '../../../codec/index.js'
import { type AccountId, type AuditTrail, LedgerError } from '../../../model/index.js'
import { isoBodyHash, type ParseOptions, type ParseResult, type Payment, reasonForError } from '../message/index.js'
import { isoMetrics } from '../node/metrics.js'
import type { MessageReader, ReadAnswer } from '../reader/reader.js'
import type { ReferenceData } from '../refdata/service.js'
import { claimKey, type IsoFamily } from '../schema/instructions.js'
import type { IsoRecordView } from '../schema/views.js'
import { type IsoCaller, submissionEntry } from './audit.js'
import { type HoldRule, holdReason } from './holds.js'
import { KeyedMutex } from './keyed-mutex.js'
import type { BridgeRecord } from './record.js'
import { parseRefusal } from './refusal.js'
import type { PinMode } from './resolve.js'
import { Settlement } from './settlement.js'
import type { MessageIdentity, RecordStore } from './store.js'
import { paymentTransaction } from './transaction.js'
import { type ValidationResult, validatePayment } from './validate.js'
import { recordView } from './view.js'

/** Reasons after which the same body starts a new attempt under its identity (docs/design/iso20022.md 4). */
const RETRYABLE = new Set(['TM01', 'ED06'])

export interface BridgeOptions {
  readonly signer: BridgeSigner
  /** Account that anonymous submissions count for; localnet only. */
  readonly anonymousSubmitter: AccountId | undefined
  readonly settlementWindow: { readonly pastDays?: number; readonly futureDays?: number } | undefined
  readonly holds: readonly HoldRule[]
  readonly pins: PinMode
  readonly reference: ReferenceData
  /** Ended by who made it. */
  readonly reader: MessageReader
  readonly clockMs: () => number
  /** Gets one line per submission, before it is answered. */
  readonly audit: AuditTrail
}

/** The view of a message, or why there is none. */
export type BridgeAnswer = IsoRecordView | LedgerError

/** Which of the messages with one id is meant. */
export interface MessageFilter {
  readonly family: IsoFamily | undefined
  readonly submitter: AccountId | undefined
}

export class IsoBridge {
  readonly settlement: Settlement
  private readonly mutex = new KeyedMutex()

  constructor(
    private readonly services: NodeServices,
    private readonly store: RecordStore,
    private readonly options: BridgeOptions,
  ) {
    this.settlement = new Settlement(services, store, options.clockMs)
  }

  /**
   * Submits a message for the caller's account, or for the anonymous submitter where the configuration has one.
   * What nobody may submit is no submission and leaves no line in the audit log: strangers must not fill the disk.
   */
  async submit(family: IsoFamily, body: Uint8Array, caller: IsoCaller): Promise<BridgeAnswer> {
    const submitter = caller.account ?? this.options.anonymousSubmitter
    if (submitter === undefined) {
      return new LedgerError('unauthorised', 'the bridge accepts messages of registered submitters only', {
        hint: 'Sign the request with the key of a submitter, or send an API token bound to one.',
      })
    }
    let read: ReadAnswer | undefined
    let outcome: BridgeAnswer | undefined
    try {
      read = await this.read(body, this.parseOptions(family))
      outcome = read instanceof LedgerError ? read : await this.take(submitter, family, read, body)
      return outcome
    } finally {
      isoMetrics(this.services.metrics).messages.inc({ outcome: outcomeOf(outcome) })
      const submission = { submitter, caller, family, ...identityOf(read, body), outcome }
      await this.options.audit.append(submissionEntry(submission, this.services.info.addressPrefix))
    }
  }

  /** Status of a message of the caller; an operator sees everybody's. Ambiguous ids need a filter. */
  async status(
    messageId: string,
    caller: { readonly account: AccountId | undefined; readonly operator: boolean },
    filter: MessageFilter,
  ): Promise<BridgeAnswer> {
    const own = caller.account ?? this.options.anonymousSubmitter
    if (!caller.operator) {
      if (own === undefined) return new LedgerError('unauthorised', 'a message is shown to its submitter only')
      if (filter.submitter !== undefined && filter.submitter !== own) {
        return new LedgerError('forbidden', 'a message is shown to its submitter only')
      }
    }
    const found = await this.find(messageId, caller.operator ? filter : { ...filter, submitter: own })
    return found instanceof LedgerError ? found : this.view(await this.settlement.reconcile(found), true)
  }

  /** The record of a message; `iso_unknown_message` or `iso_ambiguous`. */
  async find(messageId: string, { family, submitter }: MessageFilter): Promise<BridgeRecord | LedgerError> {
    const found = (await this.store.ofMessage(messageId)).filter(
      (record) =>
        (family === undefined || record.family === family) &&
        (submitter === undefined || record.submitter === submitter),
    )
    const [first, ...others] = found
    if (first === undefined) return new LedgerError('iso_unknown_message', `no message ${messageId} was submitted here`)
    if (others.length > 0) {
      return new LedgerError('iso_ambiguous', `${found.length} messages have the id ${messageId}`)
    }
    return first
  }

  /** Runs work on a message after what came before on the same one. */
  inTurn<T>({ submitter, family, messageId }: MessageIdentity, work: () => Promise<T>): Promise<T> {
    return this.mutex.run(claimKey(submitter, family, messageId).toString('latin1'), work)
  }

  /** After a restart: what was recorded and may not have been queued is sent again, byte for byte. */
  async resume(): Promise<number> {
    let sent = 0
    for await (const record of this.store.unsettled()) {
      const now = await this.settlement.reconcile(record)
      if (now.state !== 'sent' || now.transaction === undefined) continue
      await this.services.submit(now.transaction)
      sent += 1
    }
    return sent
  }

  /** How a body of a family is read, today. */
  parseOptions(family: IsoFamily): ParseOptions {
    const { settlementWindow, clockMs } = this.options
    const name = family === 'pacs008' ? 'pacs.008' : 'pacs.009'
    if (settlementWindow === undefined) return { family: name }
    const today = new Date(clockMs()).toISOString().slice(0, 10)
    return { family: name, settlementWindow: { today, ...settlementWindow } }
  }

  /** Reads a body; a large one on a thread of its own. */
  read(body: Uint8Array, options: ParseOptions): Promise<ReadAnswer> {
    return this.options.reader.read(body, options)
  }

  /** The verdict on a payment as things stand now. */
  validate(payment: Payment, submitter: AccountId): Promise<ValidationResult> {
    return validatePayment({ ...this.options, services: this.services }, payment, submitter)
  }

  /** Signs the transaction of a judged record, makes it durable, queues it; gives the record as it stands then. */
  async send(
    base: BridgeRecord,
    parties: { source: string; target: string; definition: string },
  ): Promise<BridgeRecord> {
    const { signer, clockMs } = this.options
    const { id, bytes, expiresAtMs } = paymentTransaction(base, parties, signer, this.services.info, clockMs())
    const record: BridgeRecord = {
      ...base,
      ...parties,
      body: undefined,
      transaction: bytes,
      transactionHash: id,
      expiresAtMs,
      state: 'sent',
    }
    // Durable before it is queued: after a crash the same bytes are sent again.
    await this.store.put(record)
    const answer = await this.services.submit(bytes)
    if (answer.ok || answer.error.code === 'already_enqueued' || answer.error.code === 'already_committed') {
      return record
    }
    const rejected: BridgeRecord = {
      ...record,
      state: 'rejected',
      reasonCode: reasonForError(answer.error.code),
      detail: answer.error.message,
    }
    await this.store.put(rejected)
    return rejected
  }

  view(record: BridgeRecord, replayed: boolean): IsoRecordView {
    return recordView(record, this.services, replayed)
  }

  private take(submitter: AccountId, family: IsoFamily, read: ParseResult, body: Uint8Array): Promise<BridgeAnswer> {
    if (!read.ok) return Promise.resolve(parseRefusal(read))
    const identity = { submitter, family, messageId: read.payment.messageId }
    return this.inTurn(identity, () => this.process(identity, read.payment, body))
  }

  private async process(identity: MessageIdentity, payment: Payment, body: Uint8Array): Promise<BridgeAnswer> {
    const stored = await this.store.get(identity)
    const before = stored === undefined ? undefined : await this.settlement.reconcile(stored)
    const sameBody = before !== undefined && Buffer.compare(before.bodyHash, payment.bodyHash) === 0
    if (before !== undefined) {
      if (sameBody && !isRetryable(before)) return this.view(before, true)
      if (!sameBody && before.state !== 'rejected') return duplicate(identity)
    }
    const unavailable = this.options.reference.unavailable()
    if (unavailable !== undefined) return unavailable
    const record = this.fresh(identity, payment, before)
    const claimed = await this.settlement.claimOf(identity)
    if (claimed !== undefined) {
      if (Buffer.compare(claimed.bodyHash, payment.bodyHash) !== 0) return duplicate(identity)
      // Another gateway paid this message: its transaction is ours to show, and nothing is sent.
      const verdict = await this.validate(payment, identity.submitter)
      const parties = verdict.ok ? partiesOf(verdict.parties) : {}
      const settled: BridgeRecord = {
        ...record,
        ...parties,
        transactionHash: claimed.transactionHash,
        state: 'settled',
      }
      await this.store.put(settled)
      return this.view(settled, true)
    }
    const verdict = await this.validate(payment, identity.submitter)
    if (!verdict.ok) {
      const { reasonCode, detail, error } = verdict
      await this.store.put({ ...record, state: 'rejected', reasonCode, detail })
      return error
    }
    const parties = partiesOf(verdict.parties)
    const reason = holdReason(this.options.holds, payment, identity.submitter)
    if (reason === undefined) return this.view(await this.send(record, parties), false)
    const held: BridgeRecord = { ...record, ...parties, state: 'held', holdReason: reason, body: Buffer.from(body) }
    await this.store.put(held)
    return this.view(held, false)
  }

  /** A record before anything was decided. */
  private fresh(identity: MessageIdentity, payment: Payment, before: BridgeRecord | undefined): BridgeRecord {
    const nowMs = this.options.clockMs()
    const { bodyHash, currency, settlementDate, instructionId, endToEndId, transactionId, uetr } = payment
    return {
      ...identity,
      bodyHash,
      amount: normalAmount(payment),
      currency,
      settlementDate,
      instructionId,
      endToEndId,
      senderTransactionId: transactionId,
      uetr,
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
      changes: [],
      decidedBy: undefined,
      attempt: (before?.attempt ?? 0) + 1,
      receivedAtMs: nowMs,
      updatedAtMs: nowMs,
    }
  }
}

/**
 * A refusal that never became a transaction is judged anew: bindings may have changed, and nothing could have moved.
 * The word of an operator stands.
 */
const isRetryable = (record: BridgeRecord): boolean =>
  record.state === 'rejected' &&
  (RETRYABLE.has(record.reasonCode ?? '') || (record.transactionHash === undefined && record.decidedBy === undefined))

const duplicate = ({ messageId }: MessageIdentity): LedgerError =>
  new LedgerError('iso_duplicate_message', `message ${messageId} was submitted with another body`)

/** What the audit log calls a body: one that is no payment has no id. */
const identityOf = (read: ReadAnswer | undefined, body: Uint8Array) =>
  read === undefined || read instanceof LedgerError || !read.ok
    ? { messageId: undefined, bodyHash: isoBodyHash(body) }
    : { messageId: read.payment.messageId, bodyHash: read.payment.bodyHash }

/** Label of a submission in metrics. */
const outcomeOf = (outcome: BridgeAnswer | undefined): string =>
  outcome === undefined
    ? 'failed'
    : outcome instanceof LedgerError
      ? 'refused'
      : outcome.replayed
        ? 'replayed'
        : outcome.pacs002Code

/** The parties of a verdict without its amount, which the record has. */
const partiesOf = ({ source, target, definition }: { source: string; target: string; definition: string }) => ({
  source,
  target,
  definition,
})

/** Amount of a payment in canonical form; the reader has bounded it. */
function normalAmount(payment: Payment): BridgeRecord['amount'] {
  const amount = normalizeNumeric(payment.amount)
  if (amount === undefined) throw new Error('an amount that the reader bounded has a canonical form')
  return amount
}
