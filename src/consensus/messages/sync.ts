/** Owns the messages of block sync: ranges of committed blocks (docs/design/consensus.md 9). */
import { type Infer, list, struct, varint } from '../../codec/index.js'
import { committedBlock } from '../../model/index.js'
import { SYNC_RANGE_BLOCKS } from '../limits.js'

export interface SyncRequest extends Infer<typeof syncRequest> {}
export const syncRequest = struct('SyncRequest', { from: varint, count: varint })

/** Consecutive committed blocks, possibly fewer than asked for. */
export interface SyncResponse extends Infer<typeof syncResponse> {}
export const syncResponse = struct('SyncResponse', { blocks: list(committedBlock, SYNC_RANGE_BLOCKS) })
