/** Owns the record of `GET /v1/consensus/status` (docs/design/gateway.md 12). */
import {
  bool,
  bytesN,
  hash32,
  type Infer,
  list,
  map,
  numeric,
  omissible,
  option,
  type Schema,
  string,
  struct,
  u16,
  u32,
  unitEnum,
  varint,
} from '../../codec/index.js'
import { setPositions } from '../../consensus/bitmap.js'
import { BLS_SIGNATURE_BYTES, type QuorumCertificate, ROSTER_MAX, validatorKey } from '../../model/index.js'
import { dataspaceCommitmentRecords, laneCommitmentRecords, laneRelayRecords, laneSettlementRecords } from './lanes.js'

/** Maximum length of a key text, in bytes: a BLS multihash has 102 characters. */
const KEY_TEXT_MAX_BYTES = 128
/** Maximum length of a human-readable text, in bytes. */
const TEXT_MAX_BYTES = 1024
/** Maximum entries of the maps: the set of view-change reasons and phases is small and fixed. */
const NAMES_MAX = 64

/** Summary of a commit certificate. */
export interface CommitQcSummary extends Infer<typeof commitQcSummary> {}
export const commitQcSummary = struct('CommitQcSummary', {
  height: varint,
  view: u32,
  blockHash: hash32,
  committeeHash: hash32,
  /** Positions in the committee of that height, ascending. */
  signers: list(u16, ROSTER_MAX),
  aggregate: bytesN(BLS_SIGNATURE_BYTES),
})

/** Summary of a certificate. */
export const commitQcSummaryOf = (certificate: QuorumCertificate): CommitQcSummary => ({
  height: certificate.height,
  view: certificate.view,
  blockHash: certificate.blockHash,
  committeeHash: certificate.committeeHash,
  signers: setPositions(certificate.bitmap),
  aggregate: certificate.aggregate,
})

/** Latest and averaged time of one phase, in microseconds. */
export interface PhaseLatency extends Infer<typeof phaseLatency> {}
export const phaseLatency = struct('PhaseLatency', { lastUs: varint, emaUs: varint })

/** Block that the node did not reproduce. */
export interface DivergenceRecord extends Infer<typeof divergence_> {}
const divergence_ = struct('Divergence', {
  height: varint,
  blockHash: hash32,
  /** True if the block has a commit certificate, so that this node is at fault. */
  certified: bool,
  detail: string(TEXT_MAX_BYTES),
  /** Path of the report on the node. */
  report: option(string(TEXT_MAX_BYTES)),
})

/** Reason of a stall. */
export interface StallRecord extends Infer<typeof stall_> {}
const stall_ = struct('Stall', {
  reason: string(128),
  /** Start of the stall, in ms since the Unix epoch. */
  sinceMs: varint,
  missing: list(string(KEY_TEXT_MAX_BYTES), ROSTER_MAX),
  text: string(TEXT_MAX_BYTES),
})

/** Committee positions whose votes the node has at the current height and view, ascending. */
export interface HeldVotes extends Infer<typeof heldVotes_> {}
const heldVotes_ = struct('HeldVotes', { prepare: list(u16, ROSTER_MAX), commit: list(u16, ROSTER_MAX) })

/** Seat of an epoch with its total stake. */
export const epochSeatStatus = struct('EpochSeatStatus', { key: validatorKey, stake: numeric })
/** Current epoch of elected validators. */
export interface EpochStatus extends Infer<typeof epochStatus> {}
export const epochStatus = struct('EpochStatus', {
  number: varint,
  /** Number of successful elections up to it. */
  term: varint,
  /** Number of blocks until the next epoch. */
  blocksLeft: u32,
  seats: list(epochSeatStatus, ROSTER_MAX),
  /** Seats of the next epoch, once its election is decided. */
  next: option(list(epochSeatStatus, ROSTER_MAX)),
  /** Numbers of commitments and reveals of members so far in this epoch. */
  commits: u32,
  reveals: u32,
  /** True if fewer than f + 1 members revealed for the seed of this epoch. */
  isWeak: bool,
})

/** Role of a node at the height being decided. */
const role_ = unitEnum('ConsensusRole', { member: 0, standby: 1, observer: 2 })

/** State of a node with a signer. */
export interface SignerStatus extends Infer<typeof signerStatus_> {}
const signerStatus_ = struct('SignerStatus', {
  connected: bool,
  /** True if it acts for the validator; false if it is a standby of another node. */
  acts: bool,
  /** End of the lease unless it is renewed, in ms since the Unix epoch; absent for a standby. */
  leaseUntilMs: option(varint),
  /** Time of the last signature received, in ms since the Unix epoch; absent: none since the start of the process. */
  lastSignatureMs: option(varint),
})

/** Consensus state as of the last commit, and the height being decided. */
export interface ConsensusStatus extends Infer<typeof consensusStatus_> {}
const consensusStatus_ = struct('ConsensusStatus', {
  mode: string(32),
  height: varint,
  blockHash: hash32,
  /** State root after `height`. */
  stateRoot: hash32,
  commitQc: option(commitQcSummary),
  /** Committee of `height`, in bit order: the signers of `commitQc` are indexes in it. Empty at genesis. */
  commitCommittee: list(string(KEY_TEXT_MAX_BYTES), ROSTER_MAX),
  decidingHeight: varint,
  view: u32,
  /** Multihash text. */
  proposer: string(KEY_TEXT_MAX_BYTES),
  role: role_,
  committee: list(string(KEY_TEXT_MAX_BYTES), ROSTER_MAX),
  quorum: u16,
  faultBudget: u16,
  highestPrepareView: option(u32),
  viewChanges: varint,
  viewChangeReasons: map(string(64), varint, NAMES_MAX),
  phases: map(string(64), phaseLatency, NAMES_MAX),
  queueSize: varint,
  stall: option(stall_),
  halted: option(string(TEXT_MAX_BYTES)),
  divergence: option(divergence_),
  /** Lane sections of the last block; absent while lanes are off, and from a snapshot until the next block. */
  laneCommitments: omissible(laneCommitmentRecords),
  dataspaceCommitments: omissible(dataspaceCommitmentRecords),
  laneSettlementCommitments: omissible(laneSettlementRecords),
  laneRelayEnvelopes: omissible(laneRelayRecords),
  votes: omissible(heldVotes_),
  /** Absent in permissioned mode. */
  epoch: omissible(epochStatus),
  /**
   * Reason for which a validator follows without voting, and the end of that phase; absent if it votes, and for
   * observers.
   */
  abstaining: omissible(string(TEXT_MAX_BYTES)),
  /** Absent for a node that holds its own keys. */
  signer: omissible(signerStatus_),
})
export const consensusStatus: Schema<ConsensusStatus> = consensusStatus_
