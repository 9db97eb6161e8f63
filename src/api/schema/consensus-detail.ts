/** Owns the records of the consensus routes beside the status: certificates, validator sets, keys, pace, evidence (specification 4.2). */
import {
  bool,
  bytesN,
  hash32,
  list,
  map,
  option,
  type Schema,
  string,
  struct,
  u16,
  u32,
  unitEnum,
  varint,
} from '../../codec/index.js'
import { FAULT_KINDS } from '../../consensus/index.js'
import {
  BLS_SIGNATURE_BYTES,
  type Evidence,
  evidence,
  ROSTER_MAX,
  type ValidatorKey,
  validatorKey,
} from '../../model/index.js'
import { word } from '../enum-text.js'
import { type Page, type PageParameters, pageFields, pageLimit, pageOf, pageOfFields } from '../paging.js'
import { type CommitQcSummary, commitQcSummary, type PhaseLatency, phaseLatency } from './consensus.js'

/** Entries of one answer of a history, and the default: a validator set names every key of its roster. */
export const HISTORY_MAX = 128
export const HISTORY_DEFAULT = 20
/** Evidence records of one answer, and the default (specification 4.2). */
export const EVIDENCE_MAX = 1_000
export const EVIDENCE_DEFAULT = 50
/** Keys of one answer: several per peer of the largest network. */
const KEYS_MAX = 16_384
/** Longest name of a kind of fault, in bytes. */
export const FAULT_KIND_MAX_BYTES = 32
const NAMES_MAX = 64

/** What a history is asked for: entries from a height down, newest first. */
export interface HistoryParameters extends PageParameters {
  readonly from: number | undefined
}
const historyParameters_ = struct('HistoryParameters', {
  from: option(varint),
  ...pageFields,
  limit: option(pageLimit('HistoryLimit', HISTORY_MAX, HISTORY_DEFAULT)),
})
export const historyParameters: Schema<HistoryParameters> = historyParameters_

export const certificateHistory = pageOf('CommitCertificateHistory', commitQcSummary, HISTORY_MAX)

/** Who may vote at a height. */
export interface ValidatorSet {
  readonly height: number
  /** Absent for the height that is being decided. */
  readonly blockHash: Uint8Array | undefined
  readonly epoch: number
  readonly rosterHash: Uint8Array
  readonly committeeHash: Uint8Array
  readonly quorum: number
  readonly faultBudget: number
  /** Consensus keys in roster order. */
  readonly roster: readonly ValidatorKey[]
  /** Those that vote at this height, in the order of their bits. */
  readonly committee: readonly ValidatorKey[]
  /** Committee order with demoted members last; absent where the demotions are no longer kept. */
  readonly demoted: readonly ValidatorKey[] | undefined
}
const validatorSet_ = struct('ValidatorSet', {
  height: varint,
  blockHash: option(hash32),
  epoch: varint,
  rosterHash: hash32,
  committeeHash: hash32,
  quorum: u16,
  faultBudget: u16,
  roster: list(validatorKey, ROSTER_MAX),
  committee: list(validatorKey, ROSTER_MAX),
  demoted: option(list(validatorKey, ROSTER_MAX)),
})
export const validatorSet: Schema<ValidatorSet> = validatorSet_
export const validatorSetHistory = pageOf('ValidatorSetHistory', validatorSet, HISTORY_MAX)

/** The commit certificate of a block; `commit_qc` is absent for a block that this node does not have. */
export interface CommitQcRecord {
  readonly subjectBlockHash: Uint8Array
  readonly commitQc: CommitQcSummary | undefined
}
const commitQcRecord_ = struct('CommitQcRecord', { subjectBlockHash: hash32, commitQc: option(commitQcSummary) })
export const commitQcRecord: Schema<CommitQcRecord> = commitQcRecord_

