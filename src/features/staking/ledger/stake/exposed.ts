/** Owns the validators whose slashes may still affect the stake of an account. */

import type { AccountId } from '../../../../model/index.js'
import type { StateReader } from '../../../../state/index.js'
import { EXPOSED_MAX, type Stake } from '../../schema/records.js'
import { currentTerm, isTermOver } from '../epochs/terms.js'
import { openSlashes } from '../slashing/tables.js'
import { voterAt } from '../validators/lists.js'

/** Nominations of a nominator. */
export const targetsOf = (state: StateReader, { role, slot }: Pick<Stake, 'role' | 'slot'>): readonly AccountId[] =>
  role === 'nominator' && slot !== undefined ? (voterAt(state, slot)?.targets ?? []) : []

/** Earlier exposures that still matter: their terms are not over, or a slash is pending. */
export const stillExposed = (state: StateReader, exposed: Stake['exposed'], height: number): Stake['exposed'] =>
  exposed.filter(
    ({ validator, lastTerm }) =>
      // A term ends where the next begins, so stake exposed in it is free one term before stake unbonded in it.
      !isTermOver(state, lastTerm - 1, height) || (state.get(openSlashes, validator) ?? 0) > 0,
  )

/** Record validators that an account no longer backs: an existing snapshot may still count them in the next term. */
export function withExposed(
  state: StateReader,
  before: Stake['exposed'],
  left: readonly AccountId[],
  height: number,
): Stake['exposed'] {
  const lastTerm = currentTerm(state) + 1
  const kept = stillExposed(state, before, height).filter(({ validator }) => !left.includes(validator))
  const all = [...kept, ...left.map((validator) => ({ validator, lastTerm }))]
  // Beyond the bound, which instructions check before, the one that expires first is dropped.
  return all.sort((a, b) => a.lastTerm - b.lastTerm).slice(-EXPOSED_MAX)
}

/** True while a slash is pending for a validator that the stake backed. */
export const isFrozen = (state: StateReader, account: AccountId, stake: Stake): boolean =>
  [account, ...targetsOf(state, stake), ...stake.exposed.map(({ validator }) => validator)].some(
    (validator) => (state.get(openSlashes, validator) ?? 0) > 0,
  )
