/**
 * Owns the times of phases where the chain names them, as elected validators do: running totals from the start of a view's
 * work. There is no timer beside that of the view; the totals say when a payload is fetched, when votes go to everybody, and
 * which phase a timeout names.
 */
import type { TimedPhase } from '../model/index.js'
import { runningTotalMs } from './pacemaker.js'
import type { ConsensusState } from './state.js'

/** Time that a phase of this view has left, in ms, 0 when it is over; undefined: the chain names no times. */
export function phaseLeftMs(state: ConsensusState, phase: TimedPhase): number | undefined {
  const { phases } = state.context.parameters
  if (phases === undefined) return undefined
  const begunMs = state.viewStartedAtMs ?? state.nowMs
  return Math.max(0, begunMs + runningTotalMs(phases, phase) - state.nowMs)
}

/** Notes a phase that ended now, when it is the first one of this view that did so after its time. */
export function notePhase(state: ConsensusState, phase: TimedPhase): void {
  if (state.latePhase === undefined && phaseLeftMs(state, phase) === 0) state.latePhase = phase
}
