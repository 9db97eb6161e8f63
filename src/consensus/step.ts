/** Owns the state machine's one entry: an input in, effects out, in order; no I/O, no clock, no randomness. */
import { onAbstentionEnded, tryEndAbstention } from './abstain.js'
import { onRebuilt } from './compact.js'
import { advanceDecided } from './decide.js'
import type { Effect } from './effect.js'
import { enterHeight } from './enter.js'
import { executeWanted, startExecution } from './execute.js'
import { fetchWanted, onFetchTimer } from './fetch.js'
import type { Input, TimedInput } from './input.js'
import { onMessage, onMessageVerified, replayParked, retryCertificates } from './message.js'
import { armViewTimer, disarmViewTimer, workKnown } from './pacing.js'
import { isBroadcast, onBuilt, onDeferTimer, onProposalSigned, resendProposal, tryPropose } from './propose.js'
import { expire, openOwn, replayBroadcast, settleBroadcast } from './rbc/rules.js'
import { onStaged, stageWanted } from './staging.js'
import { type ConsensusState, hashKey } from './state.js'
import { advanceSync, onSyncPeerDown, onSyncTimer, onSyncVerified } from './sync.js'
import { giveUp, onTimeoutSigned, onTimeoutsAggregated, onViewTimer, publishTimeout } from './timeout.js'
import { broadcast, endPhase, ownStatus, proposerAt, refuse, report, send, type Turn } from './turn.js'
import {
  onFallback,
  onVoteSigned,
  onVotesAggregated,
  publishVote,
  tryAggregates,
  tryCommitVote,
  tryPrepare,
} from './vote.js'

/** Advances `state` by one input and returns what is to be done, in order. */
export function step(state: ConsensusState, input: TimedInput): Effect[] {
  const turn: Turn = { state, effects: [] }
  // Monotonic by contract; an input that waited in a queue must not turn time back.
  state.nowMs = Math.max(state.nowMs, input.nowMs)
  if (state.halted) return turn.effects
  dispatch(turn, input)
  settle(turn)
  return turn.effects
}

/** What the facts allow now: rules change facts, the moves that follow from them stand here, in one order. */
function settle(turn: Turn): void {
  tryEndAbstention(turn)
  settleBroadcast(turn)
  stageWanted(turn)
  retryCertificates(turn)
  tryAggregates(turn)
  executeWanted(turn)
  advanceDecided(turn)
  tryPrepare(turn)
  tryCommitVote(turn)
  tryPropose(turn)
  fetchWanted(turn)
}

function dispatch(turn: Turn, input: Input): void {
  const { state } = turn
  switch (input.type) {
    case 'started':
      return onStarted(turn)
    case 'message':
      return onMessage(turn, input.from, input.message)
    case 'timer':
      return onTimer(turn, input)
    case 'work':
      return onWork(turn, input)
    case 'built':
      return onBuilt(turn, input)
    case 'executed':
      return onExecuted(turn, input)
    case 'persisted':
      return onPersisted(turn, input.token)
    case 'staged':
      return onStaged(turn, input)
    case 'rebuilt':
      return onRebuilt(turn, input)
    case 'signed':
      return onSigned(turn, input)
    case 'verified':
      return onVerified(turn, input)
    case 'aggregated':
      return onAggregated(turn, input)
    case 'committed':
      enterHeight(turn, input.next, input.self)
      // Chunks before proposals: what came early spares a request.
      replayBroadcast(turn)
      replayParked(turn)
      return advanceSync(turn)
    case 'abstentionEnded':
      return onAbstentionEnded(turn)
    case 'peerUp':
      return send(turn, input.peer, { kind: 'status', value: ownStatus(state) })
    case 'peerDown':
      return onPeerDown(turn, input.peer)
    case 'gossip':
      expire(turn)
      return send(turn, input.peer, { kind: 'status', value: ownStatus(state) })
  }
}

/** Timers carry (height, view) and are ignored when stale. */
function onTimer(turn: Turn, input: Extract<Input, { type: 'timer' }>): void {
  const { state } = turn
  if (input.name === 'sync') return onSyncTimer(turn)
  if (input.name === 'defer') return onDeferTimer(turn)
  if (input.height !== state.context.height) return
  if (input.name === 'fetch') return onFetchTimer(turn)
  if (input.view !== state.view) return
  if (input.name === 'view') return onViewTimer(turn)
  if (input.name === 'propose') {
    state.proposeTimerArmed = false
    return
  }
  onFallback(turn)
}

