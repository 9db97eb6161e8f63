/** Sums over leaves: the same for a set in any order, another one for any other set. */
import { describe, expect, it } from 'vitest'
import { LeafSum } from '../../../src/state/index.js'

type Leaf = readonly [key: number, value: number]
const sumOf = (...leaves: readonly Leaf[]): LeafSum => {
  const sum = new LeafSum()
  for (const [key, value] of leaves) sum.add(Buffer.alloc(32, key), Buffer.alloc(32, value))
  return sum
}

describe('a checksum over leaves', () => {
  const whole = sumOf([1, 2], [3, 4], [5, 6])

  it('does not depend on their order', () => {
    expect(sumOf([5, 6], [1, 2], [3, 4]).equals(whole)).toBe(true)
  })

  it.each<[string, readonly Leaf[]]>([
    [
      'a leaf that is missing',
      [
        [1, 2],
        [3, 4],
      ],
    ],
    [
      'another value',
      [
        [1, 2],
        [3, 4],
        [5, 7],
      ],
    ],
    [
      'exchanged values',
      [
        [1, 4],
        [3, 2],
        [5, 6],
      ],
    ],
    [
      'keys in place of values',
      [
        [2, 1],
        [3, 4],
        [5, 6],
      ],
    ],
    [
      'a duplicate leaf',
      [
        [1, 2],
        [3, 4],
        [5, 6],
        [5, 6],
      ],
    ],
    [
      'a duplicate leaf in place of another',
      [
        [1, 2],
        [3, 4],
        [3, 4],
      ],
    ],
  ])('differs for %s', (_name, leaves) => {
    expect(sumOf(...leaves).equals(whole)).toBe(false)
  })
})
