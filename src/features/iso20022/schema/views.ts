/** Owns the views of the bridge: what routes answer and the ledger resolves. */
import {
  bool,
  hash32,
  type Infer,
  list,
  numeric,
  option,
  string,
  struct,
  u8,
  u32,
  unitEnum,
  varint,
} from '../../../codec/index.js'
import { accountId, assetDefinitionId } from '../../../model/index.js'
import { currencyCode, isoFamily, messageId } from './instructions.js'

/** Longest text of a detail, in bytes. */
const DETAIL_MAX_BYTES = 4_096

/** Longest text of a network key, in bytes. */
const GATEWAY_MAX_BYTES = 128

/** Where a message stands, as people see it (specification 4.4). */
export type BridgeStatus = Infer<typeof bridgeStatus>
export const bridgeStatus = unitEnum('BridgeStatus', { pending: 0, accepted: 1, rejected: 2 })

/** A submitted message and what became of it. */
export interface IsoRecordView extends Infer<typeof isoRecordView> {}
export const isoRecordView = struct('IsoRecord', {
  messageId,
  family: isoFamily,
  transactionHash: option(hash32),
  status: bridgeStatus,
  /** ACTC, ACSP, ACSC, RJCT, PDNG or ACWC. */
  pacs002Code: string(4),
  /** Rule that held it, such as HOLD_AMOUNT; told by the gateway that held it until its transaction is in a block. */
  holdReasonCode: option(string(35)),
  /** ISO reasons of what an operator changed. */
  changeReasonCodes: list(string(4), 8),
  rejectionReasonCode: option(string(35)),
  detail: option(string(DETAIL_MAX_BYTES)),
  ledgerId: string(64),
  sourceAccountId: option(accountId),
  targetAccountId: option(accountId),
  assetDefinitionId: option(assetDefinitionId),
  /** Balance that is debited: `name#domain#address`. */
  assetId: option(string(512)),
  amount: numeric,
  currency: currencyCode,
  settlementDate: string(10),
  instructionId: option(string(140)),
  endToEndId: option(string(140)),
  /** PmtId/TxId of the message. */
  senderTransactionId: option(string(140)),
  uetr: option(string(36)),
  submitter: accountId,
  /** Hash of the body as it was submitted. */
  bodyHash: hash32,
  /** Attempts under this id: 1 for the first. Absent once the message is in a block. */
  attempt: option(u32),
  /** True where a submission was answered with an earlier result: nothing moved again. */
  replayed: bool,
  /** When the message was received; once it is in a block: when its transaction was made. In ms since the Unix epoch. */
  receivedAtMs: varint,
  /** Since when it stands so; once it is in a block: the time of the block. */
  updatedAtMs: varint,
  /** Network key of the node that alone knows this: held, waiting, refused before submission. Absent: every node answers the same from the ledger. */
  gateway: option(string(GATEWAY_MAX_BYTES)),
})

/** Messages that wait for an operator, oldest first, and how many there are. */
export interface HeldList extends Infer<typeof heldList> {}
export const heldList = struct('IsoHeldList', { items: list(isoRecordView, 500), total: varint })

/** The message that an operator decides on, as it was listed. */
const seen = {
  family: option(isoFamily),
  submitter: option(accountId),
  /** `body_hash` and `attempt` of the listed message: another message under its id is not decided on. */
  bodyHash: hash32,
  attempt: u32,
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
  /** Replaces the end-to-end id. */
  reference: option(string(35)),
  /** Releases it in the same step. */
  release: option(bool),
})

export interface ResolveQuery extends Infer<typeof resolveQuery> {}
/** What the ledger says about the parties of a payment. */
export const resolveQuery = struct('IsoResolveQuery', {
  submitter: accountId,
  debtorIban: string(34),
  creditorIban: string(34),
  currency: string(3),
  amount: numeric,
  /** Now, in ms: for limits of a day. */
  timeMs: varint,
  /** Pins that stand instead of the bindings, where the node lets them. */
  source: option(accountId),
  target: option(accountId),
  definition: option(assetDefinitionId),
})

export interface Resolution extends Infer<typeof resolution> {}
export const resolution = struct('IsoResolution', {
  source: option(accountId),
  target: option(accountId),
  definition: option(assetDefinitionId),
  /** Fraction digits of the definition; undefined when it sets none. */
  scale: option(u8),
  /** The submitter is registered as one. */
  submitterKnown: bool,
  /** It may debit the source account. */
  mayDebit: bool,
  /** BICs that it may send for, separated by blanks; empty: all. */
  bics: string(1_024),
  /** Error code of the ledger that the payment would meet now at its payer: a control or a limit; undefined: none. */
  payerRefusal: option(string(64)),
  /** Error code of the control that bars its receiver now; undefined: none. */
  receiverRefusal: option(string(64)),
})
