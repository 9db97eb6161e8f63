/** Owns the changes of lanes, dataspaces and the routing policy (design/ledger-lanes.md 6 and 8, rows 31 to 33). */
import { type ExecContext, type InstructionDef, type Rejection, reject } from '../../executor/contract.js'
import {
  type Dataspace,
  dataspaceDomains,
  FAULT_TOLERANCE_MAX,
  LANE_METADATA_MAX_BYTES,
  LANES_ACTIVE_MAX,
  type Lane,
  latestLanes,
  type RoutingPolicy,
  SINGLE_LANE,
  stageDataspaces,
  stageLanes,
  stagePolicy,
  UNIVERSAL_DATASPACE,
} from '../../lanes/index.js'
import { LANE_MAX, metadata as metadataSchema } from '../../model/index.js'
import { requirePermission } from '../core/permissions.js'
import { LANE_PERMISSIONS } from './permissions.js'
import { dataspacesChanged, lanesChanged, routingPolicyChanged } from './schema/events.js'
import * as schema from './schema/instructions.js'

/** A change made at g acts from g + 2: routes are computed on the state of the parent (design/ledger-lanes.md 1). */
const LEAD_HEIGHTS = 2

const denied = (ctx: ExecContext, what: string): Rejection | undefined =>
  requirePermission(ctx, what, undefined, [LANE_PERMISSIONS.CanManageLanes, undefined])

/** Height from which a change acts; undefined in genesis: at once. */
const actsFrom = ({ env }: ExecContext): number | undefined => (env.genesis ? undefined : env.height + LEAD_HEIGHTS)

/** True when a value stands twice. */
const repeats = <T>(values: readonly T[]): boolean => new Set(values).size < values.length

export const updateLanes: InstructionDef<schema.UpdateLanes> = {
  ...schema.updateLanes,
  cost: () => 400,
  execute(ctx, change) {
    const refused = denied(ctx, 'changing lanes')
    if (refused) return refused
    const result = applied(ctx, change)
    if ('code' in result) return result
    stageLanes(ctx, result.lanes, actsFrom(ctx))
    ctx.emit({
      kind: lanesChanged.kind,
      value: {
        added: change.add.map((one) => one.id),
        retired: change.retire,
        relabelled: change.relabel.map((one) => one.lane),
        fromHeight: actsFrom(ctx) ?? ctx.env.height,
      },
    })
    return undefined
  },
}

/** The catalogue after a change, or why it is refused. */
function applied(ctx: ExecContext, change: schema.UpdateLanes): { readonly lanes: readonly Lane[] } | Rejection {
  const { add, retire, relabel } = change
  const { lanes, policy } = latestLanes(ctx)
  if (add.length + retire.length + relabel.length === 0) return reject('bad_parameter', 'there is nothing to change')
  if (repeats(retire) || repeats(relabel.map((one) => one.lane))) return reject('exists', 'a lane is named twice')
  const byId = new Map(lanes.map((lane) => [lane.id, lane]))
  for (const spec of add) {
    const fault = addFault(ctx, spec, byId)
    if (fault !== undefined) return fault
    byId.set(spec.id, { ...spec, state: 'active' })
  }
  for (const { lane: id, alias } of relabel) {
    const lane = byId.get(id)
    if (lane?.state !== 'active') return reject('absent', `there is no active lane ${id}`)
    byId.set(id, { ...lane, alias })
  }
  for (const id of retire) {
    const lane = byId.get(id)
    if (lane?.state !== 'active') return reject('absent', `there is no active lane ${id}`)
    const user = userOf(lane, policy)
    if (user !== undefined) return reject('lane_in_use', `lane ${id} ${user}`)
    byId.set(id, { ...lane, state: 'retired' })
  }
  const next = [...byId.values()].sort((a, b) => a.id - b.id)
  const active = next.filter((lane) => lane.state === 'active')
  if (active.length > LANES_ACTIVE_MAX) return reject('lane_limit', `at most ${LANES_ACTIVE_MAX} lanes are active`)
  if (repeats(active.map((lane) => lane.alias))) return reject('exists', 'two active lanes would have one alias')
  for (const id of retire) {
    const dataspace = byId.get(id)?.dataspace as bigint
    const isUsed = (ctx.get(dataspaceDomains, dataspace) ?? 0) > 0
    if (isUsed && !active.some((lane) => lane.dataspace === dataspace)) {
      return reject('lane_in_use', `lane ${id} is the last one of dataspace ${dataspace}, which has domains`)
    }
  }
  return { lanes: next }
}

function addFault(ctx: ExecContext, spec: schema.UpdateLanes['add'][number], byId: ReadonlyMap<number, Lane>) {
  if (spec.id > LANE_MAX) return reject('lane_limit', `a lane has a number up to ${LANE_MAX}`)
  // Genesis may say how lane 0 is; later no number is ever used again.
  const replaces = ctx.env.genesis && spec.id === SINGLE_LANE
  if (byId.has(spec.id) && !replaces) return reject('exists', `lane ${spec.id} exists, or did once`)
  if (!latestLanes(ctx).dataspaces.some((one) => one.id === spec.dataspace)) {
    return reject('absent', `there is no dataspace ${spec.dataspace}`)
  }
  if (repeats(spec.settlement)) return reject('exists', `lane ${spec.id} names a definition twice`)
  return metadataSchema.encode(spec.metadata).length > LANE_METADATA_MAX_BYTES
    ? reject('metadata_limit', `metadata of a lane has at most ${LANE_METADATA_MAX_BYTES} bytes`)
    : undefined
}

