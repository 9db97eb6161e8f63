/** Owns the core's view of the peer links: usable before they listen, when nothing is connected yet. */
import type { ValidatorKey } from '../model/index.js'
import type { NodeLinks } from './core.js'

/** What the core needs of the network layer. */
export interface LinkLayer {
  send(to: ValidatorKey, channel: 'consensus' | 'gossip', body: Buffer): void
  broadcast(channel: 'consensus' | 'gossip', body: Buffer): void
  updatePeers(): void
  connected(): readonly ValidatorKey[]
  isConnected(key: ValidatorKey): boolean
  lastError(key: ValidatorKey): string | undefined
}

/** Links that get their layer once it listens. */
export interface LiveLinks extends NodeLinks {
  attach(layer: LinkLayer): void
}

/** Links without a layer; the core is wired before anything may arrive. */
export function connectLinks(): LiveLinks {
  let layer: LinkLayer | undefined
  return {
    attach(given) {
      layer = given
    },
    sendConsensus: (to, body) => layer?.send(to, 'consensus', body),
    broadcastConsensus: (body) => layer?.broadcast('consensus', body),
    sendGossip: (to, body) => layer?.send(to, 'gossip', body),
    broadcastGossip: (body) => layer?.broadcast('gossip', body),
    updatePeers: () => layer?.updatePeers(),
    connected: () => layer?.connected() ?? [],
    isConnected: (key) => layer?.isConnected(key) ?? false,
    lastError: (key) => layer?.lastError(key),
  }
}
