/**
 * Owns the links to all registered peers: one authenticated link per pair, redialed after a loss, with notices of
 * changes.
 */
import { performance } from 'node:perf_hooks'
import type { TLSSocket } from 'node:tls'
import { errorMessage } from '../base/thrown.js'
import { keyString, LedgerError, type NetworkKey, type Peer, type ValidatorKey } from '../model/index.js'
import { banAfter, banText, isInForce } from './ban.js'
import { type LinkIdentity, linkIdentity } from './certificate.js'
import { Dialer } from './dialer.js'
import { type Entry, type PeerState, stateOf } from './entry.js'
import { type Hello, refusalFor } from './handshake.js'
import { Introducer, peerText } from './introduction.js'
import {
  DUPLICATE_GRACE_MS,
  LINK_LINES_MAX,
  OBSERVER_LINKS_MAX,
  PEER_LOG_INTERVAL_MS,
  PENDING_INBOUND_MAX,
  PING_INTERVAL_MS,
} from './limits.js'
import { Link, type LinkEvents, type LinkFaultKind } from './link.js'
import { Listener } from './listener.js'
import type { LinkLogger } from './logger.js'
import { ObserverLinks } from './observers.js'
import { clientOptions } from './tls.js'
import type { Transport, TransportHandler } from './transport.js'
import type { Channel } from './wire.js'

export interface PeerLinksOptions {
  /** 32-byte secret of this node's Ed25519 network key. */
  readonly seed: Uint8Array
  /** `host:port` to listen on; port 0 selects a free port. */
  readonly listen: string
  readonly logger: LinkLogger
}

const TOO_MANY_OBSERVERS = `this node has reached its limit of ${OBSERVER_LINKS_MAX} observer links`

/** The links of one node. */
export class PeerLinks implements Transport, LinkEvents {
  private readonly identity: LinkIdentity
  private readonly ownKey: NetworkKey
  private readonly entries = new Map<ValidatorKey, Entry>()
  private readonly byNetworkKey = new Map<NetworkKey, Entry>()
  private readonly links = new Map<Link, Entry | undefined>()
  private readonly introducer: Introducer
  private readonly observers = new ObserverLinks(() =>
    [...this.links].flatMap(([link, entry]) =>
      link.isOpen && entry !== undefined && !this.isMember(entry) ? [link] : [],
    ),
  )
  private readonly retiring = new Map<Link, NodeJS.Timeout>()
  /** Time of the last log line about a ban of each key, monotonic ms. */
  private readonly bansLoggedMs = new Map<ValidatorKey, number>()
  /** Registered record of this node; its network key may differ from ours. */
  private ownRecord: Peer | undefined
  /** Handler of the node; set when the links are started. */
  private node: TransportHandler | undefined
  private listener: Listener | undefined
  private pings: NodeJS.Timeout | undefined
  private lastPingsMs = 0
  private closing = false
  private whenEmpty: (() => void) | undefined

  constructor(private readonly options: PeerLinksOptions) {
    this.identity = linkIdentity(options.seed)
    this.ownKey = keyString(this.identity.publicKey)
    this.introducer = new Introducer({
      ownKey: this.ownKey,
      hello: () => this.started().hello(),
      find: (key) =>
        this.byNetworkKey.get(key)?.peer ?? (this.ownRecord?.networkKey === key ? this.ownRecord : undefined),
      onReady: (link, _peer, hello) => this.ready(link, hello),
      banOf: (peer) => banText(this.entries.get(peer.key)?.ban),
      logger: options.logger,
    })
  }

  /**
   * Start listening, dial every other peer, and pass received messages to the node.
   *
   * @throws LedgerError `address_in_use`; `config_invalid` if the listen address is not a `host:port`
   */
  async start(node: TransportHandler): Promise<void> {
    this.node = node
    this.listener = await Listener.open(this.options, this.identity, (socket, remote) =>
      this.accept(socket, undefined, remote),
    )
    this.lastPingsMs = performance.now()
    this.pings = setInterval(() => this.pingAll(), PING_INTERVAL_MS)
    this.updatePeers()
  }

