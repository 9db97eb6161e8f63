/** Owns the rows of the consensus routes beside the status (specification 4.2). */
import { hash32, type Infer, struct, varint } from '../codec/index.js'
import { COMMIT_QC_FRAME, QC_SUMMARY_FRAME } from './frames.js'
import { type AnyRoute, defineRoute, routeTable } from './route.js'
import {
  blsKeys,
  certificateHistory,
  checkpointList,
  collectorPlan,
  commitQcRecord,
  consensusKeyList,
  consensusParams,
  consensusTelemetryRecord,
  evidenceAccepted,
  evidenceCount,
  evidenceCountParameters,
  evidenceList,
  evidenceParameters,
  evidenceSubmission,
  historyParameters,
  leader,
  pacemakerRecord,
  phasesRecord,
  qcSummary,
  validatorSet,
  validatorSetHistory,
} from './schema/consensus-detail.js'

/** Largest submission of evidence, in bytes. */
const EVIDENCE_BODY_MAX_BYTES = 16 * 1024

export interface HeightPath extends Infer<typeof heightPath> {}
const heightPath = struct('HeightPath', { height: varint })

export interface BlockHashPath extends Infer<typeof blockPath> {}
const blockPath = struct('BlockHashPath', { hash: hash32 })

const read = { method: 'GET', access: 'public', format: 'json' } as const
const developer = { ...read, profile: 'developer' } as const

const evidenceSubmit = {
  method: 'POST',
  summary: 'Submit evidence of a fault; it is verified, sent to all peers, and waits for a block',
  access: 'operator',
  format: 'json',
  audited: true,
  body: { as: 'record', schema: evidenceSubmission, maxBytes: EVIDENCE_BODY_MAX_BYTES },
  response: evidenceAccepted,
  success: 202,
  errors: ['evidence_invalid'],
} as const

export const CONSENSUS = {
  certificates: defineRoute({
    ...read,
    id: 'consensus.commit.certificates',
    path: '/v1/consensus/commit-certificates',
    summary: 'Commit certificates, newest first, from a height down',
    query: historyParameters,
    response: certificateHistory,
    whileHalted: true,
  }),
  validatorSets: defineRoute({
    ...read,
    id: 'consensus.validator.sets',
    path: '/v1/consensus/validator-sets',
    summary: 'Rosters and committees, newest first, from a height down, for as long as evidence is admitted',
    query: historyParameters,
    response: validatorSetHistory,
  }),
  validatorSet: defineRoute({
    ...read,
    id: 'consensus.validator.set',
    path: '/v1/consensus/validator-sets/{height}',
    summary: 'Roster and committee of one height',
    params: heightPath,
    response: validatorSet,
  }),
  leader: defineRoute({
    ...developer,
    id: 'consensus.leader',
    path: '/v1/consensus/leader',
    summary: 'The proposer of the view that is being decided',
    response: leader,
    whileHalted: true,
  }),
  qc: defineRoute({
    ...developer,
    id: 'consensus.qc',
    path: '/v1/consensus/qc',
    summary: 'The highest prepare certificate, the one that this node commit-voted on now, the last commit certificate',
    format: 'binary-or-json',
    response: qcSummary,
    frame: QC_SUMMARY_FRAME,
    whileHalted: true,
  }),
  checkpoints: defineRoute({
    ...developer,
    id: 'consensus.checkpoints',
    path: '/v1/consensus/checkpoints',
    summary: 'Latest heights with state root, rosters and certificate, newest first',
    query: historyParameters,
    response: checkpointList,
    whileHalted: true,
  }),
  keys: defineRoute({
    ...read,
    id: 'consensus.keys',
    path: '/v1/consensus/consensus-keys',
    summary: 'Consensus keys that act at the height that is being decided',
    response: consensusKeyList,
  }),
  keyLifecycle: defineRoute({
    ...read,
    id: 'consensus.key.lifecycle',
    path: '/v1/consensus/key-lifecycle',
    summary: 'Every consensus key with its status and the heights of its life, newest first',
    response: consensusKeyList,
  }),
  blsKeys: defineRoute({
    ...developer,
    id: 'consensus.bls.keys',
    path: '/v1/consensus/bls_keys',
    summary: 'The active consensus key of each peer',
    response: blsKeys,
  }),
  phases: defineRoute({
    ...developer,
    id: 'consensus.phases',
    path: '/v1/consensus/phases',
    summary: 'Latest and averaged time of each phase',
    response: phasesRecord,
    whileHalted: true,
  }),
  pacemaker: defineRoute({
    ...developer,
    id: 'consensus.pacemaker',
    path: '/v1/consensus/pacemaker',
    summary: 'The timer of the view that is being decided',
    response: pacemakerRecord,
    whileHalted: true,
  }),
  params: defineRoute({
    ...developer,
    id: 'consensus.params',
    path: '/v1/consensus/params',
    summary: 'Consensus parameters of the chain as they act now',
    response: consensusParams,
  }),
  collectors: defineRoute({
    ...read,
    id: 'consensus.collectors',
    path: '/v1/consensus/collectors',
    summary: 'Who collects the votes of the view that is being decided',
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
  evidence: defineRoute({
    ...developer,
    id: 'consensus.evidence',
    path: '/v1/consensus/evidence',
    summary: 'Proven faults on the chain, newest first, by kind',
    query: evidenceParameters,
    response: evidenceList,
  }),
  evidenceCount: defineRoute({
    ...read,
    id: 'consensus.evidence.count',
    path: '/v1/consensus/evidence/count',
    summary: 'Number of proven faults on the chain, of one kind when it is given',
    query: evidenceCountParameters,
    response: evidenceCount,
  }),
  evidenceSubmit: defineRoute({
    ...evidenceSubmit,
    id: 'consensus.evidence.submit',
    path: '/v1/consensus/evidence/submit',
  }),
  /** The same where other nodes of the protocol take it. */
  evidencePost: defineRoute({ ...evidenceSubmit, id: 'consensus.evidence.post', path: '/v1/consensus/evidence' }),
  commitQc: defineRoute({
    ...read,
    id: 'consensus.commit.qc',
    path: '/v1/consensus/commit_qc/{hash}',
    summary: 'The commit certificate of a block hash',
    format: 'binary-or-json',
    params: blockPath,
    response: commitQcRecord,
    frame: COMMIT_QC_FRAME,
    whileHalted: true,
  }),
} as const

/** Rows of this file. */
export const CONSENSUS_ROUTES: readonly AnyRoute[] = routeTable(...(Object.values(CONSENSUS) as never[]))
