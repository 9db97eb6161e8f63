/**
 * Owns live telemetry as clients see it: peers as measured by one node, and the propagation of blocks to other
 * gateways. No part of the ledger.
 */

import { defineServiceSchema } from '../../api/feature.js'
import { defineRoute, defineStream, lagged, sseOf } from '../../api/index.js'
import {
  bool,
  type Infer,
  list,
  omissible,
  type Schema,
  string,
  struct,
  unitEnum,
  varint,
  zigzag,
} from '../../codec/index.js'

/** Maximum gateways watched by a node; each requires a stream, and a request every few seconds. */
export const GATEWAYS_MAX = 64
/** Number of blocks with stored propagation. */
export const PROPAGATION_BLOCKS = 256
/** Maximum length of a gateway URL, in bytes. */
export const GATEWAY_URL_MAX_BYTES = 2_048
/** Maximum peers in one response: the longest list of registered peers, plus gateways. */
const PEERS_MAX = 1_024 + GATEWAYS_MAX
/** Maximum length of a key text and of a version, in bytes. */
const KEY_MAX_BYTES = 128
const VERSION_MAX_BYTES = 64

const source = unitEnum('TelemetrySource', { link: 0, gateway: 1 })
const role = unitEnum('TelemetryRole', { validator: 0, observer: 1 })

/** Measured peer and connection. */
const subjectFields = {
  /** Multihash text of its validator key; absent for a gateway that has not reported it yet. */
  peer: omissible(string(KEY_MAX_BYTES)),
  /** Present for a gateway. */
  url: omissible(string(GATEWAY_URL_MAX_BYTES)),
  source,
  connected: bool,
  height: omissible(varint),
}

/** Peer as measured by this node; unmeasured values are absent. */
export interface TelemetryPeer extends Infer<typeof telemetryPeer> {}
const telemetryPeer = struct('TelemetryPeer', {
  ...subjectFields,
  /** Absent if no peer is registered with the key. */
  role: omissible(role),
  version: omissible(string(VERSION_MAX_BYTES)),
  rttMs: omissible(varint),
  /** Offset of its clock from this node's; positive if it is ahead. */
  clockOffsetMs: omissible(zigzag),
  queueSize: omissible(varint),
  uptimeMs: omissible(varint),
})
const telemetryPeers = struct('TelemetryPeers', { items: list(telemetryPeer, PEERS_MAX) })

/** Peer connected, disconnected, or at a new height. */
export interface TelemetryPeerStatus extends Infer<typeof telemetryPeerStatus> {}
const telemetryPeerStatus = struct('TelemetryPeerStatus', subjectFields)

/** Times at which gateways reported a block, by the clock of this node, less half of the round trip to each. */
export interface BlockPropagation extends Infer<typeof blockPropagation> {}
const blockPropagation = struct('BlockPropagation', {
  block: varint,
  /** Time of the first report, ms since the Unix epoch. */
  firstSeenMs: varint,
  lastSeenMs: varint,
  spreadMs: varint,
  /** Number of gateways that reported it. */
  peersReported: varint,
})
export interface TelemetryPropagation extends Infer<typeof telemetryPropagation> {}
/** Newest first. */
const telemetryPropagation = struct('TelemetryPropagation', {
  items: list(blockPropagation, PROPAGATION_BLOCKS),
})

/** Summary of the network as seen by this node. */
export interface NetworkStatus extends Infer<typeof networkStatus> {}
const networkStatus = struct('NetworkStatus', {
  atMs: varint,
  /** Height of this node. */
  height: varint,
  peers: varint,
  peersConnected: varint,
  gateways: varint,
  gatewaysConnected: varint,
  /** Lowest height of connected peers and gateways. */
  lowestHeight: omissible(varint),
  highestHeight: omissible(varint),
})

/** Full state at the start of a stream. */
export interface TelemetryFirst extends Infer<typeof telemetryFirst_> {}
const telemetryFirst_ = struct('TelemetryFirst', {
  peers: list(telemetryPeer, PEERS_MAX),
  propagation: list(blockPropagation, PROPAGATION_BLOCKS),
  network: networkStatus,
})
const telemetryFirst: Schema<TelemetryFirst> = telemetryFirst_

const read = { method: 'GET', access: 'public', profile: 'status' } as const

export const peersInfoRoute = defineRoute({
  ...read,
  id: 'telemetry.peers',
  path: '/v1/telemetry/peers-info',
  summary: 'Peers as measured by this node, over its links and at the watched gateways',
  format: 'json',
  response: telemetryPeers,
})
export const propagationRoute = defineRoute({
  ...read,
  id: 'telemetry.propagation',
  path: '/v1/telemetry/propagation',
  summary: 'Times at which the watched gateways reported each of the last 256 blocks, newest first',
  format: 'json',
  response: telemetryPropagation,
})

/** Schemas of the stream's events, by name. */
export const LIVE_EVENTS = {
  first: telemetryFirst,
  peer_info: telemetryPeer,
  peer_status: telemetryPeerStatus,
  propagation: blockPropagation,
  network_status: networkStatus,
  lagged,
} as const
export const liveRoute = defineStream({
  ...read,
  id: 'telemetry.live',
  path: '/v1/telemetry/live',
  summary:
    'Peers and propagation as Server-Sent Events: the full state first, then changes, at most ten a second of a peer; after lagged, the full state again',
  format: 'sse',
  stream: sseOf(LIVE_EVENTS),
})

export const telemetrySchema = defineServiceSchema({
  name: 'telemetry',
  version: 1,
  routes: { peers: peersInfoRoute, propagation: propagationRoute, live: liveRoute },
  topics: {
    telemetry: 'Peers as measured by one node, and the propagation of blocks',
  },
})