  /** Listen address of this node, with the assigned port. */
  get address(): string {
    return this.listener?.address ?? this.options.listen
  }

  /** Part of `Transport`. */
  connected(): ValidatorKey[] {
    return [...this.entries.values()].filter((entry) => entry.link?.isOpen === true).map((entry) => entry.peer.key)
  }

  /** Part of `Transport`. */
  isConnected(key: ValidatorKey): boolean {
    return this.entries.get(key)?.link?.isOpen === true
  }

  /** Part of `Transport`. */
  lastError(key: ValidatorKey): string | undefined {
    const entry = this.entries.get(key)
    return entry && (banText(entry.ban) ?? entry.lastError)
  }

  /** States of all registered peers except this node. */
  states(): PeerState[] {
    return [...this.entries.values()].map(stateOf)
  }

  /** Part of `Transport`. */
  send(key: ValidatorKey, channel: Channel, body: Uint8Array): boolean {
    const entry = this.entries.get(key)
    return entry !== undefined && this.sendTo(entry, channel, body, true)
  }

  /** Part of `Transport`. */
  broadcast(channel: Channel, body: Uint8Array, urgent = true): number {
    let taken = 0
    for (const entry of this.entries.values()) if (this.sendTo(entry, channel, body, urgent)) taken += 1
    return taken
  }

  private sendTo(entry: Entry, channel: Channel, body: Uint8Array, urgent: boolean): boolean {
    const { link } = entry
    if (link?.isOpen !== true) return false
    if (!this.isMember(entry) && !this.observers.hasBudget(link, body.length)) return false
    return link.send(channel, body, urgent)
  }

  /**
   * End the link to a peer that violated the protocol, and refuse its key for a while, doubled each time. Both sides
   * dial again afterwards.
   */
  ban(key: ValidatorKey, why: string): void {
    const entry = this.entries.get(key)
    if (entry === undefined || this.closing) return
    const nowMs = performance.now()
    if (isInForce(entry.ban, nowMs)) return
    const ban = banAfter(entry.ban, why, nowMs)
    const { lastsMs } = ban
    entry.ban = ban
    clearTimeout(entry.unban)
    entry.unban = setTimeout(() => this.dial(entry), lastsMs).unref()
    entry.dialer.stop()
    const quiet = nowMs - (this.bansLoggedMs.get(key) ?? Number.NEGATIVE_INFINITY) < PEER_LOG_INTERVAL_MS
    if (!quiet) this.bansLoggedMs.set(key, nowMs)
    this.options.logger[quiet ? 'debug' : 'warn']({ peer: peerText(key), why, for_ms: lastsMs }, 'peer banned')
    const fault = new LedgerError('peer_refused', `this node refuses the peer for ${lastsMs / 1000} s: ${why}`)
    for (const [link, owner] of this.links) if (owner === entry) link.destroy(fault)
  }

  /** Part of `Transport`. */
  updatePeers(): void {
    if (this.closing || this.listener === undefined) return
    const node = this.started()
    const own = node.hello().validatorKey
    const wanted = new Map(node.peers().map((peer) => [peer.key, peer]))
    this.ownRecord = wanted.get(own)
    wanted.delete(own)
    for (const [key, entry] of this.entries) {
      const peer = wanted.get(key)
      if (peer !== undefined && peer.networkKey === entry.peer.networkKey) entry.peer = peer
      else this.remove(entry)
    }
    for (const peer of wanted.values()) {
      if (this.entries.has(peer.key)) continue
      this.entries.set(peer.key, this.newEntry(peer))
    }
    this.nameNetworkKeys()
    // Twice the peers, because both sides may dial, and a limit for unauthenticated connections.
    this.listener.connectionsMax = PENDING_INBOUND_MAX + 2 * this.entries.size
    this.dialAll()
  }

  /** Dial the peers without a link, members first. */
  private dialAll(): void {
    const entries = [...this.entries.values()]
    for (const entry of entries) if (this.isMember(entry)) this.dial(entry)
    for (const entry of entries) if (!this.isMember(entry)) this.dial(entry)
  }

  private isMember({ peer }: Entry): boolean {
    return this.started().isMember(peer.key)
  }

