/** Owns the answer of `GET /v1/consensus/status`. */

import {
  type Caller,
  type ConsensusStatus,
  commitQcSummaryOf,
  consensusStatusRoute,
  handle,
  laneCommitmentRecordOf,
  type PhaseLatency,
} from '../../api/index.js'
import type { ConsensusView, LanesStatus, NodeServices } from '../../api/services.js'
import { visibleLanes } from '../../api/visible-lanes.js'
import { clipText } from '../../model/index.js'

/** Longest text of the record, in bytes. */
const TEXT_MAX_BYTES = 1024

const microseconds = (ms: number): number => Math.max(0, Math.round(ms * 1000))

/** Phases in microseconds. */
export const phaseLatencies = (phases: ConsensusView['phases']): ReadonlyMap<string, PhaseLatency> =>
  new Map(
    [...phases].map(([phase, { lastMs, emaMs }]) => [
      phase,
      { lastUs: microseconds(lastMs), emaUs: microseconds(emaMs) },
    ]),
  )

/** The record of a view; of restricted lanes it holds nothing unless an operator asks. */
export function consensusStatusOf(view: ConsensusView, operator = false): ConsensusStatus {
  const { commitCertificate, stall, halted, divergence, lanes, ...rest } = view
  return {
    ...rest,
    votes: view.votes,
    commitQc: commitCertificate === undefined ? undefined : commitQcSummaryOf(commitCertificate),
    phases: phaseLatencies(view.phases),
    stall:
      stall === undefined
        ? undefined
        : {
            reason: clipText(stall.reason, 128),
            sinceMs: Math.max(0, Math.round(stall.sinceMs)),
            missing: stall.missing,
            text: clipText(stall.text, TEXT_MAX_BYTES),
          },
    halted: halted === undefined ? undefined : clipText(halted, TEXT_MAX_BYTES),
    divergence: divergence && {
      ...divergence,
      detail: clipText(divergence.detail, TEXT_MAX_BYTES),
      report: divergence.report && clipText(divergence.report, TEXT_MAX_BYTES),
    },
    ...laneCommitmentsOf(visibleLanes(lanes, operator)),
  }
}

/** Lane sections, all or none. */
const laneCommitmentsOf = (
  lanes: LanesStatus | undefined,
): Pick<
  ConsensusStatus,
  'laneCommitments' | 'dataspaceCommitments' | 'laneSettlementCommitments' | 'laneRelayEnvelopes'
> => ({
  laneCommitments: lanes?.commitments.map((one) => laneCommitmentRecordOf(one, lanes.blockHash)),
  dataspaceCommitments: lanes?.dataspaces.map((one) => ({
    blockHeight: lanes.height,
    blockHash: lanes.blockHash,
    dataspaceId: one.dataspace,
    txCount: one.txCount,
    totalChunks: one.chunks,
    rbcBytesTotal: one.bytes,
    teuTotal: one.teu,
  })),
  laneSettlementCommitments: lanes?.settlements,
  laneRelayEnvelopes: lanes?.envelopes,
})

export const consensusHandlers = [
  handle(consensusStatusRoute, ({ services, caller }: { services: NodeServices; caller: Caller }) => ({
    value: consensusStatusOf(services.consensus(), caller.operator),
  })),
]
