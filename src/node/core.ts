/** Owns the core of a node: ledger, crypto, logs, queue, admission, gossip and consensus, wired; no sockets. */

import { Registry } from 'prom-client'
import { type Metrics, metricsOf } from '../api/metrics.js'
import type { Divergence, NodeInfo } from '../api/services.js'
import { type PayloadLimits, peerOf, type Report, StatusRounds } from '../consensus/index.js'
import { type CryptoService, formatPublicKey, hash, type KeyPair } from '../crypto/index.js'
import { type Abi, type AbiSchedule, abiScheduleOf, type TransactionLimits } from '../executor/index.js'
import * as queries from '../features/upgrades/schema/queries.js'
import { type Evidence, keyString, LedgerError, type Peer, type ValidatorKey } from '../model/index.js'
import type { Channel } from '../network/index.js'
import { type QueuedTransaction, TransactionQueue } from '../queue/index.js'
import { failPoint, QueueLog, type StagingLog, type VotedMarks, type VoteLog } from '../storage/index.js'
import { Admission } from './admission.js'
import { type BlockContent, BlockWork } from './block-work.js'
import { bridgeSignerOf } from './configured-accounts.js'
import { ConsensusDriver } from './driver.js'
import { causeOf, markedAppend, openStaging, openVotes } from './durable.js'
import { EvidencePool } from './evidence-pool.js'
import { FatalError, type FatalPlace } from './fatal.js'
import { Gossip } from './gossip.js'
import { consensusKeysOf, type NodeKeys, type PinnedGenesis, peerNameOf } from './identity.js'
import { LaneRouting } from './lane-routing.js'
import { LaneTelemetry } from './lane-telemetry.js'
import type { LedgerPort, Tip } from './ledger/protocol.js'
import type { LinkStates } from './link-states.js'
import { linksByKey } from './links-by-key.js'
import type { Logger } from './logger.js'
import { keyText, shortName } from './names.js'
import { PEER_FAULTS, PeerConduct, type PeerFaultKind } from './peer-conduct.js'
import { PeerLog } from './peer-log.js'
import { QueueReview } from './queue-review.js'
import { Receipts } from './receipts.js'
import { Services } from './services.js'
import { ConsensusTelemetry } from './telemetry.js'
import { TimeService } from './time-service.js'
import { type CarriedAbi, UpgradeWatch } from './upgrade-watch.js'
import { VerifiedTransactions } from './verified.js'

/** Housekeeping every this many ms: expiry, offers, one Status. */
const HEARTBEAT_MS = 1_000
/** A stall that lasts is told again after this many ms. */
const STALL_REPEAT_MS = 10_000
/** Share of the heartbeat that is drawn at random, so that nodes do not gossip in step. */
const HEARTBEAT_JITTER = 0.2

/** Messages to peers: consensus before gossip. */
export interface NodeLinks extends LinkStates {
  sendConsensus(to: ValidatorKey, body: Buffer, channel: 'consensus' | 'payload'): void
  broadcastConsensus(body: Buffer, channel: 'consensus' | 'payload', urgent: boolean): void
  sendGossip(to: ValidatorKey, body: Buffer): void
  broadcastGossip(body: Buffer): void
  /** The registered peers changed. */
  updatePeers(): void
  /** Ends the link of a peer and refuses its key for a while. */
  ban(key: ValidatorKey, why: string): void
}

export interface CoreOptions {
  readonly version: string
  readonly dataDir: string
  readonly abi: Abi
  /** Every ABI that this release carries; default: `abi` alone. */
  readonly abis?: ReadonlyMap<number, Abi>
  readonly keys: NodeKeys
  readonly pinned: PinnedGenesis
  readonly ledger: LedgerPort
  readonly crypto: CryptoService
  readonly links: NodeLinks
  readonly logger: Logger
  readonly queue: { readonly capacity: number; readonly capacityPerUser: number; readonly durable: boolean }
  /** Bounds of payloads on their way. */
  readonly payloads: PayloadLimits
  /** Vote again although votes may be forgotten: the operator's word, when too many would abstain. */
  readonly acceptAmnesia: boolean
  /** Vote without a vote log: the operator's word that the keys never voted, which their marks must not contradict. */
  readonly firstStart: boolean
  /** Marks of the consensus keys. */
  readonly marks: VotedMarks
  /** The process must end: an invariant broke or our own I/O failed. */
  readonly onFatal: (error: FatalError) => void
}

