/** Owns the parts of a core, each created by its own builder, in order of their dependencies. */

import { Registry } from 'prom-client'
import { type Metrics, metricsOf } from '../api/metrics.js'
import type { NodeInfo } from '../api/services.js'
import { SYSTEM_CLOCKS } from '../base/clocks.js'
import type { CodecContext } from '../codec/index.js'
import { type AbiSchedule, abiScheduleOf, type TransactionLimits } from '../executor/index.js'
import { queries as upgradeQueries } from '../features/upgrades/schema.js'
import { keyString } from '../model/index.js'
import type { LinkStates } from '../network/index.js'
import { type QueuedTransaction, TransactionQueue } from '../queue/index.js'
import { Admission } from './admission/admission.js'
import { type BlockContent, BlockWork } from './block-work.js'
import { validatorSignerOf } from './configured-accounts.js'
import { type ConsensusSigner, localSigner } from './consensus-signer.js'
import type { CoreOptions } from './core-options.js'
import { ConsensusDriver } from './driver.js'
import { causeOf, consensusLogOf, type Logs, logAdmitted } from './durable.js'
import { EarlyProofs } from './early-proofs.js'
import { EvidencePool } from './evidence-pool.js'
import { Failures } from './failures.js'
import { FatalError, type FatalPlace } from './fatal.js'
import { Gossip } from './gossip.js'
import { consensusKeysOf } from './identity.js'
import { Incoming } from './incoming.js'
import { LaneRouting } from './lane-routing.js'
import { Lapsed } from './lapsed.js'
import type { Tip } from './ledger/protocol.js'
import { linksByKey } from './links-by-key.js'
import { Members } from './members.js'
import { infoOf } from './node-info.js'
import { PEER_FAULTS, PeerConduct } from './peer-conduct.js'
import { QueueReview } from './queue-review.js'
import { Receipts } from './receipts.js'
import { ConsensusReports } from './reports.js'
import { Services } from './services.js'
import type { SnapshotArchive } from './snapshot/archive.js'
import { SnapshotParts } from './snapshot/parts.js'
import { LaneTelemetry } from './status/lane-telemetry.js'
import { StatusParts } from './status/parts.js'
import { ConsensusTelemetry } from './status/telemetry.js'
import { TimeService } from './time-service.js'
import { UpgradeWatch } from './upgrade-watch.js'
import { VerifiedTransactions } from './verified.js'

const { wallMs, monotonicMs } = SYSTEM_CLOCKS

type Dropped = readonly { readonly transaction: QueuedTransaction; readonly code: string }[]

/** What consensus does after each commit: the new tip, the transactions of its block, the tip before. */
type OnCommit = (tip: Tip, content: readonly BlockContent[], before: Tip) => void

/** The parts of a core, wired; nothing runs yet. */
export class CoreParts {
  readonly registry = new Registry()
  readonly telemetry = new ConsensusTelemetry(monotonicMs())
  readonly laneTelemetry = new LaneTelemetry()
  readonly line: AbiSchedule
  readonly info: NodeInfo
  readonly failures: Failures
  readonly members: Members
  readonly conduct: PeerConduct
  readonly queue: TransactionQueue
  readonly routing: LaneRouting
  readonly review: QueueReview
  readonly lapsed: Lapsed
  readonly evidence: EvidencePool
  readonly time: TimeService
  readonly snapshots: SnapshotParts
  readonly gossip: Gossip
  readonly driver: ConsensusDriver
  readonly upgrades: UpgradeWatch
  readonly status: StatusParts
  readonly admission: Admission
  readonly services: Services
  /** The core closes: what fails from now on fails for that. */
  isClosing = false
  private readonly signer: ConsensusSigner
  private readonly metrics: Metrics = metricsOf(this.registry)
  private readonly verified = new VerifiedTransactions()
  private readonly codec: CodecContext
  private readonly proofs: EarlyProofs
  private readonly work: BlockWork
  private readonly incoming: Incoming
  private readonly reports: ConsensusReports

