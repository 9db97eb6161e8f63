/**
 * Owns the start of an empty node from a snapshot of a peer: offers, download, verification, and the switch to another
 * peer if one is faulty or silent.
 */
import { sleep } from '../../base/sleep.js'
import { errorMessage } from '../../base/thrown.js'
import type { CryptoService } from '../../crypto/index.js'
import { LedgerError, type ValidatorKey } from '../../model/index.js'
import type { Channel, Transport } from '../../network/index.js'
import type { PinnedGenesis } from '../identity/identity.js'
import type { PeerConduct } from '../peers/conduct.js'
import { type GossipMessage, gossipMessage } from '../peers/gossip.js'
import { keyText } from '../peers/names.js'
import type { Logger } from '../process/logger.js'
import type { LoadedSnapshot } from '../snapshot/load.js'
import { isSameSnapshot, type SnapshotManifest } from '../snapshot/manifest.js'
import type { SnapshotChunk } from '../snapshot/messages.js'
import type { SnapshotDownload } from './download.js'
import { type Offer, offerFault, ranked } from './offers.js'

/** Interval between requests for offers, in ms. */
const ASK_INTERVAL_MS = 500
/**
 * Time to wait for more offers after the first one, in ms; a peer that is still being dialed may have a newer snapshot.
 */
const OFFERS_WAIT_MS = 2_000
/**
 * Time without any offer after which the node starts from genesis, in ms; this happens if all nodes of a network start
 * at once.
 */
const NO_OFFER_MS = 20_000
/** Time after which the node starts from genesis if every registered peer answered that it has no snapshot, in ms. */
const NONE_ANSWERED_MS = 3_000
/** Time after which a missing chunk is requested again, in ms, and the maximum number of attempts. */
const CHUNK_TIMEOUT_MS = 10_000
const CHUNK_TRIES = 3
/**
 * Minimum speed of a source, in bytes per second, after a warm-up in ms. A slower source is replaced by an untried one:
 * a correct source shares 12 MiB per second among all requesters, and a peer that sends each chunk just in time would
 * take hours.
 */
const SLOW_BYTES_PER_SECOND = 1024 * 1024
const SLOW_AFTER_MS = 60_000
/** Number of snapshots that a peer may drop during their download before it is excluded. */
const GONE_MAX = 3
/** Maximum offers kept per peer: the offer of the requested height, and the newest. */
const OFFERS_PER_PEER = 2

export interface JoinModules {
  readonly pinned: PinnedGenesis
  /** Number of registered peers besides this node. */
  readonly peers: number
  readonly transport: Pick<Transport, 'connected' | 'send'>
  /** Budgets of peers by message kind. */
  readonly conduct: Pick<PeerConduct, 'allowsGossip' | 'fault'>
  readonly crypto: CryptoService
  readonly download: SnapshotDownload
  /** Build the data directory from the file; throws `snapshot_invalid` if any part of it is unproven. */
  readonly restore: (path: string) => Promise<LoadedSnapshot>
  readonly logger: Logger
  readonly monotonicMs: () => number
  readonly onProgress: (done: number, total: number) => void
  readonly signal: AbortSignal | undefined
}

/**
 * Fault of a source: it sent invalid data, did not respond, dropped the snapshot, or is slower than another peer may
 * be.
 */
class SourceFault extends Error {
  constructor(
    message: string,
    /** `gone`: the peer may have a newer snapshot; `slow`: it is used again only if no other peer remains. */
    readonly kind: 'bad' | 'gone' | 'slow' = 'bad',
  ) {
    super(message)
  }
}

/**
 * True if a restore failed because of this node: its disk, or its shutdown. Any other failure is caused by the peer's
 * bytes: rows with arbitrary content pass through code that expects rows of a chain.
 */
const isOwn = (error: unknown): boolean =>
  error instanceof LedgerError
    ? error.code !== 'snapshot_invalid' && error.code !== 'genesis_mismatch'
    : typeof (error as NodeJS.ErrnoException).syscall === 'string'

/** Join from a snapshot: from no data to a verified state. */
export class SnapshotJoin {
  private readonly offers = new Map<ValidatorKey, SnapshotManifest[]>()
  private readonly answered = new Set<ValidatorKey>()
  /** Peers with invalid or missing responses; they get no further requests. */
  private readonly left = new Set<ValidatorKey>()
  /** Number of snapshots that each peer dropped during a download. */
  private readonly gone = new Map<ValidatorKey, number>()
  /** Speed of slow peers, in bytes per second. */
  private readonly slow = new Map<ValidatorKey, number>()
  /** Progress of the current download. */
  private progress = { sinceMs: 0, bytes: 0 }
  private source: ValidatorKey | undefined
  /** Fault that ended the concurrent requests to the source. */
  private ended: SourceFault | undefined
  private readonly pending = new Map<number, (chunk: SnapshotChunk | undefined) => void>()

