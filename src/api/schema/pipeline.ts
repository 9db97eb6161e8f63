/** Owns the record and path of `GET /v1/pipeline/transactions/status`, the status of one transaction. */
import {
  bool,
  hash32,
  type Infer,
  list,
  omissible,
  option,
  type Schema,
  string,
  struct,
  u32,
  unitEnum,
  varint,
} from '../../codec/index.js'
import { accountId } from '../../model/index.js'
import { word } from '../enum-text.js'

/** Path of the route; the response to a submission refers to it. */
export const TRANSACTION_STATUS_PATH = '/v1/pipeline/transactions/status'

/** Maximum payments of one transaction. */
const PAYMENTS_OF_TRANSACTION_MAX = 256

/** Status of a transaction. `applied` and `rejected` are in a block; `expired` transactions never will be. */
export type PipelineKind = 'queued' | 'approved' | 'expired' | 'committed' | 'applied' | 'rejected'
const kind_ = unitEnum('PipelineKind', { queued: 0, approved: 1, expired: 2, committed: 3, applied: 4, rejected: 5 })

export interface PipelineRejection extends Infer<typeof rejection_> {}
const rejection_ = struct('PipelineRejection', {
  /** Code of the error catalogue. */
  code: string(64),
  /** Index of the instruction and the meaning of the code. */
  message: string(1024),
  /** Index of the failed instruction, from 0; undefined if no instruction failed. */
  instruction: option(u32),
  /** Hash of the transaction that had the same effect before; present if that is the reason of the rejection. */
  supersededBy: omissible(hash32),
})

/** Outcome of a payment in a shared transaction; the outcome of the transaction does not include it. */
export interface PipelinePayment extends Infer<typeof payment_> {}
const payment_ = struct('PipelinePayment', {
  messageId: string(35),
  /** pacs008 or pacs009. */
  family: string(16),
  submitter: accountId,
  /** Position in the message, from 1. */
  place: u32,
  outcome: unitEnum('PaymentOutcomeName', { settled: 0, rejected: 1 }),
  /** Code of the error catalogue; absent if the payment was made. */
  code: option(string(64)),
  /** Hash of the transaction that had made the same payment before. */
  supersededBy: omissible(hash32),
})

export interface PipelineContent extends Infer<typeof content_> {}

export interface QueuePlaceRecord extends Infer<typeof position_> {}
const position_ = struct('QueuePlace', {
  lane: u32,
  /** Number of transactions before it in its lane, and their static execution units. */
  ahead: varint,
  teuAhead: varint,
})

const status_ = struct('PipelineStatus', {
  kind: kind_,
  blockHeight: option(varint),
  blockHash: option(hash32),
  index: option(varint),
})
// The JSON form has lower-case texts, not variants.
const content_ = struct('PipelineContent', {
  hash: hash32,
  status: status_,
  rejection: option(rejection_),
  /** Payments that the transaction makes for messages; absent if it makes none. */
  payments: omissible(list(payment_, PAYMENTS_OF_TRANSACTION_MAX)),
  scope: string(16),
  /** Source of the response. */
  resolvedFrom: string(16),
  /** Transactions before it in the queue of this node; present if it is queued and `place=true` was given. */
  queue: omissible(position_),
})
export interface TransactionStatusRecord extends Infer<typeof record_> {}
const record_ = struct('TransactionStatus', {
  kind: unitEnum('PipelineSubject', { transaction: 0 }),
  content: content_,
})
export const transactionStatusRecord: Schema<TransactionStatusRecord> = record_

/** Requested scope of a status; every node answers only for itself. */
export const PIPELINE_SCOPES = ['local', 'auto', 'global'] as const
export type PipelineScope = (typeof PIPELINE_SCOPES)[number]

export interface PipelineQuery extends Infer<typeof pipelineQuery> {}
export const pipelineQuery = struct('PipelineQuery', {
  hash: hash32,
  scope: option(word('PipelineScope', PIPELINE_SCOPES)),
  /** True to include the position in the queue, for which the node scans its queue. */
  place: option(bool),
})
