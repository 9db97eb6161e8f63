/** Owns the sums of payments by currency. */
import type { Numeric } from '../../../codec/index.js'
import { add } from '../../../model/arithmetic.js'

/** Sums by currency, in canonical form, in the order in which currencies first appear. */
export type Totals = ReadonlyMap<string, Numeric>

const ZERO: Numeric = { mantissa: 0n, scale: 0 }

/** Sums of payments by currency. */
export function totalsOf(payments: Iterable<{ readonly currency: string; readonly amount: Numeric }>): Totals {
  const sums = new Map<string, Numeric>()
  for (const { currency, amount } of payments) {
    const before = sums.get(currency) ?? ZERO
    // 1,000 amounts of 18 digits are far below the largest numeric.
    sums.set(currency, add(before, amount) ?? before)
  }
  return sums
}
