/** Owns the view of lanes in the node's status: the last block's commitments, what waits, what was deferred. */
import type { LanesStatus } from '../api/services.js'
import { dataspaceTotals, NO_SETTLEMENT } from '../lanes/index.js'
import { hashOfHeader } from '../model/index.js'
import type { TransactionQueue } from '../queue/index.js'
import type { LaneTelemetry } from './lane-telemetry.js'
import type { Tip } from './ledger/protocol.js'

const NO_DEFERRALS = { capExceeded: 0, blockFull: 0 }

/** The view as of the last commit; undefined while lanes are off. */
export function lanesStatusOf(
  tip: Tip,
  queue: TransactionQueue,
  telemetry: LaneTelemetry,
  chainHash: Uint8Array,
): LanesStatus | undefined {
  const { lanes, height } = tip
  if (lanes === undefined) return undefined
  const { commitments, settlements, slots } = lanes
  const busy = slots.filter((slot) => queue.depthOf(slot.lane) > 0).length
  const faultTolerance = new Map(lanes.dataspaces.map((one) => [one.id, one.faultTolerance]))
  return {
    height,
    blockHash: hashOfHeader(tip.header),
    commitments,
    dataspaces: dataspaceTotals(commitments),
    settlements,
    envelopes: commitments
      .filter((one) => Buffer.compare(one.settlementHash, NO_SETTLEMENT) !== 0)
      .map(({ lane, dataspace, settlementHash }) => ({ chainHash, lane, dataspace, height, settlementHash })),
    lanes: slots
      .map(({ lane, alias, dataspace, teuCapacity, servedAt }) => ({
        lane,
        alias,
        dataspace,
        teuCapacity,
        faultTolerance: faultTolerance.get(dataspace) ?? 0,
        committedTeu: commitments.find((one) => one.lane === lane)?.teu ?? 0,
        waiting: queue.depthOf(lane),
        waitingTeu: queue.teuOf(lane),
        ageBlocks: queue.depthOf(lane) === 0 ? 0 : height - servedAt,
        deferrals: telemetry.totals.get(lane)?.deferrals ?? NO_DEFERRALS,
        starvationBound: queue.depthOf(lane) * busy,
      }))
      .sort((a, b) => a.lane - b.lane),
    restricted: new Set(lanes.restricted),
    totals: telemetry.totals,
  }
}
