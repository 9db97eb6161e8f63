/** Owns the type ids of the node's HTTP frames; append-only. Features use ids of their own ranges. */
import { type FrameOf, frameOf } from '../codec/index.js'
import { type Receipt, receipt, type SignedTransaction, signedTransaction } from '../model/index.js'
import { type ConsensusStatus, consensusStatus } from './schema/consensus.js'
import { type CommitQcRecord, commitQcRecord, type QcSummary, qcSummary } from './schema/consensus-detail.js'
import { type ErrorFrame, errorFrameRecord } from './schema/error.js'
import { type QueryAnswer, queryAnswer, type SignedQuery, signedQuery } from './schema/query.js'
import {
  type BlockMessage,
  type BlockStreamStart,
  blockMessage,
  blockStreamStart,
  type EventMessage,
  type EventSubscription,
  eventMessage,
  eventSubscription,
  type StoredBlockMessage,
  storedBlockMessage,
} from './schema/stream.js'

/** Type ids by record. */
export const FRAME_IDS = {
  signedTransaction: 1,
  receipt: 2,
  consensusStatus: 3,
  error: 4,
  qcSummary: 5,
  commitQc: 6,
  eventSubscription: 7,
  eventMessage: 8,
  blockStreamStart: 9,
  blockMessage: 10,
  signedQuery: 11,
  queryAnswer: 12,
  storedBlockMessage: 13,
} as const

/** Body of `POST /transaction`. */
export const TRANSACTION_FRAME: FrameOf<SignedTransaction> = frameOf(FRAME_IDS.signedTransaction, signedTransaction)
/** Response of `POST /transaction`. */
export const RECEIPT_FRAME: FrameOf<Receipt> = frameOf(FRAME_IDS.receipt, receipt)
/** Response of `GET /v1/consensus/status`. */
export const CONSENSUS_STATUS_FRAME: FrameOf<ConsensusStatus> = frameOf(FRAME_IDS.consensusStatus, consensusStatus)
/** Response of `GET /v1/consensus/qc`. */
export const QC_SUMMARY_FRAME: FrameOf<QcSummary> = frameOf(FRAME_IDS.qcSummary, qcSummary)
/** Response of `GET /v1/consensus/commit_qc/{hash}`. */
export const COMMIT_QC_FRAME: FrameOf<CommitQcRecord> = frameOf(FRAME_IDS.commitQc, commitQcRecord)
/** First frame of a client of `/events`, and frames of the node on that stream. */
export const EVENT_SUBSCRIPTION_FRAME: FrameOf<EventSubscription> = frameOf(
  FRAME_IDS.eventSubscription,
  eventSubscription,
)
export const EVENT_MESSAGE_FRAME: FrameOf<EventMessage> = frameOf(FRAME_IDS.eventMessage, eventMessage)
/** First frame of a client of `/block/stream`, and frames of the node on that stream. */
export const BLOCK_STREAM_START_FRAME: FrameOf<BlockStreamStart> = frameOf(FRAME_IDS.blockStreamStart, blockStreamStart)
export const BLOCK_MESSAGE_FRAME: FrameOf<BlockMessage> = frameOf(FRAME_IDS.blockMessage, blockMessage)
/** Frames of the node on `/v1/ledger/blocks/stream`; the first frame of a client is the same as on `/block/stream`. */
export const STORED_BLOCK_MESSAGE_FRAME: FrameOf<StoredBlockMessage> = frameOf(
  FRAME_IDS.storedBlockMessage,
  storedBlockMessage,
)
/** Body and response of `POST /query`. */
export const SIGNED_QUERY_FRAME: FrameOf<SignedQuery> = frameOf(FRAME_IDS.signedQuery, signedQuery)
export const QUERY_ANSWER_FRAME: FrameOf<QueryAnswer> = frameOf(FRAME_IDS.queryAnswer, queryAnswer)
/** Any error, for clients that prefer the codec. */
export const ERROR_FRAME: FrameOf<ErrorFrame> = frameOf(FRAME_IDS.error, errorFrameRecord)

/** All HTTP frames of the node. */
export const FRAMES: readonly FrameOf<unknown>[] = [
  TRANSACTION_FRAME,
  RECEIPT_FRAME,
  CONSENSUS_STATUS_FRAME,
  ERROR_FRAME,
  QC_SUMMARY_FRAME,
  COMMIT_QC_FRAME,
  EVENT_SUBSCRIPTION_FRAME,
  EVENT_MESSAGE_FRAME,
  BLOCK_STREAM_START_FRAME,
  BLOCK_MESSAGE_FRAME,
  SIGNED_QUERY_FRAME,
  QUERY_ANSWER_FRAME,
  STORED_BLOCK_MESSAGE_FRAME,
]