  constructor(
    private readonly options: CoreOptions,
    tip: Tip,
    private readonly logs: Logs,
    private readonly archive: SnapshotArchive,
    private readonly onCommit: OnCommit,
  ) {
    this.line = abiScheduleOf(options)
    this.signer = options.signer ?? localSigner(options.crypto, options.pinned.chainHash)
    this.line.switchTo(tip.abi, tip.height + 1)
    this.codec = this.line.abi.codec(options.pinned.genesis.payload.value.addressPrefix)
    // The driver comes later; until then nothing was decided beside what the tip says.
    this.info = infoOf(options, this.line, () => (this.driver as ConsensusDriver | undefined)?.tip.mode ?? tip.mode)
    this.failures = new Failures(options.logger)
    this.members = new Members(() => this.driver.tip)
    this.conduct = this.newConduct()
    this.queue = this.newQueue()
    this.routing = this.newRouting()
    this.review = this.newReview()
    this.lapsed = this.newLapsed()
    this.proofs = this.newProofs()
    this.work = this.newWork()
    this.evidence = this.newEvidencePool()
    this.incoming = this.newIncoming()
    this.time = this.newTimeService()
    this.snapshots = this.newSnapshots()
    this.gossip = this.newGossip()
    this.reports = this.newReports()
    this.driver = this.newDriver(tip)
    this.upgrades = this.newUpgradeWatch()
    this.status = this.newStatus()
    this.admission = this.newAdmission()
    this.services = this.newServices()
  }

  /** Ends the process: our own I/O failed at this place. */
  fatal(place: FatalPlace): (error: unknown) => void {
    return (error) => {
      if (!this.isClosing) this.options.onFatal(new FatalError(place, error))
    }
  }

  /** A transaction left the queue without a block. */
  dropped(transaction: QueuedTransaction, code: string): void {
    if (code === 'transaction_expired') this.lapsed.add(transaction)
    const place = { transaction: transaction.id.toString('hex'), code }
    if (code === 'executor_fault')
      this.options.logger.error(place, 'this transaction does not fit into any block: report it')
    else this.options.logger.debug(place, 'transaction left the queue')
  }

  private newLapsed(): Lapsed {
    return new Lapsed({
      chainTimeMs: () => this.driver.tip.header.timeMs,
      wallMs,
      onExpired: (transaction) => this.services.noteExpired(transaction),
    })
  }

  private newConduct(): PeerConduct {
    return new PeerConduct({
      monotonicMs,
      isMember: (peer) => this.members.has(peer),
      count: (kind) => this.metrics.node.peerFaults.inc({ kind }),
      ban: (peer, kind) => this.options.transport.ban(peer, PEER_FAULTS[kind].text),
    })
  }

  private newQueue(): TransactionQueue {
    const { capacity, capacityPerUser } = this.options.queue
    return new TransactionQueue({ capacity, capacityPerAccount: capacityPerUser })
  }

  private newRouting(): LaneRouting {
    const { codec, queue, onDropped } = this
    return new LaneRouting({ abi: this.line.abi, codec, queue, ledger: this.options.ledger, onDropped })
  }

  private newReview(): QueueReview {
    const { codec, queue, limits, onDropped } = this
    const { chain } = this.options.pinned.genesis.payload.value
    return new QueueReview({ abi: this.line.abi, codec, chain, queue, limits, wallMs, onDropped })
  }

  private newProofs(): EarlyProofs {
    const { proofs, ledger, logger } = this.options
    return new EarlyProofs({
      proofs,
      ledger,
      monotonicMs,
      onChecked: (proof) => this.services.proofChecked(proof),
      onFailure: (error) => logger.warn({ error: String(error) }, 'proofs are verified during execution'),
    })
  }

