/**
 * Owns the core of a node: its parts are started, fed by the transport and the heartbeat, and notified of each commit.
 */
import type { Registry } from 'prom-client'
import { SYSTEM_CLOCKS } from '../base/clocks.js'
import { addConsensusKey, StatusRounds } from '../consensus/index.js'
import { keyString, type Peer, type ValidatorKey } from '../model/index.js'
import type { CarriedAbi, Channel, LocalHello, TransportHandler } from '../network/index.js'
import type { BlockContent } from './block-work.js'
import { openAll } from './closers.js'
import type { CoreOptions } from './core-options.js'
import { closeLogs, type Logs, openLogs } from './durable.js'
import { Heartbeat } from './heartbeat.js'
import { consensusKeysOf, peerNameOf } from './identity.js'
import type { Tip } from './ledger/protocol.js'
import { helloOf } from './node-info.js'
import { CoreParts } from './parts.js'
import type { PeerFaultKind } from './peer-conduct.js'
import type { Services } from './services.js'
import { SnapshotArchive } from './snapshot/archive.js'
import { StallLog } from './status/stall-log.js'

export type { CoreOptions } from './core-options.js'

/** Core of a node; handles messages from the transport. */
export class NodeCore implements TransportHandler {
  private readonly parts: CoreParts
  private readonly stalls: StallLog
  /** Rounds over members, and over observers: no number of those delays what members are told. */
  private readonly statusRounds = [true, false].map((ofMembers) => ({
    ofMembers,
    rounds: new StatusRounds((below) => Math.floor(Math.random() * below)),
  }))
  private readonly heartbeat = new Heartbeat(() => this.beat())
  /** What was acknowledged before a restart is queued again. */
  private isRestored = false

  private constructor(
    private readonly options: CoreOptions,
    tip: Tip,
    private readonly logs: Logs,
    archive: SnapshotArchive,
  ) {
    this.parts = new CoreParts(options, tip, logs, archive, (...committed) => this.committed(...committed))
    this.stalls = new StallLog(options.logger, SYSTEM_CLOCKS.monotonicMs)
  }

  /** Opens the logs of the data directory and wires the core; `start` sets it going. */
  static async open(options: CoreOptions): Promise<NodeCore> {
    const tip = await options.ledger.tip({})
    const own = peerNameOf(options.keys, tip.peers)
    const votes = new Set([...tip.schedule.roster, ...tip.nextSchedule.roster])
    const isElected = consensusKeysOf(options.keys).some((pair) => votes.has(keyString(pair.publicKey.bytes)))
    const isRegistered = tip.peers.some(({ key, role }) => key === own && role === 'validator')
    if (isElected || isRegistered) await options.marks.check()
    return openAll(async (opened) => {
      const logs = await openLogs(options, tip.height)
      opened.add(() => closeLogs(logs))
      for (const { publicKey, secret } of consensusKeysOf(options.keys)) {
        if (secret !== undefined) await addConsensusKey(options.crypto, { publicKey, secret })
      }
      const archive = await SnapshotArchive.open(options.dataDir, options.snapshots.keep)
      return new NodeCore(options, tip, logs, archive)
    })
  }

  get services(): Services {
    return this.parts.services
  }
  get registry(): Registry {
    return this.parts.registry
  }
  get height(): number {
    return this.parts.driver.tip.height
  }
  /** Registered peers as of the last block. */
  get tip(): Tip {
    return this.parts.driver.tip
  }
  /** True while proven faults wait for a block. */
  get hasEvidence(): boolean {
    return this.parts.evidence.size > 0
  }

  /** Takes up consensus and the transactions that were acknowledged before a restart. */
  async start(): Promise<void> {
    this.parts.driver.start()
    this.heartbeat.start()
    const waiting = this.logs.queue.entries
    this.logs.queue.releaseEntries()
    const left = await this.parts.admission.restore(waiting)
    if (left > 0)
      this.options.logger.warn({ transactions: left }, 'acknowledged transactions do not fit into the queue')
    this.isRestored = true
    this.expire()
    this.parts.gossip.offer(true)
  }

  peers(): readonly Peer[] {
    return this.tip.peers
  }

  isMember(peer: ValidatorKey): boolean {
    return this.parts.members.has(peer)
  }

  hello(): LocalHello {
    return helloOf(this.options, this.services.info, this.tip)
  }

  onMessage(from: ValidatorKey, channel: Channel, body: Buffer): void {
    const { conduct, gossip, driver } = this.parts
    if (!conduct.admitsBytes(from, channel, body.length)) return
    if (channel === 'gossip') gossip.onMessage(from, body)
    else driver.receive(from, body)
  }

