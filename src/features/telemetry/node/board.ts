/** Owns live telemetry for readers: peers of links and gateways, their changes, a network summary. */

import type { NodeServices } from '../../../api/services.js'
import type { LiveEvent } from '../../../api/stream-source.js'
import type { BlockPropagation, NetworkStatus, TelemetryFirst, TelemetryPeer, TelemetryPeerStatus } from '../schema.js'
import { LINKS_MS, NETWORK_MS, PUBLISH_INTERVAL_MS } from './limits.js'
import type { Propagation } from './propagation.js'
import type { WatchedGateway } from './watched-gateway.js'

export interface BoardParts {
  readonly services: Pick<NodeServices, 'peers' | 'timeStatus' | 'height'>
  readonly gateways: readonly Pick<WatchedGateway, 'view'>[]
  readonly propagation: Pick<Propagation, 'rows' | 'changes'>
  readonly wallMs: () => number
  /** Monotonic clock, ms. */
  readonly monotonicMs: () => number
}

/** Key of a peer for one kind of connection; a gateway may also be a link peer. */
const keyOf = ({ source, url, peer }: TelemetryPeer): string => `${source} ${url ?? peer ?? ''}`

const statusOf = ({ peer, url, source, connected, height }: TelemetryPeer): TelemetryPeerStatus => ({
  peer,
  url,
  source,
  connected,
  height,
})

/** True if two records differ in fields that only the whole record contains. */
const differs = (one: TelemetryPeer, other: TelemetryPeer): boolean =>
  one.peer !== other.peer ||
  one.role !== other.role ||
  one.version !== other.version ||
  one.rttMs !== other.rttMs ||
  one.clockOffsetMs !== other.clockOffsetMs ||
  one.queueSize !== other.queueSize ||
  one.uptimeMs !== other.uptimeMs

export class TelemetryBoard {
  private links: { readonly atMs: number; readonly items: readonly TelemetryPeer[] } | undefined

  constructor(private readonly parts: BoardParts) {}

  peers(): readonly TelemetryPeer[] {
    const links = this.ofLinks()
    const byKey = new Map(links.map((one) => [one.peer, one]))
    const gateways = this.parts.gateways.map((gateway): TelemetryPeer => {
      const view = gateway.view()
      // The role comes from the registered peer with its key, not from the gateway itself.
      const { role } = byKey.get(view.peer) ?? {}
      return { ...view, role, clockOffsetMs: undefined }
    })
    return [...links, ...gateways]
  }

  propagation(): readonly BlockPropagation[] {
    return this.parts.propagation.rows()
  }

  network(peers: readonly TelemetryPeer[] = this.peers()): NetworkStatus {
    const links = peers.filter(({ source }) => source === 'link')
    const gateways = peers.filter(({ source }) => source === 'gateway')
    const heights = peers.flatMap(({ connected, height }) => (connected && height !== undefined ? [height] : []))
    const count = (of: readonly TelemetryPeer[]): number => of.filter(({ connected }) => connected).length
    return {
      atMs: this.parts.wallMs(),
      height: this.parts.services.height(),
      peers: links.length,
      peersConnected: count(links),
      gateways: gateways.length,
      gatewaysConnected: count(gateways),
      lowestHeight: heights.length === 0 ? undefined : Math.min(...heights),
      highestHeight: heights.length === 0 ? undefined : Math.max(...heights),
    }
  }

  first(): LiveEvent {
    const peers = this.peers()
    const value: TelemetryFirst = { peers, propagation: this.propagation(), network: this.network(peers) }
    return { event: 'first', value }
  }

  /** Report changes until the returned function is called. */
  open(publish: (events: readonly LiveEvent[]) => void): () => void {
    this.parts.propagation.changes()
    let known = new Map(this.peers().map((peer) => [keyOf(peer), peer]))
    let networkMs = this.parts.monotonicMs()
    const timer = setInterval(() => {
      const events: LiveEvent[] = []
      const peers = this.peers()
      for (const peer of peers) {
        const before = known.get(keyOf(peer))
        if (before === undefined || differs(before, peer)) events.push({ event: 'peer_info', value: peer })
        else if (before.connected !== peer.connected || before.height !== peer.height)
          events.push({ event: 'peer_status', value: statusOf(peer) })
      }
      const now = new Map(peers.map((peer) => [keyOf(peer), peer]))
      for (const [key, gone] of known)
        if (!now.has(key)) events.push({ event: 'peer_status', value: statusOf({ ...gone, connected: false }) })
      known = now
      for (const value of this.parts.propagation.changes()) events.push({ event: 'propagation', value })
      if (this.parts.monotonicMs() - networkMs >= NETWORK_MS) {
        networkMs = this.parts.monotonicMs()
        events.push({ event: 'network_status', value: this.network(peers) })
      }
      publish(events)
    }, PUBLISH_INTERVAL_MS)
    return () => clearInterval(timer)
  }

  /** Link peers, read once per second for all readers. */
  private ofLinks(): readonly TelemetryPeer[] {
    const atMs = this.parts.monotonicMs()
    if (this.links !== undefined && atMs - this.links.atMs < LINKS_MS) return this.links.items
    const { services } = this.parts
    const samples = new Map(services.timeStatus().samples.map((sample) => [sample.peer, sample]))
    const items = services.peers().items.map(({ id, role, connected, height }): TelemetryPeer => {
      const sample = connected ? samples.get(id) : undefined
      return {
        peer: id,
        url: undefined,
        source: 'link',
        connected,
        height,
        role,
        version: undefined,
        rttMs: sample?.lastRttMs,
        clockOffsetMs: sample?.lastOffsetMs,
        queueSize: undefined,
        uptimeMs: undefined,
      }
    })
    this.links = { atMs, items }
    return items
  }
}
