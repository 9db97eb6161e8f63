/** Live telemetry as clients see it: a service of nodes, no part of the ledger. */
import { defineServiceSchema } from '../../../api/feature.js'
import { liveRoute, peersInfoRoute, propagationRoute } from './routes.js'

export const telemetrySchema = defineServiceSchema({
  name: 'telemetry',
  version: 1,
  routes: { peers: peersInfoRoute, propagation: propagationRoute, live: liveRoute },
  topics: {
    telemetry: 'Peers as one node measures them, and how blocks spread',
  },
})
