/** Owns the state machine's one entry: an input in, effects out, in order; no I/O, no clock, no randomness. */
import { onAbstentionEnded, tryEndAbstention } from './abstain.js'
import { onRebuilt } from './compact.js'
import { advanceDecided } from './decide.js'
import type { Effect } from './effect.js'
import { enterHeight } from './enter.js'
import { executeWanted, startExecution } from './execute.js'
import { fetchWanted, onFetchTimer } from './fetch.js'
import type { Input, TimedInput } from './input.js'
import { onMessage, onMessageVerified, replayBuffered, retryCertificates } from './message.js'
import { armViewTimer, disarmViewTimer, workKnown } from './pacing.js'
import { isBroadcast, onBuilt, onDeferTimer, onProposalSigned, resendProposal, tryPropose } from './propose.js'
import { expire, openOwn, replayBroadcast, settleBroadcast } from './rbc/rules.js'
import { onStaged, stageWanted } from './staging.js'
import { type ConsensusState, hashKey } from './state.js'
import { broadcast, endPhase, ownStatus, proposerAt, report, type StepContext, send } from './step-context.js'
import { advanceSync, onSyncPeerDown, onSyncTimer, onSyncVerified } from './sync.js'
import { onTimeoutSigned, onTimeoutsAggregated, onViewTimer, publishTimeout, sendTimeout } from './timeout.js'
import { onUnsigned } from './unsigned.js'
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
  const ctx: StepContext = { state, effects: [] }
  // Monotonic by contract; an input that waited in a queue must not turn time back.
  state.nowMs = Math.max(state.nowMs, input.nowMs)
  if (state.halted) return ctx.effects
  dispatch(ctx, input)
  settle(ctx)
  return ctx.effects
}

/** What the facts allow now: rules change facts, the moves that follow from them stand here, in one order. */
function settle(ctx: StepContext): void {
  tryEndAbstention(ctx)
  settleBroadcast(ctx)
  stageWanted(ctx)
  retryCertificates(ctx)
  tryAggregates(ctx)
  executeWanted(ctx)
  advanceDecided(ctx)
  tryPrepare(ctx)
  tryCommitVote(ctx)
  tryPropose(ctx)
  fetchWanted(ctx)
}

function dispatch(ctx: StepContext, input: Input): void {
  const { state } = ctx
  switch (input.type) {
    case 'started':
      return onStarted(ctx)
    case 'message':
      return onMessage(ctx, input.from, input.message)
    case 'timer':
      return onTimer(ctx, input)
    case 'work':
      return onWork(ctx, input)
    case 'built':
      return onBuilt(ctx, input)
    case 'executed':
      return onExecuted(ctx, input)
    case 'persisted':
      return onPersisted(ctx, input.token)
    case 'staged':
      return onStaged(ctx, input)
    case 'rebuilt':
      return onRebuilt(ctx, input)
    case 'signed':
      return onSigned(ctx, input)
    case 'unsigned':
      return onUnsigned(ctx, input)
    case 'verified':
      return onVerified(ctx, input)
    case 'aggregated':
      return onAggregated(ctx, input)
    case 'committed':
      enterHeight(ctx, input.next, input.self)
      // Chunks before proposals: what came early spares a request.
      replayBroadcast(ctx)
      replayBuffered(ctx)
      return advanceSync(ctx)
    case 'abstentionEnded':
      return onAbstentionEnded(ctx)
    case 'peerUp':
      return send(ctx, input.peer, { kind: 'status', value: ownStatus(state) })
    case 'peerDown':
      return onPeerDown(ctx, input.peer)
    case 'gossip':
      expire(ctx)
      return send(ctx, input.peer, { kind: 'status', value: ownStatus(state) })
  }
}

/** Timers carry (height, view) and are ignored when stale. */
function onTimer(ctx: StepContext, input: Extract<Input, { type: 'timer' }>): void {
  const { state } = ctx
  if (input.name === 'sync') return onSyncTimer(ctx)
  if (input.name === 'defer') return onDeferTimer(ctx)
  if (input.height !== state.context.height) return
  if (input.name === 'fetch') return onFetchTimer(ctx)
  if (input.view !== state.view) return
  if (input.name === 'view') return onViewTimer(ctx)
  if (input.name === 'propose') {
    state.proposeTimerArmed = false
    return
  }
  onFallback(ctx)
}

function onWork(ctx: StepContext, input: Extract<Input, { type: 'work' }>): void {
  const { state } = ctx
  state.work = { pending: input.pending, full: input.full }
  if (workKnown(ctx)) armViewTimer(ctx)
  else disarmViewTimer(ctx)
}