  constructor(private readonly modules: JoinModules) {}

  /** Process a message of a peer; messages other than responses are ignored at this stage. */
  onMessage(from: ValidatorKey, channel: Channel, body: Uint8Array): void {
    if (channel !== 'gossip' || this.left.has(from)) return
    const { conduct } = this.modules
    const decoded = gossipMessage.decode(body)
    if (!decoded.ok) return conduct.fault(from, 'malformed')
    const message = decoded.value
    if (!conduct.allowsGossip(from, message.kind)) return
    if (message.kind === 'snapshotOffer') this.offered(from, message.value.manifest)
    else if (message.kind === 'snapshotChunk' && from === this.source) {
      this.pending.get(message.value.wanted.index)?.(message.value)
    }
  }

  /**
   * Resolves with the restored snapshot, or undefined if no peer offers a usable one: the node then syncs from genesis.
   */
  async run(): Promise<LoadedSnapshot | undefined> {
    for (;;) {
      const offer = await this.nextOffer()
      if (offer === undefined) return undefined
      const restored = await this.tryOffer(offer)
      if (restored !== undefined) return restored
    }
  }

  private offered(from: ValidatorKey, manifest: SnapshotManifest | undefined): void {
    this.answered.add(from)
    if (manifest === undefined) return
    const fault = offerFault(manifest, this.modules.pinned)
    if (fault !== undefined) return this.leave(from, fault)
    const others = (this.offers.get(from) ?? []).filter(({ head }) => head.height !== manifest.head.height)
    this.offers.set(from, [manifest, ...others].slice(0, OFFERS_PER_PEER))
  }

  /** Request offers until one is selected, or no peer offers any. */
  private async nextOffer(): Promise<Offer | undefined> {
    const { monotonicMs, transport, download, peers } = this.modules
    const begun = await download.begun()
    const startedMs = monotonicMs()
    let firstMs: number | undefined
    for (;;) {
      this.assertRunning()
      const connected = transport.connected().filter((peer) => !this.left.has(peer))
      for (const peer of connected) {
        if (begun !== undefined) this.send(peer, { kind: 'snapshotWanted', value: begun.head.height })
        this.send(peer, { kind: 'snapshotWanted', value: 0 })
      }
      await sleep(ASK_INTERVAL_MS)
      const all = connected.flatMap((peer) => (this.offers.get(peer) ?? []).map((manifest) => ({ peer, manifest })))
      const open = this.fastest(all)
      const same = open.find(({ manifest }) => begun !== undefined && isSameSnapshot(manifest, begun))
      if (same !== undefined) return same
      if (open.length > 0) firstMs ??= monotonicMs()
      const isComplete =
        connected.length + this.left.size >= peers && connected.every((peer) => this.answered.has(peer))
      const waitedMs = monotonicMs() - (firstMs ?? startedMs)
      if (firstMs !== undefined && (isComplete || waitedMs >= OFFERS_WAIT_MS)) return this.best(open)
      if (firstMs === undefined && waitedMs >= (isComplete ? NONE_ANSWERED_MS : NO_OFFER_MS)) return undefined
    }
  }

  /** Offers of peers that were not slow; if there are none, the offers of the fastest slow peer. */
  private fastest(offers: readonly Offer[]): readonly Offer[] {
    const untried = offers.filter(({ peer }) => !this.slow.has(peer))
    if (untried.length > 0) return untried
    const rateOf = ({ peer }: Offer): number => this.slow.get(peer) ?? 0
    const best = Math.max(...offers.map(rateOf))
    return offers.filter((offer) => rateOf(offer) === best)
  }

  /** Reason to switch to another source, whose offer was not slow yet; undefined if there is none. */
  private slowFault(source: ValidatorKey): SourceFault | undefined {
    const seconds = (this.modules.monotonicMs() - this.progress.sinceMs) / 1_000
    const rate = this.progress.bytes / seconds
    if (1_000 * seconds < SLOW_AFTER_MS || rate >= SLOW_BYTES_PER_SECOND) return undefined
    const isOnly = ![...this.offers.keys()].some((peer) => peer !== source && !this.slow.has(peer))
    if (isOnly) return undefined
    this.slow.set(source, rate)
    return new SourceFault(`it sent ${Math.round(rate / 1_024)} KiB a second`, 'slow')
  }

  private async best(open: readonly Offer[]): Promise<Offer | undefined> {
    const { pinned, crypto } = this.modules
    return (await ranked(open, pinned, crypto))[0]
  }

