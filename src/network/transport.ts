/** Owns the contract of the links to peers: sending and requests of a node, and received messages. */
import type { LedgerError, Peer, ValidatorKey } from '../model/index.js'
import type { Hello, LocalHello } from './handshake.js'
import type { LinkFaultKind } from './link.js'
import type { Channel } from './wire.js'

/** States of the links. */
export interface LinkStates {
  /** Peers with an open link. */
  connected(): readonly ValidatorKey[]
  isConnected(peer: ValidatorKey): boolean
  /** Reason why there is no link, or why the previous one ended. */
  lastError(peer: ValidatorKey): string | undefined
}

/** Links to the registered peers. Nothing is connected, and sending does nothing, until they are started. */
export interface Transport extends LinkStates {
  /** Queue a message for one peer; false without a link or if the channel is full. The body must not change. */
  send(to: ValidatorKey, channel: Channel, body: Uint8Array): boolean
  /**
   * Queue a message for every connected peer, and return the number of peers that accepted it. A message that is not
   * urgent may wait to be sent with another one. The body must not change.
   */
  broadcast(channel: Channel, body: Uint8Array, urgent?: boolean): number
  /** Apply the registered peers: new ones are dialed, links to removed ones are closed. */
  updatePeers(): void
  /** Ends the link to a peer and refuses its key for a while. */
  ban(peer: ValidatorKey, why: string): void
}

/** Node as seen by the links: its properties, and its message handlers. */
export interface TransportHandler {
  /** Registered peers, this node among them or not. */
  peers(): readonly Peer[]
  /** True for a validator, active or registered: its links have priority over those of observers. */
  isMember(peer: ValidatorKey): boolean
  /** Introduction of this node, read at each handshake. */
  hello(): LocalHello
  /** A message of an authenticated peer; the body has memory of its own. What it throws ends the link. */
  onMessage(from: ValidatorKey, channel: Channel, body: Buffer): void
  /** A link of this peer was ended for what came over it. */
  onFault(peer: ValidatorKey, kind: LinkFaultKind): void
  onUp(peer: ValidatorKey, hello: Hello): void
  onDown(peer: ValidatorKey, reason: LedgerError): void
}
