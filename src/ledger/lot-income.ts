/** Owns the income of lots in 10^-18 units of cash, without rounding: the income index of a class, and the income owed to owners. */
import type { Numeric } from '../codec/index.js'
import { countUse } from '../executor/accounts.js'
import type { AccountId, LiveLot } from '../model/index.js'
import type { StateReader, StateWriter } from '../state/index.js'
import { type RwaClass, type RwaHolder, rwaHolders } from './lot-tables.js'

/** Units of income per unit of cash. */
export const INCOME_PARTS = 10n ** 18n
/** Exclusive upper bound of income in a row. */
export const INCOME_END = 1n << 511n

const NO_HOLDER: RwaHolder = { eligible: undefined, lots: 0, owed: { mantissa: 0n, scale: 0 } }

/** Integer as stored in a row. */
export const whole = (mantissa: bigint): Numeric => ({ mantissa, scale: 0 })

/** Quotient of positive amounts, rounded down. */
export const quotient = (dividend: bigint, divisor: bigint): bigint => BigInt(dividend) / divisor

/** Amount as an integer in units of a scale that is not smaller than its own. */
export const unitsAt = ({ mantissa, scale }: Numeric, at: number): bigint => mantissa * 10n ** BigInt(at - scale)

/** Account that owns a lot: its holder, or the account that delivered it to the vault that holds it. */
export const ownerOf = ({ holder, beneficiary }: Pick<LiveLot, 'holder' | 'beneficiary'>): AccountId =>
  beneficiary ?? holder

export const holderOf = (state: StateReader, definition: string, account: AccountId): RwaHolder =>
  state.get(rwaHolders, { definition, account }) ?? NO_HOLDER

/** Write an owner; an owner without lots, income and eligibility has no row. A whole unit of income keeps its account registered. */
export function writeHolder(state: StateWriter, definition: string, account: AccountId, next: RwaHolder): void {
  const key = { definition, account }
  const before = holderOf(state, definition, account)
  const had = before.owed.mantissa >= INCOME_PARTS
  const has = next.owed.mantissa >= INCOME_PARTS
  if (had !== has) countUse(state, account, 'objects', has ? 1 : -1)
  if (next.lots > 0 || next.owed.mantissa > 0n || next.eligible !== undefined) state.set(rwaHolders, key, next)
  else if (state.has(rwaHolders, key)) state.delete(rwaHolders, key)
}

/** Income of one unit of a class so far. */
export const indexOf = ({ income }: RwaClass): Numeric => income?.index ?? whole(0n)

/** Income of a lot since its last settlement. */
export const earnedBy = (lot: Pick<LiveLot, 'quantity' | 'incomeIndex'>, rwaClass: RwaClass, scale: number): bigint =>
  unitsAt(lot.quantity, scale) * (indexOf(rwaClass).mantissa - lot.incomeIndex.mantissa)
