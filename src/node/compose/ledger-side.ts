/** Owns the composition of the ledger side: admission, routing, early proofs, evidence and snapshots. */
import { SYSTEM_CLOCKS } from '../../base/clocks.js'
import type { QueuedTransaction } from '../../queue/index.js'
import { Admission } from '../admission/admission.js'
import { EarlyProofs } from '../admission/early-proofs.js'
import { Receipts } from '../admission/receipts.js'
import { VerifiedTransactions } from '../admission/verified.js'
import { type Logs, logAdmitted } from '../consensus/durable.js'
import { EvidencePool } from '../consensus/evidence-pool.js'
import { Incoming } from '../consensus/incoming.js'
import { ExpiringTransactions } from '../queue/expiring.js'
import { LaneRouting } from '../queue/lane-routing.js'
import { QueueReview } from '../queue/review.js'
import type { SnapshotArchive } from '../snapshot/archive.js'
import { SnapshotParts } from '../upkeep/parts.js'
import type { Common } from './common.js'
import type { Peers } from './peers.js'

const { wallMs, monotonicMs } = SYSTEM_CLOCKS

export interface LedgerSide {
  readonly verified: VerifiedTransactions
  readonly proofs: EarlyProofs
  readonly routing: LaneRouting
  readonly review: QueueReview
  readonly expiring: ExpiringTransactions
  readonly evidence: EvidencePool
  readonly snapshots: SnapshotParts
  readonly admission: Admission
  /** Apply the rules of the next block to waiting transactions. */
  readonly reconsider: (transactions: readonly QueuedTransaction[]) => Promise<void>
}

export function openLedgerSide(common: Common, peers: Peers, logs: Logs, archive: SnapshotArchive): LedgerSide {
  const { options, line, codec, head, queue, events, metrics, limits, fatal } = common
  const { ledger, crypto, keys, logger, pinned } = options
  const { abi } = line
  const { chain, addressPrefix } = pinned.genesis.payload.value
  const onDropped = (dropped: readonly { readonly transaction: QueuedTransaction; readonly code: string }[]): void => {
    for (const one of dropped) events.emit('dropped', one)
  }
  const verified = new VerifiedTransactions()
  const proofs = new EarlyProofs({
    proofs: options.proofs,
    ledger,
    monotonicMs,
    onChecked: (proof) => events.emit('proofChecked', proof),
    onFailure: (error) => logger.warn({ error: String(error) }, 'proofs are verified during execution'),
  })
  const routing = new LaneRouting({ abi, codec, queue, ledger, onDropped })
  const review = new QueueReview({ abi, codec, chain, queue, limits, wallMs, onDropped })
  const expiring = new ExpiringTransactions({
    chainTimeMs: () => head.tip.header.timeMs,
    wallMs,
    onExpired: (transaction) => events.emit('expired', transaction),
  })
  const reconsider = async (transactions: readonly QueuedTransaction[]): Promise<void> => {
    await Promise.all([routing.reroute(transactions), review.again(transactions)])
  }
  const evidence = new EvidencePool({
    ledger,
    crypto,
    logger,
    monotonicMs,
    broadcast: (records) => peers.gossip.sendEvidence(records),
    onChange: () => events.emit('work', undefined),
  })
  const snapshots = new SnapshotParts({
    options,
    archive,
    metrics: metrics.node,
    monotonicMs,
    isMember: (peer) => peers.members.has(peer),
    height: () => head.tip.height,
    gossip: peers.gossip,
  })
  const receipts = new Receipts(crypto, keys.network)
  const admission = new Admission({
    abi,
    codec,
    chain,
    addressPrefix,
    queue,
    ledger,
    crypto,
    proofs,
    verified,
    limits,
    lanesEnabled: () => head.tip.lanes !== undefined,
    height: () => head.tip.height,
    wallMs,
    chainTimeMs: () => head.tip.header.timeMs,
    monotonicMs,
    log: options.queue.durable ? (records) => logAdmitted(logs.queue, records, fatal('queue_log')) : undefined,
    rulesVersion: () => routing.changes + review.changes,
    reconsider: (transaction) => reconsider([transaction]).catch(fatal('ledger')),
    receipt: (transactionHash, submittedAtMs, height) => receipts.sign(transactionHash, submittedAtMs, height),
    onQueued: (transaction, isOwn) => {
      if (isOwn) peers.gossip.announce(transaction.bytes)
      events.emit('queued', { transaction, isOwn })
      events.emit('work', undefined)
      if (transaction.drawnFromMs === undefined) return
      // A timer may fire a fraction of a millisecond early.
      setTimeout(() => events.emit('work', undefined), 1 + transaction.drawnFromMs - monotonicMs()).unref()
    },
  })
  const incoming = new Incoming({ admission, evidence, conduct: peers.conduct, onFailure: fatal('ledger') })

  events.on('records', ({ from, records }) => incoming.records(from, records))
  events.on('evidence', ({ from, record }) => incoming.evidence(record, from))
  events.on('snapshotWanted', ({ from, height }) => snapshots.server.wanted(from, height))
  events.on('chunkWanted', ({ from, wanted }) => snapshots.server.chunkWanted(from, wanted))
  events.on('dropped', ({ transaction, code }) => {
    if (code === 'transaction_expired') expiring.add(transaction)
    const fields = { transaction: transaction.id.toString('hex'), code }
    if (code === 'executor_fault') logger.error(fields, 'this transaction does not fit into any block: report it')
    else logger.debug(fields, 'transaction left the queue')
  })
  return { verified, proofs, routing, review, expiring, evidence, snapshots, admission, reconsider }
}
