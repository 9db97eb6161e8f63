/** Owns rules 6 and 7: timing out a view, collecting timeouts, amplification. */
import type { TimedPhase, TimeoutCertificate, TimeoutGroup, TimeoutReason, ValidatorKey } from '../model/index.js'
import { bitmapOf } from './bitmap.js'
import { certificateKey, checkCertifiedHeader, timeoutCertificateKey } from './certificate.js'
import { onCertified } from './certified.js'
import type { SignatureCheck } from './check.js'
import { enterView, jumpView, raiseHighPrepare } from './enter.js'
import { reportDoubleTimeout, reportLockAmnesia } from './evidence/equivocation.js'
import { domainOf } from './height.js'
import type { AnswerOf } from './input.js'
import { VIEW_MAX } from './limits.js'
import { namedView, type Timeout } from './messages/index.js'
import { takeOwnTimeout } from './own-signatures.js'
import { armViewTimer, recordActive } from './pacing.js'
import { resendProposal } from './propose.js'
import { timeoutSignBytes } from './sign-bytes.js'
import type { JobOf } from './state.js'
import {
  broadcast,
  cacheVerified,
  drop,
  highView,
  isBeingPersisted,
  isVerified,
  persist,
  type StepContext,
  sendStatus,
  sign,
  startJob,
} from './step-context.js'
import { onFallback } from './vote.js'

/** Rule 6: handle the view timer. */
export function onViewTimer(ctx: StepContext): void {
  const { state } = ctx
  state.viewTimerArmed = false
  if (state.index === undefined || state.decided !== undefined || state.halted) return
  ctx.effects.push({ type: 'reoffer' })
  sendTimeout(ctx)
  armViewTimer(ctx)
}

/** Sign and send our timeout of the current view, or repeat the message sent before. */
export function sendTimeout(ctx: StepContext): void {
  const { state } = ctx
  if (state.index === undefined) return
  if (state.timedOut !== undefined && state.timedOut.view >= state.view) {
    if (isBeingPersisted(ctx, state.timedOut.timeout)) return
    broadcast(ctx, { kind: 'timeout', value: state.timedOut.timeout })
    // Messages of a view that could still complete may have been lost too.
    resendProposal(ctx)
    onFallback(ctx)
    // After a restart our timeout is durable but not counted yet.
    countTimeout(ctx, state.timedOut.timeout)
    return
  }
  const timeout: Omit<Timeout, 'signature'> = {
    height: state.context.height,
    view: state.view,
    highPrepare: state.highPrepare,
    reason: reasonNow(ctx),
    index: state.index,
  }
  const message = timeoutSignBytes(
    domainOf(state.context),
    timeout.view,
    namedView(timeout.highPrepare),
    timeout.reason,
  )
  const { highPrepare, reason } = timeout
  const intent = { kind: 'timeout', value: { highPrepare, reason } } as const
  sign(ctx, `timeout:${state.view}`, { next: 'timeoutSigned', timeout }, [message], intent)
}

/** Reason of a timeout by the phase that missed its deadline. */
const REASON_OF_LATE: Readonly<Record<TimedPhase, TimeoutReason>> = {
  propose: 'noProposal',
  payload: 'missingPayload',
  execute: 'prepareStall',
  prepare: 'prepareStall',
  commit: 'commitStall',
}

/** Reason why this view has no certificate: the first phase that missed its deadline, otherwise the unfinished phase. */
function reasonNow(ctx: StepContext): TimeoutReason {
  const { state } = ctx
  const refusal = state.current?.view === state.view ? state.candidates.get(state.current.hash)?.refusal : undefined
  if (refusal === undefined && state.latePhase !== undefined) return REASON_OF_LATE[state.latePhase]
  if (highView(state.highPrepare) === state.view) return 'commitStall'
  const candidate = state.current?.view === state.view ? state.candidates.get(state.current.hash) : undefined
  if (candidate === undefined) return state.proposerUnreachable ? 'unreachableProposer' : 'noProposal'
  if (candidate.body === undefined) return 'missingPayload'
  if (candidate.refusal !== undefined) return candidate.refusal.reason
  return 'prepareStall'
}

