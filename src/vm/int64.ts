/**
 * Owns 64-bit integers in two halves of 32 bits, as in the slots of frames: `d`, `a` and `b` are indexes of slots.
 * Operands are read before the destination is written, which may be one of them.
 */
import { TRAP, type Trap } from './traps.js'

const TWO_32 = 0x1_0000_0000

/** Upper half of the product of two unsigned 32-bit numbers. */
function upperProduct(a: number, b: number): number {
  const aLow = a & 0xffff
  const aHigh = a >>> 16
  const bLow = b & 0xffff
  const bHigh = b >>> 16
  // Each sum stays below 2^32: (2^16 - 1)^2 + 2^16 - 1.
  const middle = aHigh * bLow + ((aLow * bLow) >>> 16)
  const other = aLow * bHigh + (middle & 0xffff)
  return (aHigh * bHigh + (middle >>> 16) + (other >>> 16)) | 0
}

/** Product. */
export function multiply(lo: Int32Array, hi: Int32Array, d: number, a: number, b: number): void {
  const aLo = lo[a]!
  const bLo = lo[b]!
  const high = upperProduct(aLo, bLo) + Math.imul(hi[a]!, bLo) + Math.imul(aLo, hi[b]!)
  lo[d] = Math.imul(aLo, bLo)
  hi[d] = high
}

export function shiftLeft(lo: Int32Array, hi: Int32Array, d: number, a: number, b: number): void {
  const low = lo[a]!
  const high = hi[a]!
  const by = lo[b]! & 63
  if (by >= 32) {
    hi[d] = low << (by - 32)
    lo[d] = 0
  } else {
    hi[d] = by === 0 ? high : (high << by) | (low >>> (32 - by))
    lo[d] = low << by
  }
}

export function shiftRight(lo: Int32Array, hi: Int32Array, d: number, a: number, b: number): void {
  const low = lo[a]!
  const high = hi[a]!
  const by = lo[b]! & 63
  if (by >= 32) {
    lo[d] = high >> (by - 32)
    hi[d] = high >> 31
  } else {
    lo[d] = by === 0 ? low : (low >>> by) | (high << (32 - by))
    hi[d] = high >> by
  }
}

export function shiftRightUnsigned(lo: Int32Array, hi: Int32Array, d: number, a: number, b: number): void {
  const low = lo[a]!
  const high = hi[a]!
  const by = lo[b]! & 63
  if (by >= 32) {
    lo[d] = high >>> (by - 32)
    hi[d] = 0
  } else {
    lo[d] = by === 0 ? low : (low >>> by) | (high << (32 - by))
    hi[d] = high >>> by
  }
}

function rotateBy(lo: Int32Array, hi: Int32Array, d: number, a: number, by: number): void {
  const swapped = by >= 32
  const low = swapped ? hi[a]! : lo[a]!
  const high = swapped ? lo[a]! : hi[a]!
  const rest = by & 31
  lo[d] = rest === 0 ? low : (low << rest) | (high >>> (32 - rest))
  hi[d] = rest === 0 ? high : (high << rest) | (low >>> (32 - rest))
}
export function rotateLeft(lo: Int32Array, hi: Int32Array, d: number, a: number, b: number): void {
  rotateBy(lo, hi, d, a, lo[b]! & 63)
}
export function rotateRight(lo: Int32Array, hi: Int32Array, d: number, a: number, b: number): void {
  rotateBy(lo, hi, d, a, -lo[b]! & 63)
}

export function countLeadingZeros(lo: Int32Array, hi: Int32Array, d: number, a: number): void {
  const high = hi[a]!
  lo[d] = high === 0 ? 32 + Math.clz32(lo[a]!) : Math.clz32(high)
  hi[d] = 0
}
/** Trailing zeros of a 32-bit number. */
export const trailingZeros = (value: number): number => (value === 0 ? 32 : 31 - Math.clz32(value & -value))
export function countTrailingZeros(lo: Int32Array, hi: Int32Array, d: number, a: number): void {
  const low = lo[a]!
  lo[d] = low === 0 ? 32 + trailingZeros(hi[a]!) : trailingZeros(low)
  hi[d] = 0
}
/** Number of one bits in a 32-bit number. */
export function ones(value: number): number {
  let left = value - ((value >>> 1) & 0x5555_5555)
  left = (left & 0x3333_3333) + ((left >>> 2) & 0x3333_3333)
  return Math.imul((left + (left >>> 4)) & 0x0f0f_0f0f, 0x0101_0101) >>> 24
}

/** Quotient and remainder of the last division. */
let quotientLo = 0
let quotientHi = 0
let remainderLo = 0
let remainderHi = 0

