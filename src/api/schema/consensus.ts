/** Owns the record of `GET /v1/consensus/status` (docs/design/gateway.md 12). */
import {
  bool,
  bytesN,
  hash32,
  list,
  map,
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
import type { LaneSettlementCommitment, RelayIdentity } from '../../lanes/index.js'
import { BLS_SIGNATURE_BYTES, type QuorumCertificate, ROSTER_MAX } from '../../model/index.js'
import {
  type DataspaceCommitmentRecord,
  dataspaceCommitmentRecords,
  type LaneCommitmentRecord,
  laneCommitmentRecords,
  laneRelayRecords,
  laneSettlementRecords,
} from './lanes.js'

/** Longest key text, in bytes: a BLS multihash has 102 characters. */
const KEY_TEXT_MAX_BYTES = 128
/** Longest text for people, in bytes. */
const TEXT_MAX_BYTES = 1024
/** Entries of the maps: reasons of view changes and phases are few and fixed. */
const NAMES_MAX = 64

/** A commit certificate in short. */
export interface CommitQcSummary {
  readonly height: number
  readonly view: number
  readonly blockHash: Uint8Array
  readonly committeeHash: Uint8Array
  /** Positions in the committee of that height, ascending. */
  readonly signers: readonly number[]
  readonly aggregate: Uint8Array
}
const commitQc_ = struct('CommitQcSummary', {
  height: varint,
  view: u32,
  blockHash: hash32,
  committeeHash: hash32,
  signers: list(u16, ROSTER_MAX),
  aggregate: bytesN(BLS_SIGNATURE_BYTES),
})
export const commitQcSummary: Schema<CommitQcSummary> = commitQc_

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
export interface PhaseLatency {
  readonly lastUs: number
  readonly emaUs: number
}
const phaseLatency_ = struct('PhaseLatency', { lastUs: varint, emaUs: varint })
export const phaseLatency: Schema<PhaseLatency> = phaseLatency_

/** A block that the node did not reproduce. */
export interface DivergenceRecord {
  readonly height: number
  readonly blockHash: Uint8Array
  /** A commit certificate stands behind the block: the fault is this node's. */
  readonly certified: boolean
  readonly detail: string
  /** Path of the report on the node. */
  readonly report: string | undefined
}
const divergence_ = struct('Divergence', {
  height: varint,
  blockHash: hash32,
  certified: bool,
  detail: string(TEXT_MAX_BYTES),
  report: option(string(TEXT_MAX_BYTES)),
})

/** Why the chain does not move. */
export interface StallRecord {
  readonly reason: string
  /** Start of the stall, in ms since the Unix epoch. */
  readonly sinceMs: number
  readonly missing: readonly string[]
  readonly text: string
}
const stall_ = struct('Stall', {
  reason: string(128),
  sinceMs: varint,
  missing: list(string(KEY_TEXT_MAX_BYTES), ROSTER_MAX),
  text: string(TEXT_MAX_BYTES),
})

/** Positions in the committee whose votes the node holds, at the height and view that are being decided, ascending. */
export interface HeldVotes {
  readonly prepare: readonly number[]
  readonly commit: readonly number[]
}
const heldVotes_ = struct('HeldVotes', { prepare: list(u16, ROSTER_MAX), commit: list(u16, ROSTER_MAX) })

/** What a node does at the height that is being decided. */
export type ConsensusRole = 'member' | 'standby' | 'observer'
const role_ = unitEnum('ConsensusRole', { member: 0, standby: 1, observer: 2 })

/** Consensus as of the last commit, and the height that is being decided. */
export interface ConsensusStatus {
  readonly mode: string
  readonly height: number
  readonly blockHash: Uint8Array
  /** State root after `height`. */
  readonly stateRoot: Uint8Array
  readonly commitQc: CommitQcSummary | undefined
  readonly decidingHeight: number
  readonly view: number
  /** Multihash text. */
  readonly proposer: string
  readonly role: ConsensusRole
  readonly committee: readonly string[]
  readonly quorum: number
  readonly faultBudget: number
  readonly highestPrepareView: number | undefined
  readonly viewChanges: number
  readonly viewChangeReasons: ReadonlyMap<string, number>
  readonly phases: ReadonlyMap<string, PhaseLatency>
  readonly queueSize: number
  readonly stall: StallRecord | undefined
  readonly halted: string | undefined
  readonly divergence: DivergenceRecord | undefined
  /** Sections of lanes, of the last block; absent while lanes are off. */
  readonly laneCommitments: readonly LaneCommitmentRecord[] | undefined
  readonly dataspaceCommitments: readonly DataspaceCommitmentRecord[] | undefined
  readonly laneSettlementCommitments: readonly LaneSettlementCommitment[] | undefined
  readonly laneRelayEnvelopes: readonly RelayIdentity[] | undefined
  readonly votes: HeldVotes | undefined
}
const consensusStatus_ = struct('ConsensusStatus', {
  mode: string(32),
  height: varint,
  blockHash: hash32,
  stateRoot: hash32,
  commitQc: option(commitQcSummary),
  decidingHeight: varint,
  view: u32,
  proposer: string(KEY_TEXT_MAX_BYTES),
  role: role_,
  committee: list(string(KEY_TEXT_MAX_BYTES), ROSTER_MAX),
  quorum: u16,
  faultBudget: u16,
  highestPrepareView: option(u32),
  viewChanges: varint,
  viewChangeReasons: map(string(64), varint, NAMES_MAX),
  phases: map(string(64), phaseLatency_, NAMES_MAX),
  queueSize: varint,
  stall: option(stall_),
  halted: option(string(TEXT_MAX_BYTES)),
  divergence: option(divergence_),
  laneCommitments: omissible(laneCommitmentRecords),
  dataspaceCommitments: omissible(dataspaceCommitmentRecords),
  laneSettlementCommitments: omissible(laneSettlementRecords),
  laneRelayEnvelopes: omissible(laneRelayRecords),
  votes: omissible(heldVotes_),
})
export const consensusStatus: Schema<ConsensusStatus> = consensusStatus_ as Schema<ConsensusStatus>
