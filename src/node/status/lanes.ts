/**
 * Owns the status of lanes: the sections of two records and the metrics; restricted lanes are hidden from unauthorised
 * callers.
 */
import { type ConsensusStatus, laneCommitmentRecordOf, type NodeStatus } from '../../api/index.js'
import { collectFrom, type Metrics } from '../../api/metrics.js'
import { sameBytes } from '../../base/bytes.js'
import { dataspaceTotals, type LanesView, NO_SETTLEMENT } from '../../lanes/index.js'
import { hashOfHeader } from '../../model/index.js'
import type { TransactionQueue } from '../../queue/index.js'
import type { Tip } from '../ledger/protocol.js'
import type { LaneTelemetry } from './lane-telemetry.js'

const NO_DEFERRALS = { capExceeded: 0, blockFull: 0 }

/** Lane sections of `GET /status`. */
type LaneLoad = Pick<NodeStatus, 'teuLaneCommit' | 'teuDataspaceBacklog'>
/** Lane sections of `GET /v1/consensus/status`, all or none. */
type LaneCommitmentSections = Pick<
  ConsensusStatus,
  'laneCommitments' | 'dataspaceCommitments' | 'laneSettlementCommitments' | 'laneRelayEnvelopes'
>

export interface LaneStatusModules {
  readonly tip: () => Pick<Tip, 'lanes' | 'height' | 'header'>
  readonly queue: Pick<TransactionQueue, 'depthOf' | 'teuOf'>
  readonly telemetry: LaneTelemetry
  readonly chainHash: Uint8Array
}

/** Lanes visible to a caller: all for operators, unrestricted ones for others (docs/decisions/0028). */
export function visibleLanes(lanes: LanesView, operator: boolean): LanesView {
  if (operator || lanes.restricted.length === 0) return lanes
  const restricted = new Set(lanes.restricted)
  const isShown = ({ lane }: { readonly lane: number }): boolean => !restricted.has(lane)
  return {
    ...lanes,
    slots: lanes.slots.filter(isShown),
    commitments: lanes.commitments.filter(isShown),
    settlements: lanes.settlements.filter(isShown),
  }
}

export class LaneStatus {
  constructor(
    private readonly modules: LaneStatusModules,
    metrics: Metrics['consensus'],
  ) {
    this.collect(metrics)
  }

  /** Load and backlog of the active lanes, ascending; empty while lanes are off. */
  load(operator: boolean): LaneLoad {
    const { tip, queue, telemetry } = this.modules
    const { lanes: all, height } = tip()
    if (all === undefined) return { teuLaneCommit: undefined, teuDataspaceBacklog: undefined }
    const lanes = visibleLanes(all, operator)
    const busy = all.slots.filter(({ lane }) => queue.depthOf(lane) > 0).length
    const faultTolerance = new Map(lanes.dataspaces.map((one) => [one.id, one.faultTolerance]))
    const slots = lanes.slots.toSorted((a, b) => a.lane - b.lane)
    return {
      teuLaneCommit: slots.map(({ lane, alias, teuCapacity }) => ({
        laneId: lane,
        alias,
        capacity: teuCapacity,
        committed: lanes.commitments.find((one) => one.lane === lane)?.teu ?? 0,
        deferrals: telemetry.totals.get(lane)?.deferrals ?? NO_DEFERRALS,
        starvationBound: queue.depthOf(lane) * busy,
        blockHeight: height,
      })),
      teuDataspaceBacklog: slots.map(({ lane, dataspace, servedAt }) => ({
        laneId: lane,
        dataspaceId: dataspace,
        faultTolerance: faultTolerance.get(dataspace) ?? 0,
        backlog: queue.teuOf(lane),
        ageBlocks: queue.depthOf(lane) === 0 ? 0 : height - servedAt,
      })),
    }
  }

  /**
   * Commitments of the last block by lane and dataspace; empty while lanes are off, or if a snapshot contained that
   * block without its body.
   */
  commitments(operator: boolean): LaneCommitmentSections {
    const { tip, chainHash } = this.modules
    const { lanes: all, height, header } = tip()
    const isUnknown = all?.commitments.length === 0 && header.transactionCount > 0
    if (all === undefined || isUnknown) {
      return {
        laneCommitments: undefined,
        dataspaceCommitments: undefined,
        laneSettlementCommitments: undefined,
        laneRelayEnvelopes: undefined,
      }
    }
    const { commitments, settlements } = visibleLanes(all, operator)
    const blockHash = hashOfHeader(header)
    return {
      laneCommitments: commitments.map((one) => laneCommitmentRecordOf(one, blockHash)),
      // Sums over the visible lanes: sums over all lanes would reveal the hidden ones.
      dataspaceCommitments: dataspaceTotals(commitments).map((one) => ({
        blockHeight: height,
        blockHash,
        dataspaceId: one.dataspace,
        txCount: one.txCount,
        totalChunks: one.chunks,
        rbcBytesTotal: one.bytes,
        teuTotal: one.teu,
      })),
      laneSettlementCommitments: settlements,
      laneRelayEnvelopes: commitments
        .filter((one) => !sameBytes(one.settlementHash, NO_SETTLEMENT))
        .map(({ lane, dataspace, settlementHash }) => ({ chainHash, lane, dataspace, height, settlementHash })),
    }
  }

  /** Collect the series of lanes; none while lanes are off. */
  private collect(metrics: Metrics['consensus']): void {
    const { tip, queue, telemetry } = this.modules
    const totals = () => (tip().lanes === undefined ? [] : [...telemetry.totals])
    collectFrom(metrics.laneTransactions, () => totals().map(([lane_id, one]) => [{ lane_id }, one.transactions]))
    collectFrom(metrics.laneTeu, () => totals().map(([lane_id, one]) => [{ lane_id }, one.teu]))
    collectFrom(metrics.laneBytes, () => totals().map(([lane_id, one]) => [{ lane_id }, one.bytes]))
    collectFrom(metrics.laneDeferrals, () =>
      totals().flatMap(([lane_id, { deferrals }]) => [
        [{ lane_id, reason: 'cap_exceeded' }, deferrals.capExceeded],
        [{ lane_id, reason: 'block_full' }, deferrals.blockFull],
      ]),
    )
    collectFrom(metrics.laneQueueDepth, () =>
      (tip().lanes?.slots ?? []).map(({ lane }) => [{ lane_id: lane }, queue.depthOf(lane)]),
    )
  }
}
