/** Owns the node as route handlers see it: status, consensus, peers, submission, queries. */

import type { Registry } from 'prom-client'
import {
  type CollectorPlan,
  type ConsensusStatus as ConsensusStatusRecord,
  type ConsensusTelemetryRecord,
  type DryRun,
  dryRun,
  type Leader,
  type NodeStatus as NodeStatusRecord,
  type PacemakerRecord,
  type PeerList,
  type PhasesRecord,
  type QcSummary,
  type RbcSessionList,
  type RbcStatus as RbcStatusRecord,
  type SnapshotStatus,
  type TimeNow,
  type TimeStatus,
} from '../api/index.js'
import type {
  BlockHistory,
  EvidenceAnswer,
  Halt,
  LedgerAsker,
  NodeInfo,
  NodeServices,
  PendingChange,
  PendingState,
  Submitted,
  ValidatorSigner,
} from '../api/services.js'
import { BoundedSet } from '../base/bounded.js'
import type { CodecContext } from '../codec/index.js'
import type { CheckedProof } from '../crypto/circuits/service.js'
import type { Abi } from '../executor/index.js'
import {
  type Evidence,
  type Instruction,
  keyString,
  LedgerError,
  type QueryDef,
  type TransactionPayload,
  transactionPayload,
} from '../model/index.js'
import type { QueuedTransaction, TransactionQueue } from '../queue/index.js'
import type { Admission } from './admission/admission.js'
import type { ConsensusDriver } from './driver.js'
import type { EvidencePool } from './evidence-pool.js'
import type { Failures } from './failures.js'
import type { Lapsed } from './lapsed.js'
import { askHistory } from './ledger/history.js'
import type { LedgerPort } from './ledger/protocol.js'
import type { Pruner } from './pruner.js'
import type { SnapshotKeeper } from './snapshot/keeper.js'
import type { ConsensusStatus } from './status/consensus.js'
import type { NodeStatus } from './status/node.js'
import type { RbcStatus } from './status/rbc.js'
import type { TimeService } from './time-service.js'
import type { TrialService } from './trials/trials.js'

/** Ids of expired transactions remembered for `pending`, so that clients learn what became of them. */
const EXPIRED_KEPT = 16_384

export interface ServicesModules {
  readonly info: NodeInfo
  readonly metrics: Registry
  readonly codec: CodecContext
  /** The active ABI, as it is at the moment. */
  readonly abi: Pick<Abi, 'costOf' | 'errorNames' | 'queries'>
  readonly driver: Pick<ConsensusDriver, 'tip'>
  readonly node: NodeStatus
  readonly consensus: ConsensusStatus
  readonly rbc: RbcStatus
  readonly time: TimeService
  readonly ledger: LedgerPort
  readonly trials: Pick<TrialService, 'run'>
  readonly queue: TransactionQueue
  readonly lapsed: Lapsed
  readonly admission: Admission
  readonly evidence: EvidencePool
  readonly failures: Failures
  readonly snapshots: Pick<SnapshotKeeper, 'status' | 'begin'>
  readonly pruner: Pick<Pruner, 'addReader'>
  readonly validatorSigner: ValidatorSigner
}

export class Services implements NodeServices {
  readonly info: NodeInfo
  readonly metrics: Registry
  readonly validatorSigner: ValidatorSigner
  readonly history: BlockHistory
  private readonly listeners = new Set<(height: number) => void>()
  private readonly pendingListeners = new Set<(change: PendingChange) => void>()
  private readonly proofListeners = new Set<(proof: CheckedProof) => void>()
  private readonly expired = new BoundedSet<string>(EXPIRED_KEPT)