/** Process our signed timeout, which must still name our highest certificate. */
export function onTimeoutSigned(
  ctx: StepContext,
  job: JobOf<'timeoutSigned'>,
  { signatures }: AnswerOf<'signed'>,
): void {
  const { state } = ctx
  const [signature] = signatures
  if (signature === undefined) return
  state.pendingSignatures.delete(`timeout:${job.timeout.view}`)
  if (job.timeout.view !== state.view || state.decided !== undefined) return
  if ((state.timedOut?.view ?? -1) >= state.view) return
  if (namedView(job.timeout.highPrepare) !== namedView(state.highPrepare)) {
    sendTimeout(ctx)
    return
  }
  const timeout: Timeout = { ...job.timeout, signature }
  takeOwnTimeout(state, timeout)
  persist(ctx, [{ kind: 'timedOut', value: { height: timeout.height, timeout } }], {
    next: 'timeoutPersisted',
    timeout,
  })
}

/** Send and count our durable timeout. */
export function publishTimeout(ctx: StepContext, timeout: Timeout): void {
  broadcast(ctx, { kind: 'timeout', value: timeout })
  countTimeout(ctx, timeout)
}

/** Structural checks of a timeout; returns the remaining signature checks. */
export function checkTimeout(
  ctx: StepContext,
  from: ValidatorKey,
  timeout: Timeout,
): string | { readonly checks: SignatureCheck[]; readonly certificates: string[] } | undefined {
  const { state } = ctx
  const { committee } = state.context
  if (committee.keys[timeout.index] !== from) return 'not sent by its signer'
  if (timeout.view > VIEW_MAX) return 'view exceeds the limit'
  const named = timeout.highPrepare?.certificate
  // Checked before any use: evidence of two timeouts contains the view that each names.
  if (named !== undefined && named.phase !== 'prepare') return 'names no prepare certificate'
  if (named !== undefined && named.view > timeout.view) return 'names a certificate of a later view'
  if (timeout.view < state.view) {
    sendStatus(ctx, from)
  }
  const known = state.timeouts.get(timeout.index)
  if (known !== undefined && known.view >= timeout.view) {
    if (known.view === timeout.view) reportDoubleTimeout(ctx, known, timeout)
    return undefined
  }
  const domain = domainOf(state.context)
  const checks: SignatureCheck[] = []
  const certificates: string[] = []
  if (timeout.highPrepare !== undefined) {
    const { certificate } = timeout.highPrepare
    const check = checkCertifiedHeader(timeout.highPrepare, committee, domain)
    if ('fault' in check) return `certificate: ${check.fault}`
    const key = certificateKey(certificate)
    if (!isVerified(ctx, key)) checks.push(...check.checks)
    certificates.push(key)
  }
  checks.push({
    kind: 'same',
    keys: [from],
    message: timeoutSignBytes(domain, timeout.view, namedView(timeout.highPrepare), timeout.reason),
    signature: timeout.signature,
  })
  return { checks, certificates }
}

/** Rule 7: process a verified timeout of another member. */
export function onTimeout(ctx: StepContext, from: ValidatorKey, timeout: Timeout): void {
  if (timeout.highPrepare !== undefined) onCertified(ctx, timeout.highPrepare, { own: false })
  recordActive(ctx, timeout.index)
  if (!countTimeout(ctx, timeout)) drop(ctx, from, 'timeout', 'known')
}

/** Count a timeout; false if a timeout of the same or a later view is known from its member. */
function countTimeout(ctx: StepContext, timeout: Timeout): boolean {
  const { state } = ctx
  const known = state.timeouts.get(timeout.index)
  if (known !== undefined && known.view >= timeout.view) return false
  state.timeouts.set(timeout.index, timeout)
  reportLostLocks(ctx, timeout)
  // A node outside the committee follows the certificates of its members.
  if (state.decided !== undefined || state.index === undefined) return true
  if (!certify(ctx, timeout.view)) amplify(ctx)
  return true
}

