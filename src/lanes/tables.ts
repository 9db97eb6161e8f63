/** Owns the tables of lanes: catalogues, policy, service records, and the number of domains in a dataspace. */
import { list, map, type Schema, string, u8, u16, u32, varint, varintBig } from '../codec/index.js'
import { LANE_MAX } from '../model/index.js'
import type { StateReader, StateWriter, TableDef } from '../state/index.js'
import {
  DATASPACES_MAX,
  type Dataspace,
  DEFAULT_DATASPACES,
  DEFAULT_LANES,
  dataspace,
  type Lane,
  type LaneService,
  laneRow,
  laneService,
  UNIVERSAL_DATASPACE,
} from './catalogue.js'
import {
  DEFAULT_POLICY,
  joinedPolicy,
  POLICY_PAGES_MAX,
  type PolicyPage,
  pagesOfPolicy,
  policyPage,
  type RoutingPolicy,
} from './policy.js'
import {
  catalogueMark,
  foldDue,
  itemsAt,
  latestItem,
  latestItems,
  type Staged,
  type StagedCatalogue,
  stagedHeights,
  stagedSchema,
  stageItems,
  type Version,
  versionSchema,
} from './staged.js'

const only: Schema<string> = string(1)

const laneVersion = versionSchema('LaneVersion', u16)
const dataspaceVersion = versionSchema('DataspaceVersion', varintBig)
const policyVersion = versionSchema('RoutingPolicyVersion', u8)

/** Versions of the lanes that are in effect together: all lanes that ever existed, ascending by id. */
export const laneCatalogue: TableDef<string, Staged<readonly Version<number>[]>> = {
  id: 16,
  name: 'lane_catalog',
  bound: {
    holds: 'versions of 1,000 lanes, now and for 2 heights to come',
    filledBy: 'UpdateLanes, genesis',
    atBound: '`lane_limit`: 64 active lanes, numbers up to 999',
  },
  key: only,
  value: stagedSchema('LaneCatalogRow', list(laneVersion, LANE_MAX + 1)),
}
export const laneRows: TableDef<Version<number>, Lane> = {
  id: 51,
  name: 'lanes',
  bound: {
    holds: 'one lane: 64 definitions, 4 KiB of metadata',
    filledBy: 'UpdateLanes, genesis',
    atBound: '`metadata_limit`; old versions leave when no height acts by them',
  },
  key: laneVersion,
  value: laneRow,
}
export const dataspaceCatalogue: TableDef<string, Staged<readonly Version<bigint>[]>> = {
  id: 17,
  name: 'dataspace_catalog',
  bound: {
    holds: 'versions of 64 dataspaces, now and for 2 heights to come',
    filledBy: 'SetDataspaces, genesis',
    atBound: 'the decoder refuses more',
  },
  key: only,
  value: stagedSchema('DataspaceCatalogRow', list(dataspaceVersion, DATASPACES_MAX)),
}
export const dataspaceRows: TableDef<Version<bigint>, Dataspace> = {
  id: 52,
  name: 'dataspaces',
  bound: {
    holds: 'one dataspace with 128 relayers',
    filledBy: 'SetDataspaces, genesis',
    atBound: 'the decoder refuses more; old versions leave',
  },
  key: dataspaceVersion,
  value: dataspace,
}
export const routingPolicies: TableDef<string, Staged<readonly Version<number>[]>> = {
  id: 18,
  name: 'routing_policy',
  bound: {
    holds: 'versions of 2 parts, now and for 2 heights to come',
    filledBy: 'SetRoutingPolicy, genesis',
    atBound: 'the decoder refuses more than 256 rules',
  },
  key: only,
  value: stagedSchema('RoutingPolicyRow', list(policyVersion, POLICY_PAGES_MAX)),
}
export const policyPages: TableDef<Version<number>, PolicyPage> = {
  id: 53,
  name: 'routing_policy_pages',
  bound: { holds: '128 rules', filledBy: 'SetRoutingPolicy, genesis', atBound: 'a further part; old versions leave' },
  key: policyVersion,
  value: policyPage,
}

const LANES: StagedCatalogue<number, Lane> = {
  index: laneCatalogue,
  items: laneRows,
  idOf: (lane) => lane.id,
  fallback: DEFAULT_LANES,
}
const DATASPACES: StagedCatalogue<bigint, Dataspace> = {
  index: dataspaceCatalogue,
  items: dataspaceRows,
  idOf: (one) => one.id,
  fallback: DEFAULT_DATASPACES,
}
const POLICY: StagedCatalogue<number, PolicyPage> = {
  index: routingPolicies,
  items: policyPages,
  idOf: (page) => page.page,
  fallback: pagesOfPolicy(DEFAULT_POLICY),
}

