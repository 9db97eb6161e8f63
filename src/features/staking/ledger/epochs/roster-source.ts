/** Owns the elected roster: the seats of the epoch of a height, without disabled keys. */

import { sortRoster } from '../../../../consensus/index.js'
import { reject } from '../../../../executor/contract.js'
import type { ElectedPeers, RosterSource } from '../../../../executor/election.js'
import { rosterFor } from '../../../../executor/rosters.js'
import { consensusKeys, type RosterRow } from '../../../../executor/tables.js'
import type { StateReader } from '../../../../state/index.js'
import type { Epoch } from '../../schema/records.js'
import { seatKeyFault } from '../elections/elected-seats.js'
import { hasSeat, isElected } from '../validators/removal.js'
import { peerValidators } from '../validators/tables.js'
import { putOut } from '../validators/validators.js'
import { calendarOf } from './calendar.js'
import { epochs } from './tables.js'

/** Seats of an epoch as the roster of a height. */
export function rosterOf(state: StateReader, { number, seed, seats }: Epoch, height: number): RosterRow {
  if (seats.length === 0) return { epoch: number, seed, ...rosterFor(state, height) }
  const acting = seats.filter(({ key }) => {
    const from = state.get(consensusKeys, key)?.disabledFrom
    return from === undefined || height < from
  })
  // A chain without a voter would stop permanently.
  const kept = acting.length > 0 ? acting : seats
  return {
    epoch: number,
    seed,
    roster: sortRoster(kept.map(({ key }) => key)),
    rotated: new Map(kept.flatMap(({ key, peer }) => (key === peer ? [] : [[key, peer] as const]))),
  }
}

/** Epoch of a height, if known; permissioned mode since genesis has no record. */
function recordAt(state: StateReader, height: number): Epoch | undefined {
  const calendar = calendarOf(state)
  if (calendar === undefined) return undefined
  const { epoch, nextStart } = calendar
  return state.get(epochs, nextStart !== undefined && height >= nextStart ? epoch + 1 : epoch)
}

export const rosterSource: RosterSource = (state, height) => {
  const record = recordAt(state, height)
  return record && rosterOf(state, record, height)
}

const isElecting = (state: StateReader): boolean => calendarOf(state)?.isElected === true

/**
 * Peer rules while validators are elected: only observers can be registered, keys of validators change at epoch
 * boundaries, and one member must remain.
 */
export const electedPeers: ElectedPeers = {
  register: (state, role) =>
    role === 'validator' && isElecting(state)
      ? reject('bad_activation', 'validators are elected: register an observer, or a validator with a stake')
      : undefined,
  unregister(ctx, peer) {
    const account = ctx.get(peerValidators, peer)
    if (account === undefined) return undefined
    if (hasSeat(ctx, account) || isElected(ctx, account)) {
      return reject('bad_activation', 'the peer belongs to a validator with a seat: wait until its epoch is over')
    }
    putOut(ctx, account)
    return undefined
  },
  rotate: (state, peer) =>
    state.get(peerValidators, peer) !== undefined && isElecting(state)
      ? reject('bad_activation', 'the key of an elected validator changes with an epoch: RotateValidatorKey')
      : undefined,
  disable(state, key, fromHeight) {
    const peer = state.get(consensusKeys, key)?.peer
    const account = peer === undefined ? undefined : state.get(peerValidators, peer)
    const needed = account === undefined ? undefined : seatKeyFault(state, account, key, fromHeight)
    if (needed) return needed
    // If no seat had an active key, all of them would vote again, including the disabled ones.
    const record = recordAt(state, fromHeight)
    if (record === undefined || record.seats.length === 0) return undefined
    const { roster } = rosterOf(state, record, fromHeight)
    return roster.length === 1 && roster[0] === key
      ? reject('last_validator', 'the key belongs to the last voting member')
      : undefined
  },
}
