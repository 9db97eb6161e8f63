/** Owns the removal of a validator: its record and its peer are removed once they are no longer needed. */

import { countUse } from '../../../../executor/accounts.js'
import type { ExecContext } from '../../../../executor/contract.js'
import { removePeer } from '../../../../executor/membership.js'
import { peers } from '../../../../executor/tables.js'
import type { AccountId } from '../../../../model/index.js'
import type { StateReader } from '../../../../state/index.js'
import { events } from '../../schema/events.js'
import { elections, snapshotCandidates } from '../elections/tables.js'
import { calendars, epochs } from '../epochs/tables.js'
import { stakes } from '../stake/tables.js'
import { ONLY } from '../table.js'
import { unlistCandidate } from './lists.js'
import { operators, peerValidators, validators } from './tables.js'

/** Lead of a removal: a peer removed at g has no key from g + 2 on. */
const ROSTER_LEAD_HEIGHTS = 2

/** True for an account with a seat in this epoch, or in the next epoch if its election is decided. */
export function hasSeat(state: StateReader, account: AccountId): boolean {
  const calendar = state.get(calendars, ONLY)
  if (calendar === undefined) return false
  const { epoch, nextStart } = calendar
  const numbers = nextStart === undefined ? [epoch] : [epoch, epoch + 1]
  return numbers.some((number) => state.get(epochs, number)?.seats.some(({ validator }) => validator === account))
}

/** True for a candidate of an existing snapshot. */
export function isInSnapshot(state: StateReader, account: AccountId): boolean {
  const snapshot = state.get(calendars, ONLY)?.snapshot
  for (let page = 0; page < (snapshot?.candidatePages ?? 0); page += 1) {
    const entries = state.get(snapshotCandidates, page) ?? []
    if (entries.some((one) => one.account === account && one.refused === undefined)) return true
  }
  return false
}

/** True for a validator that was elected for the next epoch, from the decision until its record is written. */
export function isElected(state: StateReader, account: AccountId): boolean {
  const { snapshot, epoch = 0 } = state.get(calendars, ONLY) ?? {}
  if (snapshot?.isDecided !== true || snapshot.isKept) return false
  return state.get(elections, epoch + 1)?.elected.some(({ validator }) => validator === account) === true
}

/** True for a validator that may unbond completely: it is chilled, has no seat and is in no snapshot. */
export const isValidatorFree = (state: StateReader, account: AccountId): boolean =>
  state.get(validators, account)?.status.kind === 'chilled' && !hasSeat(state, account) && !isInSnapshot(state, account)

/** Remove a validator that may unbond completely, with the peer that was registered for it. */
export function removeValidator(ctx: ExecContext, account: AccountId): void {
  const row = ctx.get(validators, account)
  const stake = ctx.get(stakes, account)
  if (row === undefined || stake === undefined) return
  unlistCandidate(ctx, account)
  ctx.delete(validators, account)
  ctx.delete(operators, row.operator)
  countUse(ctx, row.operator, 'objects', -1)
  ctx.delete(peerValidators, row.peer)
  ctx.set(stakes, account, { ...stake, role: 'idle', slot: undefined })
  if (ctx.get(peers, row.peer)?.role !== 'validator') removePeer(ctx, row.peer, ctx.env.height + ROSTER_LEAD_HEIGHTS)
  ctx.emit(events.stakingValidatorChanged, { validator: account, change: 'removed', status: row.status, key: row.key })
}
