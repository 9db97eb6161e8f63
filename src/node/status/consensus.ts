/** Owns the status of consensus: the records of its routes and its metrics, from the state machine and measurements. */

import {
  type CollectorPlan,
  type ConsensusStatus as ConsensusStatusRecord,
  type ConsensusTelemetryRecord,
  commitQcSummaryOf,
  type DivergenceRecord,
  type HeldVotes,
  type Leader,
  type PacemakerRecord,
  type PhaseLatency,
  type PhasesRecord,
  type QcSubject,
  type QcSummary,
  type StallRecord,
} from '../../api/index.js'
import { collectFrom, type Metrics, oncePerScrape } from '../../api/metrics.js'
import type { NodeInfo } from '../../api/services.js'
import {
  BACKOFF_FACTOR,
  type ConsensusState,
  collectorCount,
  collectorsOf,
  peerOf,
  proposerAt,
  proposerWaitMs,
  setPositions,
  TIMEOUT_MAX_MS,
  TIMER_JITTER,
  viewTimeoutMs,
} from '../../consensus/index.js'
import { clipText, hashOfHeader } from '../../model/index.js'
import type { LinkStates } from '../../network/index.js'
import type { ConsensusDriver } from '../consensus/driver.js'
import type { Failures } from '../consensus/failures.js'
import { keyText, shortName } from '../peers/names.js'
import { abstentionText } from './abstention.js'
import type { LaneStatus } from './lanes.js'
import type { RbcStatus } from './rbc.js'
import type { SignerStatus } from './signer.js'
import { explainStall } from './stall.js'
import type { ConsensusTelemetry } from './telemetry.js'

/**
 * Positions in the committee, ascending. Votes go to the collectors of a view; any other member has only its own vote
 * and the votes in certificates that it received.
 */
function votesOf(state: ConsensusState): HeldVotes {
  const held = { prepare: new Set<number>(), commit: new Set<number>() }
  for (const set of state.votes.values()) {
    if (set.view === state.view) for (const position of set.signatures.keys()) held[set.phase].add(position)
  }
  const certificate = state.highPrepare?.certificate
  const isOurs = certificate?.height === state.context.height && certificate.view === state.view
  if (isOurs) for (const position of setPositions(certificate.bitmap)) held.prepare.add(position)
  const ascending = (positions: Set<number>): number[] => [...positions].toSorted((a, b) => a - b)
  return { prepare: ascending(held.prepare), commit: ascending(held.commit) }
}

/** Maximum length of texts in the records, and of the reason of a stall, in bytes. */
const TEXT_MAX_BYTES = 1024
const REASON_MAX_BYTES = 128

export interface ConsensusStatusModules {
  readonly info: NodeInfo
  readonly driver: Pick<ConsensusDriver, 'tip' | 'state'>
  readonly telemetry: ConsensusTelemetry
  /** Link states by the keys of this height. */
  readonly links: LinkStates
  readonly queue: { readonly size: number }
  readonly failures: Failures
  readonly lanes: LaneStatus
  readonly rbc: RbcStatus
  readonly signer: Pick<SignerStatus, 'record'>
  /** Monotonic clock in ms, and wall clock in ms since the Unix epoch. */
  readonly monotonicMs: () => number
  readonly wallMs: () => number
}

const whole = (value: number): number => Math.max(0, Math.round(value))
const sumOf = (counts: ReadonlyMap<string, number>): number => [...counts.values()].reduce((a, b) => a + b, 0)

export class ConsensusStatus {
  constructor(
    private readonly modules: ConsensusStatusModules,
    metrics: Metrics['consensus'],
  ) {
    this.collect(metrics)
  }

