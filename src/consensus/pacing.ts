/** Owns the one view timer per (height, view): armed when work is known, never while idle (design/consensus.md 6). */
import { UNREACHABLE_TIMEOUT_MS } from './limits.js'
import { viewTimeoutMs } from './pacemaker.js'
import { arm, beginWork, type Turn } from './turn.js'

/** True when something of this height waits for the proposer or the votes. */
export const workKnown = (turn: Turn): boolean => turn.state.active || turn.state.work.pending

/**
 * A member sent a vote or a timeout of this height. f + 1 distinct ones are one correct member at least; fewer could keep
 * an idle network changing views (design/consensus.md 12, invariant 15).
 */
export function hearMember(turn: Turn, index: number): void {
  const { state } = turn
  if (state.active) return
  state.heard.add(index)
  if (state.heard.size <= state.context.committee.faults) return
  state.active = true
  armViewTimer(turn)
}

/** Arms the view timer when work is known and it does not run yet. */
export function armViewTimer(turn: Turn): void {
  const { state } = turn
  if (workKnown(turn)) beginWork(turn)
  if (state.viewTimerArmed || state.index === undefined || state.decided !== undefined || !workKnown(turn)) return
  state.viewTimerArmed = true
  const delayMs = viewTimeoutMs(state.pacemaker, state.context.parameters, state.view)
  arm(turn, 'view', state.proposerUnreachable ? Math.min(UNREACHABLE_TIMEOUT_MS, delayMs) : delayMs)
}

/** Stops the view timer. */
export function disarmViewTimer(turn: Turn): void {
  if (!turn.state.viewTimerArmed) return
  turn.state.viewTimerArmed = false
  turn.effects.push({ type: 'disarm', name: 'view' })
}
