/** Owns the rows of further consensus routes about the node itself, and of submitted evidence (specification 4.2). */
import { QC_SUMMARY_FRAME } from './frames.js'
import { type AnyRoute, defineRoute, routeTable } from './route.js'
import {
  collectorPlan,
  consensusTelemetryRecord,
  evidenceAccepted,
  evidenceSubmission,
  leader,
  pacemakerRecord,
  phasesRecord,
  qcSummary,
} from './schema/consensus-detail.js'

/** Maximum size of submitted evidence, in bytes. */
const EVIDENCE_BODY_MAX_BYTES = 16 * 1024

const read = { method: 'GET', access: 'public', format: 'json' } as const
const developer = { ...read, profile: 'developer' } as const

const evidenceSubmit = {
  method: 'POST',
  summary: 'Submit evidence of a fault; the node verifies it, sends it to all peers, and queues it for a block',
  access: 'operator',
  format: 'json',
  audited: true,
  body: { as: 'record', schema: evidenceSubmission, maxBytes: EVIDENCE_BODY_MAX_BYTES },
  response: evidenceAccepted,
  success: 202,
  errors: ['evidence_invalid'],
} as const

export const CONSENSUS = {
  leader: defineRoute({
    ...developer,
    id: 'consensus.leader',
    path: '/v1/consensus/leader',
    summary: 'Proposer of the current view',
    response: leader,
    whileHalted: true,
  }),
  qc: defineRoute({
    ...developer,
    id: 'consensus.qc',
    path: '/v1/consensus/qc',
    summary: 'Highest prepare certificate, locked certificate of this node, and last commit certificate',
    format: 'binary-or-json',
    response: qcSummary,
    frame: QC_SUMMARY_FRAME,
    whileHalted: true,
  }),
  phases: defineRoute({
    ...developer,
    id: 'consensus.phases',
    path: '/v1/consensus/phases',
    summary: 'Latest and average duration of each phase',
    response: phasesRecord,
    whileHalted: true,
  }),
  pacemaker: defineRoute({
    ...developer,
    id: 'consensus.pacemaker',
    path: '/v1/consensus/pacemaker',
    summary: 'Timer of the current view',
    response: pacemakerRecord,
    whileHalted: true,
  }),
  collectors: defineRoute({
    ...read,
    id: 'consensus.collectors',
    path: '/v1/consensus/collectors',
    summary: 'Vote collectors of the current view',
    response: collectorPlan,
    whileHalted: true,
  }),
  telemetry: defineRoute({
    ...developer,
    id: 'consensus.telemetry',
    path: '/v1/consensus/telemetry',
    summary: 'View changes with their reasons, bad signatures by peer, phases',
    response: consensusTelemetryRecord,
    whileHalted: true,
  }),
  evidenceSubmit: defineRoute({
    ...evidenceSubmit,
    id: 'consensus.evidence.submit',
    path: '/v1/consensus/evidence/submit',
  }),
  /** Same route under the path that other nodes of the protocol use. */
  evidencePost: defineRoute({ ...evidenceSubmit, id: 'consensus.evidence.post', path: '/v1/consensus/evidence' }),
} as const

/** Rows of this file. */
export const CONSENSUS_ROUTES: readonly AnyRoute[] = routeTable(...(Object.values(CONSENSUS) as never[]))
