/** Owns the union of all consensus messages as they travel on peer links. Tags are append-only. */
import { enumOf, type Schema } from '../../codec/index.js'
import {
  type CertifiedHeader,
  certifiedHeader,
  type TimeoutCertificate,
  timeoutCertificate,
} from '../../model/index.js'
import { type RecordRequest, type RecordResponse, recordRequest, recordResponse } from './compact.js'
import { type PayloadRequest, type PayloadResponse, payloadRequest, payloadResponse } from './payload.js'
import { type Proposal, proposal } from './proposal.js'
import {
  type RbcChunk,
  type RbcInit,
  type RbcRequest,
  type RbcSignal,
  rbcChunk,
  rbcInit,
  rbcRequest,
  rbcSignal,
} from './rbc.js'
import { type Status, status } from './status.js'
import { type SyncRequest, type SyncResponse, syncRequest, syncResponse } from './sync.js'
import { type Timeout, timeout } from './timeout.js'
import { type Vote, vote } from './vote.js'

export * from './compact.js'
export * from './payload.js'
export * from './proposal.js'
export * from './rbc.js'
export * from './status.js'
export * from './sync.js'
export * from './timeout.js'
export * from './vote.js'

export type ConsensusMessage =
  | { readonly kind: 'proposal'; readonly value: Proposal }
  | { readonly kind: 'vote'; readonly value: Vote }
  | { readonly kind: 'timeout'; readonly value: Timeout }
  | { readonly kind: 'certificate'; readonly value: CertifiedHeader }
  | { readonly kind: 'timeoutCertificate'; readonly value: TimeoutCertificate }
  | { readonly kind: 'status'; readonly value: Status }
  | { readonly kind: 'payloadRequest'; readonly value: PayloadRequest }
  | { readonly kind: 'payloadResponse'; readonly value: PayloadResponse }
  | { readonly kind: 'syncRequest'; readonly value: SyncRequest }
  | { readonly kind: 'syncResponse'; readonly value: SyncResponse }
  | { readonly kind: 'recordRequest'; readonly value: RecordRequest }
  | { readonly kind: 'recordResponse'; readonly value: RecordResponse }
  | { readonly kind: 'rbcInit'; readonly value: RbcInit }
  | { readonly kind: 'rbcChunk'; readonly value: RbcChunk }
  | { readonly kind: 'rbcReady'; readonly value: RbcSignal }
  | { readonly kind: 'rbcDeliver'; readonly value: RbcSignal }
  | { readonly kind: 'rbcRequest'; readonly value: RbcRequest }
const consensusMessage_ = enumOf('ConsensusMessage', {
  proposal: [0, proposal],
  vote: [1, vote],
  timeout: [2, timeout],
  certificate: [3, certifiedHeader],
  timeoutCertificate: [4, timeoutCertificate],
  status: [5, status],
  payloadRequest: [6, payloadRequest],
  payloadResponse: [7, payloadResponse],
  syncRequest: [8, syncRequest],
  syncResponse: [9, syncResponse],
  recordRequest: [10, recordRequest],
  recordResponse: [11, recordResponse],
  rbcInit: [12, rbcInit],
  rbcChunk: [13, rbcChunk],
  rbcReady: [14, rbcSignal],
  rbcDeliver: [15, rbcSignal],
  rbcRequest: [16, rbcRequest],
})
export const consensusMessage: Schema<ConsensusMessage> = consensusMessage_

/** Lists of up to this many have a length of one byte. */
const SHORT_LIST_MAX = 127

/** Bytes of a syncResponse of blocks in their canonical bytes: what serves a range need not decode it. */
export function syncResponseBytes(blocks: readonly Uint8Array[]): Buffer {
  if (blocks.length > SHORT_LIST_MAX) throw new Error(`a range of ${blocks.length} blocks`)
  const empty = consensusMessage.encode({ kind: 'syncResponse', value: { blocks: [] } })
  return Buffer.concat([empty.subarray(0, -1), Buffer.of(blocks.length), ...blocks])
}
