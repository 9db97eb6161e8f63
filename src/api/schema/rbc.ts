/** Owns the records of `GET /v1/consensus/rbc` and `/rbc/sessions` (specification 1.7). */
import { bool, hash32, list, type Schema, struct, u16, u32, varint, varintBig } from '../../codec/index.js'

/** Lanes and dataspaces in one record: as many as announcements of all sessions may name. */
const BACKLOGS_MAX = 4_096
/** Sessions in one record: as many as a node may be configured to keep. */
const SESSIONS_MAX = 4_096

/** What is on its way for a lane. */
export interface LaneBacklogRecord {
  readonly laneId: number
  readonly txCount: number
  readonly totalChunks: number
  readonly pendingChunks: number
  /** Bytes of its records. */
  readonly rbcBytesTotal: number
  readonly teu: number
}
const backlogFields = {
  txCount: varint,
  totalChunks: varint,
  pendingChunks: varint,
  rbcBytesTotal: varint,
  teu: varint,
}
const laneBacklog_ = struct('LaneBacklog', { laneId: u32, ...backlogFields })

/** What is on its way for a dataspace. */
export interface DataspaceBacklogRecord extends Omit<LaneBacklogRecord, 'laneId'> {
  readonly dataspaceId: bigint
}
const dataspaceBacklog_ = struct('DataspaceBacklog', { dataspaceId: varintBig, ...backlogFields })

/** Reliable broadcast in numbers; totals count from the start of the node. */
export interface RbcStatus {
  readonly dataAvailability: boolean
  readonly sessionsActive: number
  readonly sessionsOpenedTotal: number
  readonly sessionsDeliveredTotal: number
  readonly sessionsExpiredTotal: number
  readonly sessionsEvictedTotal: number
  readonly sessionsRefusedTotal: number
  readonly sessionsInvalidTotal: number
  readonly payloadBytesDeliveredTotal: number
  readonly readyBroadcastsTotal: number
  readonly deliverBroadcastsTotal: number
  readonly chunkMismatchesTotal: number
  readonly payloadsRebuiltTotal: number
  readonly recordRequestsTotal: number
  readonly chunkRequestsTotal: number
  readonly payloadRequestsTotal: number
  /** 0 normal, 1 soft limit passed, 2 hard limit passed. */
  readonly storePressure: number
  readonly storeBytes: number
  readonly storeSoftBytes: number
  readonly storeHardBytes: number
  readonly stashMessages: number
  readonly stashDroppedTotal: number
  readonly backpressureDeferralsTotal: number
  readonly pendingSessions: number
  readonly missingChunks: number
  readonly laneBacklog: readonly LaneBacklogRecord[]
  readonly dataspaceBacklog: readonly DataspaceBacklogRecord[]
}
const rbcStatus_ = struct('RbcStatus', {
  dataAvailability: bool,
  sessionsActive: u16,
  sessionsOpenedTotal: varint,
  sessionsDeliveredTotal: varint,
  sessionsExpiredTotal: varint,
  sessionsEvictedTotal: varint,
  sessionsRefusedTotal: varint,
  sessionsInvalidTotal: varint,
  payloadBytesDeliveredTotal: varint,
  readyBroadcastsTotal: varint,
  deliverBroadcastsTotal: varint,
  chunkMismatchesTotal: varint,
  payloadsRebuiltTotal: varint,
  recordRequestsTotal: varint,
  chunkRequestsTotal: varint,
  payloadRequestsTotal: varint,
  storePressure: u16,
  storeBytes: varint,
  storeSoftBytes: varint,
  storeHardBytes: varint,
  stashMessages: varint,
  stashDroppedTotal: varint,
  backpressureDeferralsTotal: varint,
  pendingSessions: u16,
  missingChunks: varint,
  laneBacklog: list(laneBacklog_, BACKLOGS_MAX),
  dataspaceBacklog: list(dataspaceBacklog_, BACKLOGS_MAX),
})
export const rbcStatus: Schema<RbcStatus> = rbcStatus_

/** One session. */
export interface RbcSessionRecord {
  readonly blockHash: Uint8Array
  readonly payloadHash: Uint8Array
  readonly height: number
  readonly view: number
  readonly payloadBytes: number
  readonly totalChunks: number
  readonly receivedChunks: number
  /** Members that are ready, and that delivered; positions are not shown, numbers are what matters. */
  readonly readyCount: number
  readonly deliverCount: number
  /** This node holds the payload and 2f + 1 members are ready. */
  readonly delivered: boolean
  /** Restored from the staging segment after a restart. */
  readonly recovered: boolean
  /** Its chunks were not the payload. */
  readonly invalid: boolean
  /** Its height is committed. */
  readonly ended: boolean
  readonly ageMs: number
  readonly laneBacklog: readonly LaneBacklogRecord[]
  readonly dataspaceBacklog: readonly DataspaceBacklogRecord[]
}
const rbcSession_ = struct('RbcSession', {
  blockHash: hash32,
  payloadHash: hash32,
  height: varint,
  view: u32,
  payloadBytes: varint,
  totalChunks: u32,
  receivedChunks: u32,
  readyCount: u16,
  deliverCount: u16,
  delivered: bool,
  recovered: bool,
  invalid: bool,
  ended: bool,
  ageMs: varint,
  laneBacklog: list(laneBacklog_, BACKLOGS_MAX),
  dataspaceBacklog: list(dataspaceBacklog_, BACKLOGS_MAX),
})

/** Sessions, newest first; those of committed heights stay until their time is over. */
export interface RbcSessionList {
  readonly sessionsActive: number
  readonly items: readonly RbcSessionRecord[]
}
const rbcSessionList_ = struct('RbcSessionList', { sessionsActive: u16, items: list(rbcSession_, SESSIONS_MAX) })
export const rbcSessionList: Schema<RbcSessionList> = rbcSessionList_
