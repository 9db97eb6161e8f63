/** Owns the messages of sync: the Status of a node with its certificates, and ranges of committed blocks (docs/design/consensus.md 3, 9). */
import { type Infer, list, option, struct, u32, varint } from '../../codec/index.js'
import { certifiedHeader, committedBlock, timeoutCertificate } from '../../model/index.js'
import { SYNC_RANGE_BLOCKS } from '../limits.js'

/** Unsigned: its certificates are verified, its claims are hints. */
export interface Status extends Infer<typeof status> {}
export const status = struct('Status', {
  /** Height being decided by the sender. */
  height: varint,
  view: u32,
  /** For a receiver below the sender's height: the commit certificate of the receiver's height. */
  commit: option(certifiedHeader),
  /** For any other receiver: this certificate and the next one, as far as the sender has them. */
  highPrepare: option(certifiedHeader),
  entry: option(timeoutCertificate),
})

export interface SyncRequest extends Infer<typeof syncRequest> {}
export const syncRequest = struct('SyncRequest', { from: varint, count: varint })

/** Consecutive committed blocks, possibly fewer than requested. */
export interface SyncResponse extends Infer<typeof syncResponse> {}
export const syncResponse = struct('SyncResponse', { blocks: list(committedBlock, SYNC_RANGE_BLOCKS) })
