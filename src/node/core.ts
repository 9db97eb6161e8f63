/**
 * Owns the core of a node: it composes the parts, handles input of the transport and the heartbeat, and advances with
 * each commit.
 */
import type { NodeServices } from '../api/services.js'
import { SYSTEM_CLOCKS } from '../base/clocks.js'
import { addConsensusKey, StatusRounds } from '../consensus/index.js'
import { keyString, type Peer, type ValidatorKey } from '../model/index.js'
import type { CarriedAbi, Channel, LocalHello, TransportHandler } from '../network/index.js'
import { type Commit, type Common, openCommon } from './compose/common.js'
import { type Consensus, openConsensus } from './compose/consensus.js'
import { type LedgerSide, openLedgerSide } from './compose/ledger-side.js'
import type { CoreOptions } from './compose/options.js'
import { openPeers, type Peers } from './compose/peers.js'
import { openServices, type RunningServices } from './compose/services.js'
import { closeLogs, type Logs, openLogs } from './consensus/durable.js'
import { consensusKeysOf, peerNameOf } from './identity/identity.js'
import type { Tip } from './ledger/protocol.js'
import type { PeerFaultKind } from './peers/conduct.js'
import { helloOf } from './peers/node-info.js'
import { openAll } from './process/closers.js'
import { Heartbeat } from './process/heartbeat.js'
import { SnapshotArchive } from './snapshot/archive.js'
import { StallLog } from './status/stall-log.js'

const { wallMs, monotonicMs } = SYSTEM_CLOCKS

/** Core of a node; handles messages from the transport. */
export class NodeCore implements TransportHandler {
  private readonly common: Common
  private readonly links: Peers
  private readonly ledgerSide: LedgerSide
  private readonly consensus: Consensus
  private readonly running: RunningServices
  private readonly stalls: StallLog
  /** Separate rounds of status messages to members and to observers, so that many observers do not delay members. */
  private readonly statusRounds = [true, false].map((ofMembers) => ({
    ofMembers,
    rounds: new StatusRounds((below) => Math.floor(Math.random() * below)),
  }))
  private readonly heartbeat = new Heartbeat(() => this.beat())
  /** True once the transactions acknowledged before a restart are queued again. */
  private isRestored = false

  private constructor(
    private readonly options: CoreOptions,
    tip: Tip,
    private readonly logs: Logs,
    archive: SnapshotArchive,
  ) {
    this.common = openCommon(options, tip)
    this.common.events.on('committed', (commit) => this.committed(commit))
    this.links = openPeers(this.common)
    this.ledgerSide = openLedgerSide(this.common, this.links, logs, archive)
    this.consensus = openConsensus(this.common, this.links, this.ledgerSide, logs)
    this.running = openServices(this.common, this.links, this.ledgerSide, this.consensus)
    this.stalls = new StallLog(options.logger, monotonicMs)
  }

  /** Open the logs of the data directory and compose the core; `start` starts it. */
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

  get services(): NodeServices {
    return this.running.services
  }
  get height(): number {
    return this.tip.height
  }
  /** Last committed block, with the peers registered at its height. */
  get tip(): Tip {
    return this.common.head.tip
  }
  /** True while proven faults wait for a block. */
  get hasEvidence(): boolean {
    return this.ledgerSide.evidence.size > 0
  }

  /** Start consensus, and queue the transactions that were acknowledged before a restart. */
  async start(): Promise<void> {
    this.consensus.driver.start()
    this.heartbeat.start()
    const waiting = this.logs.queue.entries
    this.logs.queue.releaseEntries()
    const left = await this.ledgerSide.admission.restore(waiting)
    if (left > 0)
      this.options.logger.warn({ transactions: left }, 'acknowledged transactions do not fit into the queue')
    this.isRestored = true
    this.expire()
    this.links.gossip.offer(true)
  }

  peers(): readonly Peer[] {
    return this.tip.peers
  }

  isMember(peer: ValidatorKey): boolean {
    return this.links.members.has(peer)
  }

  hello(): LocalHello {
    return helloOf(this.options, this.common.info, this.tip)
  }