  /** Record of `GET /v1/consensus/status`; restricted lanes are included only for operators. */
  status(operator: boolean): ConsensusStatusRecord {
    const { driver, telemetry, queue, info, failures, lanes, signer } = this.modules
    const { tip, state } = driver
    const { committee } = state.context
    const stall = this.stall()
    const isInRoster = tip.schedule.roster.includes(state.self)
    return {
      mode: info.consensusMode,
      height: tip.height,
      blockHash: hashOfHeader(tip.header),
      stateRoot: tip.stateRoot,
      commitQc: tip.certificate && commitQcSummaryOf(tip.certificate),
      commitCommittee: (state.context.parent?.committee.keys ?? []).map(keyText),
      decidingHeight: state.context.height,
      view: state.view,
      proposer: keyText(proposerAt(state, state.view)),
      role: state.index !== undefined ? 'member' : isInRoster ? 'standby' : 'observer',
      committee: committee.keys.map(keyText),
      quorum: committee.quorum,
      faultBudget: committee.faults,
      highestPrepareView: state.highPrepare?.certificate.view,
      viewChanges: telemetry.viewChanges,
      viewChangeReasons: telemetry.viewChangeReasons,
      phases: this.latencies(),
      queueSize: queue.size,
      stall: stall && clippedStall(stall),
      halted: failures.halted && clipText(failures.halted.reason, TEXT_MAX_BYTES),
      divergence: failures.divergence && clippedDivergence(failures.divergence),
      votes: votesOf(state),
      epoch: tip.epoch,
      abstaining: isInRoster ? abstentionText(state) : undefined,
      signer: signer.record(),
      ...lanes.commitments(operator),
    }
  }

  /** Reason of the stall; undefined while the chain advances or is idle. */
  stall(): StallRecord | undefined {
    const { driver, telemetry, links, monotonicMs, wallMs } = this.modules
    return explainStall({
      state: driver.state,
      monotonicMs: monotonicMs(),
      wallMs: wallMs(),
      lastCommitMs: telemetry.lastCommitMs,
      nameOf: shortName,
      linkError: (key) => links.lastError(key),
      isConnected: (key) => links.isConnected(key),
      downSinceMs: (key) => telemetry.downSinceMs.get(peerOf(driver.tip, key)),
    })
  }

  leader(): Leader {
    const { tip, state } = this.modules.driver
    const { height, epoch, committee } = state.context
    const proposer = proposerAt(state, state.view)
    return {
      height,
      view: state.view,
      leaderIndex: committee.keys.indexOf(proposer),
      leader: proposer,
      prf: { height, epoch, epochSeed: tip.schedule.seed },
    }
  }

  qc(): QcSummary {
    const { tip, state } = this.modules.driver
    const { highPrepare, locked, context } = state
    const deciding = (view: number, subjectBlockHash: Uint8Array): QcSubject => ({
      height: context.height,
      view,
      subjectBlockHash,
    })
    const { certificate } = tip
    const committed = certificate && {
      height: certificate.height,
      view: certificate.view,
      subjectBlockHash: certificate.blockHash,
    }
    return {
      // Commit votes of a view need its prepare certificate: a committed block had one in that view.
      highestQc: highPrepare ? deciding(highPrepare.certificate.view, highPrepare.certificate.blockHash) : committed,
      lockedQc: locked && deciding(locked.view, locked.vote.blockHash),
      commitQc: committed,
    }
  }

  phases(): PhasesRecord {
    return { height: this.modules.driver.tip.height, phases: this.latencies() }
  }

  pacemaker(): PacemakerRecord {
    const { state } = this.modules.driver
    const { pacemaker, context, view } = state
    const targetMs = viewTimeoutMs(pacemaker, context.parameters, view)
    const elapsedMs = this.modules.monotonicMs() - state.viewEnteredAtMs
    return {
      height: context.height,
      view,
      armed: state.viewTimerArmed,
      heightTimeEmaMs: whole(pacemaker.heightMs),
      backoffExponent: pacemaker.baseExponent + view,
      backoffMultiplierPermille: whole(BACKOFF_FACTOR * 1_000),
      viewTimeoutTargetMs: targetMs,
      viewTimeoutRemainingMs: state.viewTimerArmed ? whole(targetMs - elapsedMs) : undefined,
      roundElapsedMs: whole(elapsedMs),
      maxBackoffMs: TIMEOUT_MAX_MS,
      jitterFracPermille: whole(TIMER_JITTER * 1_000),
    }
  }

