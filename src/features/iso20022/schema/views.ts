/** Owns the views of the bridge: what routes answer and the ledger resolves. */
import {
  bool,
  hash32,
  type Infer,
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
  rejectionReasonCode: option(string(35)),
  detail: option(string(DETAIL_MAX_BYTES)),
  ledgerId: string(64),
  sourceAccountId: option(accountId),
  targetAccountId: option(accountId),
  assetDefinitionId: option(assetDefinitionId),
  amount: numeric,
  currency: currencyCode,
  submitter: accountId,
  /** True when this answer repeats an earlier result: nothing moved again. */
  replayed: bool,
  updatedAtMs: varint,
})
/** A submitted message and what became of it. */
export type IsoRecordView = Infer<typeof isoRecordView_>
export const isoRecordView: Schema<IsoRecordView> = isoRecordView_

/** What the ledger says about the parties of a payment. */
const resolveQuery_ = struct('IsoResolveQuery', {
  submitter: accountId,
  debtorIban: string(34),
  creditorIban: string(34),
  currency: string(3),
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
}
const resolution_ = struct('IsoResolution', {
  source: option(accountId),
  target: option(accountId),
  definition: option(assetDefinitionId),
  scale: option(u8),
  submitterKnown: bool,
  mayDebit: bool,
  bics: string(1_024),
})
export const resolution: Schema<Resolution> = resolution_

const claimQuery_ = struct('IsoClaimQuery', { key: hash32 })
export type ClaimQuery = Infer<typeof claimQuery_>
export const claimQuery: Schema<ClaimQuery> = claimQuery_

const claimView_ = struct('IsoClaim', { transactionHash: hash32, bodyHash: hash32, height: varint })
/** The transaction that claimed a message. */
export type ClaimView = Infer<typeof claimView_>
export const claimView: Schema<ClaimView> = claimView_
