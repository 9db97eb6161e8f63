/** The JSON-RPC bridge as clients see it: a service of nodes, no part of the ledger. */
import { defineSchema } from '../../../api/feature.js'
import { rpcMethodsRoute, rpcRoute } from './routes.js'

export const rpcSchema = defineSchema({
  name: 'rpc',
  version: 1,
  ids: [],
  errors: {},
  instructions: {},
  events: [],
  queries: {},
  parameters: [],
  routes: { call: rpcRoute, methods: rpcMethodsRoute },
})
