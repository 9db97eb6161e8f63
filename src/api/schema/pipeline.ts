/** Owns the record of `GET /v1/pipeline/transactions/status`: where one transaction stands. */
import {
  bool,
  hash32,
  omissible,
  option,
  type Schema,
  string,
  struct,
  u32,
  unitEnum,
  varint,
} from '../../codec/index.js'
import { word } from '../enum-text.js'

/** Standing of a transaction. `applied` and `rejected` are in a block; `expired` will never be. */
export type PipelineKind = 'queued' | 'approved' | 'expired' | 'committed' | 'applied' | 'rejected'
const kind_ = unitEnum('PipelineKind', { queued: 0, approved: 1, expired: 2, committed: 3, applied: 4, rejected: 5 })

export interface PipelineRejection {
  /** Code of the error catalogue. */
  readonly code: string
  /** The place of the instruction and what the code means. */
  readonly message: string
  /** Place of the instruction that failed, from 0; undefined where it was none of them. */
  readonly instruction: number | undefined
  /** Hash of the transaction that had done what this one asks for; there when that is why it was rejected. */
  readonly supersededBy: Uint8Array | undefined
}
const rejection_ = struct('PipelineRejection', {
  code: string(64),
  message: string(1024),
  instruction: option(u32),
  supersededBy: omissible(hash32),
})

export interface PipelineContent {
  readonly hash: Uint8Array
  readonly status: {
    readonly kind: PipelineKind
    readonly blockHeight: number | undefined
    readonly blockHash: Uint8Array | undefined
    /** Place in the block. */
    readonly index: number | undefined
  }
  readonly rejection: PipelineRejection | undefined
  readonly scope: 'local' | 'auto' | 'global'
  /** Where the answer came from. */
  readonly resolvedFrom: 'cache' | 'queue' | 'state'
  /** What stands before it in the queue of this node; there when `place=true` asks for it and it is queued. */
  readonly queue: QueuePlaceRecord | undefined
}

export interface QueuePlaceRecord {
  readonly lane: number
  /** Transactions before it in its lane, and their static execution units. */
  readonly ahead: number
  readonly teuAhead: number
}
const position_ = struct('QueuePlace', { lane: u32, ahead: varint, teuAhead: varint })

const status_ = struct('PipelineStatus', {
  kind: kind_,
  blockHeight: option(varint),
  blockHash: option(hash32),
  index: option(varint),
})
// Words that the reference writes in lower case are texts in the twin, not variants.
const content_ = struct('PipelineContent', {
  hash: hash32,
  status: status_,
  rejection: option(rejection_),
  scope: string(16),
  resolvedFrom: string(16),
  queue: omissible(position_),
})
export interface TransactionStatusRecord {
  readonly kind: 'transaction'
  readonly content: PipelineContent
}
const record_ = struct('TransactionStatus', {
  kind: unitEnum('PipelineSubject', { transaction: 0 }),
  content: content_,
})
export const transactionStatusRecord: Schema<TransactionStatusRecord> = record_ as Schema<TransactionStatusRecord>

/** Whom a status is asked of; every node answers for itself. */
export const PIPELINE_SCOPES = ['local', 'auto', 'global'] as const
export type PipelineScope = (typeof PIPELINE_SCOPES)[number]

export interface PipelineQuery {
  readonly hash: Uint8Array
  readonly scope: PipelineScope | undefined
  /** Also say what stands before it in the queue: the node walks its queue for it. */
  readonly place: boolean | undefined
}
const query_ = struct('PipelineQuery', {
  hash: hash32,
  scope: option(word('PipelineScope', PIPELINE_SCOPES)),
  place: option(bool),
})
export const pipelineQuery: Schema<PipelineQuery> = query_
