/** Owns rule 2: proposing, by reference if the entry certificate carries a block, otherwise a new block from the queue. */
import { domainOf } from './height.js'
import type { AnswerOf } from './input.js'
import type { Justification, Proposal, Vote } from './messages/index.js'
import { takeOwnPrepare, takeOwnProposal } from './own-signatures.js'
import { viewTimeoutMs } from './pacemaker.js'
import { DEFER_MS, DEFER_SHARE } from './payload-limits.js'
import { headerTemplate } from './proposal.js'
import { announce, openOwn } from './rbc/rules.js'
import { pressureOf } from './rbc/store.js'
import { proposalSignBytes, voteSignBytes } from './sign-bytes.js'
import { excludeWait, proposalDueAtMs } from './spacing.js'
import { directLimit, isReadyToPersist, isStagedApart } from './staging.js'
import { type BuiltBlock, type Candidate, type ConsensusState, hashOfKey, type JobOf } from './state.js'
import {
  arm,
  beginWork,
  broadcast,
  candidateOf,
  endPhase,
  isBeingPersisted,
  mayVoteIn,
  persist,
  proposerAt,
  type StepContext,
  sign,
  startJob,
} from './step-context.js'
import { publishVote } from './vote.js'

/** Empty content of a re-proposal, which is sent by its header; members without the payload fetch it from its signers. */
const NOTHING_SENT = { compact: undefined, digests: [] } as const

/** Justification for proposing in the current view, or undefined. */
function justificationOf(ctx: StepContext): Justification | undefined {
  const { state } = ctx
  if (state.view === 0) {
    const parent = state.context.parentCertificate
    return parent === undefined ? { kind: 'genesis', value: undefined } : { kind: 'commit', value: parent }
  }
  return state.entry?.view === state.view - 1 ? { kind: 'timeout', value: state.entry } : undefined
}

/** Propose in the current view if this node is its proposer, there is work, and the spacing of blocks allows it. */
export function tryPropose(ctx: StepContext): void {
  const { state } = ctx
  if (!mayVoteIn(state, state.view) || proposerAt(state, state.view) !== state.self) return
  if (state.lastProposal !== undefined && state.lastProposal.view === state.view) return
  // A build or a signature for this view is in flight.
  if (state.building === state.view || state.pendingSignatures.has(`proposal:${state.view}`)) return
  const justification = justificationOf(ctx)
  if (justification === undefined) return

  if (state.built?.view === state.view) return offerBuilt(ctx, state.built, justification)
  const carried = justification.kind === 'timeout' ? justification.value.highPrepare : undefined
  if (carried !== undefined) {
    const candidate = candidateOf(ctx, carried.header, undefined)
    offer(ctx, candidate, justification, NOTHING_SENT)
    return
  }
  if (state.view === 0) {
    if (!state.work.pending) return
    const dueAtMs = proposalDueAtMs(state)
    if (!state.work.full && state.nowMs < dueAtMs) {
      if (!state.proposeTimerArmed) arm(ctx, 'propose', dueAtMs - state.nowMs, 0)
      state.proposeTimerArmed = true
      return
    }
    excludeWait(state, dueAtMs)
  }
  if (isDeferred(ctx)) return
  beginWork(ctx)
  state.building = state.view
  ctx.effects.push({
    type: 'build',
    job: startJob(ctx, { next: 'built', view: state.view }),
    view: state.view,
    // An empty block ends a height whose only transaction expired; view 0 never makes one.
    allowEmpty: state.view > 0,
    directBytes: directLimit(state),
    template: headerTemplate(state.context, state.view, state.self),
  })
}

/** Process the built block: propose it unless the view has passed. */
export function onBuilt(ctx: StepContext, { view }: JobOf<'built'>, { block }: AnswerOf<'built'>): void {
  const { state } = ctx
  if (state.building !== view) return
  state.building = undefined
  if (block === undefined || view !== state.view || !mayVoteIn(state, state.view)) return
  const { header, body, compact, shares = [] } = block
  const candidate = candidateOf(ctx, header, body)
  candidate.status = 'executed'
  endPhase(ctx, 'propose')
  const asHashes = isStagedApart(state, body) && body.length <= state.rbc.limits.compactBytes ? compact : undefined
  state.built = { view, hash: candidate.hash, compact: asHashes, digests: [] }
  if (!isBroadcast(state, body, asHashes)) return
  const session = openOwn(ctx, candidate, view, shares)
  if (session === undefined) return
  state.built = { ...state.built, digests: session.digests }
  // Unsigned, so it need not wait for the disk; without a compact form the payload is sent as chunks.
  announce(ctx, session, isStagedApart(state, body) && asHashes === undefined)
}

/**
 * True if a payload gets a broadcast session: always with data availability, otherwise only if it is not sent in any
 * other way.
 */
export const isBroadcast = (state: ConsensusState, body: Uint8Array, compact: Uint8Array | undefined): boolean =>
  state.context.parameters.dataAvailability || (isStagedApart(state, body) && compact === undefined)

