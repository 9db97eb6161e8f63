/** Owns the ids of lanes: instructions stand in the core's range, everything else is feature 2, 400 to 499. Append only. */
import { range } from '../../../model/index.js'

/** Instruction ids (docs/design/lanes.md 1). */
export const LANE_INSTRUCTIONS = {
  updateLanes: 31,
  setRoutingPolicy: 32,
  setDataspaces: 33,
  settleDvp: 41,
  settlePvp: 42,
  recordSettlement: 43,
  acceptRelayEnvelope: 44,
  setRelayAnchor: 45,
} as const

const BASE = range(2).first
/** Tables; the first is `dataspace_domains` of src/lanes. */
export const LANE_TABLE_IDS = {
  settlements: BASE + 1,
  relayAnchors: BASE + 2,
  relayAccepted: BASE + 3,
  relayRevocations: BASE + 4,
  relayAnchorAges: BASE + 5,
} as const
export const LANE_EVENTS = {
  lanesChanged: BASE,
  routingPolicyChanged: BASE + 1,
  dataspacesChanged: BASE + 2,
  settled: BASE + 3,
  settlementRecorded: BASE + 4,
  relayEnvelopeAccepted: BASE + 5,
  relayAnchorChanged: BASE + 6,
} as const
export const LANE_QUERIES = {
  laneLifecycle: BASE,
  laneById: BASE + 1,
  laneRoute: BASE + 2,
  laneEnvelope: BASE + 3,
  laneList: BASE + 4,
} as const
/** Frames of HTTP. */
export const LANE_FRAMES = { relayEnvelope: BASE } as const
