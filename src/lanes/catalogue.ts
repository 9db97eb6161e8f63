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

/** Lanes that may be active together: turns, service records and status stay small. */
export const LANES_ACTIVE_MAX = 64
/** Dataspaces in the catalogue. */
export const DATASPACES_MAX = 64
/** Definitions that one lane settles. */
const SETTLEMENT_UNITS_MAX = 64
/** Largest fault tolerance of a dataspace: a relay committee of 3f + 1 is never larger than a roster. */
export const FAULT_TOLERANCE_MAX = Math.floor((ROSTER_MAX - 1) / 3)
/** Largest metadata of a lane, in bytes of its encoding: it is part of the row of the lane, which never changes it. */
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

const settlementUnit = text('SettlementUnit', 2 * NAME_MAX_BYTES + 1, (value) =>
  value === ANY_SETTLEMENT ? undefined : assetDefinitionFault(value),
)

/** Requested lane. */
export interface LaneSpec extends Infer<typeof laneSpec> {}
const specFields = {
  /** 0 to 999: three digits on disk; never used again. */
  id: u32,
  dataspace: varintBig,
  /** Unique among all lanes that ever were. */
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

/** A lane as the state keeps it: with its metadata it is one row. */
export const laneRow: Schema<Lane> = struct('LaneRow', {
  ...specFields,
  metadata: bounded(metadata, LANE_METADATA_MAX_BYTES),
  state: laneState_,
})

/** All lanes that ever were, ascending by id. */
export const laneList: Schema<readonly Lane[]> = list(lane, LANE_MAX + 1)

/** Requested dataspace. */
export interface DataspaceSpec extends Infer<typeof dataspaceSpec> {}
const dataspaceFields = {
  id: varintBig,
  alias: name,
  /** At least 1: a relay committee has 3f + 1 members. */
  faultTolerance: u8,
  /** Only accounts at home in it, and holders of CanUseDataspace, may use it. */
  restricted: bool,
  /** Candidates for relay committees; empty: the roster. */
  relayers: list(validatorKey, ROSTER_MAX),
}
export const dataspaceSpec = struct('DataspaceSpec', dataspaceFields)

/** A dataspace of the catalogue. */
export interface Dataspace extends Infer<typeof dataspace> {}
export const dataspace = struct('Dataspace', {
  ...dataspaceFields,
  /** When it came: tokens of a dataspace that left are dead, also under the same id. */
  incarnation,
})
/** All dataspaces, ascending by id. */
export const dataspaceList: Schema<readonly Dataspace[]> = list(dataspace, DATASPACES_MAX)

/** The catalogues of a chain that never changed them. */
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

/** Last service of a lane: height, and place of its last transaction in that block. */
export interface LaneService extends Infer<typeof laneService> {}
export const laneService = struct('LaneService', { height: varint, place: u32 })
