/** Owns the submission of a message: each of its payments is made exactly once (docs/design/iso20022.md 3 to 5). */
// Its codes must be in the catalogue.
import { sameBytes } from '../../../base/bytes.js'
import '../schema/errors.js'
import { type AccountId, LedgerError } from '../../../model/index.js'
import type { Payment, PaymentMessage } from '../message/index.js'
import type { ReadAnswer } from '../reader/reader.js'
import { type IsoFamily, isoBodyHash } from '../schema/instructions.js'
import { type IsoCaller, submissionEntry } from './audit.js'
import { hasTaken, takeSeveral } from './bulk/submit.js'
import type { BridgeContext } from './context.js'
import { duplicateMessage, freshRecord, isRetryableReason, isRetryableRecord } from './fresh-record.js'
import { isoMetrics } from './metrics.js'
import { type BridgeRecord, ONLY } from './record.js'
import { parseRefusal } from './refusal.js'
import { holdReason } from './stages/hold.js'
import { readMessage } from './stages/read.js'
import { committedMessages, type Known, reconcileWith } from './stages/reconcile.js'
import { duplicateUetr, uetrTurn } from './stages/uetr.js'
import { refusal, unknownSubmitter, validatePayment } from './stages/validate.js'
import type { BridgeAnswer } from './status.js'
import type { MessageIdentity } from './store.js'
import type { Parties } from './transaction.js'
import { recordView, viewOf } from './view.js'

/**
 * Submit a message for the caller's account, or for the anonymous submitter if one is configured. A request of an
 * unauthorised sender is not a submission and has no audit line, so that untrusted clients cannot fill the disk. Anyone
 * can create keys, so a signer is unauthorised, and its body is not read, until its account is a submitter on the
 * ledger.
 */
export async function submitMessage(
  context: BridgeContext,
  family: IsoFamily,
  body: Uint8Array,
  caller: IsoCaller,
): Promise<BridgeAnswer> {
  const { services, audit } = context
  const submitter = caller.account ?? context.anonymousSubmitter
  if (submitter === undefined) {
    return new LedgerError('unauthorised', 'the bridge accepts messages of registered submitters only', {
      hint: 'Sign the request with the key of a submitter, or send an API token bound to one.',
    })
  }
  if (!(await mayBeRead(context, caller))) {
    isoMetrics(services.metrics).messages.inc({ outcome: 'refused' })
    return unknownSubmitter().error
  }
  let read: ReadAnswer | undefined
  let outcome: BridgeAnswer | undefined
  try {
    read = await readMessage(context, family, body)
    outcome = await takeMessage(context, submitter, family, read, body)
    return outcome
  } finally {
    isoMetrics(services.metrics).messages.inc({ outcome: outcomeOf(outcome) })
    if (!(await isUnauthorised(context, caller, outcome))) {
      const submission = { submitter, caller, family, ...identityOf(read, body), outcome }
      await audit.append(submissionEntry(submission, services.info.addressPrefix))
    }
  }
}

/** True if the sender is authorised by an API token or by the ledger; a known submitter does not wait for the query. */
async function mayBeRead({ services, submitters, wallMs }: BridgeContext, { kind, account }: IsoCaller) {
  return kind !== 'account' || account === undefined || submitters.has(services, account, wallMs())
}

/**
 * True if a refused sender is unauthorised. Queries the ledger instead of the cache, because the refusal may be caused
 * by the removal of the submitter.
 */
async function isUnauthorised(
  { services, submitters, wallMs }: BridgeContext,
  { kind, account }: IsoCaller,
  outcome: BridgeAnswer | undefined,
): Promise<boolean> {
  if (kind !== 'account' || account === undefined || !(outcome instanceof LedgerError)) return false
  return !(await submitters.ask(services, account, wallMs()))
}

/** Process a decoded body; calls for one message are serialised. */
function takeMessage(
  context: BridgeContext,
  submitter: AccountId,
  family: IsoFamily,
  read: ReadAnswer,
  body: Uint8Array,
): Promise<BridgeAnswer> {
  if (read instanceof LedgerError) return Promise.resolve(read)
  if (!read.ok) return Promise.resolve(parseRefusal(read))
  const { message } = read
  const identity = { submitter, family, messageId: message.messageId }
  return context.mutex.run(identity, () =>
    message.payments.length === 1
      ? takeOne(context, identity, message, body)
      : takeSeveral(context, identity, message, body),
  )
}

