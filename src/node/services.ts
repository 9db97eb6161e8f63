/** Owns the node as route handlers see it: status, consensus, peers, submission, queries. */

import type { Registry } from 'prom-client'
import { type DryRun, dryRun, type MissingAbi } from '../api/index.js'
import type {
  BlockHistory,
  BridgeSigner,
  ConsensusDetail,
  ConsensusView,
  Divergence,
  EvidenceAnswer,
  LanesStatus,
  NodeInfo,
  NodeServices,
  PeerView,
  PendingChange,
  PendingState,
  RbcView,
  StatusView,
  Submitted,
  TimeView,
} from '../api/services.js'
import type { CodecContext } from '../codec/index.js'
import { collectorsOf, isSyncing, peerOf, proposerAt, viewTimeoutMs } from '../consensus/index.js'
import type { Abi } from '../executor/index.js'
import {
  type Evidence,
  hashOfHeader,
  keyString,
  LedgerError,
  type QueryDef,
  type TransactionPayload,
  transactionPayload,
} from '../model/index.js'
import type { LinkStates } from '../network/index.js'
import type { QueuedTransaction, TransactionQueue } from '../queue/index.js'
import type { Admission } from './admission.js'
import type { ConsensusDriver } from './driver.js'
import type { EvidencePool } from './evidence-pool.js'
import { lanesStatusOf } from './lane-status.js'
import type { LaneTelemetry } from './lane-telemetry.js'
import { askHistory } from './ledger/history.js'
import type { LedgerPort } from './ledger/protocol.js'
import { keyText, shortName } from './names.js'
import { rbcViewOf } from './rbc-view.js'
import { explainStall } from './stall.js'
import type { ConsensusTelemetry } from './telemetry.js'
import type { TimeService } from './time-service.js'
import { votesOf } from './votes.js'

/** Ids of expired transactions remembered for `pending`, so that clients learn what became of them. */
const EXPIRED_KEPT = 16_384

/** Dry runs at a time: the ledger thread has blocks to execute, and each may cost as much as the largest transaction. */
const DRY_RUNS_MAX = 4

export interface ServicesModules {
  readonly info: NodeInfo
  readonly metrics: Registry
  readonly codec: CodecContext
  /** The active ABI, as it is at the moment. */
  readonly abi: Pick<Abi, 'errorNames' | 'queries'>
  readonly time: TimeService
  readonly driver: ConsensusDriver
  readonly ledger: LedgerPort
  readonly queue: TransactionQueue
  readonly admission: Admission
  readonly evidence: EvidencePool
  readonly telemetry: ConsensusTelemetry
  readonly lanes: LaneTelemetry
  readonly links: LinkStates
  readonly bridgeSigner: BridgeSigner | undefined
  /** An upgrade to come that this release cannot run. */
  readonly missingAbi: () => MissingAbi | undefined
  /** Reason of a halt, when there was one. */
  readonly halted: () => string | undefined
  /** The last block that this node did not reproduce. */
  readonly divergence: () => Divergence | undefined
}

export class Services implements NodeServices {
  readonly info: NodeInfo
  readonly metrics: Registry
  readonly bridgeSigner: BridgeSigner | undefined
  readonly history: BlockHistory
  private readonly listeners = new Set<(height: number) => void>()
  private readonly pendingListeners = new Set<(change: PendingChange) => void>()
  private readonly expired = new Set<string>()
  /** Dry runs on their way. */
  private dryRuns = 0

  constructor(private readonly modules: ServicesModules) {
    this.info = modules.info
    this.metrics = modules.metrics
    this.bridgeSigner = modules.bridgeSigner
    const { ledger, codec, abi } = modules
    this.history = {
      read: (from, count) => askHistory(ledger, codec, from, count),
      errorName: (code) => abi.errorNames.get(code),
      onPending: (listener) => {
        this.pendingListeners.add(listener)
        return () => this.pendingListeners.delete(listener)
      },
    }
  }

  get queries(): ReadonlyMap<string, QueryDef<unknown, unknown>> {
    return this.modules.abi.queries
  }

  status(): StatusView {
    const { driver, queue, links, info } = this.modules
    const { tip, state } = driver
    const connected = new Set(links.connected())
    const { committee } = state.context
    const reachable = committee.keys.filter((key) => key === state.self || connected.has(key)).length
    return {
      blocks: tip.height,
      txsApproved: tip.approved,
      txsRejected: tip.rejected,
      triggerRuns: tip.triggerRuns,
      queueSize: queue.size,
      peers: connected.size,
      uptimeMs: Math.max(0, Date.now() - info.startedAtMs),
      synced: !isSyncing(state.sync, state.context),
      inQuorum: reachable >= committee.quorum,
      lanes: this.lanes(),
      missingAbi: this.modules.missingAbi(),
    }
  }

  consensus(): ConsensusView {
    const { driver, telemetry, links, queue, info } = this.modules
    const { tip, state } = driver
    const { committee } = state.context
    return {
      mode: info.consensusMode,
      height: tip.height,
      decidingHeight: state.context.height,
      view: state.view,
      proposer: keyText(proposerAt(state, state.view)),
      role: state.index !== undefined ? 'member' : tip.schedule.roster.includes(state.self) ? 'standby' : 'observer',
      committee: committee.keys.map(keyText),
      quorum: committee.quorum,
      faultBudget: committee.faults,
      blockHash: hashOfHeader(tip.header),
      stateRoot: tip.stateRoot,
      commitCertificate: tip.certificate,
      highestPrepareView: state.highPrepare?.certificate.view,
      viewChanges: telemetry.viewChanges,
      viewChangeReasons: telemetry.viewChangeReasons,
      phases: telemetry.phases,
      queueSize: queue.size,
      votes: votesOf(state),
      stall: explainStall({
        state,
        nowMs: performance.now(),
        clockMs: Date.now(),
        lastCommitMs: telemetry.lastCommitMs,
        nameOf: shortName,
        linkError: (key) => links.lastError(key),
        isConnected: (key) => links.isConnected(key),
        downSinceMs: (key) => telemetry.downSinceMs.get(peerOf(driver.tip, key)),
      }),
      halted: this.modules.halted(),
      divergence: this.modules.divergence(),
      lanes: this.lanes(),
    }
  }