  /**
   * Index peers by network key. If two peers are registered with one key, the validator is used, so that an observer
   * cannot displace it.
   */
  private nameNetworkKeys(): void {
    this.byNetworkKey.clear()
    for (const entry of this.entries.values()) {
      const { networkKey, role } = entry.peer
      if (role === 'validator' || !this.byNetworkKey.has(networkKey)) this.byNetworkKey.set(networkKey, entry)
    }
  }

  /** Send queued messages, then close every link and the listener. Nothing runs or is reported afterwards. */
  async close(): Promise<void> {
    if (this.closing) return
    this.closing = true
    clearInterval(this.pings)
    for (const timer of this.retiring.values()) clearTimeout(timer)
    for (const entry of this.entries.values()) {
      entry.dialer.stop()
      clearTimeout(entry.unban)
    }
    const closed = this.listener?.close()
    const empty = this.links.size === 0 ? undefined : new Promise<void>((resolve) => (this.whenEmpty = resolve))
    for (const link of this.links.keys()) link.close(new LedgerError('node_stopping', 'this node is stopping'))
    await empty
    this.listener?.destroy()
    await closed
  }

  /** Part of `LinkEvents`. */
  onControl(link: Link, kind: 'hello' | 'refusal', body: Buffer): void {
    if (kind === 'hello') this.introducer.onHello(link, body)
    else this.introducer.onRefusal(link, body, this.links.get(link)?.peer)
  }

  /** Part of `LinkEvents`. */
  onMessage(link: Link, channel: Channel, body: Buffer): void {
    const entry = this.links.get(link)
    if (entry !== undefined && !this.closing) this.started().onMessage(entry.peer.key, channel, body)
  }

  /** Part of `LinkEvents`. */
  onPart(link: Link): void {
    const entry = this.links.get(link)
    if (entry !== undefined && !this.isMember(entry)) this.observers.received()
  }

  /** Part of `LinkEvents`. */
  onFault(link: Link, kind: LinkFaultKind, error: unknown): void {
    const entry = this.links.get(link)
    if (error !== undefined) {
      const reason = errorMessage(error)
      this.options.logger.debug({ remote: link.remote, reason }, 'cannot handle a message of a peer')
    }
    if (entry !== undefined && !this.closing) this.started().onFault(entry.peer.key, kind)
  }

  /** Part of `LinkEvents`. */
  onClosed(link: Link, fault: LedgerError): void {
    const entry = this.links.get(link)
    this.links.delete(link)
    this.introducer.drop(link)
    clearTimeout(this.retiring.get(link))
    this.retiring.delete(link)
    if (this.closing) {
      if (this.links.size === 0) this.whenEmpty?.()
      return
    }
    if (entry === undefined) return
    entry.bytesIn += link.bytesIn
    entry.bytesOut += link.bytesOut
    if (link.dialed && !link.wasOpen) entry.dialer.failed()
    if (entry.link === link) this.down(entry, fault)
    else if (entry.link === undefined) this.note(entry, fault)
    this.dial(entry)
  }

  /** Handler of the node; links exist only after the start. */
  private started(): TransportHandler {
    if (this.node === undefined) throw new Error('the links are not started')
    return this.node
  }

  private newEntry(peer: Peer): Entry {
    const entry: Entry = {
      peer,
      dialer: new Dialer(
        {
          addresses: () => entry.peer.addresses,
          onSocket: (socket, address) => this.accept(socket, entry, address),
          onFailure: (fault) => {
            this.note(entry, fault)
            this.dial(entry)
          },
        },
        clientOptions(this.identity),
      ),
      link: undefined,
      hello: undefined,
      lastError: undefined,
      bytesIn: 0,
      bytesOut: 0,
      ban: undefined,
      unban: undefined,
      lines: { count: 0, sinceMs: performance.now() },
    }
    return entry
  }

  private remove(entry: Entry): void {
    this.entries.delete(entry.peer.key)
    this.bansLoggedMs.delete(entry.peer.key)
    clearTimeout(entry.unban)
    entry.dialer.stop()
    for (const [link, owner] of this.links) {
      if (owner === entry) this.introducer.refuse(link, refusalFor('this peer is no longer registered'), entry.peer)
    }
  }