  private newWork(): BlockWork {
    const { ledger, crypto } = this.options
    return new BlockWork({
      ledger,
      crypto,
      proofs: this.proofs,
      queue: this.queue,
      verified: this.verified,
      evidenceForBlock: () => this.evidence.forBlock(),
      codec: this.codec,
      routing: this.routing,
      reconsider: (transactions) => this.reconsider(transactions),
      mustPass: () => this.lapsed.isDue,
      onDeferred: (deferrals) => this.laneTelemetry.deferred(deferrals),
      wallMs,
      monotonicMs,
      onDivergence: (divergence, fault) => this.failures.diverged(divergence, fault),
      onDropped: this.onDropped,
    })
  }

  private newEvidencePool(): EvidencePool {
    const { ledger, crypto, logger } = this.options
    return new EvidencePool({
      ledger,
      crypto,
      logger,
      monotonicMs,
      broadcast: (records) => this.gossip.sendEvidence(records),
      onChange: () => this.driver.notifyWork(),
    })
  }

  private newTimeService(): TimeService {
    return new TimeService({
      wallMs,
      monotonicMs,
      connected: () => this.options.transport.connected(),
      ask: (peer, number) => this.gossip.askTime(peer, number),
    })
  }

  private newGossip(): Gossip {
    return new Gossip({
      transport: this.options.transport,
      queue: this.queue,
      monotonicMs,
      wallMs,
      conduct: this.conduct,
      snapshots: this.snapshots.server,
      receive: (from, records) => this.incoming.records(from, records),
      receiveEvidence: (from, records) => {
        for (const record of records) this.incoming.evidence(record, from)
      },
      receiveTime: (from, told) => this.time.receive(from, told),
    })
  }

  private newSnapshots(): SnapshotParts {
    const { options, archive } = this
    return new SnapshotParts({
      options,
      archive,
      metrics: this.metrics.node,
      monotonicMs,
      isMember: (peer) => this.members.has(peer),
      height: () => this.driver.tip.height,
      gossip: () => this.gossip,
    })
  }

  private newReports(): ConsensusReports {
    const { telemetry, conduct } = this
    const { logger } = this.options
    const metrics = this.metrics.consensus
    return new ConsensusReports({ telemetry, metrics, conduct, logger, monotonicMs, keys: () => this.driver.tip })
  }

  private newDriver(tip: Tip): ConsensusDriver {
    const { keys, pinned, ledger, crypto, transport, payloads, onFatal } = this.options
    const { votes, staging } = this.logs
    return new ConsensusDriver(
      {
        ownKeys: consensusKeysOf(keys).map((pair) => keyString(pair.publicKey.bytes)),
        chainHash: pinned.chainHash,
        ledger,
        crypto,
        signer: this.signer,
        work: this.work,
        log: consensusLogOf(this.logs, this.options, (place) => this.fatal(place)),
        transport,
        hasWork: () => this.hasWork(),
        wallMs,
        onCommit: this.onCommit,
        onPeerFault: (peer, kind, error) => this.reports.peerFault(peer, kind, error),
        admits: (peer, kind) => this.conduct.admitsConsensus(peer, kind),
        isMember: (peer) => this.members.has(peer),
        admitsReply: (peer, bytes) => this.conduct.admitsReply(peer, 'payload', bytes),
        savedReply: (peer, bytes) => this.conduct.savedReply(peer, 'payload', bytes),
        onReport: (report) => this.reports.take(report),
        onEquivocation: (record, from) => this.incoming.evidence(record, from),
        onReoffer: () => this.gossip.offer(true),
        onHalt: (height, detail) => this.failures.halt(height, detail),
        onFatal,
      },
      tip,
      votes.records,
      causeOf(votes.abstaining),
      { limits: payloads, staged: staging.payloads },
    )
  }

  private newUpgradeWatch(): UpgradeWatch {
    return new UpgradeWatch({
      carried: [...this.line.supportedAbis.values()],
      upgrades: () => this.services.query(upgradeQueries.upgrades, {}),
      monotonicMs,
      logger: this.options.logger,
    })
  }