  private lanes(): LanesStatus | undefined {
    const { driver, queue, lanes, info } = this.modules
    return lanesStatusOf(driver.tip, queue, lanes, info.chainHash)
  }

  rbc(): RbcView {
    return rbcViewOf(this.modules.driver.state, performance.now())
  }

  consensusDetail(): ConsensusDetail {
    const { driver, telemetry } = this.modules
    const { tip, state } = driver
    const { context, pacemaker, view, highPrepare, locked } = state
    const { collectorsK, redundantSendR } = context.parameters
    return {
      height: context.height,
      view,
      epoch: context.epoch,
      epochSeed: tip.schedule.seed,
      committee: context.committee.keys,
      proposer: proposerAt(state, view),
      quorum: context.committee.quorum,
      collectorsK,
      redundantSendR,
      collectors: collectorsOf(context.order, view, collectorsK, redundantSendR),
      highestPrepare: highPrepare && {
        view: highPrepare.certificate.view,
        blockHash: highPrepare.certificate.blockHash,
      },
      locked: locked && { view: locked.view, blockHash: locked.vote.blockHash },
      timerArmed: state.viewTimerArmed,
      viewElapsedMs: performance.now() - state.viewEnteredAtMs,
      viewTimeoutMs: viewTimeoutMs(pacemaker, context.parameters, view),
      heightTimeEmaMs: pacemaker.heightMs,
      backoffExponent: pacemaker.baseExponent + view,
      badSignatures: telemetry.badSignatures,
      badRanges: telemetry.badRanges,
    }
  }

  peers(): readonly PeerView[] {
    const { driver, links } = this.modules
    return driver.tip.peers
      .filter((peer) => peer.key !== peerOf(driver.tip, driver.state.self))
      .map((peer) => ({
        id: keyText(peer.key),
        address: peer.addresses[0] ?? '',
        role: peer.role,
        connected: links.isConnected(peer.key),
        height: driver.peerHeights.get(peer.key),
        lastError: links.lastError(peer.key),
      }))
  }

  time(): TimeView {
    return this.modules.time.view()
  }

  submit(signedBytes: Uint8Array): Promise<Submitted> {
    return this.modules.admission.submit(signedBytes)
  }

  submitEvidence(record: Evidence): Promise<EvidenceAnswer> {
    return this.modules.evidence.offer(record)
  }

  pending(transactionId: Uint8Array): PendingState {
    if (this.modules.queue.has(transactionId)) return { kind: 'queued' }
    return { kind: this.expired.has(keyString(transactionId)) ? 'expired' : 'unknown' }
  }

  queuePlace(transactionId: Uint8Array) {
    return this.modules.queue.placeOf(transactionId)
  }

  async query<Q, R>(def: QueryDef<Q, R>, input: Q): Promise<R | undefined> {
    const { ledger, codec } = this.modules
    const { output } = await ledger.query({ kind: def.kind, input: def.input.encode(input, codec) })
    if (output === undefined) return undefined
    const decoded = def.output.decode(output, codec)
    if (!decoded.ok) throw new Error(`the answer to query ${def.kind} does not decode: ${decoded.fault.message}`)
    return decoded.value
  }

  async dryRun(payload: TransactionPayload): Promise<DryRun | LedgerError> {
    const { ledger, codec } = this.modules
    if (this.dryRuns >= DRY_RUNS_MAX) return new LedgerError('rate_limited', 'other dry runs are under way')
    this.dryRuns += 1
    try {
      const request = { payload: transactionPayload.encode(payload, codec), timeMs: Date.now() }
      const decoded = dryRun.decode((await ledger.dryRun(request)).output, codec)
      if (!decoded.ok) throw new Error(`the answer to a dry run does not decode: ${decoded.fault.message}`)
      return decoded.value
    } catch (error) {
      if (error instanceof LedgerError) return error
      throw error
    } finally {
      this.dryRuns -= 1
    }
  }

  onCommit(listener: (height: number) => void): () => void {
    this.listeners.add(listener)
    return () => this.listeners.delete(listener)
  }

  /** Tells the listeners of a commit. */
  committed(height: number): void {
    for (const listener of this.listeners) listener(height)
  }

  /** Tells that a transaction entered the queue. */
  queued(transaction: QueuedTransaction): void {
    this.tellPending(transaction, 'queued')
  }

  private tellPending({ id, authority, route }: QueuedTransaction, status: PendingChange['status']): void {
    if (this.pendingListeners.size === 0) return
    const { lane, dataspace } = route
    for (const listener of this.pendingListeners) {
      listener({ hash: id, status, authority, lane, dataspace, atMs: Date.now() })
    }
  }

  /** Remembers that a transaction left the queue without a block. */
  noteExpired(transaction: QueuedTransaction): void {
    this.tellPending(transaction, 'expired')
    this.expired.add(keyString(transaction.id))
    for (const oldest of this.expired) {
      if (this.expired.size <= EXPIRED_KEPT) break
      this.expired.delete(oldest)
    }
  }
}