function onWork(turn: Turn, input: Extract<Input, { type: 'work' }>): void {
  const { state } = turn
  state.work = { pending: input.pending, full: input.full }
  if (workKnown(turn)) armViewTimer(turn)
  else disarmViewTimer(turn)
}

function onExecuted(turn: Turn, input: Extract<Input, { type: 'executed' }>): void {
  const { state } = turn
  if (input.height !== state.context.height) return
  const candidate = state.candidates.get(hashKey(input.blockHash))
  if (candidate === undefined || candidate.status !== 'executing') return
  candidate.timely = input.timely
  if (input.verdict.ok) {
    candidate.status = 'executed'
    endPhase(turn, 'execute')
  } else if (input.verdict.reason === 'viewPassed') {
    candidate.status = 'waiting'
  } else {
    candidate.status = 'refused'
    candidate.refusal = { reason: input.verdict.reason, detail: input.verdict.detail }
    refuse(turn, 'block', input.verdict.detail)
  }
}

/** Rule W: what waited for the disk may leave now. */
function onPersisted(turn: Turn, token: number): void {
  const { state } = turn
  const after = state.awaiting.get(token)
  if (after === undefined) return
  state.awaiting.delete(token)
  switch (after.kind) {
    case 'proposal':
      if (after.proposal.height !== state.context.height) return
      broadcast(turn, { kind: 'proposal', value: after.proposal })
      if (after.vote !== undefined) publishVote(turn, after.vote)
      return
    case 'vote':
      return publishVote(turn, after.vote)
    case 'timeout':
      return publishTimeout(turn, after.timeout)
    case 'decided':
      return
  }
}

function onSigned(turn: Turn, input: Extract<Input, { type: 'signed' }>): void {
  const { state } = turn
  const job = state.jobs.get(input.job)
  if (job === undefined) return
  state.jobs.delete(input.job)
  const [signature] = input.signatures
  if (signature === undefined) return
  if (job.kind === 'signProposal') onProposalSigned(turn, job, input.signatures)
  else if (job.kind === 'signVote') onVoteSigned(turn, job, signature)
  else if (job.kind === 'signTimeout') onTimeoutSigned(turn, job, signature)
}

function onVerified(turn: Turn, input: Extract<Input, { type: 'verified' }>): void {
  const { state } = turn
  const job = state.jobs.get(input.job)
  if (job === undefined) return
  state.jobs.delete(input.job)
  if (job.kind === 'verifyMessage') onMessageVerified(turn, job, input.ok)
  else if (job.kind === 'verifySynced') onSyncVerified(turn, job, input.ok)
}

function onAggregated(turn: Turn, input: Extract<Input, { type: 'aggregated' }>): void {
  const { state } = turn
  const job = state.jobs.get(input.job)
  if (job === undefined) return
  state.jobs.delete(input.job)
  if (job.kind === 'aggregateVotes') onVotesAggregated(turn, job, input)
  else if (job.kind === 'aggregateTimeouts') onTimeoutsAggregated(turn, job, input)
}

/** A refused or reset link to the proposer starts the timeout early (design/consensus.md 6). */
function onPeerDown(turn: Turn, peer: string): void {
  const { state } = turn
  onSyncPeerDown(turn, peer)
  // What we asked it for is lost with the link.
  state.requests.delete(peer)
  if (peer !== proposerAt(state, state.view) || state.current?.view === state.view) return
  state.proposerUnreachable = true
  if (!state.viewTimerArmed) return
  disarmViewTimer(turn)
  armViewTimer(turn)
}

/** After boot: repeat what this height had already sent, execute what was prepared, arm the timer. */
function onStarted(turn: Turn): void {
  const { state } = turn
  if (state.view > 0)
    report(turn, { kind: 'viewEntered', height: state.context.height, view: state.view, cause: 'newHeight' })
  for (const candidate of state.candidates.values()) {
    // Links may be up before this input: what is under way already stays as it is.
    if (candidate.status === 'waiting') startExecution(turn, candidate)
  }
  recoverSessions(turn)
  resendProposal(turn)
  if (state.prepared?.view === state.view) publishVote(turn, state.prepared.vote)
  if (state.locked?.view === state.view) publishVote(turn, state.locked.vote)
  if (state.timedOut?.view === state.view) giveUp(turn)
  armViewTimer(turn)
}

/** Payloads that were staged before a restart are there for those who miss them. */
function recoverSessions(turn: Turn): void {
  const { state } = turn
  for (const candidate of state.candidates.values()) {
    const { body, staging, header } = candidate
    if (body === undefined || staging !== 'synced' || !isBroadcast(state, body, undefined)) continue
    openOwn(turn, candidate, header.originView, [], true)
  }
}
