/**
 * Owns the first election of a network that starts with elected validators: over the bonds of genesis, whose nodes are
 * not running yet.
 */

import { keyListHash, sortRoster } from '../../../../consensus/index.js'
import { keyOfPeer } from '../../../../executor/consensus-keys.js'
import type { ValidatorElection } from '../../../../executor/election.js'
import { GENESIS_HEIGHT } from '../../../../model/index.js'
import { firstCalendar } from '../epochs/calendar.js'
import { calendars, epochs, terms, uptimes } from '../epochs/tables.js'
import { poolOf } from '../stake/pool.js'
import { ONLY } from '../table.js'
import { electionOf, writeElection, writeExposures } from './elections.js'
import { dropCandidateCopies, snapshotCandidatesOf, takeSnapshot } from './snapshot.js'

const FIRST_TERM = 1
const NO_LIMIT = Number.MAX_SAFE_INTEGER

export const firstElection: ValidatorElection['first'] = (state, { consensusMode, seed }) => {
  if (consensusMode !== 'npos') return undefined
  const pool = poolOf(state)
  if ('code' in pool) return pool.message
  const snapshot = takeSnapshot(state, GENESIS_HEIGHT, () => true)
  const elected = electionOf(state, snapshot)
  if (elected === undefined) {
    return `fewer than min_validators (${snapshot.rules.minValidators}) can be elected from the validators with a bond`
  }
  writeElection(state, snapshot, elected, { epoch: 0, term: FIRST_TERM })
  writeExposures(state, { ...snapshot, isDecided: true }, FIRST_TERM, NO_LIMIT)
  const candidates = new Map(snapshotCandidatesOf(state, snapshot).map((one) => [one.account, one]))
  const seats = elected.seats.flatMap(({ id }) => {
    const peer = candidates.get(id)?.peer
    const key = peer === undefined ? undefined : keyOfPeer(state, peer, GENESIS_HEIGHT)
    return peer === undefined || key === undefined ? [] : [{ validator: id, key, peer }]
  })
  dropCandidateCopies(state, snapshot)
  const calendar = firstCalendar(state, { term: FIRST_TERM, isElected: true })
  const { windows, start } = calendar
  state.set(epochs, 0, {
    number: 0,
    term: FIRST_TERM,
    start,
    windows,
    seed,
    strongSeed: seed,
    weak: 'weak',
    seats,
    rosterHash: keyListHash(sortRoster(seats.map(({ key }) => key))),
  })
  state.set(terms, FIRST_TERM, { start, epoch: 0, members: seats.length, offenders: [], openSlashes: 0 })
  const unseen = seats.map(() => ({ isSeen: false, wasSeen: false, seenSlots: 0 }))
  state.set(uptimes, ONLY, { epoch: 0, slotStart: start + 1, slots: 0, seats: unseen })
  state.set(calendars, ONLY, calendar)
  return undefined
}
