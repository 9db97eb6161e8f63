/**
 * Owns the view of lanes that a node keeps beside its ledger: turns for the next block, catalogues, and totals of the
 * last block.
 */
import { hash32, type Infer, list, struct, u8, u32, varint, varintBig } from '../codec/index.js'
import { hash } from '../crypto/index.js'
import { LANE_MAX, name } from '../model/index.js'
import type { StateReader } from '../state/index.js'
import { DATASPACES_MAX, LANES_ACTIVE_MAX } from './catalogue.js'
import { laneCommitment } from './commitment.js'
import { lanesInServiceOrder } from './schedule.js'
import { laneSettlementCommitment } from './settlement.js'
import { dataspacesAt, laneServices, lanesAt, routesMark } from './tables.js'

const laneView_ = struct('LaneView', {
  lane: u32,
  alias: name,
  dataspace: varintBig,
  teuCapacity: u32,
  /** Height of its last service; 0 for none. */
  servedAt: varint,
})
const dataspaceView_ = struct('DataspaceView', { id: varintBig, alias: name, faultTolerance: u8 })
/** Lanes in effect at the next height; present while lanes are enabled. */
export interface LanesView extends Infer<typeof lanesView> {}
export const lanesView = struct('LanesView', {
  /** Fingerprint of catalogues and policy; changes whenever a route could change. */
  fingerprint: hash32,
  /** Active lanes in the order of their turns. */
  slots: list(laneView_, LANES_ACTIVE_MAX),
  dataspaces: list(dataspaceView_, DATASPACES_MAX),
  /** Lanes, including retired ones, whose load and settlements only operators may read. */
  restricted: list(u32, LANE_MAX + 1),
  /** Totals of the last block, ascending by lane. */
  commitments: list(laneCommitment, LANE_MAX + 1),
  settlements: list(laneSettlementCommitment, LANE_MAX + 1),
})

/** Key of the only row of a table. */
const SINGLETON_KEY = ''

/** View of lanes for `height`, from the state after the previous height. */
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
