/**
 * Owns the header record of a block: the commit point, with everything needed to reassemble the block, and its whole
 * form.
 */
import { bytes, type Infer, list, option, struct, u32, varint } from '../codec/index.js'
import {
  BLOCK_ENTRIES_MAX,
  type BlockHeader,
  BODY_MAX_BYTES,
  blockHeader,
  LANE_MAX,
  type QuorumCertificate,
  quorumCertificate,
} from '../model/index.js'
import { FRAME_MAX_BYTES } from './limits.js'
import type { SegmentExtent } from './segments.js'

const segmentExtent_ = struct('SegmentExtent', { segment: u32, offset: varint, bytes: u32, checksum: u32 })
const extent_ = struct('Extent', { offset: varint, bytes: u32, checksum: u32 })

/** Part of one lane in a block. */
export interface LanePart extends Infer<typeof lanePart_> {}
const lanePart_ = struct('LanePart', { lane: u32, payload: segmentExtent_, merge: extent_ })

/** Committed end of one lane's files after a block. */
export interface LaneEnd extends Infer<typeof laneEnd_> {}
const laneEnd_ = struct('LaneEnd', { lane: u32, segment: u32, offset: varint, mergeBytes: varint })

const bodyRestFields = {
  /** Concatenated bytes, and the lengths of their ranges: one range more than entries. */
  rest: bytes(BODY_MAX_BYTES),
  restBytes: list(varint, BLOCK_ENTRIES_MAX + 1),
} as const

/** Bytes of a body outside its signed records. */
export interface BodyRest extends Infer<typeof bodyRest> {}
export const bodyRest = struct('BodyRest', bodyRestFields)

/** Record of `headers.log`. */
export interface BlockRecord {
  readonly header: BlockHeader
  readonly certificate: QuorumCertificate | undefined
  /**
   * Undefined in a packed record: the rest is then stored after results and events, in the same extent, and pruned with
   * them.
   */
  readonly rest: BodyRest | undefined
  readonly outcome: SegmentExtent
  /** Size of results and events in that extent. */
  readonly outcomeBytes: number
  readonly parts: readonly LanePart[]
  /** Ends of every lane that ever had bytes; opening truncates everything beyond them. */
  readonly ends: readonly LaneEnd[]
}

const wholeRecord_ = struct('BlockRecord', {
  header: blockHeader,
  certificate: option(quorumCertificate),
  ...bodyRestFields,
  outcome: segmentExtent_,
  parts: list(lanePart_, LANE_MAX + 1),
  ends: list(laneEnd_, LANE_MAX + 1),
})

/** Encode the uncompressed form, the only one that release 0.1.0 reads. */
export function encodeWhole({ header, certificate, outcome, parts, ends }: BlockRecord, rest: BodyRest): Buffer {
  return wholeRecord_.encode({ header, certificate, ...rest, outcome, parts, ends })
}

/** Decode a record in its whole form; undefined for other bytes. */
export function decodeWhole(payload: Uint8Array): BlockRecord | undefined {
  const decoded = wholeRecord_.decode(payload, undefined, { maxBytes: FRAME_MAX_BYTES })
  if (!decoded.ok) return undefined
  const { rest, restBytes, ...record } = decoded.value
  return { ...record, rest: { rest, restBytes }, outcomeBytes: record.outcome.bytes }
}