/** Which block a certificate stands for. */
export interface QcSubject {
  readonly height: number
  readonly view: number
  readonly subjectBlockHash: Uint8Array
}
const qcSubject_ = struct('QcSubject', { height: varint, view: u32, subjectBlockHash: hash32 })
/** Highest prepare certificate, the one that this node commit-voted on, the last commit certificate. */
export interface QcSummary {
  readonly highestQc: QcSubject | undefined
  readonly lockedQc: QcSubject | undefined
  readonly commitQc: QcSubject | undefined
}
const qcSummary_ = struct('QcSummary', {
  highestQc: option(qcSubject_),
  lockedQc: option(qcSubject_),
  commitQc: option(qcSubject_),
})
export const qcSummary: Schema<QcSummary> = qcSummary_

/** The proposer of the view that is being decided. */
export interface Leader {
  readonly height: number
  readonly view: number
  /** Position in the committee. */
  readonly leaderIndex: number
  readonly leader: ValidatorKey
  /** What the order of the committee is drawn from. */
  readonly prf: { readonly height: number; readonly epoch: number; readonly epochSeed: Uint8Array }
}
const leader_ = struct('Leader', {
  height: varint,
  view: u32,
  leaderIndex: u16,
  leader: validatorKey,
  prf: struct('LeaderPrf', { height: varint, epoch: varint, epochSeed: hash32 }),
})
export const leader: Schema<Leader> = leader_

/** Who collects the votes of the view that is being decided. */
export interface CollectorPlan {
  readonly mode: string
  readonly height: number
  readonly view: number
  /** 0: chosen by the size of the committee. */
  readonly collectorsK: number
  readonly redundantSendR: number
  readonly minVotesForCommit: number
  readonly collectors: readonly { readonly index: number; readonly peer: ValidatorKey }[]
}
const collectorPlan_ = struct('CollectorPlan', {
  mode: string(32),
  height: varint,
  view: u32,
  collectorsK: u32,
  redundantSendR: u32,
  minVotesForCommit: u16,
  collectors: list(struct('Collector', { index: u16, peer: validatorKey }), ROSTER_MAX),
})
export const collectorPlan: Schema<CollectorPlan> = collectorPlan_

/** The one timer of the view that is being decided, in ms. */
export interface PacemakerRecord {
  readonly height: number
  readonly view: number
  readonly armed: boolean
  readonly heightTimeEmaMs: number
  readonly backoffExponent: number
  readonly backoffMultiplierPermille: number
  readonly viewTimeoutTargetMs: number
  readonly viewTimeoutRemainingMs: number | undefined
  readonly roundElapsedMs: number
  readonly maxBackoffMs: number
  readonly jitterFracPermille: number
}
const pacemakerRecord_ = struct('PacemakerStatus', {
  height: varint,
  view: u32,
  armed: bool,
  heightTimeEmaMs: varint,
  backoffExponent: varint,
  backoffMultiplierPermille: varint,
  viewTimeoutTargetMs: varint,
  viewTimeoutRemainingMs: option(varint),
  roundElapsedMs: varint,
  maxBackoffMs: varint,
  jitterFracPermille: varint,
})
export const pacemakerRecord: Schema<PacemakerRecord> = pacemakerRecord_

/** Latest and averaged time of every phase, in microseconds. */
export interface PhasesRecord {
  readonly height: number
  readonly phases: ReadonlyMap<string, PhaseLatency>
}
const phasesRecord_ = struct('ConsensusPhases', { height: varint, phases: map(string(64), phaseLatency, NAMES_MAX) })
export const phasesRecord: Schema<PhasesRecord> = phasesRecord_

