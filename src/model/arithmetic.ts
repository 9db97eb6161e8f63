/** Owns exact sums and comparisons of decimals; nothing is rounded. */
import { NUMERIC_MAX_SCALE, type Numeric, normalizeNumeric } from '../codec/index.js'

/**
 * Maximum bits of a supply written with all decimals that a numeric can have, as for a positive mantissa. Every part of
 * a supply, and the sum of any two parts, is then a numeric, and a difference of balances is undefined only if it is
 * negative.
 */
const SUPPLY_BITS = 511
const SUPPLY_END = 1n << BigInt(SUPPLY_BITS)

function aligned(a: Numeric, b: Numeric): [bigint, bigint, number] {
  if (a.scale === b.scale) return [a.mantissa, b.mantissa, a.scale]
  const scale = Math.max(a.scale, b.scale)
  return [a.mantissa * 10n ** BigInt(scale - a.scale), b.mantissa * 10n ** BigInt(scale - b.scale), scale]
}

/** Canonical form of a result; undefined above 512 bits. */
const canonical = (mantissa: bigint, scale: number): Numeric | undefined => normalizeNumeric({ mantissa, scale })

/** Sum; undefined above 512 bits. */
export function add(a: Numeric, b: Numeric): Numeric | undefined {
  const [x, y, scale] = aligned(a, b)
  return canonical(x + y, scale)
}

/** True if every part of a supply, however fine, is a numeric (up to about 6.7e125 units). */
export const isSupply = ({ mantissa, scale }: Numeric): boolean =>
  mantissa * 10n ** BigInt(NUMERIC_MAX_SCALE - scale) < SUPPLY_END

/** Difference; undefined if negative. A difference of parts of one supply always fits, see `isSupply`. */
export function subtract(a: Numeric, b: Numeric): Numeric | undefined {
  const [x, y, scale] = aligned(a, b)
  return x < y ? undefined : canonical(x - y, scale)
}

/** True if `a` is greater than `b`. */
export function exceeds(a: Numeric, b: Numeric): boolean {
  const [x, y] = aligned(a, b)
  return x > y
}
