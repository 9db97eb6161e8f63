/** Owns the messages that transfer a missing payload: whole by block hash, or records of a compact proposal (docs/design/consensus.md 7). */
import { bytes, hash32, type Infer, list, option, struct, u32, varint } from '../../codec/index.js'
import { BODY_MAX_BYTES, blockHeader, TRANSACTION_MAX_BYTES } from '../../model/index.js'
import { REQUESTED_MAX } from '../payload-limits.js'

export interface PayloadRequest extends Infer<typeof payloadRequest> {}
export const payloadRequest = struct('PayloadRequest', { height: varint, blockHash: hash32 })

/** Response; both parts are absent if the peer does not have the block. */
export interface PayloadResponse extends Infer<typeof payloadResponse> {}
export const payloadResponse = struct('PayloadResponse', {
  height: varint,
  blockHash: hash32,
  header: option(blockHeader),
  body: option(bytes(BODY_MAX_BYTES)),
})

export interface RecordRequest extends Infer<typeof recordRequest> {}
export const recordRequest = struct('RecordRequest', {
  height: varint,
  blockHash: hash32,
  /** Positions in the payload, ascending. */
  places: list(u32, REQUESTED_MAX),
})

/** Signed record and its position in the payload. */
export interface PlacedRecord extends Infer<typeof placedRecord> {}
const placedRecord = struct('PlacedRecord', { place: u32, bytes: bytes(TRANSACTION_MAX_BYTES) })

/** Possibly fewer records than requested; none if the peer does not have the payload. */
export interface RecordResponse extends Infer<typeof recordResponse> {}
export const recordResponse = struct('RecordResponse', {
  height: varint,
  blockHash: hash32,
  records: list(placedRecord, REQUESTED_MAX),
})
