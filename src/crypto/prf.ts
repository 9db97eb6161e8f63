/** Owns the deterministic stream of draws behind committee selection and elections. */
import { hash } from './hash.js'

const TWO_64 = 1n << 64n
const DRAWS_PER_BLOCK = 4
const MAX_BLOCKS = 2 ** 32

/** Endless, reproducible stream of uniform draws. */
export interface PrfStream {
  /** Uniform integer in [0, n); n is a positive safe integer. */
  draw(n: number): number
  /** Uniform permutation of the items (Fisher-Yates from the end); the input is not changed. */
  shuffle<T>(items: readonly T[]): T[]
}

/**
 * Stream of a key: block i is hash("prf", key, u32 i), read as four big-endian u64 draws; a draw at or above the
 * largest multiple of n is rejected, so that every residue is equally likely.
 */
export function prfStream(key: Uint8Array): PrfStream {
  const index = Buffer.alloc(4)
  let nextBlock = 0
  let block: Buffer = Buffer.alloc(0)
  let used = DRAWS_PER_BLOCK

  const next = (): bigint => {
    if (used === DRAWS_PER_BLOCK) {
      if (nextBlock === MAX_BLOCKS) throw new Error('prf stream is exhausted')
      index.writeUInt32BE(nextBlock, 0)
      block = hash('prf', key, index)
      nextBlock += 1
      used = 0
    }
    const value = block.readBigUInt64BE(used * 8)
    used += 1
    return value
  }

  const draw = (n: number): number => {
    if (!Number.isSafeInteger(n) || n < 1) throw new Error(`prf draw requires a positive integer, got ${n}`)
    const modulus = BigInt(n)
    const limit = TWO_64 - (TWO_64 % modulus)
    for (;;) {
      const value = next()
      if (value < limit) return Number(value % modulus)
    }
  }

  return {
    draw,
    shuffle<T>(items: readonly T[]): T[] {
      const out = items.slice()
      for (let last = out.length - 1; last > 0; last -= 1) {
        const pick = draw(last + 1)
        const kept = out[last] as T
        out[last] = out[pick] as T
        out[pick] = kept
      }
      return out
    },
  }
}
