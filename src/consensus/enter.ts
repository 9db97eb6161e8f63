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

/** Certificate that permits entering a view. */
export type EntryCertificate =
  | { readonly kind: 'timeout'; readonly certificate: TimeoutCertificate }
  | { readonly kind: 'prepare'; readonly certified: CertifiedHeader }

/** Enter a higher view by a timeout certificate of the previous view or a prepare certificate of that view. */
export function enterView(ctx: StepContext, view: number, by: EntryCertificate): void {
  const { state } = ctx
  assertInvariant(view > state.view, 'views of a height never fall')
  state.view = view
  if (by.kind === 'timeout') {
    assertInvariant(by.certificate.view === view - 1, 'a timeout certificate opens the next view')
    state.entry = by.certificate
  }
  startView(ctx, by.kind === 'timeout' ? reasonOf(by.certificate) : 'prepareCertificate')
  // Records of signatures carry their own justification; this record only lets a restart resume in this view.
  const { entry, highPrepare } = state
  const value = { height: state.context.height, view, entry, highPrepare }
  persist(ctx, [{ kind: 'entered', value }], { next: 'nothing' })
}

/** Move to `view` without a certificate, because f + 1 members are in it (rule 7). */
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

/** Raise the highest prepare certificate; it never decreases. */
export function raiseHighPrepare(ctx: StepContext, certified: CertifiedHeader): void {
  if (certified.certificate.view > highView(ctx.state.highPrepare)) ctx.state.highPrepare = certified
}

/** Add the duration of the ending view to the average. */
function measureView({ viewStartedAtMs, waitedMs, nowMs, pacemaker, context }: ConsensusState): void {
  if (viewStartedAtMs !== undefined) measureAttempt(pacemaker, context.parameters, nowMs - viewStartedAtMs - waitedMs)
}

/** Enter the next height at view 0 after the block of this height was applied; `costMs`: its measured processor time. */
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
  // Responses to jobs of the old height are ignored; blocks verified ahead belong to the next height.
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
