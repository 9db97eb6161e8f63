/** Owns the section `lanes` of manifests: dataspaces, lanes and routing policy as people write them, as instructions (design/ledger.md 8). */
import type { CodecContext, Json } from '../../codec/index.js'
import { type Instruction, instruction } from '../../model/index.js'
import { type Faults, fieldsOf } from './json-file.js'

type Fields = Readonly<Record<string, Json | undefined>>

/** What people may leave out of a lane, and of a dataspace. */
const LANE_DEFAULTS: Fields = {
  dataspace: '0',
  visibility: 'Public',
  storage: 'FullReplica',
  proof_scheme: 'MerkleBlake3',
  settlement: [],
  teu_capacity: 0,
  metadata: {},
}
const DATASPACE_DEFAULTS: Fields = { fault_tolerance: 1, restricted: false, relayers: [] }
/** The universal dataspace, which is always there. */
const UNIVERSAL: Fields = { id: '0', alias: 'universal', ...DATASPACE_DEFAULTS }
/** Version of the first policy. */
const FIRST_VERSION = 1

const isObject = (value: Json | undefined): value is { readonly [key: string]: Json } =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Items of a list with what they leave out. */
function filled(value: Json | undefined, path: string, defaults: Fields, faults: Faults): Json[] {
  if (value === undefined) return []
  if (!Array.isArray(value)) {
    faults.add(path, 'expected a list')
    return []
  }
  return value.map((item: Json) => (isObject(item) ? ({ ...defaults, ...item } as Json) : item))
}

/**
 * Instructions of the section, in the order in which they build on each other; genesis runs them before all others, so
 * that domains find their dataspaces. Faults name the place in the manifest.
 */
export function laneInstructions(value: Json | undefined, codec: CodecContext, faults: Faults): Instruction[] {
  if (value === undefined) return []
  const fields = fieldsOf(value, 'lanes', ['dataspaces', 'lanes', 'policy'], faults)
  if (fields === undefined) return []
  const dataspaces = filled(fields.dataspaces, 'lanes.dataspaces', DATASPACE_DEFAULTS, faults)
  const lanes = filled(fields.lanes, 'lanes.lanes', LANE_DEFAULTS, faults)
  const named = dataspaces.some((one) => isObject(one) && String(one.id) === '0')
  const all = named || dataspaces.length === 0 ? dataspaces : [UNIVERSAL as Json, ...dataspaces]
  const twins: (readonly [place: string, twin: Json])[] = []
  if (all.length > 0) twins.push(['lanes.dataspaces', { SetDataspaces: { dataspaces: all } }])
  if (lanes.length > 0) twins.push(['lanes.lanes', { UpdateLanes: { add: lanes, retire: [], relabel: [] } }])
  if (fields.policy !== undefined) {
    const policy = isObject(fields.policy) ? { version: FIRST_VERSION, rules: [], ...fields.policy } : fields.policy
    twins.push(['lanes.policy', { SetRoutingPolicy: { policy } }])
  }
  return twins.flatMap(([place, twin]) => {
    const decoded = instruction.fromJson(twin, codec)
    if (decoded.ok) return [decoded.value]
    // The path of the fault starts in the instruction; the manifest has the list or the policy itself.
    const inner = (decoded.fault.path ?? '').replace(
      /^(UpdateLanes\.add|SetDataspaces\.dataspaces|SetRoutingPolicy\.policy)/,
      '',
    )
    faults.add(`${place}${inner}`, decoded.fault.message)
    return []
  })
}
