/** Owns the position of the chain in its epoch, and the times of its phases. */

import { faultBudget } from '../../../../consensus/index.js'
import { closingBlocks, placeOf, type Windows } from '../../../../consensus/npos/index.js'
import { parameterOf } from '../../../../executor/parameters.js'
import { GENESIS_HEIGHT } from '../../../../model/index.js'
import type { StateReader } from '../../../../state/index.js'
import {
  EPOCH_LENGTH_BLOCKS,
  NPOS_TIMEOUTS,
  type PhaseTimeouts,
  STAKING_COMMIT_BLOCKS,
  STAKING_ELECTION_BLOCKS,
  STAKING_REVEAL_BLOCKS,
} from '../../schema/parameters.js'
import type { Epoch } from '../../schema/records.js'
import { ONLY } from '../table.js'
import { type Calendar, calendars, epochs, stagedModes } from './tables.js'

/** Current phase timeouts, fixed at the beginning of each epoch; undefined in permissioned mode. */
export function phaseTimes(state: StateReader): PhaseTimeouts | undefined {
  const calendar = state.get(calendars, ONLY)
  return calendar?.isElected === true ? calendar.phases : undefined
}

/** Phase timeouts of the next epoch. */
export const phasesNow = (state: StateReader): PhaseTimeouts => parameterOf(state, NPOS_TIMEOUTS)

/** Lengths of the parts of an epoch under the current parameters, never shorter than its steps require. */
export function windowsOf(state: StateReader): Windows {
  const windows = {
    commit: parameterOf(state, STAKING_COMMIT_BLOCKS),
    election: parameterOf(state, STAKING_ELECTION_BLOCKS),
    reveal: parameterOf(state, STAKING_REVEAL_BLOCKS),
  }
  return { length: Math.max(parameterOf(state, EPOCH_LENGTH_BLOCKS), closingBlocks(windows)), ...windows }
}

/** Calendar of an epoch that begins with genesis. */
export const firstCalendar = (
  state: StateReader,
  { term, isElected }: Pick<Calendar, 'term' | 'isElected'>,
): Calendar => ({
  epoch: 0,
  term,
  start: GENESIS_HEIGHT,
  windows: windowsOf(state),
  phases: phasesNow(state),
  isElected,
  snapshot: undefined,
  nextSeed: undefined,
  nextStart: undefined,
  nextTold: 1,
  oldestEpoch: 0,
  oldestSeat: 0,
})

export const calendarOf = (state: StateReader): Calendar | undefined => state.get(calendars, ONLY)

/**
 * Position of a height in the current epoch; undefined if no validators are elected, or if the next epoch begins with
 * it.
 */
export function placeAt(calendar: Calendar | undefined, height: number): number | undefined {
  if (calendar === undefined || !calendar.isElected) return undefined
  if (calendar.nextStart !== undefined && height >= calendar.nextStart) return undefined
  return placeOf(height, calendar.start, calendar.windows)
}

/** Record of the current epoch; undefined in permissioned mode since genesis. */
export const epochOf = (state: StateReader, { epoch }: Pick<Calendar, 'epoch'>): Epoch | undefined =>
  state.get(epochs, epoch)

/** Validators with a seat in the current epoch. */
export const seatsOf = (state: StateReader, calendar: Pick<Calendar, 'epoch'>): Epoch['seats'] =>
  epochOf(state, calendar)?.seats ?? []

/** Maximum number of members excluded at once. */
export const budgetOf = (state: StateReader, calendar: Pick<Calendar, 'epoch'>): number =>
  faultBudget(seatsOf(state, calendar).length)

/** True while candidates of a switch may prove that they are in sync. */
export function isPreparingSwitch(state: StateReader): boolean {
  const calendar = calendarOf(state)
  return (
    state.get(stagedModes, ONLY)?.mode === 'npos' && calendar?.isElected === false && calendar.snapshot === undefined
  )
}
