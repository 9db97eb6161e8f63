/**
 * Owns the arithmetic of charges, in units of the last fraction digit of the asset. Each line is rounded up, credit is
 * rounded down.
 */
import { NUMERIC_MAX_SCALE, type Numeric, normalizeNumeric } from '../../../codec/index.js'
import { UNITS_MAX, type UsagePrice } from '../schema/records.js'

const ceilDiv = (top: bigint, bottom: bigint): bigint => (top + bottom - 1n) / bottom
const pow10 = (digits: number): bigint => 10n ** BigInt(digits)

/** True if an amount, a price or a quantity is within the bound of charges. */
export const isWithin = ({ mantissa, scale }: Numeric): boolean => mantissa <= UNITS_MAX * pow10(scale)

/** Units of an amount that has at most the fraction digits of the asset. */
export const unitsOf = ({ mantissa, scale }: Numeric, digits: number): bigint => mantissa * pow10(digits - scale)

/** Amount with a number of units. */
export function amountOf(units: bigint, digits: number): Numeric {
  const amount = normalizeNumeric({ mantissa: units, scale: digits })
  if (amount === undefined) throw new Error(`${units} units of ${digits} digits have no canonical form`)
  return amount
}

/** Fraction of a number of units, rounded up. */
export const partUp = (units: bigint, part: number, whole: number): bigint =>
  ceilDiv(units * BigInt(part), BigInt(whole))

/** Fraction of a number of units, rounded down. */
export const partDown = (units: bigint, part: number, whole: number): bigint => (units * BigInt(part)) / BigInt(whole)

const exact = ({ mantissa, scale }: Numeric): bigint => mantissa * pow10(NUMERIC_MAX_SCALE - scale)

/** Price, in units, of the quantity that exceeds the included one. */
export function usageUnits(price: UsagePrice | undefined, quantity: Numeric, digits: number): bigint {
  if (price === undefined) return 0n
  const { unitPrice, included } = price
  const beyond = exact(quantity) - exact(included)
  if (beyond <= 0n) return 0n
  return ceilDiv(beyond * unitPrice.mantissa * pow10(digits), pow10(NUMERIC_MAX_SCALE + unitPrice.scale))
}
