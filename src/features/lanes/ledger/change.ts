/** Owns the validation of a lane change: the resulting catalogue, or the rejection (docs/design/lanes.md 8). */
import { type Rejection, reject } from '../../../executor/contract.js'
import {
  type Dataspace,
  LANE_METADATA_MAX_BYTES,
  LANES_ACTIVE_MAX,
  type Lane,
  type RoutingPolicy,
  SINGLE_LANE,
} from '../../../lanes/index.js'
import { LANE_MAX, metadata as metadataSchema } from '../../../model/index.js'
import type { UpdateLanes } from '../schema/instructions.js'

/**
 * Lead of a lane change: made at g, it takes effect at g + 2, because routes are computed on the state of the parent
 * (docs/design/lanes.md 1).
 */
export const LEAD_HEIGHTS = 2

/** True if a value occurs twice. */
export const repeats = <T>(values: readonly T[]): boolean => new Set(values).size < values.length

/** Start of a change: the latest decided catalogues and policy. */
export interface LanesBefore {
  readonly lanes: readonly Lane[]
  readonly dataspaces: readonly Dataspace[]
  readonly policy: RoutingPolicy
}

/** Other inputs of a change. */
export interface ChangeContext {
  readonly isGenesis: boolean
  /** Domains in a dataspace other than the universal one. */
  readonly domainsOf: (dataspace: bigint) => number
}

/** Catalogue after a change, or the reason why the change is refused. */
export function changed(
  change: UpdateLanes,
  before: LanesBefore,
  context: ChangeContext,
): { readonly lanes: readonly Lane[] } | Rejection {
  const { add, retire, relabel } = change
  const { lanes, policy } = before
  if (add.length + retire.length + relabel.length === 0) return reject('bad_parameter', 'the update contains no change')
  if (repeats(retire) || repeats(relabel.map((one) => one.lane))) return reject('exists', 'a lane is named twice')
  const byId = new Map(lanes.map((lane) => [lane.id, lane]))
  for (const spec of add) {
    const fault = addFault(spec, before, byId, context)
    if (fault !== undefined) return fault
    byId.set(spec.id, { ...spec, state: 'active' })
  }
  for (const { lane: id, alias } of relabel) {
    const lane = byId.get(id)
    if (lane?.state !== 'active') return reject('absent', `lane ${id} is not active or does not exist`)
    byId.set(id, { ...lane, alias })
  }
  for (const id of retire) {
    const lane = byId.get(id)
    if (lane?.state !== 'active') return reject('absent', `lane ${id} is not active or does not exist`)
    const user = userOf(lane, policy)
    if (user !== undefined) return reject('lane_in_use', `lane ${id} ${user}`)
    byId.set(id, { ...lane, state: 'retired' })
  }
  const next = [...byId.values()].sort((a, b) => a.id - b.id)
  const active = next.filter((lane) => lane.state === 'active')
  if (active.length > LANES_ACTIVE_MAX) return reject('lane_limit', `at most ${LANES_ACTIVE_MAX} lanes can be active`)
  if (repeats(active.map((lane) => lane.alias))) return reject('exists', 'two active lanes would have the same alias')
  for (const id of retire) {
    const dataspace = byId.get(id)?.dataspace as bigint
    const isUsed = context.domainsOf(dataspace) > 0
    if (isUsed && !active.some((lane) => lane.dataspace === dataspace)) {
      return reject('lane_in_use', `lane ${id} is the last one of dataspace ${dataspace}, which has domains`)
    }
  }
  return { lanes: next }
}

function addFault(
  spec: UpdateLanes['add'][number],
  { dataspaces }: LanesBefore,
  byId: ReadonlyMap<number, Lane>,
  { isGenesis }: ChangeContext,
) {
  if (spec.id > LANE_MAX) return reject('lane_limit', `the number of a lane must be at most ${LANE_MAX}`)
  // Genesis may redefine lane 0; later no number is reused.
  const replaces = isGenesis && spec.id === SINGLE_LANE
  if (byId.has(spec.id) && !replaces) return reject('exists', `lane ${spec.id} exists or existed before`)
  if (!dataspaces.some((one) => one.id === spec.dataspace)) {
    return reject('absent', `unknown dataspace ${spec.dataspace}`)
  }
  if (repeats(spec.settlement)) return reject('exists', `lane ${spec.id} names a definition twice`)
  return metadataSchema.encode(spec.metadata).length > LANE_METADATA_MAX_BYTES
    ? reject('metadata_limit', `metadata of a lane has at most ${LANE_METADATA_MAX_BYTES} bytes`)
    : undefined
}

/** Text about the use that still requires a lane, or undefined. */
function userOf(lane: Lane, policy: RoutingPolicy): string | undefined {
  if (lane.id === SINGLE_LANE) return 'is the lane of single-lane mode and cannot be retired'
  if (lane.id === policy.defaultLane) return 'is the default lane of the routing policy'
  const rule = policy.rules.findIndex((one) => one.lane === lane.id)
  return rule < 0 ? undefined : `is used by rule ${rule} of the routing policy`
}
