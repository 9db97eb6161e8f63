/** Owns the views of the bridge: responses of its routes, and resolutions of the ledger. */
import {
  bool,
  hash32,
  type Infer,
  list,
  numeric,
  omissible,
  option,
  string,
  struct,
  u8,
  u32,
  unitEnum,
  varint,
} from '../../../codec/index.js'
import { accountId, assetDefinitionId, currencyCode } from '../../../model/index.js'
import { isoFamily, messageId, PAYMENTS_MAX, paymentCount, paymentPlace } from './instructions.js'

/** Maximum text of a detail, in bytes. */
const DETAIL_MAX_BYTES = 4_096

/** Maximum text of a network key, in bytes. */
const GATEWAY_MAX_BYTES = 128

/**
 * Status of a message (specification 4.4). A message with one payment is pending, accepted or rejected; a message with
 * several is queued, settled, rejected, held or, if its payments differ, partial.
 */
export type BridgeStatus = Infer<typeof bridgeStatus>
export const bridgeStatus = unitEnum('BridgeStatus', {
  pending: 0,
  accepted: 1,
  rejected: 2,
  queued: 3,
  settled: 4,
  held: 5,
  partial: 6,
})

/** Status of one payment among several. */
export const paymentStatus = unitEnum('PaymentStatus', { queued: 0, settled: 1, rejected: 2, held: 3 })

/** Optional text of an ISO reference of at most 35 characters. */
const reference = option(string(140))
const references = {
  instructionId: reference,
  endToEndId: reference,
  /** PmtId/TxId of the message. */
  senderTransactionId: reference,
  uetr: option(string(36)),
}

/** One payment of a message with several payments. */
export interface IsoPaymentView extends Infer<typeof isoPaymentView> {}
export const isoPaymentView = struct('IsoPayment', {
  /** Number of the payment in its message, from 1. */
  place: paymentPlace,
  ...references,
  /** Absent if only a different gateway, which refused the payment, knows the amount. */
  amount: option(numeric),
  currency: option(currencyCode),
  settlementDate: option(string(10)),
  status: paymentStatus,
  /** ACTC, ACSP, ACSC, RJCT, PDNG or ACWC. */
  pacs002Code: string(4),
  rejectionReasonCode: option(string(35)),
  detail: option(string(DETAIL_MAX_BYTES)),
  holdReasonCode: option(string(35)),
  /** ISO reasons of changes by an operator. */
  changeReasonCodes: list(string(4), 8),
  transactionHash: option(hash32),
  sourceAccountId: option(accountId),
  targetAccountId: option(accountId),
  assetDefinitionId: option(assetDefinitionId),
})

/** Maximum number of currencies with sums for one message; most messages have only one currency. */
const SUMS_MAX = 200
/** Number of codes that payments of one message can have. */
const CODES_MAX = 6

/** Payments of a message that have the same code. */
export interface IsoStatusCount extends Infer<typeof isoStatusCount> {}
export const isoStatusCount = struct('IsoStatusCount', {
  pacs002Code: string(4),
  numberOfTransactions: paymentCount,
  /** Sums by currency, without payments whose amount this node does not know. */
  sums: list(struct('IsoSum', { currency: currencyCode, amount: numeric }), SUMS_MAX),
})

/** Maximum payments of one message in the response to its submission. */
export const LISTED_PAYMENTS = 100
/** Maximum transactions of one message, at most one for each payment. */
const TRANSACTIONS_MAX = PAYMENTS_MAX

/**
 * A submitted message and its status. The last fields are present only for a message with several payments, or for one
 * payment of such a message.
 */
export interface IsoRecordView extends Infer<typeof isoRecordView> {}
export const isoRecordView = struct('IsoRecord', {
  messageId,
  family: isoFamily,
  transactionHash: option(hash32),
  status: bridgeStatus,
  /** ACTC, ACSP, ACSC, RJCT, PDNG or ACWC; PART for a message whose payments differ. */
  pacs002Code: string(4),
  /**
   * Rule that held the payment, such as HOLD_AMOUNT. Until its transaction is in a block, only the gateway that held it
   * has this field.
   */
  holdReasonCode: option(string(35)),
  /** ISO reasons of changes by an operator. */
  changeReasonCodes: list(string(4), 8),
  rejectionReasonCode: option(string(35)),
  detail: option(string(DETAIL_MAX_BYTES)),
  ledgerId: string(64),
  sourceAccountId: option(accountId),
  targetAccountId: option(accountId),
  assetDefinitionId: option(assetDefinitionId),
  /** Debited balance: `name#domain#address`. */
  assetId: option(string(512)),
  /** Sum of all payments; null if they have several currencies, or only another gateway knows an amount. */
  amount: option(numeric),
  /** Null if payments differ; this applies to each field of a payment. */
  currency: option(currencyCode),
  settlementDate: option(string(10)),
  ...references,
  submitter: accountId,
  /** Hash of the submitted body. */
  bodyHash: hash32,
  /** Number of attempts under this id: 1 for the first. Absent once the message is in a block. */
  attempt: option(u32),
  /** True if the response to a submission is an earlier result and no funds were moved again. */
  replayed: bool,
  /**
   * Time, in ms since the Unix epoch, at which the message was received or, once it is in a block, at which its
   * transaction was made.
   */
  receivedAtMs: varint,
  /** Time of this status, in ms since the Unix epoch; once it is in a block, the time of the block. */
  updatedAtMs: varint,
  /**
   * Network key of the only node that knows this status: held, waiting, refused before submission. Absent: every node
   * reports the same from the ledger.
   */
  gateway: option(string(GATEWAY_MAX_BYTES)),
  /** Place of a held payment in a message with several payments. */
  place: omissible(paymentPlace),
  /** Number of payments in a message with several payments. */
  numberOfTransactions: omissible(paymentCount),
  transactionHashes: omissible(list(hash32, TRANSACTIONS_MAX)),
  /** Numbers and sums of the payments by their code. */
  statusCounts: omissible(list(isoStatusCount, CODES_MAX)),
  /** First payments, in the order of the message. */
  transactions: omissible(list(isoPaymentView, LISTED_PAYMENTS)),
  /** Cursor of the next payments; absent: all payments are listed. */
  nextCursor: omissible(string(10)),
})