  constructor(private readonly modules: ServicesModules) {
    this.info = modules.info
    this.metrics = modules.metrics
    this.validatorSigner = modules.validatorSigner
    const { ledger, codec, abi } = modules
    this.history = {
      read: (from, count) => askHistory(ledger, codec, from, count),
      keepFrom: (height) => modules.pruner.addReader(height),
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

  /** A proof was verified here. */
  proofChecked(proof: CheckedProof): void {
    for (const listener of this.proofListeners) listener(proof)
  }

  onProofChecked(listener: (proof: CheckedProof) => void): () => void {
    this.proofListeners.add(listener)
    return () => this.proofListeners.delete(listener)
  }

  height(): number {
    return this.modules.driver.tip.height
  }

  status(operator: boolean): NodeStatusRecord {
    return this.modules.node.status(operator)
  }
  consensus(operator: boolean): ConsensusStatusRecord {
    return this.modules.consensus.status(operator)
  }
  leader(): Leader {
    return this.modules.consensus.leader()
  }
  qc(): QcSummary {
    return this.modules.consensus.qc()
  }
  phases(): PhasesRecord {
    return this.modules.consensus.phases()
  }
  pacemaker(): PacemakerRecord {
    return this.modules.consensus.pacemaker()
  }
  collectors(): CollectorPlan {
    return this.modules.consensus.collectors()
  }
  consensusTelemetry(): ConsensusTelemetryRecord {
    return this.modules.consensus.measured()
  }
  rbc(): RbcStatusRecord {
    return this.modules.rbc.status()
  }
  rbcSessions(): RbcSessionList {
    return this.modules.rbc.sessions()
  }
  peers(): PeerList {
    return this.modules.node.peers()
  }
  timeNow(): TimeNow {
    return this.modules.time.now()
  }
  timeStatus(): TimeStatus {
    return this.modules.time.status()
  }

  snapshots(): SnapshotStatus {
    return this.modules.snapshots.status()
  }
  beginSnapshot(): SnapshotStatus | LedgerError {
    return this.modules.snapshots.begin()
  }

  async submit(signedBytes: Uint8Array): Promise<Submitted> {
    // Services of features submit without a route.
    if (this.halted() !== undefined)
      return { ok: false, error: new LedgerError('node_halted', 'the node is halted and accepts no transactions') }
    return this.modules.admission.submit(signedBytes)
  }

  submitEvidence(record: Evidence): Promise<EvidenceAnswer> {
    return this.modules.evidence.offer(record)
  }

  accountCapacity(): number {
    return this.modules.queue.capacityPerAccount
  }

  pending(transactionId: Uint8Array): PendingState {
    const { queue, lapsed } = this.modules
    if (queue.has(transactionId) || lapsed.has(transactionId)) return { kind: 'queued' }
    return { kind: this.expired.has(keyString(transactionId)) ? 'expired' : 'unknown' }
  }

  chainTimeMs(): number {
    return this.modules.driver.tip.header.timeMs
  }

  awaitChainTime(timeMs: number): void {
    this.modules.lapsed.want(timeMs)
  }

  queuePlace(transactionId: Uint8Array) {
    return this.modules.queue.placeOf(transactionId)
  }

  async query<Q, R>(def: QueryDef<Q, R>, input: Q, asker: LedgerAsker = 'node'): Promise<R | undefined> {
    const { ledger, trials, codec } = this.modules
    const asked = { kind: def.kind, input: def.input.encode(input, codec) }
    const output =
      def.isTrial === true
        ? await trials.run({ kind: 'query', query: asked.kind, input: asked.input })
        : (await ledger.query(asked, asker)).output
    if (output === undefined) return undefined
    const decoded = def.output.decode(output, codec)
    if (!decoded.ok) throw new Error(`the response to query ${def.kind} does not decode: ${decoded.fault.message}`)
    return decoded.value
  }

  costOf(instructions: readonly Instruction[]): number {
    return this.modules.abi.costOf(instructions, 'record')
  }

  maxTtlMs(): number {
    return this.modules.driver.tip.limits.maxTtlMs
  }

  maxTeuPerTx(): number {
    return this.modules.driver.tip.limits.maxTeuPerTx
  }

  async dryRun(payload: TransactionPayload): Promise<DryRun | LedgerError> {
    const { trials, codec } = this.modules
    try {
      const work = { payload: transactionPayload.encode(payload, codec), timeMs: Date.now() }
      const output = await trials.run({ kind: 'dryRun', ...work })
      const decoded = dryRun.decode(output ?? Buffer.alloc(0), codec)
      if (!decoded.ok) throw new Error(`the response to a dry run does not decode: ${decoded.fault.message}`)
      return decoded.value
    } catch (error) {
      if (error instanceof LedgerError) return error
      throw error
    }
  }

  onCommit(listener: (height: number) => void): () => void {
    this.listeners.add(listener)
    return () => this.listeners.delete(listener)
  }

  halted(): Halt | undefined {
    return this.modules.failures.halted
  }

  onHalt(listener: () => void): () => void {
    return this.modules.failures.onHalt(listener)
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

  /** Remembers that a transaction stands in no block, and in none to come. */
  noteExpired(transaction: QueuedTransaction): void {
    this.tellPending(transaction, 'expired')
    this.expired.add(keyString(transaction.id))
  }
}
