/**
 * Owns the seats of an election until their epoch is written: the key of each, and the rule that disabled keys leave
 * enough seats.
 */

import { faultBudget } from '../../../../consensus/index.js'
import { keyOfPeer } from '../../../../executor/consensus-keys.js'
import { type Rejection, reject } from '../../../../executor/contract.js'
import { peers } from '../../../../executor/tables.js'
import type { AccountId, ValidatorKey } from '../../../../model/index.js'
import type { StateReader, StateWriter } from '../../../../state/index.js'
import type { EpochSeat, Validator } from '../../schema/records.js'
import { calendarOf } from '../epochs/calendar.js'
import { isElected } from '../validators/removal.js'
import { validators } from '../validators/tables.js'
import { snapshotCandidatesOf, waitingKeyOf } from './snapshot.js'
import { elections, type Snapshot, snapshotCandidates } from './tables.js'

/** Key of a seat, and its proof of possession if it was pending. */
interface SeatKey {
  readonly key: ValidatorKey
  readonly waiting: Validator['nextKey']
}

/**
 * Key of a seat from a height on: the key that was pending in the snapshot, otherwise the current one; `without`
 * excludes a key.
 */
export function keyOfSeat(
  state: StateReader,
  { validator, key, peer }: EpochSeat,
  height: number,
  without?: ValidatorKey,
): SeatKey | undefined {
  const row = state.get(validators, validator)
  // Read again: it may have been disabled since the snapshot.
  const waiting = row?.peer === peer ? waitingKeyOf(state, row) : undefined
  if (waiting?.key === key && key !== without) return { key, waiting }
  const acting = state.has(peers, peer) ? keyOfPeer(state, peer, height) : undefined
  return acting === undefined || acting === without ? undefined : { key: acting, waiting: undefined }
}

/** Exclude candidates of a snapshot that have no key: a decided election must have a key for each seat. */
export function refuseWithoutKey(state: StateWriter, { candidatePages: pages }: Snapshot, height: number): void {
  for (let page = 0; page < pages; page += 1) {
    const entries = state.get(snapshotCandidates, page) ?? []
    const checked = entries.map((one) => {
      const seat = { validator: one.account, key: one.key, peer: one.peer }
      const isLost = one.refused === undefined && keyOfSeat(state, seat, height) === undefined
      return isLost ? { ...one, refused: 'keyDisabled' as const } : one
    })
    if (checked.some((one, at) => one !== entries[at])) state.set(snapshotCandidates, page, checked)
  }
}

/** Elected seats, with their keys in the snapshot. */
export function electedSeats(state: StateReader, snapshot: Snapshot, epoch: number): EpochSeat[] {
  const candidates = new Map(snapshotCandidatesOf(state, snapshot).map((one) => [one.account, one]))
  return (state.get(elections, epoch)?.elected ?? []).map(({ validator }) => {
    const found = candidates.get(validator)
    if (found === undefined) throw new Error('an elected account is not in a snapshot')
    return { validator, key: found.key, peer: found.peer }
  })
}

/**
 * Seats without the validators that proved faulty before the record; removes at most the fault budget of all seats,
 * most recent faults first.
 */
export function withoutFaulty(state: StateReader, seats: readonly EpochSeat[]): EpochSeat[] {
  const faulty = seats
    .flatMap(({ validator }) => {
      const status = state.get(validators, validator)?.status
      const isFaulty = status?.kind === 'jailed' && status.value.reason === 'fault'
      return isFaulty ? [{ validator, since: status.value.since }] : []
    })
    .sort((a, b) => b.since - a.since || (a.validator < b.validator ? -1 : 1))
    .slice(0, faultBudget(seats.length))
  const struck = new Set(faulty.map(({ validator }) => validator))
  return seats.filter(({ validator }) => !struck.has(validator))
}

/**
 * Reason why a validator must keep a key: the decided election depends on it, and without it too few seats would have a
 * key when their epoch begins. At most the fault budget of all seats may be lost, including faulty ones, and
 * `min_validators` must remain.
 */
export function seatKeyFault(
  state: StateReader,
  account: AccountId,
  key: ValidatorKey,
  height: number,
): Rejection | undefined {
  const calendar = calendarOf(state)
  const { snapshot, nextStart, epoch = 0 } = calendar ?? {}
  if (snapshot?.isDecided !== true || snapshot.isKept || nextStart !== undefined) return undefined
  // Checked before the candidates, which are many, are read.
  if (!isElected(state, account)) return undefined
  const seats = electedSeats(state, snapshot, epoch + 1)
  const held = withoutFaulty(state, seats).filter((seat) => keyOfSeat(state, seat, height) !== undefined)
  const lost = held.find(({ validator }) => validator === account)
  if (lost === undefined || keyOfSeat(state, lost, height, key) !== undefined) return undefined
  const floor = Math.max(snapshot.rules.minValidators, seats.length - faultBudget(seats.length))
  return held.length > floor
    ? undefined
    : reject(
        'membership_cap',
        `the pending election needs ${floor} seats with a key; the key can be disabled once its epoch is written`,
      )
}
