/** Owns the times of phases while validators are elected: running totals of a view, whose sum no first timeout is shorter than. */
import { parameterOf } from '../../../executor/parameters.js'
import type { StateReader } from '../../../state/index.js'
import { NPOS_TIMEOUTS, type PhaseTimeouts } from '../schema/parameters.js'
import { calendars, ONLY } from './tables.js'

/** Times that act: fixed at the beginning of each epoch; undefined in permissioned time. */
export function phaseTimes(state: StateReader): PhaseTimeouts | undefined {
  const calendar = state.get(calendars, ONLY)
  return calendar?.isElected === true ? calendar.phases : undefined
}

/** What the next epoch begins with. */
export const phasesNow = (state: StateReader): PhaseTimeouts => parameterOf(state, NPOS_TIMEOUTS)
