/** Owns the interest of a repo: simple interest for actual days. */

import { BASIS_DAYS, PPM, type RepoBasis } from './records.js'

/** Nearest integer of a fraction with a positive denominator; a half is rounded away from zero. */
function nearest(over: bigint, under: bigint): bigint {
  const size = over < 0n ? -over : over
  const rounded = (2n * size + under) / (2n * under)
  return over < 0n ? -rounded : rounded
}

/** Interest on an amount in the smallest units of cash, in these units. */
export const interestOf = (
  amount: bigint,
  { ratePpm, basis, days }: { readonly ratePpm: number; readonly basis: RepoBasis; readonly days: number },
): bigint => nearest(amount * BigInt(ratePpm) * BigInt(days), BigInt(PPM) * BigInt(BASIS_DAYS[basis]))