export class NodeCore {
  readonly services: Services
  readonly registry = new Registry()
  private readonly metrics: Metrics
  private readonly telemetry = new ConsensusTelemetry(performance.now())
  private readonly queue: TransactionQueue
  private readonly gossip: Gossip
  private readonly time: TimeService
  private readonly evidence: EvidencePool
  private readonly admission: Admission
  private readonly routing: LaneRouting
  private readonly lanes = new LaneTelemetry()
  private readonly statusRounds = new StatusRounds((below) => Math.floor(Math.random() * below))
  private readonly upgrades: UpgradeWatch
  private readonly driver: ConsensusDriver
  private readonly conduct: PeerConduct
  private readonly peerLog: PeerLog
  private readonly line: AbiSchedule
  private readonly review: QueueReview
  private haltReason: string | undefined
  private lastReportedStall: { readonly reason: string; readonly atMs: number } | undefined
  private divergence: Divergence | undefined
  private heartbeat: NodeJS.Timeout | undefined

  private constructor(
    private readonly options: CoreOptions,
    tip: Tip,
    private readonly votes: VoteLog,
    private readonly staging: StagingLog,
    private readonly queueLog: QueueLog,
  ) {
    const { keys, pinned, ledger, crypto, links } = options
    this.line = abiScheduleOf(options)
    this.line.switchTo(tip.abi, tip.height + 1)
    const { abi } = this.line
    const payload = pinned.genesis.payload.value
    const codec = abi.codec(payload.addressPrefix)
    const verified = new VerifiedTransactions()
    const clockMs = (): number => Date.now()
    const nowMs = (): number => performance.now()
    this.metrics = metricsOf(this.registry)
    this.peerLog = new PeerLog(options.logger, nowMs)
    this.conduct = new PeerConduct({
      nowMs,
      count: (kind) => this.metrics.node.peerFaults.inc({ kind }),
      ban: (peer, kind) => links.ban(peer, PEER_FAULTS[kind].text),
    })
    this.queue = new TransactionQueue({
      capacity: options.queue.capacity,
      capacityPerAccount: options.queue.capacityPerUser,
    })
    const onDropped = (
      dropped: readonly { readonly transaction: QueuedTransaction; readonly code: string }[],
    ): void => {
      for (const { transaction, code } of dropped) this.dropped(transaction, code)
    }
    this.routing = new LaneRouting({ abi, codec, queue: this.queue, ledger, onDropped })
    const limits = (): TransactionLimits => this.driver.tip.limits
    const { chain } = payload
    this.review = new QueueReview({ abi, codec, chain, queue: this.queue, limits, clockMs, onDropped })
    const work = new BlockWork({
      ledger,
      crypto,
      queue: this.queue,
      verified,
      evidenceForBlock: () => this.evidence.forBlock(),
      codec,
      routing: this.routing,
      onDeferred: (deferrals) => this.lanes.deferred(deferrals),
      directBytes: options.payloads.directBytes,
      clockMs,
      nowMs,
      onDivergence: (divergence) => this.diverged(divergence),
      onDropped,
    })
    this.evidence = new EvidencePool({
      ledger,
      crypto,
      logger: options.logger,
      nowMs,
      broadcast: (records) => this.gossip.sendEvidence(records),
      onChange: () => this.driver.notifyWork(),
    })
    this.time = new TimeService({
      clockMs,
      nowMs,
      connected: () => links.connected(),
      ask: (peer, number) => this.gossip.askTime(peer, number),
    })
    this.gossip = new Gossip({
      links: { send: (to, body) => links.sendGossip(to, body), broadcast: (body) => links.broadcastGossip(body) },
      queue: this.queue,
      nowMs,
      receive: (from, records) => this.receive(from, records),
      receiveEvidence: (from, records) => {
        for (const record of records) this.submitEvidence(record, from)
      },
      conduct: this.conduct,
      clockMs,
      receiveTime: (from, told) => this.time.receive(from, told),
    })
    this.driver = new ConsensusDriver(
      {
        ownKeys: consensusKeysOf(keys).map((pair) => keyString(pair.publicKey.bytes)),
        chainHash: pinned.chainHash,
        ledger,
        crypto,
        work,
        log: {
          append: markedAppend(votes, options.marks),
          stage: (height, payloadHash, body) => staging.append(height, payloadHash, body),
          prune: (height) => {
            votes.prune(height).catch(this.fatal('vote_log'))
            staging.prune(height).catch(this.fatal('staging_log'))
          },
          endAbstaining: async () => {
            await votes.endAbstaining()
            options.logger.info('the node votes again: earlier votes that it may have lost no longer matter')
          },
        },
        links: {
          send: (to, body, channel) => links.sendConsensus(to, body, channel),
          broadcast: (body, channel, urgent) => links.broadcastConsensus(body, channel, urgent),
        },
        hasWork: () => {
          const { nextDueMs = Infinity, limits } = this.driver.tip
          const ready = this.queue.readyAt(nowMs())
          return {
            pending: ready.pending || this.evidence.size > 0 || nextDueMs <= clockMs(),
            full: ready.teu >= limits.blockTeu,
          }
        },
        clockMs,
        onCommit: (next, content, before) => {
          this.line.switchTo(next.abi, next.height + 1)
          this.committed(next, content, before)
        },
        onPeerFault: (peer, kind, error) => this.peerFault(peer, kind, error),
        admits: (peer, kind) => this.conduct.admitsConsensus(peer, kind),
        onReport: (report) => this.reported(report),
        onEquivocation: (record) => this.submitEvidence(record),
        onReoffer: () => this.gossip.offer(true),
        onHalt: (height, detail) => this.halt(height, detail),
        onFatal: options.onFatal,
      },
      tip,
      votes.records,
      causeOf(votes.abstaining),
      { limits: options.payloads, staged: staging.payloads },
    )
    const receipts = new Receipts(crypto, keys.network)
    this.upgrades = new UpgradeWatch({
      carried: [...this.line.supportedAbis.values()],
      upgrades: () => this.services.query(queries.upgrades, {}),
      nowMs,
      logger: options.logger,
    })
    this.admission = new Admission({
      abi,
      codec,
      chain: payload.chain,
      addressPrefix: payload.addressPrefix,
      queue: this.queue,
      ledger,
      crypto,
      verified,
      limits,
      lanesEnabled: () => this.driver.tip.lanes !== undefined,
      height: () => this.driver.tip.height,
      clockMs,
      nowMs,
      log: options.queue.durable ? (records) => logAdmitted(queueLog, records) : undefined,
      receipt: (transactionHash, submittedAtMs, height) => receipts.sign(transactionHash, submittedAtMs, height),
      onQueued: (transaction, own) => {
        if (own) this.gossip.announce(transaction.bytes)
        this.services.queued(transaction)
        this.driver.notifyWork()
      },
    })
    this.services = new Services({
      info: infoOf(options, this.line),
      metrics: this.registry,
      codec,
      abi,
      time: this.time,
      driver: this.driver,
      ledger,
      queue: this.queue,
      admission: this.admission,
      evidence: this.evidence,
      telemetry: this.telemetry,
      lanes: this.lanes,
      links: linksByKey(links, () => this.driver.tip),
      bridgeSigner: bridgeSignerOf(keys),
      missingAbi: () => this.upgrades.missing,
      halted: () => this.haltReason,
      divergence: () => this.divergence,
    })
  }

