/** Live telemetry as clients see it: a service of nodes, no part of the ledger. */
import { defineSchema } from '../../../api/feature.js'
import { liveRoute, peersInfoRoute, propagationRoute } from './routes.js'

export const telemetrySchema = defineSchema({
  name: 'telemetry',
  version: 1,
  ids: [],
  errors: {},
  instructions: {},
  events: [],
  queries: {},
  parameters: [],
  routes: { peers: peersInfoRoute, propagation: propagationRoute, live: liveRoute },
  topics: {
    telemetry: 'Peers as one node measures them, and how blocks spread',
  },
})
