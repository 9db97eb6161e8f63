/** Owns voting: our prepare and commit votes, and the aggregation of all votes (rules 3, 4 and 5). */
import type { CertifiedHeader, ValidatorKey } from '../model/index.js'
import { bitmapOf } from './bitmap.js'
import { certificateKey } from './certificate.js'
import { onCertified } from './certified.js'
import type { DropReason } from './effect.js'
import { reportDoubleVote, reportLockAmnesia } from './evidence/equivocation.js'
import { domainOf } from './height.js'
import type { AnswerOf } from './input.js'
import { FUTURE_VIEWS, LATE_COMMIT_VIEWS } from './limits.js'
import type { Vote } from './messages/index.js'
import { takeOwnCommit, takeOwnPrepare } from './own-signatures.js'
import { viewTimeoutMs } from './pacemaker.js'
import { recordActive } from './pacing.js'
import { phaseLeftMs } from './phases.js'
import { collectorsOf } from './proposer.js'
import { voteSignBytes } from './sign-bytes.js'
import { isReadyToPersist, isStagedApart } from './staging.js'
import { hashKey, hashOfKey, isUntimely, type JobOf, subjectOf, type VoteSet } from './state.js'
import {
  arm,
  cacheVerified,
  drop,
  isBeingPersisted,
  mayVoteIn,
  persist,
  report,
  type StepContext,
  send,
  sendStatus,
  sign,
  startJob,
} from './step-context.js'

/** Rule 3: prepare-vote for the proposal of this view once it is executed. */
export function tryPrepare(ctx: StepContext): void {
  const { state } = ctx
  const { current } = state
  if (current === undefined || current.view !== state.view || !mayVoteIn(state, state.view)) return
  if (state.prepared?.view === state.view) return
  const candidate = state.candidates.get(current.hash)
  if (candidate?.status !== 'executed' || !isReadyToPersist(state, candidate)) return
  if (isUntimely(candidate, state.view)) return
  const job = { next: 'voteSigned', phase: 'prepare', view: state.view, hash: current.hash } as const
  const message = voteSignBytes(domainOf(state.context), 'prepare', state.view, hashOfKey(current.hash))
  const intent = { kind: 'prepare', value: { header: candidate.header } } as const
  sign(ctx, `prepare:${state.view}`, job, [message], intent)
}

/** Rule 4: commit-vote for the certified block of our view once its payload is executed. */
export function tryCommitVote(ctx: StepContext): void {
  const { state } = ctx
  const high = state.highPrepare
  if (high === undefined || high.certificate.view !== state.view || !mayVoteIn(state, state.view)) return
  if (state.locked?.view === state.view) return
  const hash = hashKey(high.certificate.blockHash)
  const candidate = state.candidates.get(hash)
  if (candidate?.status !== 'executed') return
  const job = { next: 'voteSigned', phase: 'commit', view: state.view, hash } as const
  const message = voteSignBytes(domainOf(state.context), 'commit', state.view, hashOfKey(hash))
  sign(ctx, `commit:${state.view}`, job, [message], { kind: 'commit', value: { certified: high } })
}

/** Process our signed vote: recheck view and timeout, make it durable. */
export function onVoteSigned(ctx: StepContext, job: JobOf<'voteSigned'>, { signatures }: AnswerOf<'signed'>): void {
  const { state } = ctx
  const [signature] = signatures
  if (signature === undefined) return
  state.pendingSignatures.delete(`${job.phase}:${job.view}`)
  const { index } = state
  if (index === undefined || job.view !== state.view || !mayVoteIn(state, job.view)) return
  const candidate = state.candidates.get(job.hash)
  if (candidate?.body === undefined || candidate.status !== 'executed') return
  const height = state.context.height
  const vote: Vote = { phase: job.phase, height, view: job.view, blockHash: hashOfKey(job.hash), index, signature }
  if (job.phase === 'prepare') {
    // A certificate or another proposal may have arrived during signing.
    if (state.prepared?.view === job.view || state.current?.hash !== job.hash) return
    takeOwnPrepare(state, vote)
    const body = isStagedApart(state, candidate.body) ? undefined : candidate.body
    const value = { height, vote, header: candidate.header, body }
    persist(ctx, [{ kind: 'prepared', value }], { next: 'votePersisted', vote })
    return
  }
  const certified = state.highPrepare
  if (certified === undefined || hashKey(certified.certificate.blockHash) !== job.hash) return
  takeOwnCommit(state, vote, certified)
  persist(ctx, [{ kind: 'locked', value: { height, vote, certified } }], { next: 'votePersisted', vote })
}

/** Send our durable vote to the collectors and count it. */
export function publishVote(ctx: StepContext, vote: Vote): void {
  const { state } = ctx
  const { order, parameters } = state.context
  const targets = collectorsOf(order, vote.view, parameters.collectorsK, parameters.redundantSendR)
  for (const target of targets) send(ctx, target, { kind: 'vote', value: vote })
  if (targets.length < order.length) {
    const afterMs = phaseLeftMs(state, vote.phase) ?? viewTimeoutMs(state.pacemaker, parameters, vote.view) / 5
    arm(ctx, 'fallback', Math.round(afterMs))
  }
  countVote(ctx, vote)
}

/** Broadcast our votes of this view if the collectors sent no certificate. */
export function onFallback(ctx: StepContext): void {
  for (const vote of sentVotes(ctx))
    for (const key of ctx.state.context.order) send(ctx, key, { kind: 'vote', value: vote })
}