  private dial(entry: Entry): void {
    const gone = this.entries.get(entry.peer.key) !== entry
    if (this.closing || gone || isInForce(entry.ban) || entry.link !== undefined) return
    if (this.isMember(entry) || this.observers.hasRoom) entry.dialer.start()
  }

  /** Handle a socket after its TLS handshake. */
  private accept(socket: TLSSocket, dialed: Entry | undefined, remote: string): void {
    const link = new Link(socket, dialed !== undefined, remote, this)
    this.links.set(link, dialed)
    if (this.closing) return link.destroy(new LedgerError('node_stopping', 'this node is stopping'))
    const peer = this.introducer.meet(link, socket, dialed?.peer)
    this.links.set(link, peer === undefined ? undefined : this.entries.get(peer.key))
  }

  /** Handle a completed handshake. Of two links of a pair, the link dialed by the smaller network key is kept. */
  private ready(link: Link, hello: Hello): void {
    const entry = this.links.get(link)
    if (entry === undefined) return link.destroy(new LedgerError('peer_refused', 'this peer is no longer registered'))
    if (entry.link === undefined && !this.isMember(entry) && !this.observers.hasRoom) {
      return this.introducer.refuse(link, refusalFor(TOO_MANY_OBSERVERS), entry.peer)
    }
    link.open()
    if (link.dialed) entry.dialer.succeeded()
    entry.dialer.up()
    entry.hello = hello
    link.ping(performance.now())
    const old = entry.link
    if (old?.isOpen === true) {
      const ownDialStays = this.ownKey < entry.peer.networkKey
      const newStays = link.dialed === old.dialed || link.dialed === ownDialStays
      if (newStays) entry.link = link
      return this.retire(newStays ? old : link)
    }
    if (old !== undefined) this.down(entry, new LedgerError('unreachable', `${old.remote} opened a new link`))
    entry.link = link
    entry.lastError = undefined
    const { key } = entry.peer
    this.logPeer(entry, 'peer connected', { remote: link.remote, dialed: link.dialed })
    this.started().onUp(key, hello)
  }

  /**
   * Retire a link that the other side may still use for a moment: read it until both sides use the other link, then
   * close it.
   */
  private retire(link: Link): void {
    const close = () => link.close(new LedgerError('unreachable', 'the pair already has another link'))
    this.retiring.set(link, setTimeout(close, DUPLICATE_GRACE_MS))
  }

  private down(entry: Entry, fault: LedgerError): void {
    entry.link = undefined
    entry.dialer.down()
    entry.lastError = fault.message
    const { key } = entry.peer
    this.logPeer(entry, 'peer disconnected', { code: fault.code })
    this.options.logger.debug({ peer: peerText(key), reason: fault.message }, 'reason of the disconnection')
    this.started().onDown(key, fault)
  }

  /** Log a peer that connected or disconnected; at debug level if it flaps. */
  private logPeer({ peer, lines }: Entry, text: string, fields: object): void {
    const nowMs = performance.now()
    if (nowMs - lines.sinceMs >= PEER_LOG_INTERVAL_MS) Object.assign(lines, { count: 0, sinceMs: nowMs })
    lines.count += 1
    const level = lines.count > LINK_LINES_MAX ? 'debug' : 'info'
    this.options.logger[level]({ peer: peerText(peer.key), ...fields }, text)
  }

  private note(entry: Entry, fault: LedgerError): void {
    if (entry.lastError === fault.message) return
    entry.lastError = fault.message
    this.options.logger.debug({ peer: peerText(entry.peer.key), reason: fault.message }, 'cannot reach peer')
  }

  private pingAll(): void {
    const nowMs = performance.now()
    // After a pause of this process late peers are not at fault.
    const paused = nowMs - this.lastPingsMs > 2 * PING_INTERVAL_MS
    this.lastPingsMs = nowMs
    if (paused) return
    for (const entry of this.entries.values()) entry.link?.ping(nowMs)
    // Observers that found no room are dialed once there is some.
    this.dialAll()
  }
}
