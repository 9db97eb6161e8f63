/** Owns the routes of live telemetry (specification 4.3, 8.3): the profiles that serve the status serve them. */
import { type AnySchema, defineRoute, defineStream, lagged, sseOf } from '../../../api/index.js'
import * as records from './records.js'

const read = { method: 'GET', access: 'public', profile: 'status' } as const

export const peersInfoRoute = defineRoute({
  ...read,
  id: 'telemetry.peers',
  path: '/v1/telemetry/peers-info',
  summary: 'Peers as this node measures them, over its links and at the gateways that it watches',
  format: 'json',
  response: records.telemetryPeers,
})
export const propagationRoute = defineRoute({
  ...read,
  id: 'telemetry.propagation',
  path: '/v1/telemetry/propagation',
  summary: 'When the watched gateways told of each of the last 256 blocks, newest first',
  format: 'json',
  response: records.telemetryPropagation,
})

/** Schemas of the events of the stream, by their names. */
export const LIVE_EVENTS = {
  first: records.telemetryFirst,
  peer_info: records.telemetryPeer,
  peer_status: records.telemetryPeerStatus,
  propagation: records.blockPropagation,
  network_status: records.networkStatus,
  lagged,
} as const
export const liveRoute = defineStream({
  ...read,
  id: 'telemetry.live',
  path: '/v1/telemetry/live',
  summary:
    'Peers and propagation as they change, as Server-Sent Events: all at first, ten events a second of a peer at most; after lagged, all again',
  format: 'sse',
  stream: sseOf(Object.fromEntries(Object.entries(LIVE_EVENTS).map(([name, schema]) => [name, schema as AnySchema]))),
})
