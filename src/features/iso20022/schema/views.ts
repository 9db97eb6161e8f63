/** Owns the views of the bridge: what routes answer and the ledger resolves. */
import {
  bool,
  hash32,
  type Infer,
  list,
  numeric,
  option,
  type Schema,
  string,
  struct,
  u8,
  unitEnum,
  varint,
} from '../../../codec/index.js'
import { type AccountId, accountId, assetDefinitionId } from '../../../model/index.js'
import { currencyCode, isoFamily, messageId } from './instructions.js'

/** Longest text of a detail, in bytes. */
const DETAIL_MAX_BYTES = 4_096

/** Longest text of a network key, in bytes. */
const GATEWAY_MAX_BYTES = 128

/** Where a message stands, as people see it (specification 4.4). */
export type BridgeStatus = 'pending' | 'accepted' | 'rejected'
const bridgeStatus_ = unitEnum('BridgeStatus', { pending: 0, accepted: 1, rejected: 2 })
export const bridgeStatus: Schema<BridgeStatus> = bridgeStatus_

const isoRecordView_ = struct('IsoRecord', {
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
  /** True where a submission was answered with an earlier result: nothing moved again. */
  replayed: bool,
  /** When the message was received; once it is in a block: when its transaction was made. In ms since the Unix epoch. */
  receivedAtMs: varint,
  /** Since when it stands so; once it is in a block: the time of the block. */
  updatedAtMs: varint,
  /** Network key of the node that alone knows this: held, waiting, refused before submission. Absent: every node answers the same from the ledger. */
  gateway: option(string(GATEWAY_MAX_BYTES)),
})
/** A submitted message and what became of it. */
export type IsoRecordView = Infer<typeof isoRecordView_>
export const isoRecordView: Schema<IsoRecordView> = isoRecordView_

const heldList_ = struct('IsoHeldList', { items: list(isoRecordView, 500), total: varint })
/** Messages that wait for an operator, oldest first, and how many there are. */
export type HeldList = Infer<typeof heldList_>
export const heldList: Schema<HeldList> = heldList_

const which = { family: option(isoFamily), submitter: option(accountId) }
const releaseRequest_ = struct('IsoReleaseRequest', which)
/** Which of the messages of an id is released. */
export type ReleaseRequest = Infer<typeof releaseRequest_>
export const releaseRequest: Schema<ReleaseRequest> = releaseRequest_

const refuseRequest_ = struct('IsoRefuseRequest', {
  ...which,
  /** ISO external status reason; default NARR. */
  reasonCode: option(string(4)),
  text: option(string(105)),
})
export type RefuseRequest = Infer<typeof refuseRequest_>
export const refuseRequest: Schema<RefuseRequest> = refuseRequest_

const changeRequest_ = struct('IsoChangeRequest', {
  ...which,
  settlementDate: option(string(10)),
  /** Replaces the end-to-end id. */
  reference: option(string(35)),
  /** Releases it in the same step. */
  release: option(bool),
})
export type ChangeRequest = Infer<typeof changeRequest_>
export const changeRequest: Schema<ChangeRequest> = changeRequest_

/** What the ledger says about the parties of a payment. */
const resolveQuery_ = struct('IsoResolveQuery', {
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
export type ResolveQuery = Infer<typeof resolveQuery_>
export const resolveQuery: Schema<ResolveQuery> = resolveQuery_

export interface Resolution {
  readonly source: AccountId | undefined
  readonly target: AccountId | undefined
  readonly definition: string | undefined
  /** Fraction digits of the definition; undefined when it sets none. */
  readonly scale: number | undefined
  /** The submitter is registered as one. */
  readonly submitterKnown: boolean
  /** It may debit the source account. */
  readonly mayDebit: boolean
  /** BICs that it may send for, separated by blanks; empty: all. */
  readonly bics: string
  /** Error code of the ledger that the payment would meet now at its payer: a control or a limit; undefined: none. */
  readonly barred: string | undefined
  /** Error code of the control that bars its receiver now; undefined: none. */
  readonly receiverBarred: string | undefined
}
const resolution_ = struct('IsoResolution', {
  source: option(accountId),
  target: option(accountId),
  definition: option(assetDefinitionId),
  scale: option(u8),
  submitterKnown: bool,
  mayDebit: bool,
  bics: string(1_024),
  barred: option(string(64)),
  receiverBarred: option(string(64)),
})
export const resolution: Schema<Resolution> = resolution_
