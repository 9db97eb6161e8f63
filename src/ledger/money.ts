/** Owns arithmetic on balances, used by every movement of value. */
import { formatNumeric, type Numeric } from '../codec/index.js'
import { countUse } from '../executor/accounts.js'
import { type Rejection, reject } from '../executor/contract.js'
import { type AssetId, add, subtract } from '../model/index.js'
import type { StateReader, StateWriter } from '../state/index.js'
import { balances } from './tables.js'

export const ZERO: Numeric = { mantissa: 0n, scale: 0 }

/** Fault of an amount: it must be positive, with at most the fraction digits of the definition. */
export function amountFault(amount: Numeric, scale: number | undefined): Rejection | undefined {
  if (amount.mantissa <= 0n) return reject('bad_amount', 'an amount must be greater than zero')
  if (scale !== undefined && amount.scale > scale) {
    return reject('bad_scale', `the definition has ${scale} fraction digits, but the amount has ${amount.scale}`)
  }
  return undefined
}

export const balanceOf = (state: StateReader, asset: AssetId): Numeric => state.get(balances, asset) ?? ZERO

/** Add to a balance. */
export function credit(state: StateWriter, asset: AssetId, amount: Numeric): Rejection | undefined {
  const held = state.get(balances, asset)
  const sum = add(held ?? ZERO, amount)
  if (sum === undefined) return reject('overflow', 'the balance would exceed 512 bits')
  if (held === undefined) countUse(state, asset.account, 'balances', 1)
  state.set(balances, asset, sum)
  return undefined
}

/** Subtract from a balance; an empty balance has no row. */
export function debit(state: StateWriter, asset: AssetId, amount: Numeric): Rejection | undefined {
  const held = balanceOf(state, asset)
  const rest = subtract(held, amount)
  if (rest === undefined) {
    return reject('not_enough', `the balance is ${formatNumeric(held)}, but the amount is ${formatNumeric(amount)}`)
  }
  if (rest.mantissa === 0n) {
    state.delete(balances, asset)
    countUse(state, asset.account, 'balances', -1)
  } else state.set(balances, asset, rest)
  return undefined
}

/** Move value between two accounts of one definition. */
export const move = (state: StateWriter, from: AssetId, to: string, amount: Numeric): Rejection | undefined =>
  debit(state, from, amount) ?? credit(state, { definition: from.definition, account: to }, amount)