/** Propose the built block once its payload is on disk; a small payload does not have to be. */
function offerBuilt(ctx: StepContext, built: BuiltBlock, justification: Justification): void {
  const candidate = ctx.state.candidates.get(built.hash)
  if (candidate !== undefined && isReadyToPersist(ctx.state, candidate)) offer(ctx, candidate, justification, built)
}

/** True while a full store of broadcast payloads delays the proposal, for a bounded time so that the chain does not stop. */
function isDeferred(ctx: StepContext): boolean {
  const { rbc, context, view, nowMs, pacemaker } = ctx.state
  if (pressureOf(rbc) === 0) return false
  if (rbc.deferral?.height !== context.height || rbc.deferral.view !== view) {
    rbc.deferral = { height: context.height, view, sinceMs: nowMs, armed: false }
    rbc.counters.deferrals += 1
  }
  const { deferral } = rbc
  if (nowMs - deferral.sinceMs >= viewTimeoutMs(pacemaker, context.parameters, view) * DEFER_SHARE) return false
  if (!deferral.armed) arm(ctx, 'defer', DEFER_MS, 0)
  deferral.armed = true
  return true
}

/** Allow the next attempt of a deferred proposal, made by `settle`. */
export function onDeferTimer(ctx: StepContext): void {
  const { deferral } = ctx.state.rbc
  if (deferral !== undefined) deferral.armed = false
}

/** Sign a proposal for a candidate and, if it is executed, our prepare vote, with one append for both. */
function offer(
  ctx: StepContext,
  candidate: Candidate,
  justification: Justification,
  { compact, digests }: Pick<BuiltBlock, 'compact' | 'digests'>,
): void {
  const { state } = ctx
  const domain = domainOf(state.context)
  const hash = hashOfKey(candidate.hash)
  const body = candidate.body
  const proposal: Omit<Proposal, 'signature'> = {
    height: state.context.height,
    view: state.view,
    header: candidate.header,
    justification,
    body: body !== undefined && !isStagedApart(state, body) ? body : undefined,
    compact,
    digests,
  }
  const isExecuted = candidate.status === 'executed' && isReadyToPersist(state, candidate)
  const withPrepare = isExecuted && state.prepared?.view !== state.view
  const messages = [proposalSignBytes(domain, state.view, hash)]
  if (withPrepare) messages.push(voteSignBytes(domain, 'prepare', state.view, hash))
  state.active = true
  state.proposalSeenAtMs = state.nowMs
  state.current = { view: state.view, hash: candidate.hash }
  sign(
    ctx,
    `proposal:${state.view}`,
    { next: 'proposalSigned', view: state.view, hash: candidate.hash, proposal, withPrepare },
    messages,
    { kind: 'proposal', value: { header: candidate.header, withPrepare } },
  )
}

/** Recheck the signed proposal and make it durable with its block. */
export function onProposalSigned(
  ctx: StepContext,
  job: JobOf<'proposalSigned'>,
  { signatures }: AnswerOf<'signed'>,
): void {
  const { state } = ctx
  const [signature, prepareSignature] = signatures
  if (signature === undefined) return
  state.pendingSignatures.delete(`proposal:${job.view}`)
  if (job.view !== state.view || !mayVoteIn(state, job.view)) return
  const proposal: Proposal = { ...job.proposal, signature }
  const candidate = state.candidates.get(job.hash)
  takeOwnProposal(state, proposal)
  const proposed = { kind: 'proposed', value: { height: proposal.height, proposal } } as const
  const { index } = state
  if (
    job.withPrepare &&
    prepareSignature !== undefined &&
    index !== undefined &&
    candidate !== undefined &&
    state.prepared?.view !== job.view
  ) {
    const vote: Vote = {
      phase: 'prepare',
      height: proposal.height,
      view: job.view,
      blockHash: hashOfKey(job.hash),
      index,
      signature: prepareSignature,
    }
    takeOwnPrepare(state, vote)
    // The record of the proposal before it, or the staging segment, has the payload.
    const prepared = { height: proposal.height, vote, header: candidate.header, body: undefined }
    persist(ctx, [proposed, { kind: 'prepared', value: prepared }], { next: 'proposalPersisted', proposal, vote })
    return
  }
  persist(ctx, [proposed], { next: 'proposalPersisted', proposal, vote: undefined })
}

/** Send our durable proposal, and our vote if it was made with it. */
export function onProposalPersisted(ctx: StepContext, { proposal, vote }: JobOf<'proposalPersisted'>): void {
  broadcast(ctx, { kind: 'proposal', value: proposal })
  if (vote !== undefined) publishVote(ctx, vote)
}

/** Repeat our proposal of the current view. */
export function resendProposal(ctx: StepContext): void {
  const { state } = ctx
  const { lastProposal } = state
  if (lastProposal === undefined || lastProposal.view !== state.view) return
  if (isBeingPersisted(ctx, lastProposal.proposal)) return
  broadcast(ctx, { kind: 'proposal', value: lastProposal.proposal })
}
