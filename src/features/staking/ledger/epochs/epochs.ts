/** Owns the records of epochs: the seed of the next one, its seats, and its start. */

import { faultBudget, keyListHash, sortRoster } from '../../../../consensus/index.js'
import { nextSeed } from '../../../../consensus/npos/index.js'
import { addKey } from '../../../../executor/consensus-keys.js'
import { chainInfo, SINGLETON_KEY } from '../../../../executor/tables.js'
import { type DataEvent, event } from '../../../../model/index.js'
import type { StateReader, StateWriter } from '../../../../state/index.js'
import { events } from '../../schema/events.js'
import type { Epoch, EpochSeat, Validator } from '../../schema/records.js'
import { electedSeats, keyOfSeat, withoutFaulty } from '../elections/elected-seats.js'
import { dropCandidateCopies, dropVoterCopies } from '../elections/snapshot.js'
import { ONLY } from '../table.js'
import { validators } from '../validators/tables.js'
import { epochOf, phasesNow, seatsOf } from './calendar.js'
import { chainHashIn, randomnessOf } from './duties.js'
import { type Calendar, calendars, epochs, terms, uptimes } from './tables.js'

/** Blocks between a record and its first height: the schedule is determined two heights ahead. */
export const RECORD_LEAD = 2

/** Seed of the next epoch from the reveals; too few reveals result in a weak seed. */
export function seedAfter(state: StateReader, calendar: Calendar): NonNullable<Calendar['nextSeed']> {
  const current = epochOf(state, calendar)
  const genesisSeed = state.get(chainInfo, SINGLETON_KEY)?.genesisSeed
  if (genesisSeed === undefined) throw new Error('the state has no genesis')
  const { reveals } = calendar.isElected ? randomnessOf(state, calendar.epoch) : { reveals: [] }
  const seed = nextSeed(chainHashIn(state), calendar.epoch + 1, current?.seed ?? genesisSeed, reveals)
  const weak = reveals.length < faultBudget(seatsOf(state, calendar).length) + 1
  return { seed, strongSeed: weak ? (current?.strongSeed ?? genesisSeed) : seed, weak, reveals: reveals.length }
}

/** Activate the keys of seats from the beginning of the epoch; a seat whose peer has no key stays empty. */
function activateKeys(state: StateWriter, seats: readonly EpochSeat[], height: number, start: number): EpochSeat[] {
  return seats.flatMap((seat) => {
    const { validator, peer } = seat
    const row = state.get(validators, validator)
    const found = keyOfSeat(state, seat, start)
    if (found === undefined) return []
    const { key, waiting } = found
    if (row !== undefined && waiting !== undefined) {
      addKey(state, { key, peer, pop: waiting.pop }, start, height)
      const next: Validator = { ...row, key, pop: waiting.pop, nextKey: undefined }
      state.set(validators, validator, next)
    } else if (row !== undefined && row.key !== key) state.set(validators, validator, { ...row, key })
    return [{ ...seat, key }]
  })
}

/** Write the record of the next epoch, which begins two heights later, and also the term if a new term begins. */
export function writeNextEpoch(
  state: StateWriter,
  calendar: Calendar,
  height: number,
): { readonly calendar: Calendar; readonly events: readonly DataEvent[] } {
  const { snapshot, nextSeed: drawn } = calendar
  if (snapshot === undefined || drawn === undefined) throw new Error('an epoch without a snapshot or a seed')
  const number = calendar.epoch + 1
  const start = height + RECORD_LEAD
  const before = seatsOf(state, calendar)
  const chosen = withoutFaulty(state, snapshot.isKept ? before : electedSeats(state, snapshot, number))
  const seats = activateKeys(state, chosen, height, start)
  const term = snapshot.isKept ? calendar.term : calendar.term + 1
  // If no seat has a key, the roster stays: the chain continues, and a later election corrects it.
  const held = seats.length > 0 ? seats : before
  return openEpoch(
    state,
    calendar,
    {
      number,
      term,
      start,
      windows: snapshot.windows,
      seed: drawn.seed,
      strongSeed: drawn.strongSeed,
      weak: drawn.weak ? 'weak' : 'strong',
      seats: held,
      rosterHash: keyListHash(sortRoster(held.map(({ key }) => key))),
    },
    drawn.reveals,
  )
}

/** Store a record by its first height. */
export function openEpoch(
  state: StateWriter,
  calendar: Calendar,
  record: Epoch,
  reveals: number,
): { readonly calendar: Calendar; readonly events: readonly DataEvent[] } {
  const { number, term, start, seats, seed } = record
  state.set(epochs, number, record)
  if (state.get(terms, term) === undefined) {
    state.set(terms, term, { start, epoch: number, members: seats.length, offenders: [], openSlashes: 0 })
  }
  const value = { epoch: number, term, start, seats: seats.length, seed, reveals }
  return { calendar: { ...calendar, nextStart: start }, events: [event(events.stakingEpochStarted, value)] }
}

/** Start the epoch with this first height. */
export function beginEpoch(state: StateWriter, calendar: Calendar): Calendar {
  const record = state.get(epochs, calendar.epoch + 1)
  if (record === undefined) throw new Error('an epoch begins without its record')
  const { number, term, start, windows, seats } = record
  if (calendar.snapshot !== undefined) {
    dropCandidateCopies(state, calendar.snapshot)
    dropVoterCopies(state, calendar.snapshot)
  }
  state.set(uptimes, ONLY, {
    epoch: number,
    slotStart: start,
    slots: 0,
    seats: seats.map(() => ({ isSeen: false, wasSeen: false, seenSlots: 0 })),
  })
  const next: Calendar = {
    ...calendar,
    epoch: number,
    term,
    start,
    windows,
    phases: phasesNow(state),
    isElected: seats.length > 0,
    snapshot: undefined,
    nextSeed: undefined,
    nextStart: undefined,
  }
  state.set(calendars, ONLY, next)
  return next
}
