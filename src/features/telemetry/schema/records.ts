/** Owns the records of live telemetry: peers as one node measures them, and how blocks reach other gateways. */
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
} from '../../../codec/index.js'

/** Gateways that a node watches: each is one stream and a request every few seconds. */
export const GATEWAYS_MAX = 64
/** Blocks whose propagation is kept. */
export const PROPAGATION_BLOCKS = 256
/** Longest URL of a gateway, in bytes. */
export const GATEWAY_URL_MAX_BYTES = 2_048
/** Peers of one answer: the largest list of registered peers, and gateways. */
const PEERS_MAX = 1_024 + GATEWAYS_MAX
/** Longest text of a key and of a version, in bytes. */
const KEY_MAX_BYTES = 128
const VERSION_MAX_BYTES = 64

const source = unitEnum('TelemetrySource', { link: 0, gateway: 1 })
const role = unitEnum('TelemetryRole', { validator: 0, observer: 1 })

/** Who is measured, over what. */
const subjectFields = {
  /** Multihash text of its validator key; absent of a gateway that has not said it yet. */
  peer: omissible(string(KEY_MAX_BYTES)),
  /** Of a gateway. */
  url: omissible(string(GATEWAY_URL_MAX_BYTES)),
  source,
  connected: bool,
  height: omissible(varint),
}

/** A peer as this node measures it; what is not measured is absent. */
export interface TelemetryPeer extends Infer<typeof telemetryPeer> {}
export const telemetryPeer = struct('TelemetryPeer', {
  ...subjectFields,
  /** Absent where the key is registered for no peer. */
  role: omissible(role),
  version: omissible(string(VERSION_MAX_BYTES)),
  rttMs: omissible(varint),
  /** How far its clock is ahead of this node's. */
  clockOffsetMs: omissible(zigzag),
  queueSize: omissible(varint),
  uptimeMs: omissible(varint),
})
export interface TelemetryPeers extends Infer<typeof telemetryPeers> {}
export const telemetryPeers = struct('TelemetryPeers', { items: list(telemetryPeer, PEERS_MAX) })

/** That a peer came, went, or has another height. */
export interface TelemetryPeerStatus extends Infer<typeof telemetryPeerStatus> {}
export const telemetryPeerStatus = struct('TelemetryPeerStatus', subjectFields)

/** When gateways told of a block, by the clock of this node, less half of the round trip to each. */
export interface BlockPropagation extends Infer<typeof blockPropagation> {}
export const blockPropagation = struct('BlockPropagation', {
  block: varint,
  /** ms since the Unix epoch. */
  firstSeenMs: varint,
  lastSeenMs: varint,
  spreadMs: varint,
  /** Gateways that told of it. */
  peersReported: varint,
})
export interface TelemetryPropagation extends Infer<typeof telemetryPropagation> {}
/** Newest first. */
export const telemetryPropagation = struct('TelemetryPropagation', {
  items: list(blockPropagation, PROPAGATION_BLOCKS),
})

/** The network in short, as this node sees it. */
export interface NetworkStatus extends Infer<typeof networkStatus> {}
export const networkStatus = struct('NetworkStatus', {
  atMs: varint,
  /** Of this node. */
  height: varint,
  peers: varint,
  peersConnected: varint,
  gateways: varint,
  gatewaysConnected: varint,
  /** Of peers and gateways that are connected. */
  lowestHeight: omissible(varint),
  highestHeight: omissible(varint),
})

/** All that is known when a stream begins. */
export interface TelemetryFirst extends Infer<typeof telemetryFirst_> {}
const telemetryFirst_ = struct('TelemetryFirst', {
  peers: list(telemetryPeer, PEERS_MAX),
  propagation: list(blockPropagation, PROPAGATION_BLOCKS),
  network: networkStatus,
})
export const telemetryFirst: Schema<TelemetryFirst> = telemetryFirst_ as Schema<TelemetryFirst>
