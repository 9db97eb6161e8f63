/** Owns the core's view of the peer links: usable before they listen, when nothing is connected yet. */
import type { ValidatorKey } from '../model/index.js'
import type { PeerLinks, PeerState } from '../network/index.js'
import type { NodeLinks } from './core.js'

/** Links that get their layer once it listens. */
export interface LiveLinks extends NodeLinks {
  attach(layer: PeerLinks): void
}

/** Links without a layer; the core is wired before anything may arrive. */
export function connectLinks(): LiveLinks {
  let layer: PeerLinks | undefined
  const stateOf = (key: ValidatorKey): PeerState | undefined => layer?.states().find((state) => state.key === key)
  return {
    attach(given) {
      layer = given
    },
    sendConsensus: (to, body, channel) => void layer?.send(to, channel, body),
    broadcastConsensus: (body, channel, urgent) => void layer?.broadcast(channel, body, urgent),
    sendGossip: (to, body) => void layer?.send(to, 'gossip', body),
    broadcastGossip: (body) => void layer?.broadcast('gossip', body),
    updatePeers: () => layer?.updatePeers(),
    ban: (key, why) => layer?.ban(key, why),
    connected: () => layer?.connected ?? [],
    isConnected: (key) => stateOf(key)?.connected ?? false,
    lastError: (key) => stateOf(key)?.lastError,
  }
}