  /** Download and restore; undefined if the peer was excluded for its data. */
  private async tryOffer({ peer, manifest }: Offer): Promise<LoadedSnapshot | undefined> {
    const { download, restore, logger, onProgress } = this.modules
    this.source = peer
    this.ended = undefined
    try {
      const fault = await download.roomFault(manifest)
      if (fault !== undefined) throw new SourceFault(fault)
      const { height } = manifest.head
      logger.info({ height, bytes: manifest.bytes, peer: keyText(peer) }, 'downloading a snapshot from a peer')
      this.progress = { sinceMs: this.modules.monotonicMs(), bytes: 0 }
      await download.fetch(manifest, (index, isRight) => this.fetchChunk(peer, manifest, index, isRight), onProgress)
    } catch (error) {
      if (!(error instanceof SourceFault)) throw error
      this.putAside(peer, error)
      return undefined
    } finally {
      this.endRequests()
    }
    try {
      return await restore(download.path)
    } catch (error) {
      if (isOwn(error)) throw error
      this.leave(peer, `its snapshot is not proven: ${errorMessage(error)}`)
      return undefined
    } finally {
      await download.discard()
    }
  }

  /** End the running requests without a response. */
  private endRequests(): void {
    this.source = undefined
    for (const resolve of this.pending.values()) resolve(undefined)
  }

  private async fetchChunk(
    peer: ValidatorKey,
    manifest: SnapshotManifest,
    index: number,
    isRight: (bytes: Uint8Array) => boolean,
  ): Promise<Uint8Array> {
    const { height, blockHash } = manifest.head
    const fail = (fault: SourceFault): never => {
      this.ended = fault
      this.endRequests()
      throw fault
    }
    const assertAsked = (): void => {
      if (this.source !== peer) throw this.ended ?? new SourceFault('another request to it failed')
    }
    for (let attempt = 0; attempt < CHUNK_TRIES; attempt += 1) {
      this.assertRunning()
      assertAsked()
      const answer = await this.ask(peer, { height, blockHash, index })
      assertAsked()
      const { chunk } = answer ?? {}
      if (answer !== undefined && chunk === undefined)
        return fail(new SourceFault('it no longer offers that snapshot', 'gone'))
      if (chunk !== undefined && !isRight(chunk))
        return fail(new SourceFault(`chunk ${index} does not match the manifest`))
      this.progress.bytes += chunk?.length ?? 0
      const slow = this.slowFault(peer)
      if (slow !== undefined) return fail(slow)
      if (chunk !== undefined) return chunk
    }
    return fail(new SourceFault(`it did not send chunk ${index}`))
  }

  /** Request a chunk once; undefined if no response arrived. */
  private async ask(peer: ValidatorKey, wanted: SnapshotChunk['wanted']): Promise<SnapshotChunk | undefined> {
    let timer: NodeJS.Timeout | undefined
    try {
      return await new Promise((resolve) => {
        this.pending.set(wanted.index, resolve)
        timer = setTimeout(() => resolve(undefined), CHUNK_TIMEOUT_MS)
        this.send(peer, { kind: 'chunkWanted', value: wanted })
      })
    } finally {
      clearTimeout(timer)
      this.pending.delete(wanted.index)
    }
  }

  /** Set aside a source with a fault. A peer that already has a newer snapshot may be asked for that snapshot. */
  private putAside(peer: ValidatorKey, fault: SourceFault): void {
    if (fault.kind === 'slow') {
      this.modules.logger.warn(
        { peer: keyText(peer), why: fault.message },
        'the source of a snapshot is slow: trying another one',
      )
      return
    }
    const times = (this.gone.get(peer) ?? 0) + 1
    if (fault.kind !== 'gone' || times >= GONE_MAX) return this.leave(peer, fault.message)
    this.gone.set(peer, times)
    this.offers.delete(peer)
    this.answered.delete(peer)
  }

  /** Log a peer and exclude it from further requests; the next peer is tried. */
  private leave(peer: ValidatorKey, why: string): void {
    if (this.left.has(peer)) return
    this.left.add(peer)
    this.offers.delete(peer)
    this.modules.logger.warn(
      { peer: keyText(peer), why },
      'a peer cannot be used as the source of a snapshot: trying the next one',
    )
  }

  private send(to: ValidatorKey, message: GossipMessage): void {
    this.modules.transport.send(to, 'gossip', gossipMessage.encode(message))
  }

  private assertRunning(): void {
    if (this.modules.signal?.aborted === true)
      throw new LedgerError('node_stopping', 'the start was interrupted before a snapshot was complete')
  }
}
