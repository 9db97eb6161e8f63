/** Owns the records of lanes and dataspaces in the world state (specification 1.6, docs/design/lanes.md 6). */
import {
  bool,
  bounded,
  type Infer,
  list,
  type Schema,
  struct,
  text,
  u8,
  u32,
  unitEnum,
  varint,
  varintBig,
} from '../codec/index.js'
import {
  assetDefinitionFault,
  incarnation,
  LANE_MAX,
  metadata,
  NAME_MAX_BYTES,
  NO_METADATA,
  name,
  ROSTER_MAX,
  validatorKey,
} from '../model/index.js'

/** Maximum active lanes, so that turns, service records and status stay small. */
export const LANES_ACTIVE_MAX = 64
/** Maximum dataspaces in the catalogue. */
export const DATASPACES_MAX = 64
/** Maximum definitions that one lane settles. */
const SETTLEMENT_UNITS_MAX = 64
/** Maximum fault tolerance of a dataspace, so that a relay committee of 3f + 1 never exceeds a roster. */
export const FAULT_TOLERANCE_MAX = Math.floor((ROSTER_MAX - 1) / 3)
/**
 * Maximum size of the encoded metadata of a lane, in bytes. The metadata is immutable and part of the row of the lane.
 */
export const LANE_METADATA_MAX_BYTES = 4 * 1024

/** The one lane of single-lane mode and its alias, from which its segments are named. */
export const SINGLE_LANE = 0
export const SINGLE_LANE_ALIAS = 'default'
/** Default dataspace of domains. */
export const UNIVERSAL_DATASPACE = 0n
const UNIVERSAL_ALIAS = 'universal'

/** Wildcard for every definition in the settlement list of a lane. */
export const ANY_SETTLEMENT = '*'

/** Proof schemes of parts of a lane: Merkle trees over BLAKE3. Append only. */
const visibility_ = unitEnum('LaneVisibility', { public: 0, restricted: 1 })
const storage_ = unitEnum('LaneStorage', { fullReplica: 0, commitmentOnly: 1, splitReplica: 2 })
const proofScheme_ = unitEnum('ProofScheme', { merkleBlake3: 0 })
const laneState_ = unitEnum('LaneState', { active: 0, retired: 1 })

/** Definition that settles on a lane, or `*`. */
export const settlementUnit = text('SettlementUnit', 2 * NAME_MAX_BYTES + 1, (value) =>
  value === ANY_SETTLEMENT ? undefined : assetDefinitionFault(value),
)

/** Requested lane. */
export interface LaneSpec extends Infer<typeof laneSpec> {}
const specFields = {
  /** Id from 0 to 999, which has three digits on disk; ids are never reused. */
  id: u32,
  dataspace: varintBig,
  /** Alias, unique among all present and former lanes. */
  alias: name,
  visibility: visibility_,
  storage: storage_,
  proofScheme: proofScheme_,
  /** Definitions that settle here, or `*`. */
  settlement: list(settlementUnit, SETTLEMENT_UNITS_MAX),
  /** Static execution units of one block; 0: no separate limit. */
  teuCapacity: u32,
  metadata,
}
export const laneSpec = struct('LaneSpec', specFields)

/** A lane of the catalogue. */
export interface Lane extends Infer<typeof lane> {}
export const lane = struct('Lane', { ...specFields, state: laneState_ })

/** Row of a lane in the state, including its metadata. */
export const laneRow: Schema<Lane> = struct('LaneRow', {
  ...specFields,
  metadata: bounded(metadata, LANE_METADATA_MAX_BYTES),
  state: laneState_,
})

/** All present and former lanes, ascending by id. */
export const laneList: Schema<readonly Lane[]> = list(lane, LANE_MAX + 1)

/** Requested dataspace. */
export interface DataspaceSpec extends Infer<typeof dataspaceSpec> {}
const dataspaceFields = {
  id: varintBig,
  alias: name,
  /** At least 1: a relay committee has 3f + 1 members. */
  faultTolerance: u8,
  /** True if only accounts of its domains and holders of CanUseDataspace may use it. */
  restricted: bool,
  /** Candidates for relay committees; empty: the roster. */
  relayers: list(validatorKey, ROSTER_MAX),
}
export const dataspaceSpec = struct('DataspaceSpec', dataspaceFields)

/** A dataspace of the catalogue. */
export interface Dataspace extends Infer<typeof dataspace> {}
export const dataspace = struct('Dataspace', {
  ...dataspaceFields,
  /** Incarnation of the dataspace. Tokens of a removed dataspace are void, even if its id is used again. */
  incarnation,
})
/** All dataspaces, ascending by id. */
export const dataspaceList: Schema<readonly Dataspace[]> = list(dataspace, DATASPACES_MAX)

/** Catalogue of lanes of a chain that never changed it. */
export const DEFAULT_LANES: readonly Lane[] = [
  {
    id: SINGLE_LANE,
    dataspace: UNIVERSAL_DATASPACE,
    alias: SINGLE_LANE_ALIAS,
    visibility: 'public',
    storage: 'fullReplica',
    proofScheme: 'merkleBlake3',
    settlement: [],
    teuCapacity: 0,
    metadata: NO_METADATA,
    state: 'active',
  },
]
/** The universal dataspace of a chain that never changed it. */
export const UNIVERSAL_SPEC: DataspaceSpec = {
  id: UNIVERSAL_DATASPACE,
  alias: UNIVERSAL_ALIAS,
  faultTolerance: 1,
  restricted: false,
  relayers: [],
}
export const DEFAULT_DATASPACES: readonly Dataspace[] = [{ ...UNIVERSAL_SPEC, incarnation: { height: 1, index: 0 } }]

/** Last service of a lane: the height and the index of its last transaction in that block. */
export interface LaneService extends Infer<typeof laneService> {}
export const laneService = struct('LaneService', { height: varint, place: u32 })
