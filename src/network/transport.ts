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

/** Links to the registered peers. Before the start, no peer is connected and sending has no effect. */
export interface Transport extends LinkStates {
  /** Queue a message for one peer; false without a link or if the channel is full. The body must not change. */
  send(to: ValidatorKey, channel: Channel, body: Uint8Array): boolean
  /**
   * Queue a message for every connected peer, and return the number of peers for which it was queued. A non-urgent
   * message may be delayed to share a write. The body must not change.
   */
  broadcast(channel: Channel, body: Uint8Array, urgent?: boolean): number
  /** Apply the registered peers: new ones are dialed, links to removed ones are closed. */
  updatePeers(): void
  /** End the link to a peer and refuse its key for a while. */
  ban(peer: ValidatorKey, why: string): void
}

/** Interface of the node to its links: its properties, and its message handlers. */
export interface TransportHandler {
  /** Registered peers, possibly including this node. */
  peers(): readonly Peer[]
  /** True for a validator, active or registered; its links have priority over links of observers. */
  isMember(peer: ValidatorKey): boolean
  /** Hello of this node, read at each handshake. */
  hello(): LocalHello
  /** Handle a message of an authenticated peer; the body has its own memory. An error thrown here ends the link. */
  onMessage(from: ValidatorKey, channel: Channel, body: Buffer): void
  /** Called when a link of this peer was ended because of its messages. */
  onFault(peer: ValidatorKey, kind: LinkFaultKind): void
  onUp(peer: ValidatorKey, hello: Hello): void
  onDown(peer: ValidatorKey, reason: LedgerError): void
}
