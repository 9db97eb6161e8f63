/** Owns the changes of lanes, dataspaces and the routing policy (docs/design/lanes.md 6 and 8, rows 31 to 33). */
import { type ExecContext, type Rejection, reject } from '../../../executor/contract.js'
import type { Executions } from '../../../executor/feature.js'
import {
  type Dataspace,
  dataspaceDomains,
  FAULT_TOLERANCE_MAX,
  latestLanes,
  type RoutingPolicy,
  stageDataspaces,
  stageLanes,
  stagePolicy,
  UNIVERSAL_DATASPACE,
} from '../../../lanes/index.js'
import { requirePermission } from '../../../ledger/permissions.js'
import { events } from '../schema/events.js'
import type * as schema from '../schema/instructions.js'
import type { instructions } from '../schema/instructions.js'
import { changed, LEAD_HEIGHTS, repeats } from './change.js'
import { LANE_PERMISSIONS } from './permissions.js'

const denied = (ctx: ExecContext, what: string): Rejection | undefined =>
  requirePermission(ctx, what, undefined, [LANE_PERMISSIONS.CanManageLanes, undefined])

/** Height from which a change takes effect; undefined in genesis, where it takes effect at once. */
const effectiveFrom = ({ env }: ExecContext): number | undefined =>
  env.genesis ? undefined : env.height + LEAD_HEIGHTS

/** Units of a change of the catalogue, which checks each of up to 1,000 lanes. */
const UPDATE_TEU = 6_000

/** Reason why a policy is invalid, or undefined. */
function policyFault(ctx: ExecContext, policy: RoutingPolicy): string | undefined {
  const { lanes, dataspaces, policy: before } = latestLanes(ctx)
  if (policy.version !== before.version + 1)
    return `the next version must be ${before.version + 1}, not ${policy.version}`
  const active = new Map(lanes.filter((lane) => lane.state === 'active').map((lane) => [lane.id, lane]))
  if (!active.has(policy.defaultLane)) return `the default lane ${policy.defaultLane} is not active`
  for (const [place, rule] of policy.rules.entries()) {
    const lane = active.get(rule.lane)
    if (lane === undefined) return `rule ${place}: lane ${rule.lane} is not active`
    if (rule.scope === undefined) {
      if (rule.account === undefined && rule.instruction === undefined) return `rule ${place} has no condition`
      continue
    }
    if (!dataspaces.some((one) => one.id === rule.scope)) return `rule ${place}: unknown dataspace ${rule.scope}`
    if (lane.dataspace !== rule.scope) return `rule ${place}: lane ${lane.id} belongs to dataspace ${lane.dataspace}`
  }
  return undefined
}

export const execute = {
  updateLanes: {
    cost: { base: UPDATE_TEU },
    execute(ctx, change) {
      const refused = denied(ctx, 'changing lanes')
      if (refused) return refused
      const result = changed(change, latestLanes(ctx), {
        isGenesis: ctx.env.genesis,
        domainsOf: (dataspace) => ctx.get(dataspaceDomains, dataspace) ?? 0,
      })
      if ('code' in result) return result
      stageLanes(ctx, result.lanes, effectiveFrom(ctx))
      ctx.emit(events.lanesChanged, {
        added: change.add.map((one) => one.id),
        retired: change.retire,
        relabelled: change.relabel.map((one) => one.lane),
        fromHeight: effectiveFrom(ctx) ?? ctx.env.height,
      })
      return undefined
    },
  },

  setRoutingPolicy: {
    cost: { base: 1_000 },
    execute(ctx, { policy }) {
      const refused = denied(ctx, 'changing the routing policy')
      if (refused) return refused
      const fault = policyFault(ctx, policy)
      if (fault !== undefined) return reject('bad_routing_policy', fault)
      stagePolicy(ctx, policy, effectiveFrom(ctx))
      const fromHeight = effectiveFrom(ctx) ?? ctx.env.height
      ctx.emit(events.routingPolicyChanged, { version: policy.version, fromHeight })
      return undefined
    },
  },

  setDataspaces: {
    cost: { base: 1_000 },
    execute(ctx, { dataspaces: wanted }) {
      const refused = denied(ctx, 'changing dataspaces')
      if (refused) return refused
      const fault = dataspacesFault(ctx, wanted)
      if (fault !== undefined) return fault
      const before = new Map(latestLanes(ctx).dataspaces.map((one) => [one.id, one]))
      const next = [...wanted]
        .sort((a, b) => (a.id < b.id ? -1 : 1))
        .map((spec): Dataspace => ({ ...spec, incarnation: before.get(spec.id)?.incarnation ?? ctx.incarnation() }))
      stageDataspaces(ctx, next, effectiveFrom(ctx))
      const fromHeight = effectiveFrom(ctx) ?? ctx.env.height
      ctx.emit(events.dataspacesChanged, { dataspaces: next.map((one) => one.id), fromHeight })
      return undefined
    },
  },
} satisfies Partial<Executions<typeof instructions>>

/** Reason why a catalogue of dataspaces is invalid, or undefined. */
function dataspacesFault(ctx: ExecContext, wanted: schema.SetDataspaces['dataspaces']): Rejection | undefined {
  const { lanes, dataspaces, policy } = latestLanes(ctx)
  const ids = new Set(wanted.map((one) => one.id))
  if (ids.size < wanted.length || repeats(wanted.map((one) => one.alias))) {
    return reject('exists', 'two dataspaces have the same number or alias')
  }
  const universal = wanted.find((one) => one.id === UNIVERSAL_DATASPACE)
  if (universal === undefined || universal.restricted) {
    return reject('dataspace_in_use', 'the universal dataspace, number 0, always exists and is open to all')
  }
  for (const one of wanted) {
    if (one.faultTolerance < 1 || one.faultTolerance > FAULT_TOLERANCE_MAX) {
      return reject('bad_parameter', `the fault tolerance of a dataspace must be between 1 and ${FAULT_TOLERANCE_MAX}`)
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
            ? 'is used by the routing policy'
            : undefined
    if (user !== undefined) return reject('dataspace_in_use', `dataspace ${id} ${user}`)
  }
  return undefined
}
