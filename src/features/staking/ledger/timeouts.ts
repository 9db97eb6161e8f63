/** Owns the times of phases while validators are elected: no view is shorter than all of them together. */
import { parameterOf } from '../../../executor/parameters.js'
import type { StateReader } from '../../../state/index.js'
import { NPOS_TIMEOUTS, type PhaseTimeouts } from '../schema/parameters.js'
import { calendars, ONLY } from './tables.js'

/** All phases of a view one after another, in ms. */
export const sumOfPhases = (timeouts: PhaseTimeouts): number =>
  Object.values<number>(timeouts).reduce((sum, ms) => sum + ms, 0)

/** Shortest first timeout: fixed at the beginning of each epoch; undefined in permissioned time. */
export function leastTimeoutMs(state: StateReader): number | undefined {
  const calendar = state.get(calendars, ONLY)
  return calendar?.isElected === true ? calendar.phasesMs : undefined
}

/** What the next epoch begins with. */
export const phasesNow = (state: StateReader): number => sumOfPhases(parameterOf(state, NPOS_TIMEOUTS))
