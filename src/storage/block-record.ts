/** Owns the header record of a block: the commit point, with everything needed to assemble the block. */
import { bytes, type Infer, list, option, struct, u32, varint } from '../codec/index.js'
import { BLOCK_ENTRIES_MAX, BODY_MAX_BYTES, blockHeader, LANE_MAX, quorumCertificate } from '../model/index.js'

const segmentExtent_ = struct('SegmentExtent', { segment: u32, offset: varint, bytes: u32, checksum: u32 })
const extent_ = struct('Extent', { offset: varint, bytes: u32, checksum: u32 })

/** Part of one lane in a block. */
export interface LanePart extends Infer<typeof lanePart_> {}
const lanePart_ = struct('LanePart', { lane: u32, payload: segmentExtent_, merge: extent_ })

/** Committed end of one lane's files after a block. */
export interface LaneEnd extends Infer<typeof laneEnd_> {}
const laneEnd_ = struct('LaneEnd', { lane: u32, segment: u32, offset: varint, mergeBytes: varint })

/** One record of `headers.log`. */
export interface BlockRecord extends Infer<typeof blockRecord> {}
export const blockRecord = struct('BlockRecord', {
  header: blockHeader,
  certificate: option(quorumCertificate),
  /** Bytes of the body outside its signed records, together, and the lengths of the stretches: one more than entries. */
  rest: bytes(BODY_MAX_BYTES),
  restBytes: list(varint, BLOCK_ENTRIES_MAX + 1),
  outcome: segmentExtent_,
  parts: list(lanePart_, LANE_MAX + 1),
  /** Ends of every lane that ever held bytes: on open, whatever lies beyond is cut. */
  ends: list(laneEnd_, LANE_MAX + 1),
})
