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
  /** Why there is no link, or why the last one ended before this one. */
  lastError(peer: ValidatorKey): string | undefined
}

/** Links to the registered peers. Nothing is connected, and sending does nothing, until they are started. */
export interface Transport extends LinkStates {
  /** Queues a message for one peer; false when there is no link or the channel is full. The body must not change. */
  send(to: ValidatorKey, channel: Channel, body: Uint8Array): boolean
  /**
   * Queues a message for every connected peer; the number that took it. One that is not urgent may wait for another to
   * leave with. The body must not change.
   */
  broadcast(channel: Channel, body: Uint8Array, urgent?: boolean): number
  /** Takes up the registered peers again: new ones are dialed, links to those that left are closed. */
  updatePeers(): void
  /** Ends the link to a peer and refuses its key for a while. */
  ban(peer: ValidatorKey, why: string): void
}

/** Node as seen by the links: its properties, and its message handlers. */
export interface TransportHandler {
  /** Registered peers, this node among them or not. */
  peers(): readonly Peer[]
  /** Whether a peer votes, or is registered to: its links go before those of observers. */
  isMember(peer: ValidatorKey): boolean
  /** What this node says of itself; read at each handshake. */
  hello(): LocalHello
  /** A message of an authenticated peer; the body has memory of its own. What it throws ends the link. */
  onMessage(from: ValidatorKey, channel: Channel, body: Buffer): void
  /** A link of this peer was ended for what came over it. */
  onFault(peer: ValidatorKey, kind: LinkFaultKind): void
  onUp(peer: ValidatorKey, hello: Hello): void
  onDown(peer: ValidatorKey, reason: LedgerError): void
}
