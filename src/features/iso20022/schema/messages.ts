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

/** Maximum messages of one id in a response; they differ in submitter or family. */
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
  /** Time at which the gateway made the transaction, in ms since the Unix epoch. */
  receivedAtMs: varint,
  height: varint,
  /** Header time of the block, in ms since the Unix epoch. */
  timeMs: varint,
}

/** A paid message, kept on the ledger permanently. */
export const claim = struct('Claim', committedFields)
export interface Claim extends Infer<typeof claim> {}

/** Outcome in a block of a payment that is one of several, or that was rejected. */
export const paymentOutcome = struct('PaymentOutcome', {
  ...committedFields,
  /** Number of payments in its message, and its place among them. */
  payments: paymentCount,
  place: paymentPlace,
  /** Number of the error of the rejection; absent: paid. */
  code: option(u16),
})
export interface PaymentOutcome extends Infer<typeof paymentOutcome> {}

/** A message of several payments as a whole, written with the first decided payment. */
export const messageHead = struct('MessageHead', {
  submitter: accountId,
  family: isoFamily,
  messageId,
  bodyHash: hash32,
  payments: paymentCount,
  /** Numbers of settled and of rejected payments in blocks. */
  settled: u16,
  rejected: u16,
  /** Number of payments that the gateway refused before signing. */
  refused: u16,
  /** First transaction that contains a payment of it. */
  transactionHash: hash32,
  /** Time at which the gateway made that transaction, in ms since the Unix epoch. */
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
  /** Heads of messages with several payments. */
  heads: list(messageHead, MESSAGES_MAX),
})
/** Ledger rows of the messages of one id, by submitter and family: the settled payment, otherwise the last rejection. */
export interface LedgerMessages extends Infer<typeof ledgerMessages> {}

/** Maximum payments of one message in a response; reading them takes some ms. */
export const PAYMENTS_PER_ANSWER = 250

/** Query for the payments of a message with several payments, ordered by place. */
export const paymentsQuery = struct('IsoPaymentsQuery', {
  submitter: accountId,
  family: isoFamily,
  messageId,
  /** Place after which the result begins; 0: begin with the first payment. */
  after: u16,
})
export interface PaymentsQuery extends Infer<typeof paymentsQuery> {}

/** Payment of a message on the ledger. */
export const ledgerPayment = struct('LedgerPayment', {
  place: paymentPlace,
  /** Outcome in a block; absent: not in a block. */
  outcome: option(ledgerMessage),
  /** ISO reason of the gateway that refused it; absent: it was not refused, or was made in a later block. */
  refused: option(string(4)),
})
export interface LedgerPayment extends Infer<typeof ledgerPayment> {}

export const ledgerPayments = struct('LedgerPayments', {
  head: option(messageHead),
  items: list(ledgerPayment, PAYMENTS_PER_ANSWER),
})
export interface LedgerPayments extends Infer<typeof ledgerPayments> {}