  /** Opens the logs of the data directory and wires the core; `start` sets it going. */
  static async open(options: CoreOptions): Promise<NodeCore> {
    const tip = await options.ledger.tip({})
    const own = peerNameOf(options.keys, tip.peers)
    if (tip.peers.some(({ key, role }) => key === own && role === 'validator')) await options.marks.check()
    const votes = await openVotes(options, tip.height)
    const staging = await openStaging(options)
    const queueLog = await QueueLog.open(options.dataDir)
    if (queueLog.damaged) options.logger.warn('queue log was damaged; unreadable transactions are lost')
    for (const pair of consensusKeysOf(options.keys)) await addConsensusKey(options, pair)
    return new NodeCore(options, tip, votes, staging, queueLog)
  }

  get height(): number {
    return this.driver.tip.height
  }
  /** Registered peers as of the last block. */
  get tip(): Tip {
    return this.driver.tip
  }

  /** True while proven faults wait for a block. */
  get hasEvidence(): boolean {
    return this.evidence.size > 0
  }

  /** Takes up consensus and the transactions that were acknowledged before a restart. */
  async start(): Promise<void> {
    this.driver.start()
    this.beat()
    const waiting = this.queueLog.entries
    this.queueLog.releaseEntries()
    await this.admission.take(waiting)
    this.gossip.offer(true)
  }

