/** Owns the bridge of one node: a message becomes one transfer, never two; its status is derived from the ledger (design/iso.md 3 to 5). */
import { normalizeNumeric } from '../../../codec/index.js'
import { hash } from '../../../crypto/index.js'
import {
  type AccountId,
  LedgerError,
  NO_METADATA,
  sealTransaction,
  type TransactionPayload,
} from '../../../model/index.js'
import { transactionByHashQuery } from '../../core/queries.js'
import { transfer } from '../../core/schema/instructions.js'
import type { AuditTrail, BridgeSigner, NodeServices } from '../../services.js'
import { isoClaim } from '../ledger/queries.js'
import {
  faultJson,
  isoBodyHash,
  type ParseOptions,
  type Payment,
  parsePayment,
  reasonForError,
} from '../message/index.js'
import { claimKey, claimMessage, type IsoFamily } from '../schema/instructions.js'
import type { IsoRecordView } from '../schema/views.js'
import { type IsoCaller, submissionEntry } from './audit.js'
import type { BridgeRecord } from './record.js'
import { parseRefusal } from './refusal.js'
import { resolvePayment } from './resolve.js'
import type { MessageIdentity, RecordStore } from './store.js'

/** Life of a bridge transaction, in ms: long enough for a view change, short enough to answer TM01 within a minute or two. */
const TTL_MS = 100_000
/** Reasons after which the same body starts a new attempt under its identity (design/iso.md 4). */
const RETRYABLE = new Set(['TM01', 'ED06'])

export interface BridgeOptions {
  readonly signer: BridgeSigner
  /** Account that anonymous submissions count for; localnet only. */
  readonly anonymousSubmitter: AccountId | undefined
  readonly settlementWindow: { readonly pastDays?: number; readonly futureDays?: number } | undefined
  readonly clockMs: () => number
  /** Gets one line per submission, before it is answered. */
  readonly audit: AuditTrail
}

/** An answer with whether it repeats an earlier one. */
export type BridgeAnswer = IsoRecordView | LedgerError

export class IsoBridge {
  /** One submission per identity at a time: the second sees what the first wrote. */
  private readonly underWay = new Map<string, Promise<BridgeAnswer>>()

  constructor(
    private readonly services: NodeServices,
    private readonly store: RecordStore,
    private readonly options: BridgeOptions,
  ) {}

  /**
   * Submits a message for the caller's account, or for the anonymous submitter where the configuration has one.
   * What nobody may submit is no submission and leaves no line in the audit log: strangers must not fill the disk.
   */
  async submit(family: IsoFamily, body: Uint8Array, caller: IsoCaller): Promise<BridgeAnswer> {
    const submitter = caller.account ?? this.options.anonymousSubmitter
    if (submitter === undefined) {
      return new LedgerError('unauthorised', 'the bridge takes messages of known submitters only', {
        hint: 'Sign the request with the key of a submitter, or send an API token bound to one.',
      })
    }
    const parsed = parsePayment(body, this.parseOptions(family))
    const { messageId, bodyHash } = parsed.ok ? parsed.payment : { messageId: undefined, bodyHash: isoBodyHash(body) }
    let outcome: BridgeAnswer | undefined
    try {
      outcome = parsed.ok ? await this.inTurn(submitter, family, parsed.payment) : parseRefusal(parsed)
      return outcome
    } finally {
      const submission = { submitter, caller, family, messageId, bodyHash, outcome }
      await this.options.audit.append(submissionEntry(submission, this.services.info.addressPrefix))
    }
  }

  /** Processes a payment after those of the same identity that came before it. */
  private async inTurn(submitter: AccountId, family: IsoFamily, payment: Payment): Promise<BridgeAnswer> {
    const identity: MessageIdentity = { submitter, family, messageId: payment.messageId }
    const key = claimKey(submitter, family, payment.messageId).toString('latin1')
    const before = this.underWay.get(key)
    const next = (before ?? Promise.resolve()).then(
      () => this.process(identity, payment),
      () => this.process(identity, payment),
    )
    this.underWay.set(key, next)
    try {
      return await next
    } finally {
      if (this.underWay.get(key) === next) this.underWay.delete(key)
    }
  }

  /** Status of a message of the caller; ambiguous ids need the family. */
  async status(
    messageId: string,
    caller: AccountId | undefined,
    filter: { readonly family: IsoFamily | undefined; readonly submitter: AccountId | undefined },
  ): Promise<BridgeAnswer> {
    const wanted = caller ?? this.options.anonymousSubmitter
    if (wanted === undefined) return new LedgerError('unauthorised', 'a message is shown to its submitter only')
    if (filter.submitter !== undefined && filter.submitter !== wanted) {
      return new LedgerError('forbidden', 'a message is shown to its submitter only')
    }
    const found = (await this.store.ofMessage(messageId)).filter(
      (record) => (filter.family === undefined || record.family === filter.family) && record.submitter === wanted,
    )
    const [first, ...others] = found
    if (first === undefined) return new LedgerError('iso_unknown_message', `no message ${messageId} was submitted here`)
    if (others.length > 0) {
      return new LedgerError('iso_ambiguous', `${found.length} messages have the id ${messageId}`)
    }
    return this.view(await this.settle(first), true)
  }

