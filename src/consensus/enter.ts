/** Owns rule 1 and the change of heights: entering a view by certificate, entering a height by commit. */
import {
  assertInvariant,
  type CertifiedHeader,
  type TimeoutCertificate,
  type TimeoutReason,
  type ValidatorKey,
} from '../model/index.js'
import { withCost } from './block-cost.js'
import { reasonOf } from './certificate.js'
import type { HeightContext } from './height.js'
import { LATE_COMMIT_VIEWS } from './limits.js'
import { measureAttempt, measureCommit } from './pacemaker.js'
import { armViewTimer, disarmViewTimer } from './pacing.js'
import { type ConsensusState, freshHeight } from './state.js'
import { drop, endPhase, highView, persist, report, type StepContext } from './step-context.js'

/** What lets us enter a view. */
export type EntryCertificate =
  | { readonly kind: 'timeout'; readonly certificate: TimeoutCertificate }
  | { readonly kind: 'prepare'; readonly certified: CertifiedHeader }

/** Enters view `view`, above ours, by a timeout certificate of the view before or a prepare certificate of it. */
export function enterView(ctx: StepContext, view: number, by: EntryCertificate): void {
  const { state } = ctx
  assertInvariant(view > state.view, 'views of a height never fall')
  state.view = view
  if (by.kind === 'timeout') {
    assertInvariant(by.certificate.view === view - 1, 'a timeout certificate opens the next view')
    state.entry = by.certificate
  }
  startView(ctx, by.kind === 'timeout' ? reasonOf(by.certificate) : 'prepareCertificate')
  // The records that authorise signatures carry what they rest on; this one spares a restart the way back here.
  const { entry, highPrepare } = state
  const value = { height: state.context.height, view, entry, highPrepare }
  persist(ctx, [{ kind: 'entered', value }], { next: 'nothing' })
}

/** Moves to `view` without a certificate: f + 1 members are there (rule 7). */
export function jumpView(ctx: StepContext, view: number): void {
  const { state } = ctx
  assertInvariant(view >= state.view, 'views of a height never fall')
  if (view === state.view) return
  state.view = view
  startView(ctx, 'amplified')
}

function startView(ctx: StepContext, cause: TimeoutReason | 'prepareCertificate' | 'amplified'): void {
  const { state } = ctx
  measureView(state)
  state.viewEnteredAtMs = state.nowMs
  state.viewStartedAtMs = undefined
  state.waitedMs = 0
  state.latePhase = undefined
  state.active = true
  state.proposerUnreachable = false
  if (state.current !== undefined && state.current.view < state.view) state.current = undefined
  for (const [key, set] of state.votes) {
    const oldest = set.phase === 'prepare' ? state.view : state.view - LATE_COMMIT_VIEWS
    if (set.view < oldest && !set.aggregating) state.votes.delete(key)
  }
  for (const [slot, vote] of state.firstVotes) {
    if (vote.view < state.view - LATE_COMMIT_VIEWS) state.firstVotes.delete(slot)
  }
  for (const view of state.firstProposals.keys()) {
    if (view < state.view - LATE_COMMIT_VIEWS) state.firstProposals.delete(view)
  }
  report(ctx, { kind: 'viewEntered', height: state.context.height, view: state.view, cause })
  disarmViewTimer(ctx)
  armViewTimer(ctx)
}

/** Raises the highest prepare certificate; it never falls. */
export function raiseHighPrepare(ctx: StepContext, certified: CertifiedHeader): void {
  if (certified.certificate.view > highView(ctx.state.highPrepare)) ctx.state.highPrepare = certified
}

/** Takes the time of the view that ends into the average. */
function measureView({ viewStartedAtMs, waitedMs, nowMs, pacemaker, context }: ConsensusState): void {
  if (viewStartedAtMs !== undefined) measureAttempt(pacemaker, context.parameters, nowMs - viewStartedAtMs - waitedMs)
}

/** The block of this height is applied, at the cost of `costMs` where it was measured: the next height starts at view 0. */
export function enterHeight(
  ctx: StepContext,
  next: HeightContext,
  self: ValidatorKey,
  costMs: number | undefined,
): void {
  const { state } = ctx
  assertInvariant(next.height === state.context.height + 1, 'heights are committed one after another')
  measureView(state)
  if (costMs !== undefined) state.blockCosts = withCost(state.blockCosts, costMs)
  if (state.decided !== undefined) measureCommit(state.pacemaker, state.decided.certificate.view)
  endPhase(ctx, 'apply')
  disarmViewTimer(ctx)
  for (const name of ['propose', 'fallback', 'fetch'] as const) ctx.effects.push({ type: 'disarm', name })
  // Answers to jobs of the old height find nothing; blocks that were judged ahead are of the next one.
  for (const [id, job] of state.jobs) {
    if (job.next === 'syncVerified') continue
    if (job.next === 'messageVerified') drop(ctx, job.from, job.message.kind, 'past')
    state.jobs.delete(id)
  }
  state.certificatesUnderWay.clear()
  for (const waiting of state.certificatesWaiting.values())
    for (const from of waiting.keys()) drop(ctx, from, 'certificate', 'past')
  state.certificatesWaiting.clear()
  Object.assign(state, freshHeight())
  state.context = next
  state.self = self
  state.index = state.abstention !== undefined ? undefined : next.committee.indexOf.get(self)
  state.enteredHeightAtMs = state.nowMs
  state.viewEnteredAtMs = state.nowMs
  report(ctx, { kind: 'viewEntered', height: next.height, view: 0, cause: 'newHeight' })
  armViewTimer(ctx)
}
