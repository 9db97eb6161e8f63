/** Owns status records of lanes: commitments of the last block, load and backlog (docs/design/lanes.md 9). */
import { hash32, type Infer, list, type Schema, string, struct, u32, varint, varintBig } from '../../codec/index.js'
import {
  LANES_ACTIVE_MAX,
  type LaneCommitment,
  type LaneSettlementCommitment,
  laneSettlementCommitment,
  type RelayIdentity,
  relayIdentity,
} from '../../lanes/index.js'
import { LANE_MAX } from '../../model/index.js'

/** Load of a lane or a dataspace in a block. */
const totals = {
  blockHeight: varint,
  blockHash: hash32,
  dataspaceId: varintBig,
  txCount: varint,
  totalChunks: varint,
  /** Bytes of signed records. */
  rbcBytesTotal: varint,
  teuTotal: varint,
}
/** Lane commitment in the status. */
export interface LaneCommitmentRecord extends Infer<typeof laneCommitment_> {}
const laneCommitment_ = struct('LaneCommitmentRecord', {
  laneId: u32,
  ...totals,
  txRoot: hash32,
  chunkRoot: hash32,
  /** Zero if nothing was settled. */
  settlementHash: hash32,
})
/** Sums over the lanes of a dataspace. */
export interface DataspaceCommitmentRecord extends Infer<typeof dataspaceCommitment_> {}
const dataspaceCommitment_ = struct('DataspaceCommitmentRecord', totals)

const LANES = LANE_MAX + 1
export const laneCommitmentRecords: Schema<readonly LaneCommitmentRecord[]> = list(laneCommitment_, LANES)
export const dataspaceCommitmentRecords: Schema<readonly DataspaceCommitmentRecord[]> = list(
  dataspaceCommitment_,
  LANES,
)
export const laneSettlementRecords: Schema<readonly LaneSettlementCommitment[]> = list(laneSettlementCommitment, LANES)
export const laneRelayRecords: Schema<readonly RelayIdentity[]> = list(relayIdentity, LANES)

/** Build the record of a commitment; `blockHash` is the hash of its block. */
export const laneCommitmentRecordOf = (one: LaneCommitment, blockHash: Uint8Array): LaneCommitmentRecord => ({
  laneId: one.lane,
  blockHeight: one.height,
  blockHash,
  dataspaceId: one.dataspace,
  txCount: one.txCount,
  totalChunks: one.chunks,
  rbcBytesTotal: one.bytes,
  teuTotal: one.teu,
  txRoot: one.txRoot,
  chunkRoot: one.chunkRoot,
  settlementHash: one.settlementHash,
})

/** Statistics of a lane over the blocks since the start of this node. */
export interface TeuLaneCommit extends Infer<typeof teuLaneCommit_> {}
const teuLaneCommit_ = struct('TeuLaneCommit', {
  laneId: u32,
  alias: string(128),
  /** Static execution units of one block; 0: no separate limit. */
  capacity: u32,
  /** Metered units of the last block. */
  committed: varint,
  /** Transactions that this node's own proposals deferred since its start. */
  deferrals: struct('LaneDeferrals', { capExceeded: varint, blockFull: varint }),
  /** Maximum number of honest proposals until the last waiting transaction is in a block. */
  starvationBound: varint,
  blockHeight: varint,
})
/** Backlog of a lane. */
export interface TeuDataspaceBacklog extends Infer<typeof teuDataspaceBacklog_> {}
const teuDataspaceBacklog_ = struct('TeuDataspaceBacklog', {
  laneId: u32,
  dataspaceId: varintBig,
  faultTolerance: u32,
  /** Static execution units of waiting transactions. */
  backlog: varint,
  /** Blocks since the lane was last served, while transactions wait. */
  ageBlocks: varint,
})
export const teuLaneCommits: Schema<readonly TeuLaneCommit[]> = list(teuLaneCommit_, LANES_ACTIVE_MAX)
export const teuDataspaceBacklogs: Schema<readonly TeuDataspaceBacklog[]> = list(teuDataspaceBacklog_, LANES_ACTIVE_MAX)
