/** Owns the row of a stake: the bond, with its copy in a list, and unbonding stake. */

import type { Numeric } from '../../../../codec/index.js'
import type { AccountId } from '../../../../model/index.js'
import type { StateReader, StateWriter } from '../../../../state/index.js'
import type { Stake } from '../../schema/records.js'
import { enlistAgain } from '../validators/candidates.js'
import { setListedBond } from '../validators/lists.js'
import { validators } from '../validators/tables.js'
import { amountOf, heldUnits } from './pool.js'
import { NO_AMOUNT, type Pool, stakes } from './tables.js'

const NO_STAKE: Stake = { bonded: NO_AMOUNT, role: 'idle', unbonding: [], exposed: [], slot: undefined }

export const stakeOf = (state: StateReader, account: AccountId): Stake => state.get(stakes, account) ?? NO_STAKE

/** Write a bond, and its copy in a list. A displaced validator is listed again if its bond is now large enough. */
export function setBonded(state: StateWriter, account: AccountId, before: Stake, bonded: Numeric): void {
  state.set(stakes, account, { ...before, bonded })
  const { role, slot } = before
  if (role === 'idle') return
  if (slot !== undefined) return setListedBond(state, role, slot, bonded)
  if (role === 'validator' && state.get(validators, account)?.status.kind !== 'chilled') {
    enlistAgain(state, { account, bonded })
  }
}

/** Remove units from chunks, newest first. */
export function takeNewest(chunks: Stake['unbonding'], units: bigint, pool: Pick<Pool, 'scale'>) {
  const left = [...chunks]
  let taken = 0n
  while (taken < units) {
    const newest = left.pop()
    if (newest === undefined) break
    const held = heldUnits(newest.amount, pool)
    const part = held < units - taken ? held : units - taken
    taken += part
    if (part < held) left.push({ ...newest, amount: amountOf(held - part, pool) })
  }
  return { left, taken }
}