/** Divide by a number below 2^32, in three steps with numerators below 2^53, so that each is exact. */
function divideByShort(low: number, high: number, by: number): void {
  const upper = high >>> 0
  quotientHi = Math.floor(upper / by)
  const middle = (upper % by) * 0x1_0000 + (low >>> 16)
  const first = Math.floor(middle / by)
  const last = (middle - first * by) * 0x1_0000 + (low & 0xffff)
  const second = Math.floor(last / by)
  quotientLo = (first * 0x1_0000 + second) | 0
  remainderLo = (last - second * by) | 0
  remainderHi = 0
}

/**
 * Divide by a number of 2^32 or more. The quotient is below 2^32 and is estimated with an error of at most one, so the
 * division starts one below the estimate.
 */
function divideByLong(low: number, high: number, byLow: number, byHigh: number): void {
  const value = (high >>> 0) * TWO_32 + (low >>> 0)
  const by = (byHigh >>> 0) * TWO_32 + (byLow >>> 0)
  let quotient = Math.max(0, Math.floor(value / by) - 1)
  const productLow = Math.imul(quotient, byLow)
  const productHigh = (upperProduct(quotient, byLow) + Math.imul(quotient, byHigh)) | 0
  let restHigh = (high - productHigh - (low >>> 0 < productLow >>> 0 ? 1 : 0)) | 0
  let restLow = (low - productLow) | 0
  while (restHigh >>> 0 > byHigh >>> 0 || (restHigh === byHigh && restLow >>> 0 >= byLow >>> 0)) {
    restHigh = (restHigh - byHigh - (restLow >>> 0 < byLow >>> 0 ? 1 : 0)) | 0
    restLow = (restLow - byLow) | 0
    quotient += 1
  }
  quotientLo = quotient | 0
  quotientHi = 0
  remainderLo = restLow
  remainderHi = restHigh
}

function divideUnsigned(low: number, high: number, byLow: number, byHigh: number): void {
  if (byHigh === 0) divideByShort(low, high, byLow >>> 0)
  else divideByLong(low, high, byLow, byHigh)
}

/** Divide magnitudes; the caller restores the signs. */
function divideMagnitudes(low: number, high: number, byLow: number, byHigh: number): void {
  const isNegative = high < 0
  const byNegative = byHigh < 0
  divideUnsigned(
    isNegative ? -low | 0 : low,
    isNegative ? (~high + (low === 0 ? 1 : 0)) | 0 : high,
    byNegative ? -byLow | 0 : byLow,
    byNegative ? (~byHigh + (byLow === 0 ? 1 : 0)) | 0 : byHigh,
  )
}

function put(lo: Int32Array, hi: Int32Array, d: number, low: number, high: number, isNegated: boolean): void {
  lo[d] = isNegated ? -low : low
  hi[d] = isNegated ? ~high + (low === 0 ? 1 : 0) : high
}

/** Quotient rounded towards zero, or the trap. */
export function divideSigned(lo: Int32Array, hi: Int32Array, d: number, a: number, b: number): Trap {
  const low = lo[a]!
  const high = hi[a]!
  const byLow = lo[b]!
  const byHigh = hi[b]!
  if ((byLow | byHigh) === 0) return TRAP.divide_by_zero
  if (low === 0 && high === -0x8000_0000 && (byLow & byHigh) === -1) return TRAP.integer_overflow
  divideMagnitudes(low, high, byLow, byHigh)
  put(lo, hi, d, quotientLo, quotientHi | 0, high < 0 !== byHigh < 0)
  return TRAP.ok
}

/** Remainder with the sign of the dividend. */
export function remainderSigned(lo: Int32Array, hi: Int32Array, d: number, a: number, b: number): Trap {
  const high = hi[a]!
  if ((lo[b]! | hi[b]!) === 0) return TRAP.divide_by_zero
  divideMagnitudes(lo[a]!, high, lo[b]!, hi[b]!)
  put(lo, hi, d, remainderLo, remainderHi, high < 0)
  return TRAP.ok
}

export function divide(lo: Int32Array, hi: Int32Array, d: number, a: number, b: number): Trap {
  if ((lo[b]! | hi[b]!) === 0) return TRAP.divide_by_zero
  divideUnsigned(lo[a]!, hi[a]!, lo[b]!, hi[b]!)
  lo[d] = quotientLo
  hi[d] = quotientHi
  return TRAP.ok
}

export function remainder(lo: Int32Array, hi: Int32Array, d: number, a: number, b: number): Trap {
  if ((lo[b]! | hi[b]!) === 0) return TRAP.divide_by_zero
  divideUnsigned(lo[a]!, hi[a]!, lo[b]!, hi[b]!)
  lo[d] = remainderLo
  hi[d] = remainderHi
  return TRAP.ok
}
