/** The JSON-RPC bridge as clients see it: a service of nodes, no part of the ledger. */

import { defineServiceSchema } from '../../api/feature.js'
import { defineRoute, publicRead } from '../../api/route.js'
import { list, string, struct } from '../../codec/index.js'

/** Maximum size of a body, in bytes: a batch of drafts or of signed transactions. */
export const RPC_BODY_MAX_BYTES = 1024 * 1024
/** Maximum methods of a node, and maximum length of their ids and descriptions, in bytes. */
const METHODS_MAX = 4_096
const ID_MAX_BYTES = 128
const ABOUT_MAX_BYTES = 512

export const rpcRoute = defineRoute<undefined, undefined, Uint8Array>({
  id: 'rpc.call',
  method: 'POST',
  path: '/v1/rpc',
  summary:
    'JSON-RPC 2.0: a method is the id of a route, its params are the path and query parameters by name, and body',
  access: 'public',
  format: 'json',
  body: { as: 'bytes', types: ['application/json'], maxBytes: RPC_BODY_MAX_BYTES },
})

export const rpcMethodsRoute = defineRoute({
  ...publicRead,
  id: 'rpc.methods',
  path: '/v1/rpc',
  summary: 'JSON-RPC methods that this node serves, by its profile',
  response: struct('RpcMethods', {
    profile: string(ID_MAX_BYTES),
    methods: list(struct('RpcMethod', { method: string(ID_MAX_BYTES), about: string(ABOUT_MAX_BYTES) }), METHODS_MAX),
  }),
})

export const rpcSchema = defineServiceSchema({
  name: 'rpc',
  version: 1,
  routes: { call: rpcRoute, methods: rpcMethodsRoute },
})