  /** A message of an authenticated peer. */
  onPeerMessage(from: ValidatorKey, channel: Channel, body: Buffer): void {
    if (!this.conduct.admitsBytes(from, channel, body.length)) return
    if (channel === 'gossip') this.gossip.onMessage(from, body)
    else this.driver.receive(from, body)
  }
  /** A link of a peer was ended for what came over it. */
  onLinkFault(from: ValidatorKey, kind: PeerFaultKind): void {
    this.conduct.fault(from, kind)
  }
  /** `abis`: those of the peer's release. */
  onPeerUp(peer: ValidatorKey, abis: readonly CarriedAbi[]): void {
    this.upgrades.peerUp(peer, abis)
    this.telemetry.downSinceMs.delete(peer)
    this.driver.notifyPeer('peerUp', peer)
  }
  onPeerDown(peer: ValidatorKey): void {
    this.upgrades.peerDown(peer)
    if (!this.telemetry.downSinceMs.has(peer)) this.telemetry.downSinceMs.set(peer, performance.now())
    this.driver.notifyPeer('peerDown', peer)
  }

  /** Stops consensus, then closes the logs; the ledger and the crypto threads belong to the caller. */
  async close(): Promise<void> {
    clearTimeout(this.heartbeat)
    this.heartbeat = undefined
    this.driver.close()
    await this.admission.close()
    await this.votes.close()
    await this.staging.close()
    await this.queueLog.close()
  }

  private beat(): void {
    const delayMs = HEARTBEAT_MS * (1 + HEARTBEAT_JITTER * Math.random())
    this.heartbeat = setTimeout(() => {
      for (const transaction of this.queue.expire(Date.now())) this.dropped(transaction, 'transaction_expired')
      this.gossip.offer(false)
      this.time.beat()
      this.driver.notifyWork()
      const peer = this.statusRounds.next(this.options.links.connected())
      if (peer !== undefined) this.driver.notifyPeer('gossip', peer)
      this.evidence.resend()
      this.upgrades.look().catch((error: Error) => {
        // A node that is closing has no ledger any more.
        if (this.heartbeat !== undefined) this.fatal('ledger')(error)
      })
      this.tellStall()
      this.beat()
    }, delayMs)
  }

  /** Says in the log why the chain does not move: when the words change, and now and then while they stay. */
  private tellStall(): void {
    const stall = this.services.consensus().stall
    const nowMs = performance.now()
    if (stall === undefined) {
      if (this.lastReportedStall !== undefined) this.options.logger.info('the chain is no longer stalled')
      this.lastReportedStall = undefined
      return
    }
    const { reason, missing, text } = stall
    if (this.lastReportedStall?.reason === reason && nowMs - this.lastReportedStall.atMs < STALL_REPEAT_MS) return
    this.lastReportedStall = { reason, atMs: nowMs }
    this.options.logger.warn({ reason, missing, since_ms: stall.sinceMs }, `the chain does not move: ${text}`)
  }

  private dropped(transaction: QueuedTransaction, code: string): void {
    if (code === 'transaction_expired') this.services.noteExpired(transaction)
    const place = { transaction: transaction.id.toString('hex'), code }
    if (code === 'executor_fault') this.options.logger.error(place, 'this transaction fits into no block: report it')
    else this.options.logger.debug(place, 'transaction left the queue')
  }

  /** Records of a peer; one that is badly signed is a fault of the peer, which verifies what it passes on. */
  private receive(from: ValidatorKey, records: readonly Uint8Array[]): void {
    if (!this.conduct.admitsRecords(from, records.length)) return
    this.admission
      .take(records, () => this.conduct.fault(from, 'bad_signature'))
      .then((refused) => this.conduct.tookRecords(from, records.length - refused))
      .catch(this.fatal('ledger'))
  }

  /** `from`: who told of it, undefined for what this node saw itself. */
  private submitEvidence(record: Evidence, from?: ValidatorKey): void {
    const onForged = from === undefined ? undefined : (): void => this.conduct.fault(from, 'bad_signature')
    this.evidence.offer(record, onForged).catch(this.fatal('ledger'))
  }

  private fatal(place: FatalPlace): (error: unknown) => void {
    return (error) => this.options.onFatal(new FatalError(place, error))
  }

  private peerFault(peer: ValidatorKey, kind: PeerFaultKind, error: unknown): void {
    this.conduct.fault(peer, kind)
    if (error === undefined) return
    const why = error instanceof Error ? error.message : String(error)
    this.options.logger.debug({ peer: shortName(peer), kind, why }, 'a message of a peer could not be answered')
  }

  private *liveRecords(): Iterable<Uint8Array> {
    for (const transaction of this.queue.all()) yield transaction.bytes
  }

