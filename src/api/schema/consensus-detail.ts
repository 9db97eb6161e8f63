/**
 * Owns the records of further consensus routes: certificates, validator sets, keys, pace, evidence (specification 4.2).
 */
import {
  bool,
  bytesN,
  hash32,
  type Infer,
  json,
  list,
  map,
  omissible,
  option,
  string,
  struct,
  u16,
  u32,
  unitEnum,
  varint,
} from '../../codec/index.js'
import { FAULT_KINDS } from '../../consensus/index.js'
import { BLS_SIGNATURE_BYTES, evidence, ROSTER_MAX, validatorKey } from '../../model/index.js'
import { word } from '../enum-text.js'
import { pageFields, pageLimit, pageOf, pageOfFields } from '../paging.js'
import { commitQcSummary, epochSeatStatus, phaseLatency } from './consensus.js'

/** Maximum and default entries of a history response: a validator set names every key of its roster. */
export const HISTORY_MAX = 128
export const HISTORY_DEFAULT = 20
/** Maximum and default evidence records of a response (specification 4.2). */
export const EVIDENCE_MAX = 1_000
export const EVIDENCE_DEFAULT = 50
/** Maximum keys of a response: several per peer of the largest network. */
const KEYS_MAX = 16_384
/** Maximum length of a fault kind, in bytes. */
export const FAULT_KIND_MAX_BYTES = 32
const NAMES_MAX = 64

/** Parameters of a history: entries from a height down, newest first. */
export interface HistoryParameters extends Infer<typeof historyParameters> {}
export const historyParameters = struct('HistoryParameters', {
  from: option(varint),
  ...pageFields,
  limit: option(pageLimit('HistoryLimit', HISTORY_MAX, HISTORY_DEFAULT)),
})

export const certificateHistory = pageOf('CommitCertificateHistory', commitQcSummary, HISTORY_MAX)

/** Validators of a height. */
export interface ValidatorSet extends Infer<typeof validatorSet> {}
export const validatorSet = struct('ValidatorSet', {
  height: varint,
  /** Absent for the height being decided. */
  blockHash: option(hash32),
  epoch: varint,
  rosterHash: hash32,
  committeeHash: hash32,
  quorum: u16,
  faultBudget: u16,
  /** Consensus keys in roster order. */
  roster: list(validatorKey, ROSTER_MAX),
  /** Keys that vote at this height, in bit order. */
  committee: list(validatorKey, ROSTER_MAX),
  /** Committee order with demoted members last; absent if the demotions are no longer stored. */
  demoted: option(list(validatorKey, ROSTER_MAX)),
  /** Elected seats with their stakes; absent in permissioned mode. */
  seats: omissible(list(epochSeatStatus, ROSTER_MAX)),
})
export const validatorSetHistory = pageOf('ValidatorSetHistory', validatorSet, HISTORY_MAX)

/** Commit certificate of a block; `commit_qc` is absent for a block that this node does not have. */
export interface CommitQcRecord extends Infer<typeof commitQcRecord> {}
export const commitQcRecord = struct('CommitQcRecord', { subjectBlockHash: hash32, commitQc: option(commitQcSummary) })

/** Block of a certificate. */
export interface QcSubject extends Infer<typeof qcSubject_> {}
const qcSubject_ = struct('QcSubject', { height: varint, view: u32, subjectBlockHash: hash32 })
/** Current certificates; absent while the chain has only its genesis. */
export interface QcSummary extends Infer<typeof qcSummary> {}
export const qcSummary = struct('QcSummary', {
  /**
   * Highest prepare certificate of the height being decided; before it has one, the prepare certificate that led to the
   * commit of the last block.
   */
  highestQc: option(qcSubject_),
  /** Certificate that this node commit-voted on at the height being decided; absent before that. */
  lockedQc: option(qcSubject_),
  /** Last commit certificate. */
  commitQc: option(qcSubject_),
})

/** Proposer of the view being decided. */
export interface Leader extends Infer<typeof leader> {}
export const leader = struct('Leader', {
  height: varint,
  view: u32,
  /** Position in the committee. */
  leaderIndex: u16,
  leader: validatorKey,
  /** Seed of the committee order. */
  prf: struct('LeaderPrf', { height: varint, epoch: varint, epochSeed: hash32 }),
})

/** Vote collectors of the current view. */
export interface CollectorPlan extends Infer<typeof collectorPlan> {}
export const collectorPlan = struct('CollectorPlan', {
  mode: string(32),
  height: varint,
  view: u32,
  /**
   * Number of collecting members, before `redundantSendR` adds more; chosen by the node if the chain does not fix it.
   */
  collectorsK: u32,
  redundantSendR: u32,
  minVotesForCommit: u16,
  collectors: list(struct('Collector', { index: u16, peer: validatorKey }), ROSTER_MAX),
})

