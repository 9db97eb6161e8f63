/** Owns the extraction of payments from transactions that claim messages, with their results. */
import {
  type DataEvent,
  type EntryOutcome,
  type EventOf,
  type Instruction,
  isEvent,
  isInstruction,
  rejectionOf,
  type TransactionPayload,
} from '../../../model/index.js'
import { instructions as assets, type Transfer } from '../../assets/schema/instructions.js'
import { errors } from './errors.js'
import { events } from './events.js'
import { type ClaimMessage, instructions, type MessageParts, type PaymentPart } from './instructions.js'

/** Identity of a payment: its message and place. */
export type PaymentId = EventOf<typeof events.paymentSettled>

/** A claim with its transfer; `code`: number of the error of the rejection; undefined: paid. */
export interface ClaimedPayment {
  readonly claim: ClaimMessage
  readonly transfer: Transfer
  readonly code: number | undefined
}

/**
 * Claim and transfer of a transaction. A rejected transaction has one only if its submitter had permitted the claim:
 * the transfer failed, or a limit of the submitter was reached. Any other rejected transaction may come from an
 * unauthorised sender, and says nothing about the message.
 */
export function claimedPayment({ executable }: TransactionPayload, outcome: EntryOutcome): ClaimedPayment | undefined {
  const at = executable.value.length - 2
  const [claim, next] = executable.value.slice(-2)
  if (claim === undefined || !isInstruction(claim, instructions.claimMessage)) return undefined
  if (next === undefined || !isInstruction(next, assets.transfer)) return undefined
  const found = { claim: claim.value, transfer: next.value }
  const rejection = rejectionOf(outcome)
  if (rejection === undefined) return { ...found, code: undefined }
  const { instruction, code } = rejection
  if (instruction !== at + 1 && !(instruction === at && code === errors.iso_limit.number)) return undefined
  return { ...found, code }
}

/** A payment that a transaction made or rejected. */
export interface DecidedPayment
  extends Omit<PaymentPart, 'aliases'>,
    Pick<MessageParts, 'submitter' | 'family' | 'messageId' | 'bodyHash' | 'payments'> {
  /** Error code of the rejection; undefined: paid. */
  readonly code: string | undefined
}

/** Transaction and its result. */
export interface DecidedEntry {
  readonly payload: TransactionPayload
  readonly outcome: EntryOutcome
  /** Events of the entry, in order. */
  readonly events: readonly DataEvent[]
}

/** Payments that a transaction decided, in order; payments made by other transactions are omitted. */
export function decidedPayments(
  { payload, outcome, events }: DecidedEntry,
  errorName: (code: number) => string | undefined,
): DecidedPayment[] {
  const single = claimedPayment(payload, outcome)
  if (single !== undefined) return [paymentOfClaim(single, errorName)]
  return sharedOutcomes(payload, events).flatMap(([{ submitter, family, messageId, bodyHash, payments }, part, end]) =>
    end.kind === 'refused' ? [] : [{ submitter, family, messageId, bodyHash, payments, ...part, code: end.code }],
  )
}

function paymentOfClaim(
  { claim, transfer, code }: ClaimedPayment,
  errorName: (code: number) => string | undefined,
): DecidedPayment {
  const { submitter, family, messageId, bodyHash, details } = claim
  const { asset, to: target, amount } = transfer
  return {
    submitter,
    family,
    messageId,
    bodyHash,
    payments: 1,
    place: 1,
    details,
    source: asset.account,
    target,
    definition: asset.definition,
    amount,
    code: code === undefined ? undefined : (errorName(code) ?? String(code)),
  }
}

/** Payments of a list of instructions that share a transaction, each with its message. */
export const partsOf = ([only]: readonly Instruction[]): (readonly [message: MessageParts, part: PaymentPart])[] =>
  only !== undefined && isInstruction(only, instructions.settlePayments)
    ? only.value.messages.flatMap((message) => message.parts.map((part) => [message, part] as const))
    : []

/** Outcome of a part: paid, rejected with a code, or undecided by this transaction. */
export type PartOutcome =
  | { readonly kind: 'decided'; readonly code: string | undefined }
  | { readonly kind: 'refused'; readonly code: string }

/** Payments of a shared transaction with their results: each part has one outcome event, in the order of the parts. */
export function sharedOutcomes(
  { executable }: Pick<TransactionPayload, 'executable'>,
  events: readonly DataEvent[],
): (readonly [message: MessageParts, part: PaymentPart, outcome: PartOutcome])[] {
  const outcomes = events.flatMap(outcomeOf)
  return partsOf(executable.value).flatMap(([message, part], at) => {
    const outcome = outcomes[at]
    return outcome === undefined ? [] : [[message, part, outcome] as const]
  })
}

/** Result of a part from its event; undefined for other events. */
function outcomeOf(event: DataEvent): PartOutcome[] {
  if (isEvent(event, events.paymentSettled)) return [{ kind: 'decided', code: undefined }]
  if (isEvent(event, events.paymentRejected)) return [{ kind: 'decided', code: event.value.code }]
  return isEvent(event, events.partRefused) ? [{ kind: 'refused', code: event.value.code }] : []
}