/** Values of the last fields for a message with one payment. */
export const ONE_PAYMENT = {
  place: undefined,
  numberOfTransactions: undefined,
  transactionHashes: undefined,
  statusCounts: undefined,
  transactions: undefined,
  nextCursor: undefined,
}

/** View of a message with several payments. JSON lists only the first of them; `every` has all. */
export interface IsoMessageView extends IsoRecordView {
  readonly every: readonly IsoPaymentView[]
}

/** Payments of a message, in the order of the message. */
export interface IsoPaymentPage extends Infer<typeof isoPaymentPage> {}
export const isoPaymentPage = struct('IsoPaymentPage', {
  messageId,
  numberOfTransactions: paymentCount,
  items: list(isoPaymentView, 500),
  nextCursor: option(string(10)),
})

/** Messages held for an operator, oldest first, and their number. */
export interface HeldList extends Infer<typeof heldList> {}
export const heldList = struct('IsoHeldList', { items: list(isoRecordView, 500), total: varint })

/** Message that an operator decides on, as it was listed. */
const seen = {
  family: option(isoFamily),
  submitter: option(accountId),
  /**
   * `body_hash` and `attempt` of the listed message, so that the decision does not apply to another message under its
   * id.
   */
  bodyHash: hash32,
  attempt: u32,
  /** Place in a message with several payments; absent: all its held payments. */
  place: option(paymentPlace),
}

export interface ReleaseRequest extends Infer<typeof releaseRequest> {}
export const releaseRequest = struct('IsoReleaseRequest', seen)

export interface RefuseRequest extends Infer<typeof refuseRequest> {}
export const refuseRequest = struct('IsoRefuseRequest', {
  ...seen,
  /** ISO external status reason; default NARR. */
  reasonCode: option(string(4)),
  text: option(string(105)),
})

export interface ChangeRequest extends Infer<typeof changeRequest> {}
export const changeRequest = struct('IsoChangeRequest', {
  ...seen,
  settlementDate: option(string(10)),
  /** Replacement of the end-to-end id. */
  reference: option(string(35)),
  /** True to release it in the same step. */
  release: option(bool),
})

export interface ResolveQuery extends Infer<typeof resolveQuery> {}
/** Query for the resolution of the parties of a payment. */
export const resolveQuery = struct('IsoResolveQuery', {
  submitter: accountId,
  debtorIban: string(34),
  creditorIban: string(34),
  currency: string(3),
  amount: numeric,
  /** Current time in ms since the Unix epoch, for daily limits. */
  timeMs: varint,
  /** Pins that replace the bindings, if the node permits it. */
  source: option(accountId),
  target: option(accountId),
  definition: option(assetDefinitionId),
})

/** Maximum payments that are resolved together: some ms of work on the ledger thread. */
export const RESOLVED_TOGETHER = 100

/** Query the resolution of several payments of one submitter, in the order in which they would be made. */
export interface ResolveAllQuery extends Infer<typeof resolveAllQuery> {}
export const resolveAllQuery = struct('IsoResolveAllQuery', {
  items: list(resolveQuery, RESOLVED_TOGETHER),
  /** Amounts of the submitter's open payments by definition, which count towards daily limits. */
  open: list(struct('IsoOpenAmount', { definition: assetDefinitionId, amount: numeric }), 64),
})

export interface Resolution extends Infer<typeof resolution> {}
export const resolution = struct('IsoResolution', {
  source: option(accountId),
  target: option(accountId),
  definition: option(assetDefinitionId),
  /** Fraction digits of the definition; undefined if it sets none. */
  scale: option(u8),
  /** True if the submitter is registered. */
  submitterKnown: bool,
  /** True if it may debit the source account. */
  mayDebit: bool,
  /** BICs for which the submitter may send, separated by blanks; empty: any BIC. */
  bics: string(1_024),
  /**
   * Error code with which the ledger would now reject the payment because of its payer, by a control or a limit;
   * undefined: no rejection.
   */
  payerRefusal: option(string(64)),
  /** Error code of the control that now forbids payments to its receiver; undefined: none. */
  receiverRefusal: option(string(64)),
})

export const resolutions = struct('IsoResolutions', { items: list(resolution, RESOLVED_TOGETHER) })
