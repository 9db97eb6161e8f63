/** Owns the computation of timeouts: measured height time, backoff, bounds (docs/design/consensus.md 6). */
import { type ConsensusParameters, PHASES, type PhaseTimes, type TimedPhase } from '../model/index.js'
import {
  BACKOFF_EXPONENT_MAX,
  BACKOFF_FACTOR,
  HEIGHT_EWMA_ALPHA,
  HEIGHT_EWMA_CEILING,
  T0_HEIGHT_FACTOR,
  T0_MAX_MS,
  T0_MIN_MS,
  TIMEOUT_MAX_MS,
} from './limits.js'

/** State of the pacemaker across heights. */
export interface Pacemaker {
  /** Moving average of the time of a height in ms, including unfinished attempts. */
  heightMs: number
  /** Exponent at view 0, so that a slow chain keeps its timeout; decreases by one per commit. */
  baseExponent: number
}

/** Initial pacemaker without measurements. */
export const newPacemaker = (parameters: ConsensusParameters): Pacemaker => ({
  heightMs: parameters.baseHeightMs,
  baseExponent: 0,
})

/** Time from the start of a view to the end of a phase, in ms. */
export function runningTotalMs(phases: PhaseTimes, last: TimedPhase): number {
  return PHASES.slice(0, PHASES.indexOf(last) + 1).reduce((sum, phase) => sum + phases[phase], 0)
}

/** T0 in ms: the timeout of view 0 on a chain whose views do not fail. */
export function baseTimeoutMs(pacemaker: Pacemaker, parameters: ConsensusParameters): number {
  const held = Math.min(
    Math.max(pacemaker.heightMs, parameters.baseHeightMs),
    HEIGHT_EWMA_CEILING * parameters.baseHeightMs,
  )
  const leastMs = parameters.phases === undefined ? 0 : runningTotalMs(parameters.phases, 'commit')
  return Math.max(leastMs, Math.min(Math.max(T0_HEIGHT_FACTOR * held, T0_MIN_MS), T0_MAX_MS))
}

/** Timeout of a view in ms. */
export function viewTimeoutMs(pacemaker: Pacemaker, parameters: ConsensusParameters, view: number): number {
  const t0 = baseTimeoutMs(pacemaker, parameters)
  const exponent = Math.min(pacemaker.baseExponent + view, BACKOFF_EXPONENT_MAX)
  return Math.min(TIMEOUT_MAX_MS, Math.round(t0 * BACKOFF_FACTOR ** exponent))
}

/** Add a finished or timed-out attempt to the average. */
export function measureAttempt(pacemaker: Pacemaker, parameters: ConsensusParameters, elapsedMs: number): void {
  const next = pacemaker.heightMs + HEIGHT_EWMA_ALPHA * (elapsedMs - pacemaker.heightMs)
  pacemaker.heightMs = Math.min(Math.max(next, parameters.baseHeightMs), HEIGHT_EWMA_CEILING * parameters.baseHeightMs)
}

/** Record the view at which a height was committed: exponent max(0, view - 1). */
export function measureCommit(pacemaker: Pacemaker, view: number): void {
  pacemaker.baseExponent = Math.min(Math.max(0, pacemaker.baseExponent + view - 1), BACKOFF_EXPONENT_MAX)
}
