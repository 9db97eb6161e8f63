/** Owns the view of lanes that a node keeps beside its ledger: turns for the next block, catalogues, totals of the last one. */
import { hash32, list, type Schema, struct, u8, u32, varint, varintBig } from '../codec/index.js'
import { hash } from '../crypto/index.js'
import { LANE_MAX, name } from '../model/index.js'
import type { StateReader } from '../state/index.js'
import { DATASPACES_MAX, LANES_ACTIVE_MAX } from './catalogue.js'
import { type LaneCommitment, laneCommitment } from './commitment.js'
import { lanesInServiceOrder } from './schedule.js'
import { type LaneSettlementCommitment, laneSettlementCommitment } from './settlement.js'
import { dataspacesAt, laneServices, lanesAt, routesMark } from './tables.js'

/** An active lane, as the building of blocks and the status see it. */
export interface LaneView {
  readonly lane: number
  readonly alias: string
  readonly dataspace: bigint
  readonly teuCapacity: number
  /** Height of its last service; 0: none. */
  readonly servedAt: number
}
/** A dataspace of the catalogue. */
export interface DataspaceView {
  readonly id: bigint
  readonly alias: string
  readonly faultTolerance: number
}

/** Lanes as they act at the next height; a node has this view while lanes are on. */
export interface LanesView {
  /** Changes whenever a route could change: catalogues or policy. */
  readonly fingerprint: Uint8Array
  /** Active lanes in the order of their turns. */
  readonly slots: readonly LaneView[]
  readonly dataspaces: readonly DataspaceView[]
  /** Lanes, retired ones too, whose load and settlements are for operators. */
  readonly restricted: readonly number[]
  /** Totals of the last block, ascending by lane. */
  readonly commitments: readonly LaneCommitment[]
  readonly settlements: readonly LaneSettlementCommitment[]
}
const laneView_ = struct('LaneView', {
  lane: u32,
  alias: name,
  dataspace: varintBig,
  teuCapacity: u32,
  servedAt: varint,
})
const dataspaceView_ = struct('DataspaceView', { id: varintBig, alias: name, faultTolerance: u8 })
const lanesView_ = struct('LanesView', {
  fingerprint: hash32,
  slots: list(laneView_, LANES_ACTIVE_MAX),
  dataspaces: list(dataspaceView_, DATASPACES_MAX),
  restricted: list(u32, LANE_MAX + 1),
  commitments: list(laneCommitment, LANE_MAX + 1),
  settlements: list(laneSettlementCommitment, LANE_MAX + 1),
})
export const lanesView: Schema<LanesView> = lanesView_

/** A key that says "the one row of this table". */
const SINGLETON_KEY = ''

/** The view for `height`, from the state after the height below. */
export function lanesViewAt(
  state: StateReader,
  height: number,
  { commitments, settlements }: Pick<LanesView, 'commitments' | 'settlements'>,
): LanesView {
  const services = state.get(laneServices, SINGLETON_KEY)
  const dataspaces = dataspacesAt(state, height)
  const lanes = lanesAt(state, height)
  return {
    fingerprint: hash('lanes-fingerprint', ...routesMark(state, height).map((mark) => hash('lanes-mark', mark))),
    slots: lanesInServiceOrder(state, height).map(({ id, alias, dataspace, teuCapacity }) => ({
      lane: id,
      alias,
      dataspace,
      teuCapacity,
      servedAt: services?.get(id)?.height ?? 0,
    })),
    dataspaces: dataspaces.map(({ id, alias, faultTolerance }) => ({ id, alias, faultTolerance })),
    restricted: lanes.filter((lane) => lane.visibility === 'restricted').map((lane) => lane.id),
    commitments,
    settlements,
  }
}