  /** After a restart: what was recorded and may not have been queued is sent again, byte for byte. */
  async resume(): Promise<number> {
    let sent = 0
    for await (const record of this.store.unsettled()) {
      const now = await this.settle(record)
      if (now.state !== 'sent' || now.transaction === undefined) continue
      await this.services.submit(now.transaction)
      sent += 1
    }
    return sent
  }

  private parseOptions(family: IsoFamily): ParseOptions {
    const { settlementWindow, clockMs } = this.options
    const name = family === 'pacs008' ? 'pacs.008' : 'pacs.009'
    if (settlementWindow === undefined) return { family: name }
    const today = new Date(clockMs()).toISOString().slice(0, 10)
    return { family: name, settlementWindow: { today, ...settlementWindow } }
  }

  private async process(identity: MessageIdentity, payment: Payment): Promise<BridgeAnswer> {
    const stored = await this.store.get(identity)
    const before = stored === undefined ? undefined : await this.settle(stored)
    const sameBody = before !== undefined && Buffer.compare(before.bodyHash, payment.bodyHash) === 0
    if (before !== undefined) {
      // A refusal that never became a transaction is judged anew: bindings may have changed, and nothing could have moved.
      const retryable =
        before.state === 'rejected' && (before.transactionHash === undefined || RETRYABLE.has(before.reasonCode ?? ''))
      if (sameBody && !retryable) return this.view(before, true)
      if (!sameBody && before.state !== 'rejected') return duplicate(identity)
    }
    const claimed = await this.claimOf(identity)
    if (claimed !== undefined && Buffer.compare(claimed.bodyHash, payment.bodyHash) !== 0) return duplicate(identity)

    const resolved = await resolvePayment(this.services, payment, identity.submitter)
    const attempt = (before?.attempt ?? 0) + 1
    const base = {
      ...identity,
      bodyHash: payment.bodyHash,
      amount: normalAmount(payment),
      currency: payment.currency,
      attempt,
      updatedAtMs: this.options.clockMs(),
      reasonCode: undefined,
      detail: undefined,
    }
    if (claimed !== undefined) {
      // Another gateway paid this message: its transaction is ours to show, and nothing is sent.
      const record: BridgeRecord = {
        ...base,
        ...parties(resolved),
        transaction: undefined,
        transactionHash: claimed.transactionHash,
        expiresAtMs: 0,
        state: 'settled',
      }
      await this.store.put(record)
      return this.view(record, true)
    }
    if (!resolved.ok) {
      const [first] = resolved.faults
      const reasonCode = first?.reasonCode ?? 'NARR'
      await this.store.put({
        ...base,
        ...parties(resolved),
        transaction: undefined,
        transactionHash: undefined,
        expiresAtMs: 0,
        state: 'rejected',
        reasonCode,
        detail: first?.code,
      })
      return new LedgerError(
        resolved.submitter ? 'iso_submitter' : 'iso_unbound',
        resolved.faults
          .map((one) => `${one.path || 'submitter'} ${one.value}`.trim() + `: expected ${one.expected}`)
          .join('; '),
        {
          details: { pacs002_code: 'RJCT', rejection_reason_code: reasonCode, faults: resolved.faults.map(faultJson) },
        },
      )
    }
    const { id, bytes, expiresAtMs } = this.transactionOf(identity, payment, resolved.value, attempt)
    const record: BridgeRecord = {
      ...base,
      ...parties(resolved),
      transaction: bytes,
      transactionHash: id,
      expiresAtMs,
      state: 'sent',
    }
    // Durable before it is queued: after a crash the same bytes are sent again.
    await this.store.put(record)
    const answer = await this.services.submit(bytes)
    if (answer.ok || answer.error.code === 'already_enqueued' || answer.error.code === 'already_committed') {
      return this.view(record, false)
    }
    const rejected: BridgeRecord = {
      ...record,
      state: 'rejected',
      reasonCode: reasonForError(answer.error.code),
      detail: answer.error.message,
    }
    await this.store.put(rejected)
    return this.view(rejected, false)
  }