  private committed(tip: Tip, content: readonly BlockContent[], before: Tip): void {
    for (const { id } of content) this.queue.remove(id)
    this.telemetry.lastCommitMs = performance.now()
    this.routing.changed(before.lanes, tip.lanes)
    this.review.changed(before, tip)
    this.lanes.committed(tip.lanes?.commitments ?? [])
    if (!samePeers(tip.peers, before.peers)) {
      this.options.links.updatePeers()
      this.conduct.keepOnly(new Set(tip.peers.map(({ key }) => key)))
    }
    if (this.evidence.size > 0) this.evidence.sweep().catch(this.fatal('ledger'))
    this.options.logger.info(
      {
        height: tip.height,
        view: tip.certificate?.view,
        transactions: tip.header.transactionCount,
        state_root: Buffer.from(tip.stateRoot).toString('hex').slice(0, 16),
        queue: this.queue.size,
      },
      'block committed',
    )
    this.queueLog.compact(this.queue.recordBytes, () => this.liveRecords()).catch(this.fatal('queue_log'))
    this.services.committed(tip.height)
  }

  private reported(report: Report): void {
    this.telemetry.take(report)
    const { logger } = this.options
    switch (report.kind) {
      case 'phase':
        this.metrics.consensus.phaseLatency.observe({ phase: report.phase }, report.elapsedMs / 1000)
        return
      case 'viewEntered':
        if (report.view === 0) return
        logger.info({ height: report.height, view: report.view, cause: report.cause }, 'view entered')
        return
      case 'refused':
        logger.debug(
          { height: report.height, view: report.view, what: report.what, why: report.why },
          'message refused',
        )
        return
      case 'badSignature':
        this.conduct.fault(peerOf(this.driver.tip, report.peer), 'bad_signature')
        this.peerLog.warn(report.peer, 'bad signature', { what: report.what })
        return
      case 'badSync':
        this.conduct.fault(peerOf(this.driver.tip, report.peer), 'bad_blocks')
        this.peerLog.warn(report.peer, 'peer serves invalid blocks and is not used for sync for a while', {
          height: report.height,
          what: report.what,
        })
        return
    }
  }

  private diverged(divergence: Divergence): void {
    this.divergence = divergence
    const { height, blockHash, certified, detail, report } = divergence
    this.options.logger.error(
      { height, block: Buffer.from(blockHash).toString('hex'), certified, detail, report },
      'block not reproduced: this node computed other roots and does not vote for it',
    )
  }

  private halt(height: number, detail: string): void {
    this.haltReason = detail
    this.options.logger.fatal({ height, detail }, 'halted: certified block not reproduced')
  }
}

/** Signs and verifies once: a key that does not work is found before the first vote, and the libraries are warm for it. */
async function addConsensusKey({ crypto }: CoreOptions, pair: KeyPair): Promise<void> {
  const { bytes } = pair.publicKey
  crypto.addBlsKey(keyString(bytes), pair.secret)
  // No consensus message begins like a tagged hash, so this signature is worth nothing elsewhere.
  const message = hash('consensus-key-check', bytes)
  const [signature] = await crypto.blsSign(keyString(bytes), [message])
  if (signature === undefined || !(await crypto.blsVerify(bytes, message, signature))) {
    throw new LedgerError('key_file_invalid', 'the secret of the validator key does not belong to its public key')
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

/** A receipt is given for what is on disk, so that it survives a crash. */
async function logAdmitted(log: QueueLog, records: readonly Uint8Array[]): Promise<void> {
  failPoint(300)
  await log.appendAll(records)
  failPoint(301)
}

function infoOf(options: CoreOptions, { abi, supportedAbis }: AbiSchedule): NodeInfo {
  const { keys, pinned } = options
  const payload = pinned.genesis.payload.value
  return {
    version: options.version,
    chain: payload.chain,
    chainHash: pinned.chainHash,
    genesisHash: pinned.hash,
    addressPrefix: payload.addressPrefix,
    consensusMode: payload.consensusMode,
    get abi() {
      return abi.number
    },
    get abiHash() {
      return abi.hash
    },
    get abiFeatures() {
      return abi.features.map(({ name, version }) => ({
        name,
        version,
        hash: abi.featureHashes.get(name) ?? abi.hash,
      }))
    },
    supportedAbis: [...supportedAbis.keys()],
    validatorKey: keyText(keyString(keys.validator.publicKey.bytes)),
    networkKey: formatPublicKey(keys.network.publicKey),
    startedAtMs: Date.now(),
    get features() {
      return abi.features.map((feature) => feature.name)
    },
    codec: abi.codec(payload.addressPrefix),
  }
}
