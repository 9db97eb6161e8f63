/**
 * Owns the transactions of messages: under ABI 1 the claim of one with its transfer, from ABI 2 on the payments of several
 * (docs/design/iso20022.md 2 and 9).
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

/** Life of a bridge transaction, in ms: long enough for a view change, short enough to answer TM01 within a minute or two. */
const TTL_MS = 100_000

/** A signed transaction. */
export interface SignedPayment {
  readonly id: Buffer
  readonly bytes: Buffer
  readonly expiresAtMs: number
}

/** The end-to-end id as the reference that statements show; nothing on the ledger decides by it. */
const metadataOf = ({ details: { endToEndId } }: BridgeRecord): Metadata =>
  endToEndId === undefined ? NO_METADATA : new Map([[REFERENCE_KEY, endToEndId]])

/** Accounts of a payment and the amount between them. */
export interface Parties {
  readonly source: AccountId
  readonly target: AccountId
  readonly definition: string
  /** Aliases by which the message pins them; they are asserted where the payment is made. */
  readonly aliases: readonly AssertedAlias[]
}

/** A record whose parties are resolved. */
export interface Payable {
  readonly record: BridgeRecord
  readonly parties: Parties
  /** Payments of its message that this gateway refused; its head on the ledger keeps them. */
  readonly refused: readonly RefusedPayment[]
}

/** The payments that were refused before they were signed, as the head of their message keeps them. */
export const refusedOf = (records: readonly BridgeRecord[]): readonly RefusedPayment[] =>
  records
    .filter(({ state, transactionHash }) => state === 'rejected' && transactionHash === undefined)
    .map(({ place, reasonCode }) => ({ place, reason: reasonCode ?? 'NARR' }))
    .sort((a, b) => a.place - b.place)

/** Builds and signs the transaction of one message, as ABI 1 has it. */
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

/** A message without its payments, as a shared transaction has it. */
const messageOf = ({ record, refused }: Payable): MessageParts => {
  const { submitter, family, messageId, bodyHash, payments, batchBooking } = record
  return { ...{ submitter, family, messageId, bodyHash, payments, batchBooking }, refused, parts: [] }
}

const partOf = ({ record: { place, details, amount }, parties }: Payable): PaymentPart => ({
  ...{ place, details, amount },
  ...parties,
})

/** Messages with their payments, which are in the order of their places in each. */
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

/** Text that payments of one message have in common. */
export const messageKey = ({ record }: Payable): string => keyOf(record).toString('latin1')

/** Bytes of a payment in a shared transaction. */
export const partBytes = (payable: Payable): number => paymentPart.encode(partOf(payable)).length

/** Bytes of its message there, beside its payments. */
export const messageBytes = (payable: Payable): number => messageParts.encode(messageOf(payable)).length

/** Builds and signs the transaction of payments that share one. */
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

/** The same attempt of the same payments has the same nonce. */
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
    ...{ chain, authority: signer.account, createdAtMs: nowMs, ttlMs: TTL_MS, nonce, metadata, dataspace: undefined },
    executable: { kind: 'instructions', value: list },
  }
  return { ...sealTransaction(payload, codec, signer.key, (id) => signer.sign(id)), expiresAtMs: nowMs + TTL_MS }
}
