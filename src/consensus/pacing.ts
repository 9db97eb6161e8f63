/** Owns the one view timer per (height, view): armed when work is known, never while idle (docs/design/consensus.md 6). */
import { UNREACHABLE_TIMEOUT_MS } from './limits.js'
import { viewTimeoutMs } from './pacemaker.js'
import { arm, beginWork, type StepContext } from './step-context.js'

/** True if work of this height waits for the proposer or for votes. */
export const workKnown = (ctx: StepContext): boolean => ctx.state.active || ctx.state.work.pending

/**
 * Record a vote or timeout of this height by a member. f + 1 distinct members include a correct one; fewer could keep an idle
 * network changing views (docs/design/consensus.md 12, invariant 15).
 */
export function recordActive(ctx: StepContext, index: number): void {
  const { state } = ctx
  if (state.active) return
  state.activeMembers.add(index)
  if (state.activeMembers.size <= state.context.committee.faults) return
  state.active = true
  armViewTimer(ctx)
}

/** Arm the view timer if work is known and it is not running. */
export function armViewTimer(ctx: StepContext): void {
  const { state } = ctx
  if (workKnown(ctx)) beginWork(ctx)
  if (state.viewTimerArmed || state.index === undefined || state.decided !== undefined || !workKnown(ctx)) return
  state.viewTimerArmed = true
  const delayMs = viewTimeoutMs(state.pacemaker, state.context.parameters, state.view)
  arm(ctx, 'view', state.proposerUnreachable ? Math.min(UNREACHABLE_TIMEOUT_MS, delayMs) : delayMs)
}

/** Stop the view timer. */
export function disarmViewTimer(ctx: StepContext): void {
  if (!ctx.state.viewTimerArmed) return
  ctx.state.viewTimerArmed = false
  ctx.effects.push({ type: 'disarm', name: 'view' })
}
