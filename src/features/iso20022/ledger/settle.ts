/**
 * Owns payments that share a transaction: each is claimed and made separately, and a failed one is recorded without
 * affecting others (docs/design/iso20022.md 9).
 */
import { sameBytes } from '../../../base/bytes.js'
import { type ExecContext, type Execution, type PartUnits, type Rejection, reject } from '../../../executor/contract.js'
import { perContent } from '../../../executor/costs.js'
import { tokens } from '../../../ledger/tables.js'
import { assertInvariant, domainOfDefinition, instruction, isErrorCode } from '../../../model/index.js'
import { instructions as assets } from '../../assets/schema/instructions.js'
import { instructions as names } from '../../names/schema/instructions.js'
import { events } from '../schema/events.js'
import {
  claimKey,
  instructions,
  type MessageParts,
  PARTS_MAX,
  type PaymentPart,
  paymentKey,
  type SettlePayments,
} from '../schema/instructions.js'
import type { MessageHead } from '../schema/messages.js'
import {
  ALIAS_KEPT_UNITS,
  ALIAS_TEU,
  HEAD_KEPT_UNITS,
  MESSAGE_TEU,
  OUTCOME_KEPT_UNITS,
  PART_KEPT_UNITS,
  PART_MAX_UNITS,
  PART_TEU,
} from '../schema/shared-units.js'
import { alreadyPaid, claimantFault, claimFault, decidedBy, isTaken, unknownSubmitter } from './claims.js'
import { submitterOf } from './submitters.js'
import { claims, headRefusals, heads, payments, type Submitter } from './tables.js'

/** A message whose payments may be claimed. */
interface Claimed {
  readonly message: MessageParts
  /** Key of its claim. */
  readonly key: Uint8Array
  readonly submitter: Submitter
}

export const settlePayments: Execution<SettlePayments> = {
  cost: {
    base: 0,
    per: [
      { teu: MESSAGE_TEU, item: 'message', count: ({ messages }) => messages.length },
      { teu: PART_TEU, item: 'payment, at least one', count: ({ messages }) => Math.max(1, partsOf(messages)) },
      { teu: ALIAS_TEU, item: 'pin by an alias', count: ({ messages }) => aliasesOf(messages) },
      perContent('the messages', (value) => instructions.settlePayments.schema.encode(value).length),
    ],
  },
  primaryDomain: ({ messages }) => [
    ...new Set(messages.flatMap(({ parts }) => parts.map(({ definition }) => domainOfDefinition(definition)))),
  ],
  execute(ctx, { messages }) {
    const fault = shapeFault(ctx, messages)
    if (fault) return fault
    // Charged to the whole list; otherwise the first payment that reads the permissions would be charged for all.
    ctx.get(tokens, ctx.authority)
    const open = messages.map((message) => claimOf(ctx, message))
    let left = partsOf(messages)
    let pins = aliasesOf(messages)
    const lacking = ctx.demand(keptFor(left, pins) + HEAD_KEPT_UNITS * messages.length)
    if (lacking) return lacking
    for (const [index, claimed] of open.entries()) {
      const message = messages[index] as MessageParts
      if ('code' in claimed) {
        for (const part of message.parts) refuse(ctx, message, part, claimed)
        left -= message.parts.length
        pins -= aliasesOf([message])
        continue
      }
      const changes: Change[] = []
      for (const part of message.parts) {
        left -= 1
        pins -= part.aliases.length
        const kept = keptFor(left, pins) + OUTCOME_KEPT_UNITS + HEAD_KEPT_UNITS * (messages.length - index)
        changes.push(settle(ctx, claimed, part, { max: PART_MAX_UNITS, kept }))
      }
      if (message.payments > 1) countIn(ctx, claimed.key, changes)
    }
    return undefined
  },
}

const partsOf = (messages: readonly MessageParts[]): number =>
  messages.reduce((sum, { parts }) => sum + parts.length, 0)

const aliasesOf = (messages: readonly MessageParts[]): number =>
  messages.reduce((sum, { parts }) => parts.reduce((of, { aliases }) => of + aliases.length, sum), 0)

const keptFor = (parts: number, aliases: number): number =>
  parts * (PART_KEPT_UNITS + OUTCOME_KEPT_UNITS) + aliases * ALIAS_KEPT_UNITS

/** Fault of an instruction that does not depend on the state. */
function shapeFault(
  { instructions: { length } }: ExecContext,
  messages: readonly MessageParts[],
): Rejection | undefined {
  if (length !== 1) return reject('iso_claim', 'SettlePayments must be the only instruction of its transaction')
  const count = partsOf(messages)
  if (count < 1 || count > PARTS_MAX) {
    return reject('iso_claim', `a transaction must have between 1 and ${PARTS_MAX} payments, not ${count}`)
  }
  for (const { messageId, payments: all, refused, parts } of messages) {
    const isSound = parts.length > 0 && refused.length < all && areAscending(parts, all) && areAscending(refused, all)
    if (!isSound) return reject('iso_claim', `the places of message ${messageId} are not valid for ${all} payments`)
  }
  return undefined
}

/** True if places are strictly ascending and within their message. */
const areAscending = (list: readonly { readonly place: number }[], payments: number): boolean =>
  list.every(({ place }, index) => place > (list[index - 1]?.place ?? 0) && place <= payments)

