/** Owns the stake pool: the asset, amounts in whole units, the escrow of an account, the reward pot. */
import { type Numeric, normalizeNumeric } from '../../../../codec/index.js'
import { hash } from '../../../../crypto/index.js'
import { type ExecContext, type Rejection, reject } from '../../../../executor/contract.js'
import { parameterOf } from '../../../../executor/parameters.js'
import { addToEscrow, type EscrowKey, escrowed, takeFromEscrow } from '../../../../ledger/escrows.js'
import { ZERO } from '../../../../ledger/money.js'
import { definitions, feePools } from '../../../../ledger/tables.js'
import { type AccountId, add, keyBytes, subtract } from '../../../../model/index.js'
import type { StateReader, StateWriter } from '../../../../state/index.js'
import { STAKE_ASSET } from '../../schema/parameters.js'
import { ONLY } from '../table.js'
import { NO_AMOUNT, type Pool, pools } from './tables.js'

/** Upper bound of the total stake, exclusive, so that products in an election stay within its integers. */
const STAKE_UNITS_MAX = 1n << 96n
const FEATURE = 'staking'

/** Amount in whole units of the asset; undefined if it has more fraction digits, or is negative. */
export function unitsOf({ mantissa, scale }: Numeric, { scale: digits }: Pick<Pool, 'scale'>): bigint | undefined {
  return scale > digits || mantissa < 0n ? undefined : mantissa * 10n ** BigInt(digits - scale)
}

/** Units of an amount written by the ledger itself. */
export function heldUnits(amount: Numeric, pool: Pick<Pool, 'scale'>): bigint {
  const units = unitsOf(amount, pool)
  if (units === undefined) throw new Error('a stake has more fraction digits than its asset')
  return units
}

/** Whole units as an amount. */
export function amountOf(units: bigint, { scale }: Pick<Pool, 'scale'>): Numeric {
  const amount = normalizeNumeric({ mantissa: units, scale })
  if (amount === undefined) throw new Error('a stake exceeds the range of its number type')
  return amount
}

/** Stake asset: the asset of existing stakes, otherwise the asset of the parameter; a rejection if neither exists. */
export function poolOf(state: StateReader): Pool | Rejection {
  const known = state.get(pools, ONLY)
  if (known !== undefined && known.total.mantissa > 0n) return known
  const definition = parameterOf(state, STAKE_ASSET)
  const scale = definition === undefined ? undefined : state.get(definitions, definition)?.scale
  if (definition === undefined || scale === undefined) {
    return reject('stake_no_asset', 'the chain has no stake asset with a fixed number of fraction digits')
  }
  return { nextSlash: 1, candidates: 0, voters: 0, ...known, definition, scale, total: NO_AMOUNT }
}

/** Pool of a state in which stake exists or existed; undefined if it never existed. */
export const knownPool = (state: StateReader): Pool | undefined => state.get(pools, ONLY)

/** Escrow of the bonded and unbonding stake of an account. */
export const stakeEscrow = (account: AccountId, { definition }: Pick<Pool, 'definition'>): EscrowKey => ({
  feature: FEATURE,
  key: hash('staking-escrow', keyBytes(account)),
  definition,
})

/** Escrow of the unpaid rewards of an epoch. */
export function rewardEscrow(epoch: number, { definition }: Pick<Pool, 'definition'>): EscrowKey {
  const number = Buffer.alloc(8)
  number.writeBigUInt64BE(BigInt(epoch))
  return { feature: FEATURE, key: hash('staking-rewards', number), definition }
}

/** Add to the total stake, or subtract from it; a rejection beyond the bound. */
export function changeTotal(state: StateWriter, pool: Pool, units: bigint): Rejection | undefined {
  const total = heldUnits(state.get(pools, ONLY)?.total ?? NO_AMOUNT, pool) + units
  if (total < 0n) throw new Error('the total stake is negative')
  if (total >= STAKE_UNITS_MAX) return reject('overflow', 'the total stake would reach 2^96 units')
  const { definition, scale } = pool
  state.set(pools, ONLY, { ...(state.get(pools, ONLY) ?? pool), definition, scale, total: amountOf(total, pool) })
  return undefined
}

/** Balance of the pot of the asset, in whole units. */
export function potUnits(state: StateReader, pool: Pool): bigint {
  const { mantissa, scale } = state.get(feePools, pool.definition) ?? ZERO
  return scale <= pool.scale
    ? mantissa * 10n ** BigInt(pool.scale - scale)
    : mantissa / 10n ** BigInt(scale - pool.scale)
}

/** Move value from a balance or an escrow to the pot; the part that does not fit is burned. */
export function toPot(state: StateWriter, pool: Pool, units: bigint): void {
  if (units === 0n) return
  const sum = add(state.get(feePools, pool.definition) ?? ZERO, amountOf(units, pool))
  if (sum === undefined) return burn(state, pool, units)
  state.set(feePools, pool.definition, sum)
}

/** Burn value that left an escrow. */
export function burn(state: StateWriter, pool: Pool, units: bigint): void {
  if (units === 0n) return
  const definition = state.get(definitions, pool.definition)
  const total = definition === undefined ? undefined : subtract(definition.total, amountOf(units, pool))
  if (definition === undefined || total === undefined) throw new Error('a stake is part of the total of its definition')
  state.set(definitions, pool.definition, { ...definition, total })
}

/** Reserve a part of the pot. */
export function reserveFromPot(state: StateWriter, pool: Pool, escrow: EscrowKey, units: bigint): void {
  if (units === 0n) return
  const left = subtract(state.get(feePools, pool.definition) ?? ZERO, amountOf(units, pool))
  if (left === undefined) throw new Error('the pot has less than was counted in it')
  if (left.mantissa === 0n) state.delete(feePools, pool.definition)
  else state.set(feePools, pool.definition, left)
  addToEscrow(state, escrow, amountOf(units, pool))
}

/** Remove units from an escrow with a sufficient balance. */
export function takeUnits(state: StateWriter, escrow: EscrowKey, units: bigint, pool: Pool): void {
  if (units === 0n) return
  if (takeFromEscrow(state, escrow, amountOf(units, pool)) !== undefined)
    throw new Error('an escrow has less than it must')
}

export const escrowUnits = (state: StateReader, escrow: EscrowKey, pool: Pool): bigint =>
  heldUnits(escrowed(state, escrow), pool)

/**
 * Staking account of an instruction: the authority, or in genesis, which runs as the genesis key, the named account.
 */
export function subjectOf(ctx: ExecContext, named: AccountId | undefined): AccountId | Rejection {
  if (named === undefined || named === ctx.authority) return ctx.authority
  return ctx.env.genesis ? named : reject('not_permitted', 'an account can stake only for itself')
}

/** Units of an amount parameter, rounded up to the precision of the asset. */
export function parameterUnits(amount: Numeric, pool: Pick<Pool, 'scale'>): bigint {
  const { mantissa, scale } = amount
  if (scale <= pool.scale) return mantissa * 10n ** BigInt(pool.scale - scale)
  const unit = 10n ** BigInt(scale - pool.scale)
  return (mantissa + unit - 1n) / unit
}
