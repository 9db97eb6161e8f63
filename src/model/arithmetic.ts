/** Owns exact sums and comparisons of decimals; nothing is rounded. */
import { NUMERIC_MAX_SCALE, type Numeric, normalizeNumeric } from '../codec/index.js'

/**
 * Bits that a supply takes at most when it is written with all decimals that a numeric can have: those of a positive
 * mantissa. So every part of a supply, and the sum of any two, is a numeric: a difference of balances is undefined only
 * where it is negative.
 */
const SUPPLY_BITS = 511
const SUPPLY_END = 1n << BigInt(SUPPLY_BITS)

function aligned(a: Numeric, b: Numeric): [bigint, bigint, number] {
  if (a.scale === b.scale) return [a.mantissa, b.mantissa, a.scale]
  const scale = Math.max(a.scale, b.scale)
  return [a.mantissa * 10n ** BigInt(scale - a.scale), b.mantissa * 10n ** BigInt(scale - b.scale), scale]
}

/** Canonical form of a result; undefined when it has more than 512 bits. */
const canonical = (mantissa: bigint, scale: number): Numeric | undefined => normalizeNumeric({ mantissa, scale })

/** Sum, or undefined when it has more than 512 bits. */
export function add(a: Numeric, b: Numeric): Numeric | undefined {
  const [x, y, scale] = aligned(a, b)
  return canonical(x + y, scale)
}

/** True when a supply leaves room for every part of it, however fine (some 6.7e125 units). */
export const isSupply = ({ mantissa, scale }: Numeric): boolean =>
  mantissa * 10n ** BigInt(NUMERIC_MAX_SCALE - scale) < SUPPLY_END

/** Difference, or undefined when it would be negative (parts of one supply always have a form, see `isSupply`). */
export function subtract(a: Numeric, b: Numeric): Numeric | undefined {
  const [x, y, scale] = aligned(a, b)
  return x < y ? undefined : canonical(x - y, scale)
}

/** True when `a` is greater than `b`. */
export function exceeds(a: Numeric, b: Numeric): boolean {
  const [x, y] = aligned(a, b)
  return x > y
}