/** Repeat our votes of this view to a peer that repeated its proposal. */
export function resendVotes(ctx: StepContext, to: ValidatorKey): void {
  for (const vote of sentVotes(ctx)) send(ctx, to, { kind: 'vote', value: vote })
}

/** Our durable votes of this view. */
const sentVotes = (ctx: StepContext): Vote[] =>
  [ctx.state.prepared?.vote, ctx.state.locked?.vote].filter(
    (vote): vote is Vote => vote?.view === ctx.state.view && !isBeingPersisted(ctx, vote),
  )

/** A vote of another member; its signature is checked with the aggregate. */
export function onVote(ctx: StepContext, from: ValidatorKey, vote: Vote): void {
  const { state } = ctx
  // The link authenticates the sender, so that no peer can occupy the slot of another with a bad signature.
  if (state.context.committee.keys[vote.index] !== from)
    return drop(ctx, from, 'vote', 'fault', 'not sent by its signer')
  const oldest = vote.phase === 'prepare' ? state.view : state.view - LATE_COMMIT_VIEWS
  if (vote.view < oldest || vote.view > state.view + FUTURE_VIEWS) {
    if (vote.view < state.view) sendStatus(ctx, from)
    return drop(ctx, from, 'vote', vote.view < oldest ? 'past' : 'early')
  }
  recordActive(ctx, vote.index)
  const reason = countVote(ctx, vote)
  if (reason !== undefined) drop(ctx, from, 'vote', reason)
}

/** Count a vote, or return the reason for dropping it. */
function countVote(ctx: StepContext, vote: Vote): DropReason | undefined {
  const { state } = ctx
  const slot = `${vote.phase}:${vote.view}:${vote.index}`
  const first = state.firstVotes.get(slot)
  const hash = hashKey(vote.blockHash)
  if (first === undefined) {
    state.firstVotes.set(slot, vote)
    const timeout = state.timeouts.get(vote.index)
    if (vote.phase === 'commit' && timeout !== undefined) reportLockAmnesia(ctx, vote, timeout)
  } else if (hashKey(first.blockHash) !== hash) {
    reportDoubleVote(ctx, first, vote)
    return 'fault'
  }
  const key = subjectOf(vote.phase, vote.view, hash)
  let set = state.votes.get(key)
  if (set === undefined) {
    set = { phase: vote.phase, view: vote.view, hash, signatures: new Map(), aggregating: false, certified: false }
    state.votes.set(key, set)
  }
  if (set.signatures.has(vote.index)) return 'known'
  set.signatures.set(vote.index, vote.signature)
  return undefined
}

/** Aggregate every set with a quorum. */
export function tryAggregates(ctx: StepContext): void {
  for (const set of ctx.state.votes.values()) tryAggregate(ctx, set)
}

/** Aggregate a set with a quorum; the header must be known, because a certificate is sent with it. */
function tryAggregate(ctx: StepContext, set: VoteSet): void {
  const { state } = ctx
  const { committee } = state.context
  // Observers, stand-by and abstaining nodes collect no votes; members send them the certificate.
  if (state.index === undefined) return
  if (set.aggregating || set.certified || set.signatures.size < committee.quorum) return
  // A received certificate of the same block is being verified, which suffices.
  if (!state.candidates.has(set.hash) || state.certificatesUnderWay.has(subjectOf(set.phase, set.view, set.hash)))
    return
  const positions = [...set.signatures.keys()].sort((a, b) => a - b)
  const id = startJob(ctx, { next: 'votesAggregated', set, positions })
  set.aggregating = true
  ctx.effects.push({
    type: 'aggregate',
    job: id,
    signatures: positions.map((position) => set.signatures.get(position) ?? new Uint8Array(0)),
    verify: {
      keys: positions.map((position) => committee.keys[position] ?? ''),
      message: voteSignBytes(domainOf(state.context), set.phase, set.view, hashOfKey(set.hash)),
    },
  })
}

/** Process an aggregate, or drop and score the bad signers and retry. */
export function onVotesAggregated(
  ctx: StepContext,
  job: JobOf<'votesAggregated'>,
  { aggregate, bad }: AnswerOf<'aggregated'>,
): void {
  const { state } = ctx
  const { set, positions } = job
  set.aggregating = false
  const { committee } = state.context
  if (aggregate === undefined) {
    for (const place of bad) {
      const position = positions[place]
      if (position === undefined) continue
      set.signatures.delete(position)
      report(ctx, { kind: 'badSignature', peer: committee.keys[position] ?? '', what: set.phase })
    }
    // An aggregate cannot fail if each signature is valid; the set is cleared so that it is not retried endlessly.
    if (bad.length === 0) set.signatures.clear()
    return
  }
  const candidate = state.candidates.get(set.hash)
  if (candidate === undefined) return
  set.certified = true
  const certified: CertifiedHeader = {
    header: candidate.header,
    certificate: {
      phase: set.phase,
      height: state.context.height,
      view: set.view,
      blockHash: hashOfKey(set.hash),
      committeeHash: committee.hash,
      bitmap: bitmapOf(committee.keys.length, positions),
      aggregate,
    },
  }
  cacheVerified(ctx, [certificateKey(certified.certificate)])
  onCertified(ctx, certified, { own: true })
}
