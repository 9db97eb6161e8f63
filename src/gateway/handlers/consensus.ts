/** Owns the answer of `GET /v1/consensus/status`. */

import { type CommitQcSummary, type ConsensusStatus, consensusStatusRoute, handle } from '../../api/index.js'
import { setPositions } from '../../consensus/index.js'
import type { ConsensusView, NodeServices } from '../../features/services.js'
import type { QuorumCertificate } from '../../model/index.js'
import { clipText } from '../answer.js'

/** Longest text of the record, in bytes. */
const TEXT_MAX_BYTES = 1024

const summaryOf = (certificate: QuorumCertificate): CommitQcSummary => ({
  height: certificate.height,
  view: certificate.view,
  blockHash: certificate.blockHash,
  committeeHash: certificate.committeeHash,
  signers: setPositions(certificate.bitmap),
  aggregate: certificate.aggregate,
})

const microseconds = (ms: number): number => Math.max(0, Math.round(ms * 1000))

/** The record of a view. */
export function consensusStatusOf(view: ConsensusView): ConsensusStatus {
  const { commitCertificate, stall, halted, divergence, ...rest } = view
  return {
    ...rest,
    commitQc: commitCertificate === undefined ? undefined : summaryOf(commitCertificate),
    phases: new Map(
      [...view.phases].map(([phase, { lastMs, emaMs }]) => [
        phase,
        { lastUs: microseconds(lastMs), emaUs: microseconds(emaMs) },
      ]),
    ),
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
  }
}

export const consensusHandlers = [
  handle(consensusStatusRoute, ({ services }: { services: NodeServices }) => ({
    value: consensusStatusOf(services.consensus()),
  })),
]