/** What still needs a lane, in words, or undefined. */
function userOf(lane: Lane, policy: RoutingPolicy): string | undefined {
  if (lane.id === SINGLE_LANE) return 'is the lane of single-lane mode and stays'
  if (lane.id === policy.defaultLane) return 'is the default lane of the routing policy'
  const rule = policy.rules.findIndex((one) => one.lane === lane.id)
  return rule < 0 ? undefined : `stands in rule ${rule} of the routing policy`
}

export const setRoutingPolicy: InstructionDef<schema.SetRoutingPolicy> = {
  ...schema.setRoutingPolicy,
  cost: () => 400,
  execute(ctx, { policy }) {
    const refused = denied(ctx, 'changing the routing policy')
    if (refused) return refused
    const fault = policyFault(ctx, policy)
    if (fault !== undefined) return reject('bad_routing_policy', fault)
    stagePolicy(ctx, policy, actsFrom(ctx))
    const fromHeight = actsFrom(ctx) ?? ctx.env.height
    ctx.emit({ kind: routingPolicyChanged.kind, value: { version: policy.version, fromHeight } })
    return undefined
  },
}

/** Why a policy cannot be, or undefined. */
function policyFault(ctx: ExecContext, policy: RoutingPolicy): string | undefined {
  const { lanes, dataspaces, policy: before } = latestLanes(ctx)
  if (policy.version !== before.version + 1) return `the next version is ${before.version + 1}, not ${policy.version}`
  const active = new Map(lanes.filter((lane) => lane.state === 'active').map((lane) => [lane.id, lane]))
  if (!active.has(policy.defaultLane)) return `the default lane ${policy.defaultLane} is not active`
  for (const [place, rule] of policy.rules.entries()) {
    const lane = active.get(rule.lane)
    if (lane === undefined) return `rule ${place}: lane ${rule.lane} is not active`
    if (rule.scope === undefined) {
      if (rule.account === undefined && rule.instruction === undefined) return `rule ${place} matches by nothing`
      continue
    }
    if (!dataspaces.some((one) => one.id === rule.scope)) return `rule ${place}: there is no dataspace ${rule.scope}`
    if (lane.dataspace !== rule.scope) return `rule ${place}: lane ${lane.id} lies in dataspace ${lane.dataspace}`
  }
  return undefined
}

export const setDataspaces: InstructionDef<schema.SetDataspaces> = {
  ...schema.setDataspaces,
  cost: () => 400,
  execute(ctx, { dataspaces: wanted }) {
    const refused = denied(ctx, 'changing dataspaces')
    if (refused) return refused
    const fault = dataspacesFault(ctx, wanted)
    if (fault !== undefined) return fault
    const before = new Map(latestLanes(ctx).dataspaces.map((one) => [one.id, one]))
    const next = [...wanted]
      .sort((a, b) => (a.id < b.id ? -1 : 1))
      .map((spec): Dataspace => ({ ...spec, incarnation: before.get(spec.id)?.incarnation ?? ctx.incarnation() }))
    stageDataspaces(ctx, next, actsFrom(ctx))
    const fromHeight = actsFrom(ctx) ?? ctx.env.height
    ctx.emit({ kind: dataspacesChanged.kind, value: { dataspaces: next.map((one) => one.id), fromHeight } })
    return undefined
  },
}

/** Why a catalogue of dataspaces cannot be, or undefined. */
function dataspacesFault(ctx: ExecContext, wanted: schema.SetDataspaces['dataspaces']): Rejection | undefined {
  const { lanes, dataspaces, policy } = latestLanes(ctx)
  const ids = new Set(wanted.map((one) => one.id))
  if (ids.size < wanted.length || repeats(wanted.map((one) => one.alias))) {
    return reject('exists', 'two dataspaces have one number or one alias')
  }
  const universal = wanted.find((one) => one.id === UNIVERSAL_DATASPACE)
  if (universal === undefined || universal.restricted) {
    return reject('dataspace_in_use', 'the universal dataspace, number 0, is always there and open to all')
  }
  for (const one of wanted) {
    if (one.faultTolerance < 1 || one.faultTolerance > FAULT_TOLERANCE_MAX) {
      return reject('bad_parameter', `the fault tolerance of a dataspace lies between 1 and ${FAULT_TOLERANCE_MAX}`)
    }
    if (repeats(one.relayers)) return reject('exists', `dataspace ${one.id} names a relayer twice`)
  }
  for (const { id } of dataspaces) {
    if (ids.has(id)) continue
    const user =
      (ctx.get(dataspaceDomains, id) ?? 0) > 0
        ? 'has domains'
        : lanes.some((lane) => lane.state === 'active' && lane.dataspace === id)
          ? 'has active lanes'
          : policy.rules.some((rule) => rule.scope === id)
            ? 'stands in the routing policy'
            : undefined
    if (user !== undefined) return reject('dataspace_in_use', `dataspace ${id} ${user}`)
  }
  return undefined
}
