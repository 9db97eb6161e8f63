/** Owns exact sums and comparisons of decimals; nothing is rounded. */
import { type Numeric, normalizeNumeric } from '../codec/index.js'

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

/** Difference, or undefined when it would be negative. */
export function subtract(a: Numeric, b: Numeric): Numeric | undefined {
  const [x, y, scale] = aligned(a, b)
  return x < y ? undefined : canonical(x - y, scale)
}

/** True when `a` is greater than `b`. */
export function exceeds(a: Numeric, b: Numeric): boolean {
  const [x, y] = aligned(a, b)
  return x > y
}