/** Process a message with one payment. */
async function takeOne(
  context: BridgeContext,
  identity: MessageIdentity,
  { bodyHash, payments }: PaymentMessage,
  body: Uint8Array,
): Promise<BridgeAnswer> {
  const { services, reference } = context
  const [read] = payments
  if (read?.ok !== true) throw new Error('a message whose only payment is not sound was not refused')
  const { payment, untimely } = read
  const { items, heads } = await committedMessages(context, identity.messageId, identity.submitter)
  const isOf = ({ family }: { readonly family: IsoFamily }): boolean => family === identity.family
  if (heads.some(isOf)) return duplicateMessage(identity)
  const paid = items.find(isOf)
  const isFree = paid === undefined || paid.rejection !== undefined
  if (isFree && (await hasTaken(context, identity))) return duplicateMessage(identity)
  const known = await reconcileWith(context, identity, paid)
  const before = known === undefined ? undefined : earlierResult(known, bodyHash)
  if (before === 'duplicate') return duplicateMessage(identity)
  if (before !== undefined) return viewOf(services, before, true)
  // Checked after earlier results, which do not change when the window moves on.
  if (untimely !== undefined) return parseRefusal({ ok: false, stage: 'invalid', faults: [untimely] })
  const unavailable = reference.unavailable()
  if (unavailable !== undefined) return unavailable
  const record = freshRecord(context, identity, { bodyHash, read }, known?.record, ONLY)
  const validated = await validatePayment(context, payment, identity.submitter)
  if (!validated.ok) return refuse(context, record, validated)
  const take = () => takePayment(context, record, payment, validated.parties, body)
  // Concurrent payments with one UETR: the second one finds the first.
  return payment.uetr === undefined ? take() : context.mutex.run(uetrTurn(identity, payment.uetr), take)
}

/** Audit a refused submission, unless its sender is unauthorised. */
async function refuse(
  { store }: BridgeContext,
  record: BridgeRecord,
  { reasonCode, detail, error, unregistered }: ReturnType<typeof refusal>,
): Promise<LedgerError> {
  if (!unregistered) await store.put({ ...record, state: 'rejected', reasonCode, detail })
  return error
}

/** Hold or send a valid payment. */
async function takePayment(
  context: BridgeContext,
  record: BridgeRecord,
  payment: Payment,
  parties: Parties,
  body: Uint8Array,
): Promise<BridgeAnswer> {
  const { services, store } = context
  const duplicate = await duplicateUetr(context, record, payment)
  if (duplicate !== undefined) return refuse(context, record, refusal('iso_invalid', [duplicate]))
  const reason = holdReason(context.holds, payment, record.submitter)
  if (reason === undefined) {
    const sent = await context.batches.submit({ record, parties, refused: [] })
    return sent instanceof LedgerError ? sent : recordView(services, sent, false)
  }
  const held: BridgeRecord = {
    ...record,
    ...parties,
    state: 'held',
    holdReason: reason,
    body: Buffer.from(body),
  }
  const full = store.held.fault(held.submitter, body.length)
  if (full !== undefined) return full
  await store.put(held)
  return recordView(services, held, false)
}

/** Earlier result of a known message, or `duplicate` if its id is in use; undefined: a new attempt. */
function earlierResult(known: Known, submitted: Uint8Array): Known | 'duplicate' | undefined {
  const { bodyHash } = known.by === 'ledger' ? known.message : known.record
  const isRejected = known.by === 'ledger' ? known.message.rejection !== undefined : known.record.state === 'rejected'
  // Nothing was paid: another body may use the id.
  if (!sameBytes(bodyHash, submitted)) return isRejected ? undefined : 'duplicate'
  return isRejected && isRetryable(known) ? undefined : known
}

/**
 * True if a refused message was never in a transaction. It is validated again, since bindings may have changed and no
 * funds can have moved.
 */
const isRetryable = (known: Known): boolean =>
  known.by === 'ledger' ? isRetryableReason(known.message.rejection ?? '') : isRetryableRecord(known.record)

/** Identity of a body in the audit log; a body that is not a payment has no message id. */
const identityOf = (read: ReadAnswer | undefined, body: Uint8Array) =>
  read === undefined || read instanceof LedgerError || !read.ok
    ? { messageId: undefined, bodyHash: isoBodyHash(body) }
    : { messageId: read.message.messageId, bodyHash: read.message.bodyHash }

/** Label of a submission in metrics. */
const outcomeOf = (outcome: BridgeAnswer | undefined): string =>
  outcome === undefined
    ? 'failed'
    : outcome instanceof LedgerError
      ? 'refused'
      : outcome.replayed
        ? 'replayed'
        : outcome.pacs002Code