  private transactionOf(
    identity: MessageIdentity,
    payment: Payment,
    parts: { source: string; target: string; definition: string; amount: BridgeRecord['amount'] },
    attempt: number,
  ): { readonly id: Buffer; readonly bytes: Buffer; readonly expiresAtMs: number } {
    const { signer, clockMs } = this.options
    const { info } = this.services
    const { submitter, family, messageId } = identity
    const idHash = claimKey(submitter, family, messageId)
    const createdAtMs = clockMs()
    const payload: TransactionPayload = {
      chain: info.chain,
      authority: signer.account,
      createdAtMs,
      ttlMs: TTL_MS,
      nonce: hash('iso-nonce', idHash, Buffer.of(attempt & 0xff)).readUInt32LE(0),
      executable: {
        kind: 'instructions',
        value: [
          { kind: claimMessage.kind, value: { submitter, family, messageId, idHash, bodyHash: payment.bodyHash } },
          {
            kind: transfer.kind,
            value: {
              asset: { definition: parts.definition, account: parts.source },
              to: parts.target,
              amount: parts.amount,
            },
          },
        ],
      },
      metadata: NO_METADATA,
      dataspace: undefined,
    }
    const sealed = sealTransaction(payload, info.codec, signer.key, (id) => signer.sign(id))
    return { ...sealed, expiresAtMs: createdAtMs + TTL_MS }
  }

  private claimOf(identity: MessageIdentity) {
    const key = claimKey(identity.submitter, identity.family, identity.messageId)
    return this.services.query(isoClaim, { key })
  }

  /** Brings a sent record to what the ledger says; final outcomes are written once. */
  private async settle(record: BridgeRecord): Promise<BridgeRecord> {
    if (record.state !== 'sent' || record.transactionHash === undefined) return record
    const found = await this.services.query(transactionByHashQuery, { hash: record.transactionHash })
    const next = found === undefined ? await this.unseen(record) : await this.seen(record, found.rejection)
    if (next !== record) await this.store.put(next)
    return next
  }

  private async seen(record: BridgeRecord, rejection: string | undefined): Promise<BridgeRecord> {
    const updatedAtMs = this.options.clockMs()
    if (rejection === undefined) return { ...record, state: 'settled', updatedAtMs }
    const winner = rejection === 'iso_duplicate_message' ? await this.claimOf(record) : undefined
    if (winner !== undefined && Buffer.compare(winner.bodyHash, record.bodyHash) === 0) {
      return { ...record, state: 'settled', transactionHash: winner.transactionHash, updatedAtMs }
    }
    return { ...record, state: 'rejected', reasonCode: reasonForError(rejection), detail: rejection, updatedAtMs }
  }

  /** Not in a block: still waiting, or expired; an earlier winner of the claim settles it either way. */
  private async unseen(record: BridgeRecord): Promise<BridgeRecord> {
    const now = this.options.clockMs()
    const winner = await this.claimOf(record)
    if (winner !== undefined && Buffer.compare(winner.bodyHash, record.bodyHash) === 0) {
      return { ...record, state: 'settled', transactionHash: winner.transactionHash, updatedAtMs: now }
    }
    if (now <= record.expiresAtMs || record.transactionHash === undefined) return record
    if (this.services.pending(record.transactionHash).kind === 'queued') return record
    return { ...record, state: 'rejected', reasonCode: 'TM01', detail: 'transaction_expired', updatedAtMs: now }
  }

  private view(record: BridgeRecord, replayed: boolean): IsoRecordView {
    const { state } = record
    const definition = record.definition
    return {
      messageId: record.messageId,
      family: record.family,
      transactionHash: record.transactionHash,
      status: state === 'sent' ? 'pending' : state === 'settled' ? 'accepted' : 'rejected',
      pacs002Code: state === 'settled' ? 'ACSC' : state === 'rejected' ? 'RJCT' : this.openCode(record),
      rejectionReasonCode: record.reasonCode,
      detail: record.detail,
      ledgerId: this.services.info.chain,
      sourceAccountId: record.source,
      targetAccountId: record.target,
      assetDefinitionId: definition,
      amount: record.amount,
      currency: record.currency,
      submitter: record.submitter,
      replayed,
      updatedAtMs: record.updatedAtMs,
    }
  }

  /** ACSP once it is in the queue, ACTC while it is only recorded. */
  private openCode(record: BridgeRecord): string {
    const { transactionHash } = record
    return transactionHash !== undefined && this.services.pending(transactionHash).kind === 'queued' ? 'ACSP' : 'ACTC'
  }
}

const duplicate = (identity: MessageIdentity): LedgerError =>
  new LedgerError('iso_duplicate_message', `message ${identity.messageId} was submitted with another body`)

function parties(resolved: Awaited<ReturnType<typeof resolvePayment>>) {
  return resolved.ok
    ? { source: resolved.value.source, target: resolved.value.target, definition: resolved.value.definition }
    : { source: undefined, target: undefined, definition: undefined }
}

/** Amount of a payment in canonical form; the reader has bounded it. */
function normalAmount(payment: Payment): BridgeRecord['amount'] {
  const amount = normalizeNumeric(payment.amount)
  if (amount === undefined) throw new Error('an amount that the reader bounded has a canonical form')
  return amount
}