  collectors(): CollectorPlan {
    const { driver, info } = this.modules
    const { context, view } = driver.state
    const { committee, order, height } = context
    const { collectorsK, redundantSendR } = context.parameters
    return {
      mode: info.consensusMode,
      height,
      view,
      collectorsK: collectorCount(order.length, collectorsK),
      redundantSendR,
      minVotesForCommit: committee.quorum,
      collectors: collectorsOf(order, view, collectorsK, redundantSendR).map((peer) => ({
        index: committee.keys.indexOf(peer),
        peer,
      })),
    }
  }

  measured(): ConsensusTelemetryRecord {
    const { viewChanges, viewChangeReasons, badSignatures, badRanges } = this.modules.telemetry
    const rbc = this.modules.rbc.status()
    const rbcBacklog = {
      pendingSessions: rbc.pendingSessions,
      missingChunks: rbc.missingChunks,
      storeBytes: rbc.storeBytes,
      storePressure: rbc.storePressure,
      evictedTotal: rbc.sessionsEvictedTotal,
      deferralsTotal: rbc.backpressureDeferralsTotal,
    }
    const { epoch } = this.modules.driver.tip
    const randomness = epoch && {
      epoch: epoch.number,
      commits: epoch.commits,
      reveals: epoch.reveals,
      isWeak: epoch.isWeak,
    }
    return {
      viewChanges,
      viewChangeReasons,
      badSignatures,
      badRanges,
      phases: this.latencies(),
      rbcBacklog,
      randomness,
    }
  }

  /** Phases in microseconds. */
  private latencies(): ReadonlyMap<string, PhaseLatency> {
    return new Map(
      [...this.modules.telemetry.phases].map(([phase, { lastMs, emaMs }]) => [
        phase,
        { lastUs: whole(lastMs * 1000), emaUs: whole(emaMs * 1000) },
      ]),
    )
  }

  private collect(metrics: Metrics['consensus']): void {
    const { driver, telemetry, queue } = this.modules
    const stall = oncePerScrape(() => this.stall())
    collectFrom(metrics.committedHeight, () => driver.tip.height)
    collectFrom(metrics.decidingHeight, () => driver.state.context.height)
    collectFrom(metrics.view, () => driver.state.view)
    collectFrom(metrics.viewChanges, () =>
      [...telemetry.viewChangeReasons].map(([reason, total]) => [{ reason }, total]),
    )
    collectFrom(metrics.badSignatures, () => sumOf(telemetry.badSignatures))
    collectFrom(metrics.badRanges, () => sumOf(telemetry.badRanges))
    collectFrom(metrics.proposerWait, () => proposerWaitMs(driver.state) / 1000)
    collectFrom(metrics.phaseAverage, () =>
      [...telemetry.phases].map(([phase, { emaMs }]) => [{ phase }, emaMs / 1000]),
    )
    collectFrom(metrics.queueSize, () => queue.size)
    collectFrom(metrics.committee, () => driver.state.context.committee.keys.length)
    collectFrom(metrics.quorum, () => driver.state.context.committee.quorum)
    collectFrom(metrics.commitSignatures, () => {
      const { certificate } = driver.tip
      return certificate === undefined ? 0 : setPositions(certificate.bitmap).length
    })
    collectFrom(metrics.stalled, () => {
      const found = stall()
      return found === undefined ? [] : [[{ reason: found.reason }, 1]]
    })
  }
}

const clippedStall = ({ reason, sinceMs, missing, text }: StallRecord): StallRecord => ({
  reason: clipText(reason, REASON_MAX_BYTES),
  sinceMs: whole(sinceMs),
  missing,
  text: clipText(text, TEXT_MAX_BYTES),
})

const clippedDivergence = ({ detail, report, ...rest }: DivergenceRecord): DivergenceRecord => ({
  ...rest,
  detail: clipText(detail, TEXT_MAX_BYTES),
  report: report && clipText(report, TEXT_MAX_BYTES),
})
