/** Owns the state machine's one entry: an input in, effects out, in order; no I/O, no clock, no randomness. */
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
    case 'committed':
      enterHeight(ctx, input.next, input.self, input.costMs)
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
    default:
      return onAnswer(ctx, input)
  }
}

/** The answer that each rule takes. */
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

/** The rules that jobs continue with. Rule W: what waited for the disk leaves in those that end in `Persisted`. */
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

/** Goes on with what the job of an answer says. A late answer ends here: the height that asked for it is over, and its jobs with it. */
function onAnswer(ctx: StepContext, answer: Answer): void {
  const { jobs } = ctx.state
  const job = jobs.get(answer.job)
  if (job === undefined) return
  jobs.delete(answer.job)
  if (answer.type === 'unsigned') return onUnsigned(ctx, job, answer)
  // The driver answers an effect with the type that the effect names.
  const proceed = CONTINUATIONS[job.next] as (ctx: StepContext, job: Job, answer: Answer) => void
  proceed(ctx, job, answer)
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