/** Consensus parameters of the chain as they act now. */
export interface ConsensusParams {
  readonly mode: string
  readonly chainHeight: number
  readonly blockTimeMs: number
  readonly baseHeightMs: number
  readonly maxClockDriftMs: number
  readonly collectorsK: number
  readonly redundantSendR: number
  readonly blockMaxTransactions: number
  readonly blockTeu: number
  readonly membershipSeenWindow: number
  readonly keyOverlapBlocks: number
  readonly evidenceHorizonBlocks: number
}
const consensusParams_ = struct('ConsensusParams', {
  mode: string(32),
  chainHeight: varint,
  blockTimeMs: varint,
  baseHeightMs: varint,
  maxClockDriftMs: varint,
  collectorsK: varint,
  redundantSendR: varint,
  blockMaxTransactions: varint,
  blockTeu: varint,
  membershipSeenWindow: varint,
  keyOverlapBlocks: varint,
  evidenceHorizonBlocks: varint,
})
export const consensusParams: Schema<ConsensusParams> = consensusParams_

export type KeyStatus = 'pending' | 'active' | 'retiring' | 'disabled'
const keyStatus_ = unitEnum('ConsensusKeyStatus', { pending: 0, active: 1, retiring: 2, disabled: 3 })
/** A consensus key and its life, in heights. */
export interface ConsensusKeyView {
  readonly key: ValidatorKey
  /** The key that its peer registered with. */
  readonly peer: ValidatorKey
  readonly pop: Uint8Array
  readonly status: KeyStatus
  readonly activeFrom: number
  readonly replacedFrom: number | undefined
  readonly disabledFrom: number | undefined
}
const consensusKeyView_ = struct('ConsensusKey', {
  key: validatorKey,
  peer: validatorKey,
  pop: bytesN(BLS_SIGNATURE_BYTES),
  status: keyStatus_,
  activeFrom: varint,
  replacedFrom: option(varint),
  disabledFrom: option(varint),
})
export const consensusKeyView: Schema<ConsensusKeyView> = consensusKeyView_
export interface ConsensusKeyList {
  readonly items: readonly ConsensusKeyView[]
  readonly height: number
}
const consensusKeyList_ = struct('ConsensusKeyList', { items: list(consensusKeyView, KEYS_MAX), height: varint })
export const consensusKeyList: Schema<ConsensusKeyList> = consensusKeyList_

/** Consensus key that acts for each peer; absent for a peer without one, such as an observer whose key is disabled. */
export interface BlsKeys {
  readonly keys: ReadonlyMap<ValidatorKey, ValidatorKey | undefined>
  readonly height: number
}
const blsKeys_ = struct('BlsKeys', { keys: map(validatorKey, option(validatorKey), KEYS_MAX), height: varint })
export const blsKeys: Schema<BlsKeys> = blsKeys_

/** What the node counted of consensus since its start. */
export interface ConsensusTelemetryRecord {
  readonly viewChanges: number
  readonly viewChangeReasons: ReadonlyMap<string, number>
  /** Bad signatures by the peer that sent them. */
  readonly badSignatures: ReadonlyMap<ValidatorKey, number>
  /** Ranges of blocks that did not hold, by the peer that served them. */
  readonly badRanges: ReadonlyMap<ValidatorKey, number>
  readonly phases: ReadonlyMap<string, PhaseLatency>
  readonly rbcBacklog: RbcBacklogRecord
}
/** Payloads on their way, in short; `/v1/consensus/rbc` has all of it. */
export interface RbcBacklogRecord {
  readonly pendingSessions: number
  readonly missingChunks: number
  readonly storeBytes: number
  /** 0 normal, 1 soft limit passed, 2 hard limit passed. */
  readonly storePressure: number
  readonly evictedTotal: number
  readonly deferralsTotal: number
}
const rbcBacklog_ = struct('RbcBacklog', {
  pendingSessions: u16,
  missingChunks: varint,
  storeBytes: varint,
  storePressure: u16,
  evictedTotal: varint,
  deferralsTotal: varint,
})
const telemetryRecord_ = struct('ConsensusTelemetry', {
  viewChanges: varint,
  viewChangeReasons: map(string(64), varint, NAMES_MAX),
  badSignatures: map(validatorKey, varint, KEYS_MAX),
  badRanges: map(validatorKey, varint, KEYS_MAX),
  phases: map(string(64), phaseLatency, NAMES_MAX),
  rbcBacklog: rbcBacklog_,
})
export const consensusTelemetryRecord: Schema<ConsensusTelemetryRecord> = telemetryRecord_

