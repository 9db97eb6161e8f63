/** Owns the records of the consensus routes beside the status: certificates, validator sets, keys, pace, evidence (specification 4.2). */
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
  /** Absent for the height that is being decided. */
  blockHash: option(hash32),
  epoch: varint,
  rosterHash: hash32,
  committeeHash: hash32,
  quorum: u16,
  faultBudget: u16,
  /** Consensus keys in roster order. */
  roster: list(validatorKey, ROSTER_MAX),
  /** Those that vote at this height, in the order of their bits. */
  committee: list(validatorKey, ROSTER_MAX),
  /** Committee order with demoted members last; absent where the demotions are no longer kept. */
  demoted: option(list(validatorKey, ROSTER_MAX)),
  /** Elected seats with the stake behind each; absent in permissioned time. */
  seats: omissible(list(epochSeatStatus, ROSTER_MAX)),
})
export const validatorSetHistory = pageOf('ValidatorSetHistory', validatorSet, HISTORY_MAX)

/** The commit certificate of a block; `commit_qc` is absent for a block that this node does not have. */
export interface CommitQcRecord extends Infer<typeof commitQcRecord> {}
export const commitQcRecord = struct('CommitQcRecord', { subjectBlockHash: hash32, commitQc: option(commitQcSummary) })

/** Block of a certificate. */
export interface QcSubject extends Infer<typeof qcSubject_> {}
const qcSubject_ = struct('QcSubject', { height: varint, view: u32, subjectBlockHash: hash32 })
/** Current certificates; absent while the chain has only its genesis. */
export interface QcSummary extends Infer<typeof qcSummary> {}
export const qcSummary = struct('QcSummary', {
  /** Highest prepare certificate: of the height that is being decided, else of the last block, which was committed by it. */
  highestQc: option(qcSubject_),
  /** The one that this node commit-voted on at the height that is being decided; absent until it did. */
  lockedQc: option(qcSubject_),
  /** The last commit certificate. */
  commitQc: option(qcSubject_),
})

/** The proposer of the view that is being decided. */
export interface Leader extends Infer<typeof leader> {}
export const leader = struct('Leader', {
  height: varint,
  view: u32,
  /** Position in the committee. */
  leaderIndex: u16,
  leader: validatorKey,
  /** Seed of the order of the committee. */
  prf: struct('LeaderPrf', { height: varint, epoch: varint, epochSeed: hash32 }),
})

/** Vote collectors of the current view. */
export interface CollectorPlan extends Infer<typeof collectorPlan> {}
export const collectorPlan = struct('CollectorPlan', {
  mode: string(32),
  height: varint,
  view: u32,
  /** Members that collect, before `redundantSendR` adds to them; where the chain leaves it to the node, what the node chose. */
  collectorsK: u32,
  redundantSendR: u32,
  minVotesForCommit: u16,
  collectors: list(struct('Collector', { index: u16, peer: validatorKey }), ROSTER_MAX),
})

/** The one timer of the view that is being decided, in ms. */
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

/** Parameters of elections, at most. */
const ELECTION_PARAMETERS_MAX = 64
/** Longest value of one, in bytes of canonical JSON. */
const VALUE_MAX_BYTES = 1_024
const electionParameter_ = struct('ElectionParameter', { name: string(128), value: json(VALUE_MAX_BYTES, 4) })
/** Consensus parameters of the chain as they act now. */
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
/** A consensus key and its life, in heights. */
export interface ConsensusKeyView extends Infer<typeof consensusKeyView> {}
export const consensusKeyView = struct('ConsensusKey', {
  key: validatorKey,
  /** The key that its peer registered with. */
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

/** Payloads on their way, in short; `/v1/consensus/rbc` has all of it. */
const rbcBacklog_ = struct('RbcBacklog', {
  pendingSessions: u16,
  missingChunks: varint,
  storeBytes: varint,
  /** 0 normal, 1 soft limit passed, 2 hard limit passed. */
  storePressure: u16,
  evictedTotal: varint,
  deferralsTotal: varint,
})
/** Commitments and reveals of members for the seed of the next epoch so far. */
const randomness_ = struct('RandomnessTelemetry', { epoch: varint, commits: u32, reveals: u32, isWeak: bool })
/** Consensus counters of the node since its start. */
export interface ConsensusTelemetryRecord extends Infer<typeof consensusTelemetryRecord> {}
export const consensusTelemetryRecord = struct('ConsensusTelemetry', {
  viewChanges: varint,
  viewChangeReasons: map(string(64), varint, NAMES_MAX),
  /** Bad signatures by the peer that sent them. */
  badSignatures: map(validatorKey, varint, KEYS_MAX),
  /** Ranges of blocks that did not hold, by the peer that served them. */
  badRanges: map(validatorKey, varint, KEYS_MAX),
  phases: map(string(64), phaseLatency, NAMES_MAX),
  rbcBacklog: rbcBacklog_,
  /** Absent in permissioned time. */
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

/** A proven fault as the chain holds it. */
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
  /** The two signed messages. */
  evidence,
})
/** A page of proven faults; `total`: all of the kind. */
export interface EvidenceList extends Infer<typeof evidenceList> {}
export const evidenceList = struct('EvidenceList', {
  total: varint,
  ...pageOfFields<EvidenceView>(evidenceView_, EVIDENCE_MAX),
})
/** Filter of counted evidence. */
export interface EvidenceCountParameters extends Infer<typeof evidenceCountParameters> {}
export const evidenceCountParameters = struct('EvidenceCountParameters', { kind: option(faultKind) })
export const evidenceCount = struct('EvidenceCount', { count: varint })

/** Longest text of a submitted record, in bytes: two certificates in hexadecimal, with room for blanks. */
const EVIDENCE_HEX_MAX_BYTES = 8_192
/** An evidence record in the hexadecimal of its codec bytes; `0x` and blanks are passed over. */
export const evidenceSubmission = struct('EvidenceSubmission', { evidenceHex: string(EVIDENCE_HEX_MAX_BYTES) })
export const evidenceAccepted = struct('EvidenceAccepted', {
  status: string(16),
  kind: option(string(FAULT_KIND_MAX_BYTES)),
})

/** Height whose state and rosters can be verified from the genesis hash alone with its certificate. */
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
