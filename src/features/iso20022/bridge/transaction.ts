/**
 * Owns the transactions of messages: under ABI 1 the claim of one message with its transfer, from ABI 2 on the payments
 * of several messages (docs/design/iso20022.md 2 and 9).
 */

import type { NodeInfo } from '../../../api/services.js'
import { hash } from '../../../crypto/index.js'
import {
  type AccountId,
  type AccountSigner,
  type Instruction,
  instruction,
  type Metadata,
  NO_METADATA,
  sealTransaction,
  type TransactionPayload,
} from '../../../model/index.js'
import { instructions as assets } from '../../assets/schema/instructions.js'
import { REFERENCE_KEY } from '../../explorer/schema/statement.js'
import type { AssertedAlias } from '../../names/schema/instructions.js'
import {
  claimKey,
  instructions,
  type MessageParts,
  messageParts,
  type PaymentPart,
  paymentKey,
  paymentPart,
  type RefusedPayment,
} from '../schema/instructions.js'
import type { BridgeRecord } from './record.js'

/**
 * Lifetime of a bridge transaction, in ms: long enough for a view change, short enough to return TM01 within a minute
 * or two.
 */
const TTL_MS = 100_000

/** A signed transaction. */
export interface SignedPayment {
  readonly id: Buffer
  readonly bytes: Buffer
  readonly expiresAtMs: number
}

/** Metadata with the end-to-end id as the reference in statements; it has no effect on the ledger. */
const metadataOf = ({ details: { endToEndId } }: BridgeRecord): Metadata =>
  endToEndId === undefined ? NO_METADATA : new Map([[REFERENCE_KEY, endToEndId]])

/** Accounts of a payment, and the amount that it moves between them. */
export interface Parties {
  readonly source: AccountId
  readonly target: AccountId
  readonly definition: string
  /** Aliases by which the message pins them, asserted when the payment is made. */
  readonly aliases: readonly AssertedAlias[]
}

/** A record whose parties are resolved. */
export interface Payable {
  readonly record: BridgeRecord
  readonly parties: Parties
  /** Payments of its message that this gateway refused; recorded in the head on the ledger. */
  readonly refused: readonly RefusedPayment[]
}

/** Payments refused before signing, in the form of the head of their message. */
export const refusedOf = (records: readonly BridgeRecord[]): readonly RefusedPayment[] =>
  records
    .filter(({ state, transactionHash }) => state === 'rejected' && transactionHash === undefined)
    .map(({ place, reasonCode }) => ({ place, reason: reasonCode ?? 'NARR' }))
    .sort((a, b) => a.place - b.place)

/** Build and sign the transaction of one message under ABI 1. */
export function claimTransaction(
  { record, parties }: Payable,
  signer: AccountSigner,
  info: NodeInfo,
  nowMs: number,
): SignedPayment {
  const { submitter, family, messageId, bodyHash, details, amount } = record
  const { source, target, definition } = parties
  const idHash = keyOf(record)
  return sealed(
    [
      instruction(instructions.claimMessage, { submitter, family, messageId, idHash, bodyHash, details }),
      instruction(assets.transfer, { asset: { definition, account: source }, to: target, amount }),
    ],
    { nonce: nonceOf([record]), metadata: metadataOf(record) },
    signer,
    info,
    nowMs,
  )
}

/** Message without its payments, as encoded in a shared transaction. */
const messageOf = ({ record, refused }: Payable): MessageParts => {
  const { submitter, family, messageId, bodyHash, payments, batchBooking } = record
  return { submitter, family, messageId, bodyHash, payments, batchBooking, refused, parts: [] }
}

const partOf = ({ record: { place, details, amount }, parties }: Payable): PaymentPart => ({
  place,
  details,
  amount,
  ...parties,
})

/** Messages with their payments, ordered by place within each message. */
function messagesOf(payables: readonly Payable[]): MessageParts[] {
  const messages = new Map<string, { readonly message: MessageParts; readonly parts: PaymentPart[] }>()
  for (const payable of payables) {
    const key = messageKey(payable)
    const known = messages.get(key)
    if (known === undefined) messages.set(key, { message: messageOf(payable), parts: [partOf(payable)] })
    else known.parts.push(partOf(payable))
  }
  return [...messages.values()].map(({ message, parts }) => ({
    ...message,
    parts: parts.sort((a, b) => a.place - b.place),
  }))
}

/** Grouping key of payments of one message. */
export const messageKey = ({ record }: Payable): string => keyOf(record).toString('latin1')

/** Size of a payment in a shared transaction, in bytes. */
export const partBytes = (payable: Payable): number => paymentPart.encode(partOf(payable)).length

/** Size of a payment's message without the payments in a shared transaction, in bytes. */
export const messageBytes = (payable: Payable): number => messageParts.encode(messageOf(payable)).length

/** Build and sign a transaction that payments share. */
export const sharedTransaction = (
  payables: readonly Payable[],
  signer: AccountSigner,
  info: NodeInfo,
  nowMs: number,
): SignedPayment =>
  sealed(
    [instruction(instructions.settlePayments, { messages: messagesOf(payables) })],
    { nonce: nonceOf(payables.map(({ record }) => record)), metadata: NO_METADATA },
    signer,
    info,
    nowMs,
  )

const keyOf = ({ submitter, family, messageId }: BridgeRecord): Buffer => claimKey(submitter, family, messageId)

/** Nonce of an attempt, which is deterministic: repeating the attempt with the same payments gives the same nonce. */
const nonceOf = (records: readonly BridgeRecord[]): number =>
  hash(
    'iso-nonce',
    ...records.flatMap((record) => [
      paymentKey(keyOf(record), record.payments, record.place),
      Buffer.of(record.attempt & 0xff),
    ]),
  ).readUInt32LE(0)

function sealed(
  list: readonly Instruction[],
  { nonce, metadata }: Pick<TransactionPayload, 'nonce' | 'metadata'>,
  signer: AccountSigner,
  { chain, codec }: NodeInfo,
  nowMs: number,
): SignedPayment {
  const payload: TransactionPayload = {
    chain,
    authority: signer.account,
    createdAtMs: nowMs,
    ttlMs: TTL_MS,
    nonce,
    metadata,
    dataspace: undefined,
    executable: { kind: 'instructions', value: list },
  }
  return { ...sealTransaction(payload, codec, signer.key, (id) => signer.sign(id)), expiresAtMs: nowMs + TTL_MS }
}
