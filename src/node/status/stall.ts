/**
 * Owns the explanation of a stall: missing validators, their absence and its reason, and the number of missing votes.
 */

import type { StallRecord } from '../../api/index.js'
import { type ConsensusState, hashKey, isUntimely, proposerAt, viewTimeoutMs } from '../../consensus/index.js'
import type { ValidatorKey } from '../../model/index.js'
import { abstentionText } from './abstention.js'

/** Reasons of a stall; docs/operate/alerts.md has a runbook for each. */
export const STALL_REASONS = [
  'no_quorum',
  'no_proposal',
  'votes_missing',
  'missing_payload',
  'block_refused',
  'abstaining',
  'halted',
] as const
type StallReason = (typeof STALL_REASONS)[number]

/** Reason for a block that is too late for this node to vote for. */
const TOO_LATE = 'its time is more than max_clock_drift_ms ahead of the clock of this node'

/** Inputs of the explanation besides the state machine. */
export interface StallEvidence {
  readonly state: ConsensusState
  /** Monotonic clock in ms, and the corresponding wall clock in ms since the Unix epoch. */
  readonly monotonicMs: number
  readonly wallMs: number
  readonly lastCommitMs: number
  /** Short name of a validator. */
  readonly nameOf: (key: ValidatorKey) => string
  /** Last link error of a peer that is not connected. */
  readonly linkError: (key: ValidatorKey) => string | undefined
  readonly isConnected: (key: ValidatorKey) => boolean
  /** Time when the link to a peer ended, monotonic ms; undefined while it is up, or if it never was. */
  readonly downSinceMs: (key: ValidatorKey) => number | undefined
}

/** Explain a stall; undefined while the chain moves or is idle. */
export function explainStall(evidence: StallEvidence): StallRecord | undefined {
  const { state, monotonicMs, lastCommitMs } = evidence
  if (state.halted) {
    return stall(
      evidence.wallMs,
      'halted',
      monotonicMs - lastCommitMs,
      [],
      'this node is halted: it cannot reproduce the certified state',
    )
  }
  if (!state.active && !state.work.pending) return undefined
  // An idle chain was not stalled: in the first view, time counts from the arrival of work.
  const startedAtMs = state.view === 0 ? state.viewStartedAtMs : undefined
  const since = monotonicMs - Math.max(state.enteredHeightAtMs, lastCommitMs, startedAtMs ?? 0)
  if (since < 2 * viewTimeoutMs(state.pacemaker, state.context.parameters, 0)) return undefined
  const { committee, height } = state.context
  const at = `h${height} v${state.view}`
  if (state.decided !== undefined) {
    const text = `${at}: the block is decided but its payload is missing; requesting it from ${committee.keys.length} validators`
    return stall(evidence.wallMs, 'missing_payload', since, [], text)
  }
  const voted = votersOf(state)
  const others = committee.keys.filter((key) => key !== state.self && !voted.has(key))
  const away = others.filter((key) => !evidence.isConnected(key))
  const silent = others.filter((key) => evidence.isConnected(key))
  const missing = [...away, ...silent].map(evidence.nameOf)
  const missingTexts = [
    ...away.map((key) => awayText(evidence, key)),
    ...silent.map((key) => `${evidence.nameOf(key)} (connected, no vote)`),
  ]
  const list = missingTexts.length === 0 ? 'no validator' : missingTexts.join(', ')
  const reachable = committee.keys.length - away.length
  if (reachable < committee.quorum) {
    const short = committee.quorum - reachable
    const gone = away.map((key) => awayText(evidence, key)).join(', ')
    const text = `${at}: only ${reachable} of the ${committee.quorum} validators of a quorum are reachable, ${short} short; missing ${gone}`
    return stall(evidence.wallMs, 'no_quorum', since, away.map(evidence.nameOf), text)
  }
  const short = Math.max(0, committee.quorum - voted.size)
  const votes = `${voted.size} of ${committee.quorum} votes, ${short} short`
  const abstaining = abstentionText(state)
  if (abstaining !== undefined) {
    const text = `${at}: ${abstaining}; ${votes}; waiting for ${list}`
    return stall(evidence.wallMs, 'abstaining', since, missing, text)
  }
  const proposer = evidence.nameOf(proposerAt(state, state.view))
  const refusal = refusalOf(state)
  if (refusal !== undefined) {
    const text = `${at}: this node refuses the block of ${proposer}: ${refusal}; ${votes}`
    return stall(evidence.wallMs, 'block_refused', since, missing, text)
  }
  const reason = state.current === undefined ? 'no_proposal' : 'votes_missing'
  const what =
    state.current === undefined ? `no proposal from ${proposer} yet` : `the block of ${proposer} is waiting for votes`
  return stall(evidence.wallMs, reason, since, missing, `${at}: ${what}; ${votes}; waiting for ${list}`)
}

/** Text about an unreachable peer: the start of its absence, and the reason. */
function awayText(evidence: StallEvidence, key: ValidatorKey): string {
  const downSinceMs = evidence.downSinceMs(key)
  const since =
    downSinceMs === undefined ? '' : `, offline for ${Math.round((evidence.monotonicMs - downSinceMs) / 1000)} s`
  return `${evidence.nameOf(key)} (${evidence.linkError(key) ?? 'not connected'}${since})`
}

/** Reason why this node does not vote for the block of this view, if it has checked it. */
function refusalOf(state: ConsensusState): string | undefined {
  const candidate = state.current && state.candidates.get(state.current.hash)
  if (candidate === undefined) return undefined
  if (candidate.refusal === undefined && isUntimely(candidate, state.view)) return TOO_LATE
  return candidate.refusal?.detail
}

const stall = (
  wallMs: number,
  reason: StallReason,
  durationMs: number,
  missing: readonly string[],
  text: string,
): StallRecord => ({
  reason,
  sinceMs: Math.round(wallMs - durationMs),
  missing,
  text,
})

/** Members whose vote or timeout of this view this node has received. */
function votersOf(state: ConsensusState): Set<ValidatorKey> {
  const voters = new Set<ValidatorKey>()
  const { keys } = state.context.committee
  const current = state.current?.hash ?? (state.highPrepare && hashKey(state.highPrepare.certificate.blockHash))
  for (const set of state.votes.values()) {
    if (set.view !== state.view || (current !== undefined && set.hash !== current)) continue
    for (const index of set.signatures.keys()) voters.add(keys[index] ?? '')
  }
  for (const [index, timeout] of state.timeouts) if (timeout.view >= state.view) voters.add(keys[index] ?? '')
  return voters
}
