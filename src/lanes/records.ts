/** Owns the lane data derived from a stored block: commitments and settlements, recomputed from body and results. */
import type { CodecContext } from '../codec/index.js'
import { type BlockOutcome, blockBody, signedHash } from '../model/index.js'
import { type LaneCommitment, laneCommitments } from './commitment.js'
import { type LaneSettlementCommitment, notesByLane, settlementCommitment } from './settlement.js'

/** Lane records of one block, each ascending by lane. */
export interface LaneRecords {
  readonly commitments: readonly LaneCommitment[]
  readonly settlements: readonly LaneSettlementCommitment[]
}

/** The lane records of a block above genesis. */
export function laneRecordsOf(
  height: number,
  body: Uint8Array,
  outcome: BlockOutcome,
  codec: CodecContext,
): LaneRecords {
  const decoded = blockBody.decode(body, codec)
  if (!decoded.ok) throw new Error(`the body of block ${height} does not decode: ${decoded.fault.message}`)
  const { entries } = decoded.value
  const settlements = notesByLane(outcome.events, entries).map((lane) => settlementCommitment(height, lane))
  const commitments = laneCommitments(
    height,
    entries.map(({ lane, dataspace, transaction }, index) => ({
      lane,
      dataspace,
      signedBytes: transaction.bytes,
      signedHash: signedHash(transaction.bytes),
      teu: outcome.results[index]?.teu ?? 0,
    })),
    settlements,
  )
  return { commitments, settlements }
}