/** Report known commit votes of a member in views for which its timeout claims no certificate. */
function reportLostLocks(ctx: StepContext, timeout: Timeout): void {
  const { state } = ctx
  if (timeout.index === state.index) return
  for (const vote of state.firstVotes.values()) {
    if (vote.phase === 'commit' && vote.index === timeout.index) reportLockAmnesia(ctx, vote, timeout)
  }
}

/** Build the timeout certificate of a view once a quorum timed out. */
function certify(ctx: StepContext, view: number): boolean {
  const { state } = ctx
  const { committee } = state.context
  const given = [...state.timeouts.values()].filter((timeout) => timeout.view === view)
  if (given.length < committee.quorum) return false
  if (view < state.view || state.timeoutViewsAggregating.has(view)) return true
  given.sort((a, b) => a.index - b.index)
  const byContent = new Map<string, Timeout[]>()
  for (const timeout of given) {
    const key = `${namedView(timeout.highPrepare)}:${timeout.reason}`
    const group = byContent.get(key)
    if (group === undefined) byContent.set(key, [timeout])
    else group.push(timeout)
  }
  const groups: TimeoutGroup[] = [...byContent.values()].map((group) => ({
    certificateView: namedView(group[0]?.highPrepare),
    reason: group[0]?.reason ?? 'noProposal',
    bitmap: bitmapOf(
      committee.keys.length,
      group.map((timeout) => timeout.index),
    ),
  }))
  const highest = given.reduce<Timeout | undefined>(
    (best, timeout) => (highView(timeout.highPrepare) > highView(best?.highPrepare) ? timeout : best),
    undefined,
  )
  const certificate = { height: state.context.height, view, highPrepare: highest?.highPrepare, groups }
  const id = startJob(ctx, { next: 'timeoutsAggregated', certificate })
  state.timeoutViewsAggregating.add(view)
  // Each timeout was verified on arrival, so the aggregate needs no check.
  ctx.effects.push({
    type: 'aggregate',
    job: id,
    signatures: given.map((timeout) => timeout.signature),
    verify: undefined,
  })
  return true
}

/** Broadcast the new timeout certificate and enter the next view. */
export function onTimeoutsAggregated(
  ctx: StepContext,
  job: JobOf<'timeoutsAggregated'>,
  { aggregate }: AnswerOf<'aggregated'>,
): void {
  const { state } = ctx
  state.timeoutViewsAggregating.delete(job.certificate.view)
  if (aggregate === undefined) return
  const certificate: TimeoutCertificate = { ...job.certificate, aggregate }
  cacheVerified(ctx, [timeoutCertificateKey(certificate)])
  broadcast(ctx, { kind: 'timeoutCertificate', value: certificate })
  onTimeoutCertificate(ctx, certificate)
}

/** Process a verified timeout certificate of this height; false if it is not new. */
export function onTimeoutCertificate(ctx: StepContext, certificate: TimeoutCertificate): boolean {
  const { state } = ctx
  if (certificate.height !== state.context.height || state.decided !== undefined) return false
  if (certificate.highPrepare !== undefined) raiseHighPrepare(ctx, certificate.highPrepare)
  if (certificate.view < state.view) return false
  enterView(ctx, certificate.view + 1, { kind: 'timeout', certificate })
  return true
}

/** Move to the view that f + 1 members, of which one is correct, have reached, and time it out too. */
function amplify(ctx: StepContext): void {
  const { state } = ctx
  const { committee } = state.context
  if (state.index === undefined) return
  const views = new Map<number, number>()
  for (const [index, timeout] of state.timeouts) views.set(index, timeout.view)
  if (state.timedOut !== undefined) views.set(state.index, state.timedOut.view)
  const sorted = [...views.values()].sort((a, b) => b - a)
  const target = sorted[committee.faults]
  if (target === undefined || target <= (state.timedOut?.view ?? -1) || target < state.view) return
  jumpView(ctx, target)
  sendTimeout(ctx)
}
