/** Owns the two documents that a node writes about itself: the metrics and the OpenAPI document. */
import {
  type AnyRoute,
  type AnySchema,
  handle,
  metricsRoute,
  openApiDocument,
  openapiJsonRoute,
  openapiRoute,
} from '../../api/index.js'
import { type Metrics, setTotals } from '../../api/metrics.js'
import type { LanesStatus, NodeServices, RbcView } from '../../api/services.js'
import { setPositions } from '../../consensus/index.js'
import type { Clocks } from '../caller.js'

type Input = { readonly services: NodeServices }

/** Sets the metrics that are views of the node's state, so that nobody has to keep them up to date between scrapes. */
function refresh({ node, consensus }: Metrics, services: NodeServices, clocks: Clocks): void {
  const status = services.status()
  const view = services.consensus()
  const { info } = services
  node.info.set({ version: info.version, chain: info.chain, consensus_mode: info.consensusMode }, 1)
  node.startTime.set((clocks.wallMs() - status.uptimeMs) / 1000)
  node.blockHeight.set(status.blocks)
  setTotals(
    node.triggerRuns,
    (['approved', 'rejected'] as const).map((result) => [{ result }, status.triggerRuns[result]]),
  )
  setTotals(node.transactions, [
    [{ outcome: 'approved' }, status.txsApproved],
    [{ outcome: 'rejected' }, status.txsRejected],
  ])
  node.queueSize.set(status.queueSize)
  node.connectedPeers.set(status.peers)
  node.synced.set(Number(status.synced))
  node.inQuorum.set(Number(status.inQuorum))
  node.halted.set(Number(view.halted !== undefined))
  consensus.committedHeight.set(view.height)
  consensus.decidingHeight.set(view.decidingHeight)
  consensus.view.set(view.view)
  setTotals(
    consensus.viewChanges,
    [...view.viewChangeReasons].map(([reason, total]) => [{ reason }, total] as const),
  )
  const detail = services.consensusDetail()
  const sumOf = (counts: ReadonlyMap<string, number>): number => [...counts.values()].reduce((a, b) => a + b, 0)
  setTotals(consensus.badSignatures, [[{}, sumOf(detail.badSignatures)]])
  setTotals(consensus.badRanges, [[{}, sumOf(detail.badRanges)]])
  for (const [phase, { emaMs }] of view.phases) consensus.phaseAverage.set({ phase }, emaMs / 1000)
  consensus.queueSize.set(view.queueSize)
  consensus.committee.set(view.committee.length)
  consensus.quorum.set(view.quorum)
  const { commitCertificate } = view
  consensus.commitSignatures.set(commitCertificate === undefined ? 0 : setPositions(commitCertificate.bitmap).length)
  consensus.stalled.reset()
  if (view.stall !== undefined) consensus.stalled.set({ reason: view.stall.reason }, 1)
  consensus.peers.reset()
  for (const role of ['validator', 'observer'] as const) {
    for (const state of ['connected', 'disconnected'] as const) consensus.peers.set({ role, state }, 0)
  }
  for (const peer of services.peers()) {
    consensus.peers.inc({ role: peer.role, state: peer.connected ? 'connected' : 'disconnected' })
  }
  refreshRbc(consensus, services.rbc())
  refreshLanes(consensus, status.lanes)
}

/** Series of lanes: none while lanes are off. */
function refreshLanes(consensus: Metrics['consensus'], lanes: LanesStatus | undefined): void {
  const totals = [...(lanes?.totals ?? [])].map(([lane, one]) => [String(lane), one] as const)
  setTotals(
    consensus.laneTransactions,
    totals.map(([lane_id, one]) => [{ lane_id }, one.transactions] as const),
  )
  setTotals(
    consensus.laneTeu,
    totals.map(([lane_id, one]) => [{ lane_id }, one.teu] as const),
  )
  setTotals(
    consensus.laneBytes,
    totals.map(([lane_id, one]) => [{ lane_id }, one.bytes] as const),
  )
  setTotals(
    consensus.laneDeferrals,
    totals.flatMap(([lane_id, { deferrals }]) => [
      [{ lane_id, reason: 'cap_exceeded' }, deferrals.capExceeded] as const,
      [{ lane_id, reason: 'block_full' }, deferrals.blockFull] as const,
    ]),
  )
  consensus.laneQueueDepth.reset()
  for (const { lane, waiting } of lanes?.lanes ?? []) consensus.laneQueueDepth.set({ lane_id: lane }, waiting)
}

function refreshRbc(consensus: Metrics['consensus'], view: RbcView): void {
  const { counters } = view
  consensus.rbcStorePressure.set(view.pressure)
  consensus.rbcStoreBytes.set(view.storeBytes)
  consensus.rbcSessions.set(view.activeSessions)
  consensus.rbcBacklogSessions.set(view.pendingSessions)
  consensus.rbcBacklogChunks.set(view.missingChunks)
  setTotals(consensus.rbcBackpressureDeferrals, [[{}, counters.deferrals]])
  setTotals(consensus.rbcEvictions, [[{}, counters.evicted]])
  setTotals(consensus.rbcMismatches, [[{}, counters.chunkMismatches]])
  setTotals(consensus.rbcDeliveredBytes, [[{}, counters.deliveredBytes]])
  for (const name of ['transactions', 'totalChunks', 'pendingChunks', 'payloadBytes'] as const) {
    consensus.rbcLanes[name].reset()
    for (const one of view.lanes) consensus.rbcLanes[name].set({ lane_id: one.key }, one[name])
    consensus.rbcDataspaces[name].reset()
    for (const one of view.dataspaces) {
      consensus.rbcDataspaces[name].set({ dataspace_id: one.key.toString() }, one[name])
    }
  }
  consensus.rbcLaneBacklog.reset()
  for (const one of view.lanes) consensus.rbcLaneBacklog.set({ lane_id: one.key }, one.pendingChunks)
  consensus.rbcDataspaceBacklog.reset()
  for (const one of view.dataspaces) {
    consensus.rbcDataspaceBacklog.set({ dataspace_id: one.key.toString() }, one.pendingChunks)
  }
}

export function documentHandlers(rows: () => readonly AnyRoute[], metrics: Metrics, clocks: Clocks) {
  let document: string | undefined
  const openapi = ({ services }: Input) => {
    const { version, codec } = services.info
    document ??= JSON.stringify(
      openApiDocument(rows(), {
        version,
        queryOutputs: [...services.queries.values()].map((def) => def.output as AnySchema),
        ...(codec.registries === undefined ? {} : { registries: codec.registries }),
      }),
    )
    return { value: document }
  }
  return [
    handle(metricsRoute, async ({ services }: Input) => {
      refresh(metrics, services, clocks)
      return { value: await services.metrics.metrics() }
    }),
    handle(openapiRoute, openapi),
    handle(openapiJsonRoute, openapi),
  ]
}
