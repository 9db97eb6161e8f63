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

/** Longest key text, in bytes: a BLS multihash has 102 characters. */
const KEY_TEXT_MAX_BYTES = 128
/** Longest text for people, in bytes. */
const TEXT_MAX_BYTES = 1024
/** Entries of the maps: reasons of view changes and phases are few and fixed. */
const NAMES_MAX = 64

/** A commit certificate in short. */
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

/** The short form of a certificate. */
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

/** A block that the node did not reproduce. */
export interface DivergenceRecord extends Infer<typeof divergence_> {}
const divergence_ = struct('Divergence', {
  height: varint,
  blockHash: hash32,
  /** A commit certificate stands behind the block: the fault is this node's. */
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
/** The epoch of elected validators that runs. */
export interface EpochStatus extends Infer<typeof epochStatus> {}
export const epochStatus = struct('EpochStatus', {
  number: varint,
  /** Successful elections up to it. */
  term: varint,
  /** Until the next one begins. */
  blocksLeft: u32,
  seats: list(epochSeatStatus, ROSTER_MAX),
  /** Of the next epoch, once its election is decided. */
  next: option(list(epochSeatStatus, ROSTER_MAX)),
  /** Commitments and reveals of members in this epoch so far. */
  commits: u32,
  reveals: u32,
  /** Fewer than f + 1 members revealed for the seed of this epoch. */
  isWeak: bool,
})

/** Role of a node at the height being decided. */
const role_ = unitEnum('ConsensusRole', { member: 0, standby: 1, observer: 2 })

/** A node at its signer. */
export interface SignerStatus extends Infer<typeof signerStatus_> {}
const signerStatus_ = struct('SignerStatus', {
  connected: bool,
  /** Acts for the validator; false: it stands by, and another node does. */
  acts: bool,
  /** End of the lease unless it is renewed, in ms since the Unix epoch; absent of a node that stands by. */
  leaseUntilMs: option(varint),
  /** Time of the last signature that it got, in ms since the Unix epoch; absent: none since the start of the process. */
  lastSignatureMs: option(varint),
})

/** Consensus as of the last commit, and the height that is being decided. */
export interface ConsensusStatus extends Infer<typeof consensusStatus_> {}
const consensusStatus_ = struct('ConsensusStatus', {
  mode: string(32),
  height: varint,
  blockHash: hash32,
  /** State root after `height`. */
  stateRoot: hash32,
  commitQc: option(commitQcSummary),
  /** Committee of `height`, in the order of its bits: the signers of `commitQc` are places in it. Empty at genesis. */
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
  /** Sections of lanes, of the last block; absent while lanes are off, and from a snapshot to the next block. */
  laneCommitments: omissible(laneCommitmentRecords),
  dataspaceCommitments: omissible(dataspaceCommitmentRecords),
  laneSettlementCommitments: omissible(laneSettlementRecords),
  laneRelayEnvelopes: omissible(laneRelayRecords),
  votes: omissible(heldVotes_),
  /** Absent in permissioned time. */
  epoch: omissible(epochStatus),
  /** Reason why a validator follows without a vote, and until when; absent if it votes, and for observers. */
  abstaining: omissible(string(TEXT_MAX_BYTES)),
  /** Absent of a node that has its keys itself. */
  signer: omissible(signerStatus_),
})
export const consensusStatus: Schema<ConsensusStatus> = consensusStatus_