  onMessage(from: ValidatorKey, channel: Channel, body: Buffer): void {
    const { conduct, gossip } = this.links
    if (!conduct.allowsBytes(from, channel, body.length)) return
    if (channel === 'gossip') gossip.onMessage(from, body)
    else this.consensus.driver.receive(from, body)
  }

  onFault(peer: ValidatorKey, kind: PeerFaultKind): void {
    this.links.conduct.fault(peer, kind)
  }

  onUp(peer: ValidatorKey, { abis }: { readonly abis: readonly CarriedAbi[] }): void {
    this.running.upgrades.peerUp(peer, abis)
    this.common.telemetry.downSinceMs.delete(peer)
    this.consensus.driver.notifyPeer('peerUp', peer)
  }

  onDown(peer: ValidatorKey): void {
    const { downSinceMs } = this.common.telemetry
    this.running.upgrades.peerDown(peer)
    if (!downSinceMs.has(peer)) downSinceMs.set(peer, monotonicMs())
    this.consensus.driver.notifyPeer('peerDown', peer)
  }

  /** Stop consensus, then close the logs; ledger, crypto threads and transport belong to the caller. */
  async close(): Promise<void> {
    this.common.beginClosing()
    this.heartbeat.stop()
    this.ledgerSide.snapshots.server.close()
    this.consensus.driver.close()
    await this.ledgerSide.admission.close()
    await closeLogs(this.logs)
  }

  /** Remove queued transactions that have expired by the clock of this node. */
  private expire(): void {
    const { queue, events } = this.common
    for (const transaction of queue.expire(wallMs()))
      events.emit('dropped', { transaction, code: 'transaction_expired' })
  }

  private beat(): void {
    const { gossip, time } = this.links
    const { driver } = this.consensus
    this.expire()
    gossip.offer(false)
    time.beat()
    driver.notifyWork()
    const connected = this.options.transport.connected()
    for (const { ofMembers, rounds } of this.statusRounds) {
      const peer = rounds.next(connected.filter((one) => this.isMember(one) === ofMembers))
      if (peer !== undefined) driver.notifyPeer('gossip', peer)
    }
    this.ledgerSide.evidence.resend()
    this.running.upgrades.look().catch((error: unknown) => {
      // The ledger of a closing node is closed.
      if (this.heartbeat.isRunning) this.common.fatal('ledger')(error)
    })
    this.stalls.report(this.running.status.consensus.stall())
  }

  /**
   * Transactions that a block may still include: queued ones, and those that have expired only by the clock of this
   * node.
   */
  private *liveRecords(): Iterable<Uint8Array> {
    for (const { bytes } of this.common.queue.all()) yield bytes
    for (const { bytes } of this.ledgerSide.expiring.all()) yield bytes
  }

  private committed({ tip, content, before }: Commit): void {
    const { line, queue, telemetry, fatal } = this.common
    const { expiring, routing, review, evidence, snapshots } = this.ledgerSide
    line.switchTo(tip.abi, tip.height + 1)
    for (const { id } of content) queue.remove(id)
    expiring.committed(content)
    telemetry.lastCommitMs = monotonicMs()
    routing.changed(before.lanes, tip.lanes)
    review.changed(before, tip)
    this.consensus.laneTelemetry.committed(tip.lanes?.commitments ?? [])
    if (!samePeers(tip.peers, before.peers)) {
      this.options.transport.updatePeers()
      this.links.conduct.keepOnly(new Set(tip.peers.map(({ key }) => key)))
    }
    if (evidence.size > 0) evidence.sweep().catch(fatal('ledger'))
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
    // Before that, the log contains transactions that the queue does not.
    if (this.isRestored) {
      let liveBytes = queue.recordBytes
      for (const { bytes } of expiring.all()) liveBytes += bytes.length
      this.logs.queue.compact(liveBytes, () => this.liveRecords()).catch(fatal('queue_log'))
    }
    snapshots.keeper.committed(tip.height)
    snapshots.pruner.committed(tip)
  }
}

/** True if both lists contain the same peers with the same links. */
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
