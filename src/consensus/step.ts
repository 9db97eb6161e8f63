/** Owns the entry of the state machine: an input in, ordered effects out; no I/O, no clock, no randomness. */
import { onAbstentionEnded, tryEndAbstention } from './abstain.js'
import { onRebuilt } from './compact.js'
import { advanceDecided } from './decide.js'
import type { Effect } from './effect.js'
import { enterHeight } from './enter.js'
import { executeWanted, onExecuted, startExecution } from './execute.js'
import { fetchWanted, onFetchTimer } from './fetch.js'
import type { Answer, AnswerOf, Input, TimedInput } from './input.js'
import { onMessage, onMessageVerified, replayBuffered, retryCertificates } from './message.js'
import { armViewTimer, disarmViewTimer, workKnown } from './pacing.js'
import {
  isBroadcast,
  onBuilt,
  onDeferTimer,
  onProposalPersisted,
  onProposalSigned,
  resendProposal,
  tryPropose,
} from './propose.js'
import { expire, openOwn, replayBroadcast, settleBroadcast } from './rbc/rules.js'
import { onStaged, stageWanted } from './staging.js'
import type { ConsensusState, Job, JobOf } from './state.js'
import { ownStatus, proposerAt, report, type StepContext, send } from './step-context.js'
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

/** Advance `state` by one input; returns the effects in order. */
export function step(state: ConsensusState, input: TimedInput): Effect[] {
  const ctx: StepContext = { state, effects: [] }
  // Time is monotonic; an input that waited in a queue must not set it back.
  state.nowMs = Math.max(state.nowMs, input.nowMs)
  if (state.halted) return ctx.effects
  dispatch(ctx, input)
  settle(ctx)
  return ctx.effects
}

/**
 * Run the steps that the state permits now, in a fixed order. Rules only change the state; all consequences follow
 * here.
 */
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
    case 'committed':
      enterHeight(ctx, input.next, input.self, input.costMs)
      // Chunks before proposals, because early chunks save a request.
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
    default:
      return onAnswer(ctx, input)
  }
}

/** Response type of each continuation. */
interface AnswerTo extends Record<Job['next'], Answer> {
  messageVerified: AnswerOf<'verified'>
  syncVerified: AnswerOf<'verified'>
  proposalSigned: AnswerOf<'signed'>
  voteSigned: AnswerOf<'signed'>
  timeoutSigned: AnswerOf<'signed'>
  votesAggregated: AnswerOf<'aggregated'>
  timeoutsAggregated: AnswerOf<'aggregated'>
  proposalPersisted: AnswerOf<'persisted'>
  votePersisted: AnswerOf<'persisted'>
  timeoutPersisted: AnswerOf<'persisted'>
  built: AnswerOf<'built'>
  executed: AnswerOf<'executed'>
  staged: AnswerOf<'staged'>
  rebuilt: AnswerOf<'rebuilt'>
  nothing: AnswerOf<'persisted'>
}

/**
 * Continuations of jobs. Rule W: messages that depend on the disk are sent by continuations whose names end in
 * `Persisted`.
 */
const CONTINUATIONS: {
  readonly [T in Job['next']]: (ctx: StepContext, job: JobOf<T>, answer: AnswerTo[T]) => void
} = {
  messageVerified: onMessageVerified,
  syncVerified: onSyncVerified,
  proposalSigned: onProposalSigned,
  voteSigned: onVoteSigned,
  timeoutSigned: onTimeoutSigned,
  votesAggregated: onVotesAggregated,
  timeoutsAggregated: onTimeoutsAggregated,
  proposalPersisted: onProposalPersisted,
  votePersisted: (ctx, { vote }) => publishVote(ctx, vote),
  timeoutPersisted: (ctx, { timeout }) => publishTimeout(ctx, timeout),
  built: onBuilt,
  executed: onExecuted,
  staged: onStaged,
  rebuilt: onRebuilt,
  nothing: () => {},
}

/** Run the continuation of a job. A response of an earlier height is ignored, because jobs end with their height. */
function onAnswer(ctx: StepContext, answer: Answer): void {
  const { jobs } = ctx.state
  const job = jobs.get(answer.job)
  if (job === undefined) return
  jobs.delete(answer.job)
  if (answer.type === 'unsigned') return onUnsigned(ctx, job, answer)
  // The driver responds with the type that belongs to the effect.
  const proceed = CONTINUATIONS[job.next] as (ctx: StepContext, job: Job, answer: Answer) => void
  proceed(ctx, job, answer)
}

/** Process a timer; timers carry (height, view), and stale ones are ignored. */
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

/** Shorten the timeout if the link to the proposer is refused or reset (docs/design/consensus.md 6). */
function onPeerDown(ctx: StepContext, peer: string): void {
  const { state } = ctx
  onSyncPeerDown(ctx, peer)
  // Requests to this peer are lost with the link.
  state.requests.delete(peer)
  if (peer !== proposerAt(state, state.view) || state.current?.view === state.view) return
  state.proposerUnreachable = true
  if (!state.viewTimerArmed) return
  disarmViewTimer(ctx)
  armViewTimer(ctx)
}

/** Resume after boot: repeat the messages of this height, execute known candidates, arm the timer. */
function onStarted(ctx: StepContext): void {
  const { state } = ctx
  if (state.view > 0)
    report(ctx, { kind: 'viewEntered', height: state.context.height, view: state.view, cause: 'newHeight' })
  for (const candidate of state.candidates.values()) {
    // Links may be up before this input, so some candidates may already be in progress.
    if (candidate.status === 'waiting') startExecution(ctx, candidate)
  }
  recoverSessions(ctx)
  resendProposal(ctx)
  if (state.prepared?.view === state.view) publishVote(ctx, state.prepared.vote)
  if (state.locked?.view === state.view) publishVote(ctx, state.locked.vote)
  if (state.timedOut?.view === state.view) sendTimeout(ctx)
  armViewTimer(ctx)
}

/** Reopen the sessions of payloads staged before a restart, so that members can fetch them. */
function recoverSessions(ctx: StepContext): void {
  const { state } = ctx
  for (const candidate of state.candidates.values()) {
    const { body, staging, header } = candidate
    if (body === undefined || staging !== 'synced' || !isBroadcast(state, body, undefined)) continue
    openOwn(ctx, candidate, header.originView, [], true)
  }
}
