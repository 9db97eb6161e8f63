/** Owns the status of reliable broadcast: its records and its metrics (specification 1.7). */
import type {
  DataspaceBacklogRecord,
  LaneBacklogRecord,
  RbcSessionList,
  RbcSessionRecord,
  RbcStatus as RbcStatusRecord,
} from '../../api/index.js'
import { collectFrom, type Metrics, oncePerScrape } from '../../api/metrics.js'
import {
  type Backlog,
  type BacklogOf,
  type ConsensusState,
  dataspaceBacklog,
  laneBacklog,
  missingChunks,
  pressureOf,
  type RbcSession,
  storedBytes,
} from '../../consensus/index.js'
import { keyBytes } from '../../model/index.js'

const partOf = ({ transactions, totalChunks, pendingChunks, payloadBytes, teu }: Backlog) => ({
  txCount: transactions,
  totalChunks,
  pendingChunks,
  rbcBytesTotal: payloadBytes,
  teu,
})

const lanesOf = (backlog: readonly BacklogOf<number>[]): LaneBacklogRecord[] =>
  backlog.map((one) => ({ laneId: one.key, ...partOf(one) }))

const dataspacesOf = (backlog: readonly BacklogOf<bigint>[]): DataspaceBacklogRecord[] =>
  backlog.map((one) => ({ dataspaceId: one.key, ...partOf(one) }))

const sessionOf = (session: RbcSession, monotonicMs: number): RbcSessionRecord => ({
  blockHash: keyBytes(session.blockHash),
  payloadHash: keyBytes(session.payloadHash),
  height: session.height,
  view: session.view,
  payloadBytes: session.payloadBytes,
  totalChunks: session.digests.length,
  receivedChunks: session.receivedChunks,
  readyCount: session.ready.size,
  deliverCount: session.delivered.size,
  delivered: session.isDelivered,
  recovered: session.isRecovered,
  invalid: session.isInvalid,
  ended: session.hasEnded,
  ageMs: Math.round(Math.max(0, monotonicMs - session.openedAtMs)),
  laneBacklog: lanesOf(laneBacklog([session])),
  dataspaceBacklog: dataspacesOf(dataspaceBacklog([session])),
})

export class RbcStatus {
  constructor(
    private readonly state: () => ConsensusState,
    /** Monotonic clock, ms. */
    private readonly monotonicMs: () => number,
    metrics: Metrics['consensus'],
  ) {
    this.collect(metrics)
  }

  /** Record of `GET /v1/consensus/rbc`. */
  status(): RbcStatusRecord {
    const { rbc, context } = this.state()
    const { counters, limits } = rbc
    const active = this.active()
    const missing = active.map((session) => missingChunks(session).length)
    return {
      dataAvailability: context.parameters.dataAvailability,
      sessionsActive: active.length,
      sessionsOpenedTotal: counters.opened,
      sessionsDeliveredTotal: counters.delivered,
      sessionsExpiredTotal: counters.expired,
      sessionsEvictedTotal: counters.evicted,
      sessionsRefusedTotal: counters.refused,
      sessionsInvalidTotal: counters.invalid,
      payloadBytesDeliveredTotal: counters.deliveredBytes,
      readyBroadcastsTotal: counters.readySent,
      deliverBroadcastsTotal: counters.deliverSent,
      chunkMismatchesTotal: counters.chunkMismatches,
      payloadsRebuiltTotal: counters.rebuilt,
      recordRequestsTotal: counters.recordRequests,
      chunkRequestsTotal: counters.chunkRequests,
      payloadRequestsTotal: counters.payloadRequests,
      storePressure: pressureOf(rbc),
      storeBytes: storedBytes(rbc) + rbc.stashBytes,
      storeSoftBytes: limits.storeSoftBytes,
      storeHardBytes: limits.storeHardBytes,
      stashMessages: rbc.stash.length,
      stashDroppedTotal: counters.stashDropped,
      backpressureDeferralsTotal: counters.deferrals,
      pendingSessions: missing.filter((count) => count > 0).length,
      missingChunks: missing.reduce((sum, one) => sum + one, 0),
      laneBacklog: lanesOf(laneBacklog(active)),
      dataspaceBacklog: dataspacesOf(dataspaceBacklog(active)),
    }
  }

  /** Record of `GET /v1/consensus/rbc/sessions`, newest first. */
  sessions(): RbcSessionList {
    const nowMs = this.monotonicMs()
    const sessions = [...this.state().rbc.sessions.values()].reverse()
    return {
      sessionsActive: this.active().length,
      items: sessions.map((session) => sessionOf(session, nowMs)),
    }
  }

  private active(): RbcSession[] {
    return [...this.state().rbc.sessions.values()].filter((session) => !session.hasEnded)
  }

  private collect(metrics: Metrics['consensus']): void {
    const status = oncePerScrape(() => this.status())
    collectFrom(metrics.rbcStorePressure, () => status().storePressure)
    collectFrom(metrics.rbcStoreBytes, () => status().storeBytes)
    collectFrom(metrics.rbcSessions, () => status().sessionsActive)
    collectFrom(metrics.rbcBacklogSessions, () => status().pendingSessions)
    collectFrom(metrics.rbcBacklogChunks, () => status().missingChunks)
    collectFrom(metrics.rbcBackpressureDeferrals, () => status().backpressureDeferralsTotal)
    collectFrom(metrics.rbcEvictions, () => status().sessionsEvictedTotal)
    collectFrom(metrics.rbcMismatches, () => status().chunkMismatchesTotal)
    collectFrom(metrics.rbcDeliveredBytes, () => status().payloadBytesDeliveredTotal)
    const byLane = (of: (one: LaneBacklogRecord) => number) => () =>
      status().laneBacklog.map((one) => [{ lane_id: one.laneId }, of(one)] as const)
    const byDataspace = (of: (one: DataspaceBacklogRecord) => number) => () =>
      status().dataspaceBacklog.map((one) => [{ dataspace_id: one.dataspaceId.toString() }, of(one)] as const)
    const { rbcLanes, rbcDataspaces } = metrics
    collectFrom(
      rbcLanes.transactions,
      byLane((one) => one.txCount),
    )
    collectFrom(
      rbcLanes.totalChunks,
      byLane((one) => one.totalChunks),
    )
    collectFrom(
      rbcLanes.pendingChunks,
      byLane((one) => one.pendingChunks),
    )
    collectFrom(
      rbcLanes.payloadBytes,
      byLane((one) => one.rbcBytesTotal),
    )
    collectFrom(
      rbcDataspaces.transactions,
      byDataspace((one) => one.txCount),
    )
    collectFrom(
      rbcDataspaces.totalChunks,
      byDataspace((one) => one.totalChunks),
    )
    collectFrom(
      rbcDataspaces.pendingChunks,
      byDataspace((one) => one.pendingChunks),
    )
    collectFrom(
      rbcDataspaces.payloadBytes,
      byDataspace((one) => one.rbcBytesTotal),
    )
    collectFrom(
      metrics.rbcLaneBacklog,
      byLane((one) => one.pendingChunks),
    )
    collectFrom(
      metrics.rbcDataspaceBacklog,
      byDataspace((one) => one.pendingChunks),
    )
  }
}
