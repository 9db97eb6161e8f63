/** Owns the ledger records of messages: settled and rejected payments, the same on every node. */
import { hash32, type Infer, list, numeric, option, string, struct, u16, varint } from '../../../codec/index.js'
import { accountId, assetDefinitionId } from '../../../model/index.js'
import {
  isoFamily,
  messageDetails,
  messageId,
  PAYMENTS_MAX,
  paymentCount,
  paymentPlace,
  refusedPayment,
} from './instructions.js'

/** Messages of one id in one answer, at most: each has another submitter or another family. */
export const MESSAGES_MAX = 16

/** Details of a message from its claim and transfer. */
export const committedFields = {
  submitter: accountId,
  family: isoFamily,
  messageId,
  bodyHash: hash32,
  details: messageDetails,
  source: accountId,
  target: accountId,
  definition: assetDefinitionId,
  amount: numeric,
  transactionHash: hash32,
  /** When the gateway made the transaction, in ms since the Unix epoch. */
  receivedAtMs: varint,
  height: varint,
  /** Header time of the block, in ms since the Unix epoch. */
  timeMs: varint,
}

/** A paid message, as the ledger keeps it for good. */
export const claim = struct('Claim', committedFields)
export interface Claim extends Infer<typeof claim> {}

/** What a block made of a payment that is one of several, or that it rejected. */
export const paymentOutcome = struct('PaymentOutcome', {
  ...committedFields,
  /** Payments of its message, and its place among them. */
  payments: paymentCount,
  place: paymentPlace,
  /** Number of the error that it was rejected with; absent: paid. */
  code: option(u16),
})
export interface PaymentOutcome extends Infer<typeof paymentOutcome> {}

/** A message of several payments as a whole, written with the first of them that a block decided. */
export const messageHead = struct('MessageHead', {
  submitter: accountId,
  family: isoFamily,
  messageId,
  bodyHash: hash32,
  payments: paymentCount,
  /** Payments that blocks made, and that they rejected. */
  settled: u16,
  rejected: u16,
  /** Payments that the gateway refused before it signed. */
  refused: u16,
  /** First transaction with a payment of it. */
  transactionHash: hash32,
  /** When the gateway made that, in ms since the Unix epoch. */
  receivedAtMs: varint,
  /** Block of the last change, and its header time in ms since the Unix epoch. */
  height: varint,
  timeMs: varint,
})
export interface MessageHead extends Infer<typeof messageHead> {}

export const refusedPayments = list(refusedPayment, PAYMENTS_MAX)

export const ledgerMessage = struct('LedgerMessage', {
  ...committedFields,
  /** Error code of the ledger; absent: paid. */
  rejection: option(string(64)),
})
/** A message whose transaction is in a block. */
export interface LedgerMessage extends Infer<typeof ledgerMessage> {}

export const messagesQuery = struct('IsoMessagesQuery', { messageId, submitter: option(accountId) })
export interface MessagesQuery extends Infer<typeof messagesQuery> {}

export const ledgerMessages = struct('LedgerMessages', {
  items: list(ledgerMessage, MESSAGES_MAX),
  /** Messages of several payments. */
  heads: list(messageHead, MESSAGES_MAX),
})
/** Ledger rows of the messages of one id, by submitter and family: the settled payment, otherwise the last rejection. */
export interface LedgerMessages extends Infer<typeof ledgerMessages> {}

/** Payments of one message in one answer, at most: some ms of reading. */
export const PAYMENTS_PER_ANSWER = 250

/** Asks for payments of a message with several, in the order of their places. */
export const paymentsQuery = struct('IsoPaymentsQuery', {
  submitter: accountId,
  family: isoFamily,
  messageId,
  /** Places above this one; 0: from the first on. */
  after: u16,
})
export interface PaymentsQuery extends Infer<typeof paymentsQuery> {}

/** A payment of a message as the ledger has it. */
export const ledgerPayment = struct('LedgerPayment', {
  place: paymentPlace,
  /** What a block made of it; absent: no block has it. */
  outcome: option(ledgerMessage),
  /** ISO reason of the gateway that refused it; absent: it was not refused, or a block made it later. */
  refused: option(string(4)),
})
export interface LedgerPayment extends Infer<typeof ledgerPayment> {}

export const ledgerPayments = struct('LedgerPayments', {
  head: option(messageHead),
  items: list(ledgerPayment, PAYMENTS_PER_ANSWER),
})
export interface LedgerPayments extends Infer<typeof ledgerPayments> {}
