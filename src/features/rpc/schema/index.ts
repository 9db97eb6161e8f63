/** The JSON-RPC bridge as clients see it: a service of nodes, no part of the ledger. */
import { defineServiceSchema } from '../../../api/feature.js'
import { rpcMethodsRoute, rpcRoute } from './routes.js'

export const rpcSchema = defineServiceSchema({
  name: 'rpc',
  version: 1,
  routes: { call: rpcRoute, methods: rpcMethodsRoute },
})
