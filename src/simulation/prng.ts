/**
 * Owns the randomness of the simulator: named streams from one seed, so that an additional draw in one stream does not
 * change the others.
 */
import { hash } from '../crypto/index.js'

/** A reproducible stream of draws. */
export interface Random {
  /** Uniform in [0, 1). */
  next(): number
  /** Uniform integer in [0, n). */
  below(n: number): number
  /** True with probability p. */
  chance(p: number): boolean
  pick<T>(items: readonly T[]): T
}

/** Stream `name` of `seed` (xoshiro128**). */
export function randomOf(seed: number, name: string): Random {
  const start = hash('sim-random', Buffer.from(`${seed}:${name}`))
  let a = start.readUInt32LE(0)
  let b = start.readUInt32LE(4)
  let c = start.readUInt32LE(8)
  let d = start.readUInt32LE(12) | 1
  const rotate = (x: number, by: number): number => (x << by) | (x >>> (32 - by))
  const draw = (): number => {
    const result = Math.imul(rotate(Math.imul(b, 5), 7), 9) >>> 0
    const t = b << 9
    c ^= a
    d ^= b
    b ^= c
    a ^= d
    c ^= t
    d = rotate(d, 11)
    return result
  }
  const next = (): number => draw() / 0x1_0000_0000
  const below = (n: number): number => Math.floor(next() * n)
  return {
    next,
    below,
    chance: (p) => next() < p,
    pick: (items) => {
      const item = items[below(items.length)]
      if (item === undefined) throw new Error('cannot pick from an empty list')
      return item
    },
  }
}
