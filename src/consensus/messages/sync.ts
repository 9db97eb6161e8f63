/** Owns the messages of block sync: ranges of committed blocks (docs/design/consensus.md 9). */
import { list, type Schema, struct, varint } from '../../codec/index.js'
import { type CommittedBlock, committedBlock } from '../../model/index.js'
import { SYNC_RANGE_BLOCKS } from '../limits.js'

export interface SyncRequest {
  readonly from: number
  readonly count: number
}
const syncRequest_ = struct('SyncRequest', { from: varint, count: varint })
export const syncRequest: Schema<SyncRequest> = syncRequest_

/** Consecutive committed blocks, possibly fewer than asked for. */
export interface SyncResponse {
  readonly blocks: readonly CommittedBlock[]
}
const syncResponse_ = struct('SyncResponse', { blocks: list(committedBlock, SYNC_RANGE_BLOCKS) })
export const syncResponse: Schema<SyncResponse> = syncResponse_