function onExecuted(ctx: StepContext, input: Extract<Input, { type: 'executed' }>): void {
  const { state } = ctx
  if (input.height !== state.context.height) return
  const candidate = state.candidates.get(hashKey(input.blockHash))
  if (candidate === undefined || candidate.status !== 'executing') return
  candidate.timely = input.timely
  if (input.result.ok) {
    candidate.status = 'executed'
    endPhase(ctx, 'execute')
  } else if (input.result.reason === 'viewPassed') {
    candidate.status = 'waiting'
  } else {
    candidate.status = 'refused'
    candidate.refusal = { reason: input.result.reason, detail: input.result.detail }
    report(ctx, { kind: 'refused', height: input.height, view: state.view, why: input.result.detail })
  }
}

/** Rule W: what waited for the disk may leave now. */
function onPersisted(ctx: StepContext, token: number): void {
  const { state } = ctx
  const after = state.awaiting.get(token)
  if (after === undefined) return
  state.awaiting.delete(token)
  switch (after.kind) {
    case 'proposal':
      if (after.proposal.height !== state.context.height) return
      broadcast(ctx, { kind: 'proposal', value: after.proposal })
      if (after.vote !== undefined) publishVote(ctx, after.vote)
      return
    case 'vote':
      return publishVote(ctx, after.vote)
    case 'timeout':
      return publishTimeout(ctx, after.timeout)
    case 'decided':
      return
  }
}

function onSigned(ctx: StepContext, input: Extract<Input, { type: 'signed' }>): void {
  const { state } = ctx
  const job = state.jobs.get(input.job)
  if (job === undefined) return
  state.jobs.delete(input.job)
  const [signature] = input.signatures
  if (signature === undefined) return
  if (job.kind === 'signProposal') onProposalSigned(ctx, job, input.signatures)
  else if (job.kind === 'signVote') onVoteSigned(ctx, job, signature)
  else if (job.kind === 'signTimeout') onTimeoutSigned(ctx, job, signature)
}

function onVerified(ctx: StepContext, input: Extract<Input, { type: 'verified' }>): void {
  const { state } = ctx
  const job = state.jobs.get(input.job)
  if (job === undefined) return
  state.jobs.delete(input.job)
  if (job.kind === 'verifyMessage') onMessageVerified(ctx, job, input.ok)
  else if (job.kind === 'verifySynced') onSyncVerified(ctx, job, input.ok)
}

function onAggregated(ctx: StepContext, input: Extract<Input, { type: 'aggregated' }>): void {
  const { state } = ctx
  const job = state.jobs.get(input.job)
  if (job === undefined) return
  state.jobs.delete(input.job)
  if (job.kind === 'aggregateVotes') onVotesAggregated(ctx, job, input)
  else if (job.kind === 'aggregateTimeouts') onTimeoutsAggregated(ctx, job, input)
}

/** A refused or reset link to the proposer starts the timeout early (docs/design/consensus.md 6). */
function onPeerDown(ctx: StepContext, peer: string): void {
  const { state } = ctx
  onSyncPeerDown(ctx, peer)
  // What we asked it for is lost with the link.
  state.requests.delete(peer)
  if (peer !== proposerAt(state, state.view) || state.current?.view === state.view) return
  state.proposerUnreachable = true
  if (!state.viewTimerArmed) return
  disarmViewTimer(ctx)
  armViewTimer(ctx)
}

/** After boot: repeat what this height had already sent, execute what was prepared, arm the timer. */
function onStarted(ctx: StepContext): void {
  const { state } = ctx
  if (state.view > 0)
    report(ctx, { kind: 'viewEntered', height: state.context.height, view: state.view, cause: 'newHeight' })
  for (const candidate of state.candidates.values()) {
    // Links may be up before this input: what is under way already stays as it is.
    if (candidate.status === 'waiting') startExecution(ctx, candidate)
  }
  recoverSessions(ctx)
  resendProposal(ctx)
  if (state.prepared?.view === state.view) publishVote(ctx, state.prepared.vote)
  if (state.locked?.view === state.view) publishVote(ctx, state.locked.vote)
  if (state.timedOut?.view === state.view) sendTimeout(ctx)
  armViewTimer(ctx)
}

/** Payloads that were staged before a restart are there for those who miss them. */
function recoverSessions(ctx: StepContext): void {
  const { state } = ctx
  for (const candidate of state.candidates.values()) {
    const { body, staging, header } = candidate
    if (body === undefined || staging !== 'synced' || !isBroadcast(state, body, undefined)) continue
    openOwn(ctx, candidate, header.originView, [], true)
  }
}
