/**
 * Owns the deadlines of phases if the chain defines them, as with elected validators: running totals from the start of the work
 * of a view. There is no timer besides the view timer; the totals decide when a payload is fetched, when votes are broadcast, and
 * which phase a timeout names.
 */
import type { TimedPhase } from '../model/index.js'
import { runningTotalMs } from './pacemaker.js'
import type { ConsensusState } from './state.js'

/** Remaining time of a phase of this view in ms, 0 if it is over; undefined if the chain defines no deadlines. */
export function phaseLeftMs(state: ConsensusState, phase: TimedPhase): number | undefined {
  const { phases } = state.context.parameters
  if (phases === undefined) return undefined
  const begunMs = state.viewStartedAtMs ?? state.nowMs
  return Math.max(0, begunMs + runningTotalMs(phases, phase) - state.nowMs)
}

/** Record the first phase of this view that ended after its deadline. */
export function notePhase(state: ConsensusState, phase: TimedPhase): void {
  if (state.latePhase === undefined && phaseLeftMs(state, phase) === 0) state.latePhase = phase
}
