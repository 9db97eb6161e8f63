/** Owns the opcodes of 64-bit integers on slots of two halves. */
import {
  countLeadingZeros,
  countTrailingZeros,
  divide,
  divideSigned,
  multiply,
  ones,
  remainder,
  remainderSigned,
  rotateLeft,
  rotateRight,
  shiftLeft,
  shiftRight,
  shiftRightUnsigned,
} from './int64.js'
import { EngineFault, TRAP, type Trap } from './traps.js'

/**
 * Execute an opcode on the slots `a` and `b`, with the result in `to`. Unary opcodes ignore `b`. Only divisions trap.
 */
export function wide(opcode: number, lo: Int32Array, hi: Int32Array, to: number, a: number, b: number): Trap {
  // biome-ignore format: an opcode a line is how this is read
  switch (opcode) {
    case 0x50: lo[to] = (lo[a]! | hi[a]!) === 0 ? 1 : 0; break // eqz
    case 0x51: lo[to] = lo[a]! === lo[b]! && hi[a]! === hi[b]! ? 1 : 0; break // eq
    case 0x52: lo[to] = lo[a]! !== lo[b]! || hi[a]! !== hi[b]! ? 1 : 0; break // ne
    case 0x53: lo[to] = hi[a]! < hi[b]! || (hi[a]! === hi[b]! && lo[a]! >>> 0 < lo[b]! >>> 0) ? 1 : 0; break // lt_s
    case 0x54: lo[to] = hi[a]! >>> 0 < hi[b]! >>> 0 || (hi[a]! === hi[b]! && lo[a]! >>> 0 < lo[b]! >>> 0) ? 1 : 0; break // lt_u
    case 0x55: lo[to] = hi[a]! > hi[b]! || (hi[a]! === hi[b]! && lo[a]! >>> 0 > lo[b]! >>> 0) ? 1 : 0; break // gt_s
    case 0x56: lo[to] = hi[a]! >>> 0 > hi[b]! >>> 0 || (hi[a]! === hi[b]! && lo[a]! >>> 0 > lo[b]! >>> 0) ? 1 : 0; break // gt_u
    case 0x57: lo[to] = hi[a]! < hi[b]! || (hi[a]! === hi[b]! && lo[a]! >>> 0 <= lo[b]! >>> 0) ? 1 : 0; break // le_s
    case 0x58: lo[to] = hi[a]! >>> 0 < hi[b]! >>> 0 || (hi[a]! === hi[b]! && lo[a]! >>> 0 <= lo[b]! >>> 0) ? 1 : 0; break // le_u
    case 0x59: lo[to] = hi[a]! > hi[b]! || (hi[a]! === hi[b]! && lo[a]! >>> 0 >= lo[b]! >>> 0) ? 1 : 0; break // ge_s
    case 0x5a: lo[to] = hi[a]! >>> 0 > hi[b]! >>> 0 || (hi[a]! === hi[b]! && lo[a]! >>> 0 >= lo[b]! >>> 0) ? 1 : 0; break // ge_u
    case 0x79: countLeadingZeros(lo, hi, to, a); break // clz
    case 0x7a: countTrailingZeros(lo, hi, to, a); break // ctz
    case 0x7b: lo[to] = ones(lo[a]!) + ones(hi[a]!); hi[to] = 0; break // popcnt
    case 0x7c: { // add
      const low = lo[a]!
      const sum = (low + lo[b]!) | 0
      hi[to] = (hi[a]! + hi[b]! + (sum >>> 0 < low >>> 0 ? 1 : 0)) | 0
      lo[to] = sum
      break
    }
    case 0x7d: { // sub
      const low = lo[a]!
      const rest = (low - lo[b]!) | 0
      hi[to] = (hi[a]! - hi[b]! - (low >>> 0 < lo[b]! >>> 0 ? 1 : 0)) | 0
      lo[to] = rest
      break
    }
    case 0x7e: multiply(lo, hi, to, a, b); break // mul
    case 0x7f: return divideSigned(lo, hi, to, a, b) // div_s
    case 0x80: return divide(lo, hi, to, a, b) // div_u
    case 0x81: return remainderSigned(lo, hi, to, a, b) // rem_s
    case 0x82: return remainder(lo, hi, to, a, b) // rem_u
    case 0x83: { const high = hi[a]! & hi[b]!; lo[to] = lo[a]! & lo[b]!; hi[to] = high; break } // and
    case 0x84: { const high = hi[a]! | hi[b]!; lo[to] = lo[a]! | lo[b]!; hi[to] = high; break } // or
    case 0x85: { const high = hi[a]! ^ hi[b]!; lo[to] = lo[a]! ^ lo[b]!; hi[to] = high; break } // xor
    case 0x86: shiftLeft(lo, hi, to, a, b); break // shl
    case 0x87: shiftRight(lo, hi, to, a, b); break // shr_s
    case 0x88: shiftRightUnsigned(lo, hi, to, a, b); break // shr_u
    case 0x89: rotateLeft(lo, hi, to, a, b); break // rotl
    case 0x8a: rotateRight(lo, hi, to, a, b); break // rotr
    default:
      throw new EngineFault(`opcode ${opcode} is not a 64-bit integer opcode`)
  }
  return TRAP.ok
}
