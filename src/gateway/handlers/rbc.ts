/** Owns handlers of `GET /v1/consensus/rbc` and `GET /v1/consensus/rbc/sessions`. */
import {
  type DataspaceBacklogRecord,
  handle,
  type LaneBacklogRecord,
  type RbcSessionList,
  type RbcStatus,
  rbcRoute,
  rbcSessionsRoute,
} from '../../api/index.js'
import type { NodeServices, RbcView } from '../../api/services.js'
import type { Backlog, BacklogOf } from '../../consensus/index.js'

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

/** The numbers of a view. */
export function rbcStatusOf(view: RbcView): RbcStatus {
  const { counters, limits } = view
  return {
    dataAvailability: view.dataAvailability,
    sessionsActive: view.activeSessions,
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
    storePressure: view.pressure,
    storeBytes: view.storeBytes,
    storeSoftBytes: limits.storeSoftBytes,
    storeHardBytes: limits.storeHardBytes,
    stashMessages: view.stashMessages,
    stashDroppedTotal: counters.stashDropped,
    backpressureDeferralsTotal: counters.deferrals,
    pendingSessions: view.pendingSessions,
    missingChunks: view.missingChunks,
    laneBacklog: lanesOf(view.lanes),
    dataspaceBacklog: dataspacesOf(view.dataspaces),
  }
}

/** The sessions of a view. */
export const rbcSessionsOf = (view: RbcView): RbcSessionList => ({
  sessionsActive: view.activeSessions,
  items: view.sessions.map(({ lanes, dataspaces, ageMs, ...session }) => ({
    ...session,
    ageMs: Math.round(ageMs),
    laneBacklog: lanesOf(lanes),
    dataspaceBacklog: dataspacesOf(dataspaces),
  })),
})

type Input = { readonly services: NodeServices }

export const rbcHandlers = [
  handle(rbcRoute, ({ services }: Input) => ({ value: rbcStatusOf(services.rbc()) })),
  handle(rbcSessionsRoute, ({ services }: Input) => ({ value: rbcSessionsOf(services.rbc()) })),
]
