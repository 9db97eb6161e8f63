/**
 * Owns the index of minutes with runs: a tree of bitmaps, in which the first set bit is found with one read per level.
 */
import type { StateReader, StateWriter } from '../../state/index.js'
import { type BitsKey, dueBits, ROW_BITS, ROW_BYTES } from './tables.js'

/** Number of levels: 4,096 to the power of three minutes are 130,000 years. */
const LEVELS = 3
/** Number of minutes on three levels. */
const MINUTES_MAX = ROW_BITS ** LEVELS

/** True if the index can represent the minute. */
export const isMinute = (minute: number): boolean => Number.isSafeInteger(minute) && minute >= 0 && minute < MINUTES_MAX

/** Set the bit of a minute, and of its parent rows if they were empty. */
export function setMinute(state: StateWriter, payer: number, minute: number): void {
  let index = minute
  for (let level = 0; level < LEVELS; level += 1) {
    const key: BitsKey = { payer, level, row: Math.floor(index / ROW_BITS) }
    const before = state.get(dueBits, key)
    const bits = before === undefined ? Buffer.alloc(ROW_BYTES) : Buffer.from(before)
    const at = index % ROW_BITS
    const byte = Math.floor(at / 8)
    bits[byte] = (bits[byte] ?? 0) | (0x80 >>> (at % 8))
    state.set(dueBits, key, bits)
    if (before !== undefined) return
    index = key.row
  }
}

/** Clear the bit of a minute, and of parent rows that become empty. */
export function clearMinute(state: StateWriter, payer: number, minute: number): void {
  let index = minute
  for (let level = 0; level < LEVELS; level += 1) {
    const key: BitsKey = { payer, level, row: Math.floor(index / ROW_BITS) }
    const before = state.get(dueBits, key)
    if (before === undefined) throw new Error(`minute ${minute} is not in the index of due runs`)
    const bits = Buffer.from(before)
    const at = index % ROW_BITS
    const byte = Math.floor(at / 8)
    bits[byte] = (bits[byte] ?? 0) & ~(0x80 >>> (at % 8))
    if (bits.some((one) => one !== 0)) {
      state.set(dueBits, key, bits)
      return
    }
    state.delete(dueBits, key)
    index = key.row
  }
}

/** Earliest minute with a run. */
export function firstMinute(state: StateReader, payer: number): number | undefined {
  let row = 0
  for (let level = LEVELS - 1; level >= 0; level -= 1) {
    const bits = state.get(dueBits, { payer, level, row })
    if (bits === undefined) {
      if (level === LEVELS - 1) return undefined
      throw new Error('a row of the index of due runs is missing')
    }
    row = row * ROW_BITS + firstBit(bits)
  }
  return row
}

function firstBit(bits: Uint8Array): number {
  const byte = bits.findIndex((one) => one !== 0)
  if (byte < 0) throw new Error('a row of the index of due runs has no bit')
  return byte * 8 + Math.clz32(bits[byte] ?? 0) - 24
}
