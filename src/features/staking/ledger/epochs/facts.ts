/** Owns the view of the current epoch for status and dashboards. */

import type { EpochFacts, SeatFacts } from '../../../../executor/election.js'
import type { StateReader } from '../../../../state/index.js'
import type { Epoch } from '../../schema/records.js'
import { snapshotCandidatesOf } from '../elections/snapshot.js'
import { elections, exposures } from '../elections/tables.js'
import { NO_AMOUNT } from '../stake/tables.js'
import { calendarOf, epochOf } from './calendar.js'
import { randomnessOf } from './duties.js'
import { type Calendar, epochs } from './tables.js'

/** Seats of the next epoch: from its record, or from the decided election. */
function nextSeats(state: StateReader, calendar: Calendar): readonly SeatFacts[] | undefined {
  const { snapshot, epoch, nextStart } = calendar
  const election = state.get(elections, epoch + 1)
  const stakes = new Map(election?.elected.map(({ validator, support }) => [validator, support]))
  const record = nextStart === undefined ? undefined : state.get(epochs, epoch + 1)
  if (record !== undefined) {
    return record.seats.map(({ validator, key }) => ({ key, stake: stakes.get(validator) ?? NO_AMOUNT }))
  }
  if (snapshot?.isDecided !== true || snapshot.isKept || election === undefined) return undefined
  const keys = new Map(snapshotCandidatesOf(state, snapshot).map(({ account, key }) => [account, key]))
  return election.elected.flatMap(({ validator, support: stake }) => {
    const key = keys.get(validator)
    return key === undefined ? [] : [{ key, stake }]
  })
}

const stakesOf = (state: StateReader, { term, seats }: Pick<Epoch, 'term' | 'seats'>): SeatFacts[] =>
  seats.map(({ validator, key }) => ({
    key,
    stake: state.get(exposures, { term, validator })?.total ?? NO_AMOUNT,
  }))

export function seatsOf(state: StateReader, epoch: number): readonly SeatFacts[] | undefined {
  const record = state.get(epochs, epoch)
  return record === undefined || record.seats.length === 0 ? undefined : stakesOf(state, record)
}

export function epochFacts(state: StateReader, height: number): EpochFacts | undefined {
  const calendar = calendarOf(state)
  const record = calendar && epochOf(state, calendar)
  if (calendar === undefined || record === undefined || !calendar.isElected) return undefined
  const { epoch: number, term, start, windows, nextStart } = calendar
  const { commits, reveals } = randomnessOf(state, number)
  return {
    number,
    term,
    blocksLeft: Math.max(0, (nextStart ?? start + windows.length) - height),
    seats: stakesOf(state, record),
    next: nextSeats(state, calendar),
    commits: commits.length,
    reveals: reveals.length,
    isWeak: record.weak === 'weak',
  }
}