/** What the evidence list is asked for. */
export interface EvidenceParameters extends PageParameters {
  readonly kind: string | undefined
}
const faultKind = word('FaultKind', FAULT_KINDS)
const evidenceParameters_ = struct('EvidenceParameters', {
  kind: option(faultKind),
  ...pageFields,
  limit: option(pageLimit('EvidenceLimit', EVIDENCE_MAX, EVIDENCE_DEFAULT)),
})
export const evidenceParameters: Schema<EvidenceParameters> = evidenceParameters_

/** A proven fault as the chain holds it. */
export interface EvidenceView {
  readonly kind: string
  readonly offender: ValidatorKey
  readonly peer: ValidatorKey
  readonly height: number
  readonly view: number
  readonly recordedHeight: number
  readonly recordedView: number
  readonly recordedMs: number
  /** The two signed messages. */
  readonly evidence: Evidence
}
const evidenceView_ = struct('EvidenceView', {
  kind: string(FAULT_KIND_MAX_BYTES),
  offender: validatorKey,
  peer: validatorKey,
  height: varint,
  view: u32,
  recordedHeight: varint,
  recordedView: u32,
  recordedMs: varint,
  evidence,
})
/** A page of proven faults; `total`: all of the kind. */
export interface EvidenceList extends Page<EvidenceView> {
  readonly total: number
}
const evidenceList_ = struct('EvidenceList', {
  total: varint,
  ...pageOfFields(evidenceView_ as Schema<EvidenceView>, EVIDENCE_MAX),
})
export const evidenceList: Schema<EvidenceList> = evidenceList_
/** Which evidence is counted. */
export interface EvidenceCountParameters {
  readonly kind: string | undefined
}
const evidenceCountParameters_ = struct('EvidenceCountParameters', { kind: option(faultKind) })
export const evidenceCountParameters: Schema<EvidenceCountParameters> = evidenceCountParameters_
const evidenceCount_ = struct('EvidenceCount', { count: varint })
export const evidenceCount: Schema<{ readonly count: number }> = evidenceCount_

/** Longest text of a submitted record, in bytes: two certificates in hexadecimal, with room for blanks. */
const EVIDENCE_HEX_MAX_BYTES = 8_192
/** An evidence record in the hexadecimal of its codec bytes; `0x` and blanks are passed over. */
const evidenceSubmission_ = struct('EvidenceSubmission', { evidenceHex: string(EVIDENCE_HEX_MAX_BYTES) })
export const evidenceSubmission: Schema<{ readonly evidenceHex: string }> = evidenceSubmission_
const evidenceAccepted_ = struct('EvidenceAccepted', { status: string(16), kind: option(string(FAULT_KIND_MAX_BYTES)) })
export const evidenceAccepted: Schema<{ readonly status: string; readonly kind: string | undefined }> =
  evidenceAccepted_

/** A height whose state and rosters a client may rest on: with its certificate it verifies from the genesis hash alone. */
export interface Checkpoint {
  readonly height: number
  readonly blockHash: Uint8Array
  readonly stateRoot: Uint8Array
  readonly rosterHash: Uint8Array
  readonly nextCommitteeHash: Uint8Array
  readonly commitQc: CommitQcSummary
}
const checkpoint_ = struct('Checkpoint', {
  height: varint,
  blockHash: hash32,
  stateRoot: hash32,
  rosterHash: hash32,
  nextCommitteeHash: hash32,
  commitQc: commitQcSummary,
})
export const checkpointList = pageOf('CheckpointList', checkpoint_ as Schema<Checkpoint>, HISTORY_MAX)