  private newAdmission(): Admission {
    const { keys, pinned, ledger, crypto, queue } = this.options
    const { chain, addressPrefix } = pinned.genesis.payload.value
    const receipts = new Receipts(crypto, keys.network)
    return new Admission({
      abi: this.line.abi,
      codec: this.codec,
      chain,
      addressPrefix,
      queue: this.queue,
      ledger,
      crypto,
      proofs: this.proofs,
      verified: this.verified,
      limits: this.limits,
      lanesEnabled: () => this.driver.tip.lanes !== undefined,
      height: () => this.driver.tip.height,
      wallMs,
      chainTimeMs: () => this.driver.tip.header.timeMs,
      monotonicMs,
      log: queue.durable ? (records) => logAdmitted(this.logs.queue, records, this.fatal('queue_log')) : undefined,
      rulesVersion: () => this.routing.changes + this.review.changes,
      reconsider: (transaction) => this.reconsider([transaction]).catch(this.fatal('ledger')),
      receipt: (transactionHash, submittedAtMs, height) => receipts.sign(transactionHash, submittedAtMs, height),
      onQueued: (transaction, own) => {
        if (own) this.gossip.announce(transaction.bytes)
        this.services.queued(transaction)
        this.driver.notifyWork()
        if (transaction.drawnFromMs === undefined) return
        // A timer may be early by a part of a millisecond.
        setTimeout(() => this.driver.notifyWork(), 1 + transaction.drawnFromMs - monotonicMs()).unref()
      },
    })
  }

  private newStatus(): StatusParts {
    const { info, driver, telemetry, laneTelemetry, queue, failures, links } = this
    const { signerLink } = this.options
    const what = { info, driver, telemetry, laneTelemetry, queue, failures, links, signerLink }
    return new StatusParts({ ...what, missingAbi: () => this.upgrades.missing, monotonicMs, wallMs }, this.metrics)
  }

  private newServices(): Services {
    const { info, registry, codec, driver, time, queue, lapsed, admission, evidence, failures } = this
    const { node, consensus, rbc } = this.status
    return new Services({
      info,
      metrics: registry,
      codec,
      abi: this.line.abi,
      driver,
      node,
      consensus,
      rbc,
      time,
      ledger: this.options.ledger,
      trials: this.options.trials,
      queue,
      lapsed,
      admission,
      evidence,
      failures,
      snapshots: this.snapshots.keeper,
      pruner: this.snapshots.pruner,
      validatorSigner: validatorSignerOf(this.options.keys, this.signer),
    })
  }

  /** States of links by the consensus keys of this height. */
  private get links(): LinkStates {
    return linksByKey(this.options.transport, () => this.driver.tip)
  }

  private newIncoming(): Incoming {
    const { evidence, conduct } = this
    return new Incoming({ admission: () => this.admission, evidence, conduct, onFailure: this.fatal('ledger') })
  }

  /** Judges transactions that wait by the rules of the next block. */
  private async reconsider(transactions: readonly QueuedTransaction[]): Promise<void> {
    await Promise.all([this.routing.reroute(transactions), this.review.again(transactions)])
  }

  private readonly limits = (): TransactionLimits => this.driver.tip.limits

  private hasWork(): { readonly pending: boolean; readonly full: boolean } {
    const { nextDueMs = Number.POSITIVE_INFINITY, limits } = this.driver.tip
    const ready = this.queue.readyAt(monotonicMs())
    return {
      pending: ready.pending || this.evidence.size > 0 || nextDueMs <= wallMs() || this.lapsed.isDue,
      full: ready.teu >= limits.blockTeu,
    }
  }

  private readonly onDropped = (dropped: Dropped): void => {
    for (const { transaction, code } of dropped) this.dropped(transaction, code)
  }
}
