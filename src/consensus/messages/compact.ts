/** Owns the messages that complete a compact proposal: the records that a member has not got (docs/design/consensus.md 7). */
import { bytes, hash32, type Infer, list, struct, u32, varint } from '../../codec/index.js'
import { TRANSACTION_MAX_BYTES } from '../../model/index.js'
import { REQUESTED_MAX } from '../rbc/limits.js'

export interface RecordRequest extends Infer<typeof recordRequest> {}
export const recordRequest = struct('RecordRequest', {
  height: varint,
  blockHash: hash32,
  /** Places in the payload, ascending. */
  places: list(u32, REQUESTED_MAX),
})

/** A signed record and its place in the payload. */
export interface PlacedRecord extends Infer<typeof placedRecord> {}
const placedRecord = struct('PlacedRecord', { place: u32, bytes: bytes(TRANSACTION_MAX_BYTES) })

/** Possibly fewer records than asked for; none when the peer has not got the payload. */
export interface RecordResponse extends Infer<typeof recordResponse> {}
export const recordResponse = struct('RecordResponse', {
  height: varint,
  blockHash: hash32,
  records: list(placedRecord, REQUESTED_MAX),
})
