/** Owns the header record of a block: the commit point, and everything needed to put the block together again. */
import { bytes, list, option, type Schema, struct, u32, varint } from '../codec/index.js'
import {
  BLOCK_ENTRIES_MAX,
  type BlockHeader,
  BODY_MAX_BYTES,
  blockHeader,
  LANE_MAX,
  type QuorumCertificate,
  quorumCertificate,
} from '../model/index.js'
import type { Extent } from './data-file.js'
import type { SegmentExtent } from './segments.js'

const segmentExtent_ = struct('SegmentExtent', { segment: u32, offset: varint, bytes: u32, checksum: u32 })
const extent_ = struct('Extent', { offset: varint, bytes: u32, checksum: u32 })

/** What one lane holds of a block. */
export interface LanePart {
  readonly lane: number
  readonly payload: SegmentExtent
  readonly merge: Extent
}
const lanePart_ = struct('LanePart', { lane: u32, payload: segmentExtent_, merge: extent_ })

/** Committed end of one lane's files after a block. */
export interface LaneEnd {
  readonly lane: number
  readonly segment: number
  readonly offset: number
  readonly mergeBytes: number
}
const laneEnd_ = struct('LaneEnd', { lane: u32, segment: u32, offset: varint, mergeBytes: varint })

/** One record of `headers.log`. */
export interface BlockRecord {
  readonly header: BlockHeader
  readonly certificate: QuorumCertificate | undefined
  /** Bytes of the body outside its signed records, together, and the lengths of the stretches: one more than entries. */
  readonly rest: Uint8Array
  readonly restBytes: readonly number[]
  readonly outcome: SegmentExtent
  readonly parts: readonly LanePart[]
  /** Ends of every lane that ever held bytes: on open, whatever lies beyond is cut. */
  readonly ends: readonly LaneEnd[]
}
const blockRecord_ = struct('BlockRecord', {
  header: blockHeader,
  certificate: option(quorumCertificate),
  rest: bytes(BODY_MAX_BYTES),
  restBytes: list(varint, BLOCK_ENTRIES_MAX + 1),
  outcome: segmentExtent_,
  parts: list(lanePart_, LANE_MAX + 1),
  ends: list(laneEnd_, LANE_MAX + 1),
})
export const blockRecord: Schema<BlockRecord> = blockRecord_