  onFault(peer: ValidatorKey, kind: PeerFaultKind): void {
    this.parts.conduct.fault(peer, kind)
  }

  onUp(peer: ValidatorKey, { abis }: { readonly abis: readonly CarriedAbi[] }): void {
    const { upgrades, telemetry, driver } = this.parts
    upgrades.peerUp(peer, abis)
    telemetry.downSinceMs.delete(peer)
    driver.notifyPeer('peerUp', peer)
  }

  onDown(peer: ValidatorKey): void {
    const { upgrades, telemetry, driver } = this.parts
    upgrades.peerDown(peer)
    if (!telemetry.downSinceMs.has(peer)) telemetry.downSinceMs.set(peer, SYSTEM_CLOCKS.monotonicMs())
    driver.notifyPeer('peerDown', peer)
  }

  /** Stops consensus, then closes the logs; ledger, crypto threads and transport belong to the caller. */
  async close(): Promise<void> {
    this.parts.isClosing = true
    this.heartbeat.stop()
    this.parts.snapshots.server.close()
    this.parts.driver.close()
    await this.parts.admission.close()
    await closeLogs(this.logs)
  }

  /** What is over by the clock of this node leaves its queue. */
  private expire(): void {
    for (const one of this.parts.queue.expire(SYSTEM_CLOCKS.wallMs())) this.parts.dropped(one, 'transaction_expired')
  }

  private beat(): void {
    const { gossip, time, driver, evidence, upgrades } = this.parts
    this.expire()
    gossip.offer(false)
    time.beat()
    driver.notifyWork()
    const connected = this.options.transport.connected()
    for (const { ofMembers, rounds } of this.statusRounds) {
      const peer = rounds.next(connected.filter((one) => this.isMember(one) === ofMembers))
      if (peer !== undefined) driver.notifyPeer('gossip', peer)
    }
    evidence.resend()
    upgrades.look().catch((error: unknown) => {
      // A node that is closing has no ledger any more.
      if (this.heartbeat.isRunning) this.parts.fatal('ledger')(error)
    })
    this.stalls.report(this.parts.status.consensus.stall())
  }

  /** What a block may still hold: what is queued, and what lapsed here alone. */
  private *liveRecords(): Iterable<Uint8Array> {
    const { queue, lapsed } = this.parts
    for (const { bytes } of queue.all()) yield bytes
    for (const { bytes } of lapsed.all()) yield bytes
  }

  private committed(tip: Tip, content: readonly BlockContent[], before: Tip): void {
    const { line, queue, lapsed, telemetry, routing, review, laneTelemetry, conduct, evidence } = this.parts
    line.switchTo(tip.abi, tip.height + 1)
    for (const { id } of content) queue.remove(id)
    lapsed.committed(content)
    telemetry.lastCommitMs = SYSTEM_CLOCKS.monotonicMs()
    routing.changed(before.lanes, tip.lanes)
    review.changed(before, tip)
    laneTelemetry.committed(tip.lanes?.commitments ?? [])
    if (!samePeers(tip.peers, before.peers)) {
      this.options.transport.updatePeers()
      conduct.keepOnly(new Set(tip.peers.map(({ key }) => key)))
    }
    if (evidence.size > 0) evidence.sweep().catch(this.parts.fatal('ledger'))
    this.options.logger.info(
      {
        height: tip.height,
        view: tip.certificate?.view,
        transactions: tip.header.transactionCount,
        state_root: Buffer.from(tip.stateRoot).toString('hex').slice(0, 16),
        queue: queue.size,
      },
      'block committed',
    )
    // Until then the log has what the queue does not.
    if (this.isRestored) {
      let liveBytes = queue.recordBytes
      for (const { bytes } of lapsed.all()) liveBytes += bytes.length
      this.logs.queue.compact(liveBytes, () => this.liveRecords()).catch(this.parts.fatal('queue_log'))
    }
    this.services.committed(tip.height)
    this.parts.snapshots.keeper.committed(tip.height)
    this.parts.snapshots.pruner.committed(tip)
  }
}

/** True when both lists hold the same peers with the same links. */
const samePeers = (a: readonly Peer[], b: readonly Peer[]): boolean =>
  a.length === b.length &&
  a.every((peer, place) => {
    const other = b[place]
    return (
      peer.key === other?.key &&
      peer.networkKey === other.networkKey &&
      String(peer.addresses) === String(other.addresses)
    )
  })
