/** Lanes as clients see them (docs/design/lanes.md). */
import { defineSchema } from '../../../api/feature.js'
import { CORE_IDS, range } from '../../../model/index.js'
import { errors } from './errors.js'
import * as events from './events.js'
import * as instructions from './instructions.js'
import * as queries from './queries.js'
import { LANE_ROUTES } from './routes.js'

export const laneSchema = defineSchema({
  name: 'lanes',
  version: 1,
  // Their instructions were given ids of the core (docs/design/lanes.md 1).
  ids: [range(2), CORE_IDS],
  errors,
  instructions: {
    updateLanes: instructions.updateLanes,
    setRoutingPolicy: instructions.setRoutingPolicy,
    setDataspaces: instructions.setDataspaces,
    settleDvp: instructions.settleDvp,
    settlePvp: instructions.settlePvp,
    recordSettlement: instructions.recordSettlement,
    acceptRelayEnvelope: instructions.acceptRelayEnvelope,
    setRelayAnchor: instructions.setRelayAnchor,
  },
  events: [
    events.lanesChanged,
    events.routingPolicyChanged,
    events.dataspacesChanged,
    events.settled,
    events.settlementRecorded,
    events.relayEnvelopeAccepted,
    events.relayAnchorChanged,
  ],
  queries: {
    laneLifecycle: queries.laneLifecycle,
    laneById: queries.laneById,
    laneRoute: queries.laneRoute,
    laneEnvelope: queries.laneEnvelope,
    laneList: queries.laneList,
  },
  parameters: [],
  routes: LANE_ROUTES,
  topics: {
    lane: 'Lanes: what they are, where transactions go, what they settled',
    'lane anchor': 'Committees of other chains whose relay envelopes are accepted',
    'lane dataspace': 'Dataspaces, which lanes and domains belong to',
    'lane envelope': 'Relay envelopes: what a lane committed, verified offline or submitted to another chain',
    'lane policy': 'The rules that route transactions to lanes',
    'lane route': 'The lane of a transaction, and why',
    'lane settlement': 'Settlements of two parties, and receipts of those made elsewhere',
  },
})