/** Message whose payments may be claimed, with its head on the ledger, or the rejection. */
function claimOf(ctx: ExecContext, message: MessageParts): Claimed | Rejection {
  const { submitter: id, family, messageId, bodyHash, payments: count } = message
  const submitter = submitterOf(ctx, id)
  if (submitter === undefined) return unknownSubmitter()
  const denied = claimantFault(ctx, id)
  if (denied) return denied
  const key = claimKey(id, family, messageId)
  const head = ctx.get(heads, key)
  const isAnother =
    count === 1
      ? head !== undefined
      : head === undefined
        ? ctx.has(claims, key)
        : head.payments !== count || !sameBytes(head.bodyHash, bodyHash)
  if (isAnother) return reject('iso_duplicate_message', `message ${messageId} of this submitter has another body`)
  if (count > 1 && head === undefined) writeHead(ctx, key, message)
  return { message, key, submitter }
}

/** Write the head of a message with its first payments; its totals are those that its gateway read. */
function writeHead(ctx: ExecContext, key: Uint8Array, message: MessageParts): void {
  const { submitter, family, messageId, bodyHash, payments: count, refused } = message
  ctx.set(heads, key, {
    submitter,
    family,
    messageId,
    bodyHash,
    payments: count,
    settled: 0,
    rejected: 0,
    refused: refused.length,
    ...decidedBy(ctx),
  })
  if (refused.length > 0) ctx.set(headRefusals, key, refused)
  // The id was used before by a message with one payment that was rejected.
  ctx.delete(payments, key)
}

/** Change of the counts of a head by one payment. */
type Change = Pick<MessageHead, 'settled' | 'rejected'>
const NO_CHANGE: Change = { settled: 0, rejected: 0 }

/** Make one payment, or record its rejection. */
function settle(
  ctx: ExecContext,
  { message, key: ofMessage, submitter: known }: Claimed,
  part: PaymentPart,
  units: PartUnits,
): Change {
  const { submitter, family, messageId, bodyHash, payments: count } = message
  const { place, details, source, target, definition, amount } = part
  const key = paymentKey(ofMessage, count, place)
  const before = ctx.get(payments, key)
  const wasRejected = before?.code !== undefined
  if (count === 1 ? isTaken(ctx, key) : before !== undefined && !wasRejected) {
    refuse(ctx, message, part, alreadyPaid(messageId))
    return NO_CHANGE
  }
  const claim = {
    submitter,
    family,
    messageId,
    bodyHash,
    details,
    source,
    target,
    definition,
    amount,
    ...decidedBy(ctx),
  }
  const rejection = ctx.forkWithin(units, (fork) => {
    const refused = claimFault(fork, submitter, known, key, part)
    if (refused) return refused
    const moved = part.aliases.length === 0 ? undefined : fork.perform(assertionOf(part))
    if (moved) return moved
    // Before the transfer, so that triggers see the payment as claimed.
    if (count > 1) fork.set(payments, key, { ...claim, payments: count, place, code: undefined })
    else {
      fork.set(claims, key, claim)
      fork.delete(payments, key)
    }
    const asset = { definition, account: source }
    const failed = fork.perform(instruction(assets.transfer, { asset, to: target, amount }))
    if (failed) return failed
    fork.emit(events.paymentSettled, { submitter, family, messageId, place })
    return undefined
  })
  const fewer = wasRejected ? 1 : 0
  if (rejection === undefined) return { settled: 1, rejected: -fewer }
  ctx.set(payments, key, { ...claim, payments: count, place, code: numberOf(ctx, rejection) })
  ctx.emit(events.paymentRejected, { submitter, family, messageId, place, code: rejection.code })
  return { settled: 0, rejected: 1 - fewer }
}

/** Assertion of the aliases that pin the parties of a payment. */
const assertionOf = ({ aliases: items }: PaymentPart) => instruction(names.assertAliases, { items })

/** Emit the event of a part without a result for its payment. */
function refuse(ctx: ExecContext, message: MessageParts, { place }: PaymentPart, { code }: Rejection): void {
  const { submitter, family, messageId, bodyHash } = message
  ctx.emit(events.partRefused, { submitter, family, messageId, place, bodyHash, code })
}

function numberOf({ abi }: ExecContext, { code }: Rejection): number {
  const number = isErrorCode(code) ? abi.errorNumbers.get(code) : undefined
  assertInvariant(number !== undefined, `error ${code} has a number`)
  return number
}

/** Update the counts of a head. It is read again, because triggers may have settled other payments of the message. */
function countIn(ctx: ExecContext, key: Uint8Array, changes: readonly Change[]): void {
  const head = ctx.get(heads, key)
  assertInvariant(head !== undefined, 'a message of several payments has a head')
  const { height, timeMs } = ctx.env
  const settled = changes.reduce((sum, change) => sum + change.settled, head.settled)
  const rejected = changes.reduce((sum, change) => sum + change.rejected, head.rejected)
  assertInvariant(rejected >= 0 && settled + rejected <= head.payments, 'a head counts its payments')
  ctx.set(heads, key, { ...head, settled, rejected, height, timeMs })
}
