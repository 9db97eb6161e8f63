/** Owns the composition of consensus: work on blocks, the driver of the state machine, and its reports. */
import { SYSTEM_CLOCKS } from '../../base/clocks.js'
import { keyString } from '../../model/index.js'
import { BlockWork } from '../consensus/block-work.js'
import { ConsensusDriver } from '../consensus/driver.js'
import { causeOf, consensusLogOf, type Logs } from '../consensus/durable.js'
import { Failures } from '../consensus/failures.js'
import { consensusKeysOf } from '../identity/identity.js'
import { LaneTelemetry } from '../status/lane-telemetry.js'
import { ConsensusReports } from '../status/reports.js'
import type { Common } from './common.js'
import type { LedgerSide } from './ledger-side.js'
import type { Peers } from './peers.js'

const { wallMs, monotonicMs } = SYSTEM_CLOCKS

export interface Consensus {
  readonly driver: ConsensusDriver
  readonly failures: Failures
  readonly laneTelemetry: LaneTelemetry
}

export function openConsensus(common: Common, peers: Peers, ledgerSide: LedgerSide, logs: Logs): Consensus {
  const { options, codec, head, queue, events, telemetry, metrics, signer, fatal } = common
  const { keys, pinned, ledger, crypto, transport, payloads, logger, onFatal } = options
  const { members, conduct, gossip } = peers
  const { proofs, verified, routing, expiring, evidence, reconsider } = ledgerSide
  const failures = new Failures(logger, () => events.emit('halted', undefined))
  const laneTelemetry = new LaneTelemetry()
  const work = new BlockWork({
    ledger,
    crypto,
    proofs,
    queue,
    verified,
    evidenceForBlock: () => evidence.forBlock(),
    codec,
    routing,
    reconsider,
    mustPass: () => expiring.isDue,
    onDeferred: (deferrals) => laneTelemetry.deferred(deferrals),
    wallMs,
    monotonicMs,
    onDivergence: (divergence, fault) => failures.diverged(divergence, fault),
    onDropped: (dropped) => {
      for (const one of dropped) events.emit('dropped', one)
    },
  })
  const reports = new ConsensusReports({
    telemetry,
    metrics: metrics.consensus,
    conduct,
    logger,
    monotonicMs,
    keys: () => head.tip,
  })
  const driver = new ConsensusDriver(
    {
      ownKeys: consensusKeysOf(keys).map((pair) => keyString(pair.publicKey.bytes)),
      chainHash: pinned.chainHash,
      head,
      ledger,
      crypto,
      signer,
      work,
      log: consensusLogOf(logs, options, fatal),
      transport,
      hasWork: () => {
        const { nextDueMs = Number.POSITIVE_INFINITY, limits } = head.tip
        const ready = queue.readyAt(monotonicMs())
        return {
          pending: ready.pending || evidence.size > 0 || nextDueMs <= wallMs() || expiring.isDue,
          full: ready.teu >= limits.blockTeu,
        }
      },
      wallMs,
      onCommit: (tip, content, before) => events.emit('committed', { tip, content, before }),
      onPeerFault: (peer, kind, error) => reports.peerFault(peer, kind, error),
      allows: (peer, kind) => conduct.allowsConsensus(peer, kind),
      isMember: (peer) => members.has(peer),
      allowsReply: (peer, bytes) => conduct.allowsReply(peer, 'payload', bytes),
      savedReply: (peer, bytes) => conduct.savedReply(peer, 'payload', bytes),
      onReport: (report) => reports.take(report),
      onEquivocation: (record, from) => events.emit('evidence', { record, from }),
      onReoffer: () => gossip.offer(true),
      onHalt: (height, detail) => failures.halt(height, detail),
      onFatal,
    },
    logs.votes.records,
    causeOf(logs.votes.abstaining),
    { limits: payloads, staged: logs.staging.payloads },
  )
  events.on('work', () => driver.notifyWork())
  return { driver, failures, laneTelemetry }
}