/** Last service of every served lane, in one row because execution cannot iterate a table. */
export const laneServices: TableDef<string, ReadonlyMap<number, LaneService>> = {
  id: 19,
  name: 'lane_service',
  bound: { holds: '1,000 lanes', filledBy: 'each block', atBound: 'numbers of lanes end at 999' },
  key: only,
  value: map(u32, laneService, LANE_MAX + 1),
}
/** Number of domains in a dataspace other than the universal one. */
export const dataspaceDomains: TableDef<bigint, number> = {
  id: 400,
  name: 'dataspace_domains',
  bound: { holds: 'a count', filledBy: 'RegisterDomain', atBound: 'leaves at zero' },
  key: varintBig,
  value: varint,
}

export const LANE_TABLES = [
  laneCatalogue,
  laneRows,
  dataspaceCatalogue,
  dataspaceRows,
  routingPolicies,
  policyPages,
  laneServices,
]

/** Lanes in effect at a height, ascending by id. */
export const lanesAt = (state: StateReader, height: number): readonly Lane[] => itemsAt(state, LANES, height)
/** Dataspaces in effect at a height, ascending by id. */
export const dataspacesAt = (state: StateReader, height: number): readonly Dataspace[] =>
  itemsAt(state, DATASPACES, height)
/** Policy in effect at a height. */
export const policyAt = (state: StateReader, height: number): RoutingPolicy =>
  joinedPolicy(itemsAt(state, POLICY, height))

/** Latest decided catalogues and policy, against which a change is validated. */
export const latestLanes = (state: StateReader) => ({
  lanes: latestItems(state, LANES),
  dataspaces: latestItems(state, DATASPACES),
  policy: joinedPolicy(latestItems(state, POLICY)),
})
/** Latest decided version of one lane. */
export const latestLane = (state: StateReader, id: number): Lane | undefined => latestItem(state, LANES, id)
export const latestDataspace = (state: StateReader, id: bigint): Dataspace | undefined =>
  latestItem(state, DATASPACES, id)

/** Fingerprint of the routing rules; equal for two heights, or two states of one chain, while no route can differ. */
export const routesMark = (state: StateReader, height: number): readonly Buffer[] => [
  catalogueMark(state, LANES, height),
  catalogueMark(state, DATASPACES, height),
  catalogueMark(state, POLICY, height),
]

/** Heights at which decided changes of lanes, dataspaces or the policy take effect. */
export const laneChangesAt = (state: StateReader): number[] => [
  ...stagedHeights(state, LANES),
  ...stagedHeights(state, DATASPACES),
  ...stagedHeights(state, POLICY),
]

/** Stage new lanes, new dataspaces or a new policy; with `fromHeight` undefined, at once, for genesis. */
export const stageLanes = (state: StateWriter, lanes: readonly Lane[], fromHeight: number | undefined): void =>
  stageItems(state, LANES, lanes, fromHeight)
export const stageDataspaces = (state: StateWriter, all: readonly Dataspace[], fromHeight: number | undefined): void =>
  stageItems(state, DATASPACES, all, fromHeight)
export const stagePolicy = (state: StateWriter, policy: RoutingPolicy, fromHeight: number | undefined): void =>
  stageItems(state, POLICY, pagesOfPolicy(policy), fromHeight)

/** Activate due changes; runs first in every block. */
export function activateLanes(state: StateWriter, height: number): void {
  foldDue(state, LANES, height)
  foldDue(state, DATASPACES, height)
  foldDue(state, POLICY, height)
}

/**
 * Reason why no domain can enter a dataspace, or undefined. The dataspace needs an active lane both in effect now and
 * in the latest decision, since a change validated while the dataspace was empty takes effect two heights later.
 */
export function entryFault(state: StateReader, dataspace: bigint, height: number): string | undefined {
  if (dataspace === UNIVERSAL_DATASPACE) return undefined
  const isIn = (all: readonly Dataspace[]): boolean => all.some((one) => one.id === dataspace)
  const hasLane = (all: readonly Lane[]): boolean =>
    all.some((lane) => lane.state === 'active' && lane.dataspace === dataspace)
  const latest = latestLanes(state)
  if (!isIn(dataspacesAt(state, height))) return `dataspace ${dataspace} does not exist`
  if (!isIn(latest.dataspaces)) return `dataspace ${dataspace} is being removed`
  return hasLane(lanesAt(state, height)) && hasLane(latest.lanes)
    ? undefined
    : `dataspace ${dataspace} would have no active lane`
}

/** Count a domain that enters a dataspace (`by` 1) or leaves it (-1); a dataspace with domains keeps its last lane. */
export function countDomain(state: StateWriter, dataspace: bigint, by: 1 | -1): void {
  if (dataspace === UNIVERSAL_DATASPACE) return
  const count = (state.get(dataspaceDomains, dataspace) ?? 0) + by
  if (count === 0) state.delete(dataspaceDomains, dataspace)
  else state.set(dataspaceDomains, dataspace, count)
}