/** Timer of the view being decided, in ms. */
export interface PacemakerRecord extends Infer<typeof pacemakerRecord> {}
export const pacemakerRecord = struct('PacemakerStatus', {
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

/** Latest and averaged time of every phase, in microseconds. */
export interface PhasesRecord extends Infer<typeof phasesRecord> {}
export const phasesRecord = struct('ConsensusPhases', {
  height: varint,
  phases: map(string(64), phaseLatency, NAMES_MAX),
})

/** Maximum number of election parameters. */
const ELECTION_PARAMETERS_MAX = 64
/** Maximum length of a value, in bytes of canonical JSON. */
const VALUE_MAX_BYTES = 1_024
const electionParameter_ = struct('ElectionParameter', { name: string(128), value: json(VALUE_MAX_BYTES, 4) })
/** Current consensus parameters of the chain. */
export interface ConsensusParams extends Infer<typeof consensusParams> {}
export const consensusParams = struct('ConsensusParams', {
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
  /** Election state; absent while the chain is permissioned. */
  elections: omissible(list(electionParameter_, ELECTION_PARAMETERS_MAX)),
})

const keyStatus_ = unitEnum('ConsensusKeyStatus', { pending: 0, active: 1, retiring: 2, disabled: 3 })
/** Consensus key and its lifetime, in heights. */
export interface ConsensusKeyView extends Infer<typeof consensusKeyView> {}
export const consensusKeyView = struct('ConsensusKey', {
  key: validatorKey,
  /** Key that its peer registered with. */
  peer: validatorKey,
  pop: bytesN(BLS_SIGNATURE_BYTES),
  status: keyStatus_,
  activeFrom: varint,
  replacedFrom: option(varint),
  disabledFrom: option(varint),
})

export interface ConsensusKeyList extends Infer<typeof consensusKeyList> {}
export const consensusKeyList = struct('ConsensusKeyList', { items: list(consensusKeyView, KEYS_MAX), height: varint })

/** Active consensus key of each peer; absent for a peer without one, such as an observer whose key is disabled. */
export interface BlsKeys extends Infer<typeof blsKeys> {}
export const blsKeys = struct('BlsKeys', { keys: map(validatorKey, option(validatorKey), KEYS_MAX), height: varint })

/** Summary of pending payloads; `/v1/consensus/rbc` has the details. */
const rbcBacklog_ = struct('RbcBacklog', {
  pendingSessions: u16,
  missingChunks: varint,
  storeBytes: varint,
  /** 0 normal, 1 soft limit passed, 2 hard limit passed. */
  storePressure: u16,
  evictedTotal: varint,
  deferralsTotal: varint,
})
/** Numbers of commitments and reveals so far for the seed of the next epoch. */
const randomness_ = struct('RandomnessTelemetry', { epoch: varint, commits: u32, reveals: u32, isWeak: bool })
/** Consensus counters of the node since its start. */
export interface ConsensusTelemetryRecord extends Infer<typeof consensusTelemetryRecord> {}
export const consensusTelemetryRecord = struct('ConsensusTelemetry', {
  viewChanges: varint,
  viewChangeReasons: map(string(64), varint, NAMES_MAX),
  /** Number of invalid signatures by the peer that sent them. */
  badSignatures: map(validatorKey, varint, KEYS_MAX),
  /** Number of invalid block ranges by the peer that served them. */
  badRanges: map(validatorKey, varint, KEYS_MAX),
  phases: map(string(64), phaseLatency, NAMES_MAX),
  rbcBacklog: rbcBacklog_,
  /** Absent in permissioned mode. */
  randomness: omissible(randomness_),
})

/** Parameters of the evidence list. */
export interface EvidenceParameters extends Infer<typeof evidenceParameters> {}
const faultKind = word('FaultKind', FAULT_KINDS)
export const evidenceParameters = struct('EvidenceParameters', {
  kind: option(faultKind),
  ...pageFields,
  limit: option(pageLimit('EvidenceLimit', EVIDENCE_MAX, EVIDENCE_DEFAULT)),
})

/** Proven fault as stored by the chain. */
export interface EvidenceView extends Infer<typeof evidenceView_> {}
const evidenceView_ = struct('EvidenceView', {
  kind: string(FAULT_KIND_MAX_BYTES),
  offender: validatorKey,
  peer: validatorKey,
  height: varint,
  view: u32,
  recordedHeight: varint,
  recordedView: u32,
  recordedMs: varint,
  /** Both signed messages. */
  evidence,
})
/** Page of proven faults; `total`: number of all faults of the kind. */
export interface EvidenceList extends Infer<typeof evidenceList> {}
export const evidenceList = struct('EvidenceList', {
  total: varint,
  ...pageOfFields<EvidenceView>(evidenceView_, EVIDENCE_MAX),
})
/** Filter of counted evidence. */
export interface EvidenceCountParameters extends Infer<typeof evidenceCountParameters> {}
export const evidenceCountParameters = struct('EvidenceCountParameters', { kind: option(faultKind) })
export const evidenceCount = struct('EvidenceCount', { count: varint })

/** Maximum length of a submitted record, in bytes: two certificates in hexadecimal, with blanks. */
const EVIDENCE_HEX_MAX_BYTES = 8_192
/** Evidence record as hexadecimal of its codec bytes; `0x` and blanks are ignored. */
export const evidenceSubmission = struct('EvidenceSubmission', { evidenceHex: string(EVIDENCE_HEX_MAX_BYTES) })
export const evidenceAccepted = struct('EvidenceAccepted', {
  status: string(16),
  kind: option(string(FAULT_KIND_MAX_BYTES)),
})

/** Height whose certificate proves its state and rosters to a verifier that has only the genesis hash. */
export interface Checkpoint extends Infer<typeof checkpoint_> {}
const checkpoint_ = struct('Checkpoint', {
  height: varint,
  blockHash: hash32,
  stateRoot: hash32,
  rosterHash: hash32,
  nextCommitteeHash: hash32,
  commitQc: commitQcSummary,
})
export const checkpointList = pageOf<Checkpoint>('CheckpointList', checkpoint_, HISTORY_MAX)
