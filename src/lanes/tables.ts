/** Owns the tables of lanes: catalogues, policy, service records, and how many domains lie in a dataspace. */
import { map, type Schema, string, u32, varint, varintBig } from '../codec/index.js'
import { LANE_MAX } from '../model/index.js'
import type { StateReader, StateWriter, TableDef } from '../state/index.js'
import {
  type Dataspace,
  DEFAULT_DATASPACES,
  DEFAULT_LANES,
  dataspaceList,
  type Lane,
  type LaneService,
  laneList,
  laneService,
  UNIVERSAL_DATASPACE,
} from './catalogue.js'
import { DEFAULT_POLICY, type RoutingPolicy, routingPolicy } from './policy.js'
import { foldDue, latestValue, type Staged, stagedSchema, stageValue, valueAt } from './staged.js'

const only: Schema<string> = string(1)

export const laneCatalogue: TableDef<string, Staged<readonly Lane[]>> = {
  id: 16,
  name: 'lane_catalog',
  key: only,
  value: stagedSchema('LaneCatalogRow', laneList),
}
export const dataspaceCatalogue: TableDef<string, Staged<readonly Dataspace[]>> = {
  id: 17,
  name: 'dataspace_catalog',
  key: only,
  value: stagedSchema('DataspaceCatalogRow', dataspaceList),
}
export const routingPolicies: TableDef<string, Staged<RoutingPolicy>> = {
  id: 18,
  name: 'routing_policy',
  key: only,
  value: stagedSchema('RoutingPolicyRow', routingPolicy),
}
/** Last service of every lane that ever had one; execution cannot iterate a table. */
export const laneServices: TableDef<string, ReadonlyMap<number, LaneService>> = {
  id: 19,
  name: 'lane_service',
  key: only,
  value: map(u32, laneService, LANE_MAX + 1),
}
/** Domains in a dataspace other than the universal one. */
export const dataspaceDomains: TableDef<bigint, number> = {
  id: 400,
  name: 'dataspace_domains',
  key: varintBig,
  value: varint,
}

export const LANE_TABLES = [laneCatalogue, dataspaceCatalogue, routingPolicies, laneServices]

/** Lanes that act at a height. */
export const lanesAt = (state: StateReader, height: number): readonly Lane[] =>
  valueAt(state, laneCatalogue, height, DEFAULT_LANES)
/** Dataspaces that act at a height. */
export const dataspacesAt = (state: StateReader, height: number): readonly Dataspace[] =>
  valueAt(state, dataspaceCatalogue, height, DEFAULT_DATASPACES)
/** Policy that acts at a height. */
export const policyAt = (state: StateReader, height: number): RoutingPolicy =>
  valueAt(state, routingPolicies, height, DEFAULT_POLICY)

/** Catalogues and policy as they were decided last: what a change is judged against. */
export const latestLanes = (state: StateReader) => ({
  lanes: latestValue(state, laneCatalogue, DEFAULT_LANES),
  dataspaces: latestValue(state, dataspaceCatalogue, DEFAULT_DATASPACES),
  policy: latestValue(state, routingPolicies, DEFAULT_POLICY),
})

/** Decides new lanes, dataspaces or a new policy; `fromHeight` undefined: at once, in genesis. */
export const stageLanes = (state: StateWriter, lanes: readonly Lane[], fromHeight: number | undefined): void =>
  stageValue(state, laneCatalogue, lanes, fromHeight, DEFAULT_LANES)
export const stageDataspaces = (state: StateWriter, all: readonly Dataspace[], fromHeight: number | undefined): void =>
  stageValue(state, dataspaceCatalogue, all, fromHeight, DEFAULT_DATASPACES)
export const stagePolicy = (state: StateWriter, policy: RoutingPolicy, fromHeight: number | undefined): void =>
  stageValue(state, routingPolicies, policy, fromHeight, DEFAULT_POLICY)

/** Makes due changes current; first in every block. */
export function activateLanes(state: StateWriter, height: number): void {
  foldDue(state, laneCatalogue, height)
  foldDue(state, dataspaceCatalogue, height)
  foldDue(state, routingPolicies, height)
}

/**
 * Why no domain may enter a dataspace, in words, or undefined. It needs a lane of the dataspace both now and as decided
 * last: a change that was judged while the dataspace was empty acts two heights later.
 */
export function entryFault(state: StateReader, dataspace: bigint, height: number): string | undefined {
  if (dataspace === UNIVERSAL_DATASPACE) return undefined
  const isIn = (all: readonly Dataspace[]): boolean => all.some((one) => one.id === dataspace)
  const hasLane = (all: readonly Lane[]): boolean =>
    all.some((lane) => lane.state === 'active' && lane.dataspace === dataspace)
  const latest = latestLanes(state)
  if (!isIn(dataspacesAt(state, height))) return `there is no dataspace ${dataspace}`
  if (!isIn(latest.dataspaces)) return `dataspace ${dataspace} is being removed`
  return hasLane(lanesAt(state, height)) && hasLane(latest.lanes)
    ? undefined
    : `dataspace ${dataspace} has no lane that stays active`
}

/** Counts a domain that enters a dataspace (`by` 1) or leaves it (-1): a used one does not lose its last lane. */
export function countDomain(state: StateWriter, dataspace: bigint, by: 1 | -1): void {
  if (dataspace === UNIVERSAL_DATASPACE) return
  const count = (state.get(dataspaceDomains, dataspace) ?? 0) + by
  if (count === 0) state.delete(dataspaceDomains, dataspace)
  else state.set(dataspaceDomains, dataspace, count)
}
