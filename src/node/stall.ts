/** Owns the words for why the chain does not move: who is missing, since when, why, votes short by how many. */
import { type ConsensusState, hashKey, proposerAt, viewTimeoutMs } from '../consensus/index.js'
import type { Stall } from '../features/services.js'
import type { ValidatorKey } from '../model/index.js'

/** What the explainer looks at beside the state machine. */
export interface StallEvidence {
  readonly state: ConsensusState
  /** Monotonic ms, and the wall clock that belongs to it in ms since the Unix epoch. */
  readonly nowMs: number
  readonly clockMs: number
  readonly lastCommitMs: number
  /** Short name of a validator. */
  readonly nameOf: (key: ValidatorKey) => string
  /** Last link error of a peer, when it is not connected. */
  readonly linkError: (key: ValidatorKey) => string | undefined
  readonly isConnected: (key: ValidatorKey) => boolean
}

/** undefined while the chain moves or has nothing to do. */
export function explainStall(evidence: StallEvidence): Stall | undefined {
  const { state, nowMs, lastCommitMs } = evidence
  if (state.halted) {
    return stall(
      evidence.clockMs,
      'halted',
      nowMs - lastCommitMs,
      [],
      'this node halted: it cannot reproduce the certified state',
    )
  }
  if (!state.active && !state.work.pending) return undefined
  const since = Math.min(nowMs - state.enteredHeightAtMs, nowMs - lastCommitMs)
  if (since < 2 * viewTimeoutMs(state.pacemaker, state.context.parameters, 0)) return undefined
  const { committee, height } = state.context
  const at = `h${height} v${state.view}`
  if (state.decided !== undefined) {
    const text = `${at}: decided, waiting for the payload`
    return stall(evidence.clockMs, 'missing_payload', since, [], text)
  }
  const voted = votersOf(state)
  const missing = committee.keys.filter((key) => key !== state.self && !voted.has(key) && !evidence.isConnected(key))
  const silent = committee.keys.filter((key) => key !== state.self && !voted.has(key) && evidence.isConnected(key))
  const unreachable = missing.map((key) => `${evidence.nameOf(key)} (${evidence.linkError(key) ?? 'not connected'})`)
  const quiet = silent.map((key) => `${evidence.nameOf(key)} (connected, no vote)`)
  const votes = `${voted.size} of ${committee.quorum} votes`
  const reachable = committee.keys.length - missing.length
  const who = [...unreachable, ...quiet].join(', ') || 'nobody'
  if (reachable < committee.quorum) {
    const text = `${at}: only ${reachable} of ${committee.quorum} needed validators are reachable; missing ${who}`
    return stall(evidence.clockMs, 'no_quorum', since, missing.map(evidence.nameOf), text)
  }
  const proposer = evidence.nameOf(proposerAt(state, state.view))
  const text = `${at}: ${votes}; proposer ${proposer}; waiting for ${who}`
  return stall(
    evidence.clockMs,
    state.current === undefined ? 'no_proposal' : 'votes_missing',
    since,
    [...missing, ...silent].map(evidence.nameOf),
    text,
  )
}

const stall = (
  clockMs: number,
  reason: string,
  durationMs: number,
  missing: readonly string[],
  text: string,
): Stall => ({
  reason,
  sinceMs: Math.round(clockMs - durationMs),
  missing,
  text,
})

/** Members whose vote or timeout of this view we hold. */
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
