/** Lanes as a feature of the ledger: catalogues, policy, settlement, relays (design/ledger-lanes.md). */
import type { Feature } from '../../executor/contract.js'
import { setDataspaces, setRoutingPolicy, updateLanes } from './catalogue.js'
import { LANE_PERMISSIONS } from './permissions.js'
import { LANE_QUERY_LIST } from './queries.js'
import { acceptRelayEnvelope, setRelayAnchor } from './relay.js'
import { LANE_EVENT_LIST } from './schema/events.js'
import { LANE_ERRORS_BASE } from './schema/ids.js'
import { recordSettlement, settleDvp, settlePvp } from './settle.js'
import { LANE_TABLE_LIST } from './tables.js'

/** Numbers of the error codes that lanes add. Append only: they are hashed. */
const ERRORS = [
  'lane_in_use',
  'lane_limit',
  'bad_routing_policy',
  'dataspace_in_use',
  'lane_mismatch',
  'bad_variance',
  'relay_envelope_invalid',
] as const

export const laneFeature: Feature = {
  name: 'lanes',
  version: 1,
  tables: LANE_TABLE_LIST as unknown as Feature['tables'],
  instructions: [
    updateLanes,
    setRoutingPolicy,
    setDataspaces,
    settleDvp,
    settlePvp,
    recordSettlement,
    acceptRelayEnvelope,
    setRelayAnchor,
  ] as unknown as Feature['instructions'],
  queries: LANE_QUERY_LIST as unknown as Feature['queries'],
  events: LANE_EVENT_LIST as unknown as Feature['events'],
  permissions: Object.values(LANE_PERMISSIONS),
  parameters: [],
  errors: ERRORS.map((name, index) => ({ code: LANE_ERRORS_BASE + index, name })),
}
