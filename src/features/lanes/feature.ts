/** Lanes as a feature of the ledger: catalogues, policy, settlement, relays (design/ledger-lanes.md). */
import type { Feature } from '../../executor/contract.js'
import { setDataspaces, setRoutingPolicy, updateLanes } from './catalogue.js'
import { executionGate } from './gate.js'
import { LANE_PERMISSIONS } from './permissions.js'
import { LANE_QUERY_LIST } from './queries.js'
import { acceptRelayEnvelope, setRelayAnchor } from './relay.js'
import { errors } from './schema/errors.js'
import { LANE_EVENT_LIST } from './schema/events.js'
import { recordSettlement, settleDvp, settlePvp } from './settle.js'
import { LANE_TABLE_LIST } from './tables.js'

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
  executionGate,
  errors,
}
