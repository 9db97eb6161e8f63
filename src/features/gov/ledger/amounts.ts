/** Owns the arithmetic of votes: exact, on integers of the finest scale. */
import { NUMERIC_MAX_SCALE, type Numeric, normalizeNumeric } from '../../../codec/index.js'

/** Amount in units of the finest scale. */
export const unitsOf = ({ mantissa, scale }: Numeric): bigint => mantissa * 10n ** BigInt(NUMERIC_MAX_SCALE - scale)

/** Amount of a number of units of the finest scale; undefined if it has more than 512 bits. */
export const amountOfUnits = (units: bigint): Numeric | undefined =>
  normalizeNumeric({ mantissa: units, scale: NUMERIC_MAX_SCALE }) ??
  // Amounts without fraction digits may have more digits than the finest scale leaves.
  (units % 10n ** BigInt(NUMERIC_MAX_SCALE) === 0n
    ? normalizeNumeric({ mantissa: units / 10n ** BigInt(NUMERIC_MAX_SCALE), scale: 0 })
    : undefined)

/** Multiple of an amount; undefined if it has more than 512 bits. */
export const timesOf = ({ mantissa, scale }: Numeric, factor: number): Numeric | undefined =>
  normalizeNumeric({ mantissa: mantissa * BigInt(factor), scale })

/** Whole part of an amount in units of a definition with so many fraction digits, divided by an integer. */
export const partOf = (amount: Numeric, divisor: number, digits: number): Numeric =>
  partOfUnits(unitsOf(amount), divisor, digits)

/** Part like `partOf`, of an amount in units of the finest scale. */
export function partOfUnits(amount: bigint, divisor: number, digits: number): Numeric {
  const units = (amount / BigInt(divisor)) * 10n ** BigInt(digits)
  const whole = units / 10n ** BigInt(NUMERIC_MAX_SCALE)
  const part = normalizeNumeric({ mantissa: whole, scale: digits })
  if (part === undefined) throw new Error('a part of a supply has more than 512 bits')
  return part
}

/** Number of electors as an amount. */
export const countOf = (count: number): Numeric => ({ mantissa: BigInt(count), scale: 0 })
