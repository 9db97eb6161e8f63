/** Owns the records of `GET /v1/consensus/rbc` and `/rbc/sessions` (specification 1.7). */
import { bool, hash32, type Infer, list, struct, u16, u32, varint, varintBig } from '../../codec/index.js'

/** Maximum lanes and dataspaces in one record: the number that the announcements of all sessions may name. */
const BACKLOGS_MAX = 4_096
/** Maximum sessions in one record: as many as a node may be configured to keep. */
const SESSIONS_MAX = 4_096

/** Pending payloads of a lane. */
export interface LaneBacklogRecord extends Infer<typeof laneBacklog_> {}
const backlogFields = {
  txCount: varint,
  totalChunks: varint,
  pendingChunks: varint,
  /** Bytes of its records. */
  rbcBytesTotal: varint,
  teu: varint,
}
const laneBacklog_ = struct('LaneBacklog', { laneId: u32, ...backlogFields })

/** Pending payloads of a dataspace. */
export interface DataspaceBacklogRecord extends Infer<typeof dataspaceBacklog_> {}
const dataspaceBacklog_ = struct('DataspaceBacklog', { dataspaceId: varintBig, ...backlogFields })

/** Counters of reliable broadcast since the start of the node. */
export interface RbcStatus extends Infer<typeof rbcStatus> {}
export const rbcStatus = struct('RbcStatus', {
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
  /** 0 normal, 1 soft limit passed, 2 hard limit passed. */
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

/** Session of reliable broadcast. */
export interface RbcSessionRecord extends Infer<typeof rbcSession_> {}
const rbcSession_ = struct('RbcSession', {
  blockHash: hash32,
  payloadHash: hash32,
  height: varint,
  view: u32,
  payloadBytes: varint,
  totalChunks: u32,
  receivedChunks: u32,
  /** Numbers of members that are ready, and of members that delivered. */
  readyCount: u16,
  deliverCount: u16,
  /** True if this node has the payload and 2f + 1 members are ready. */
  delivered: bool,
  /** True if restored from the staging segment after a restart. */
  recovered: bool,
  /** True if its chunks did not form the payload. */
  invalid: bool,
  /** True if its height is committed. */
  ended: bool,
  ageMs: varint,
  laneBacklog: list(laneBacklog_, BACKLOGS_MAX),
  dataspaceBacklog: list(dataspaceBacklog_, BACKLOGS_MAX),
})

/** Sessions, newest first; sessions of committed heights are kept until they expire. */
export interface RbcSessionList extends Infer<typeof rbcSessionList> {}
export const rbcSessionList = struct('RbcSessionList', { sessionsActive: u16, items: list(rbcSession_, SESSIONS_MAX) })
