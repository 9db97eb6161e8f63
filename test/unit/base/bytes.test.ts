import { expect, it } from 'vitest'
import { sameBytes } from '../../../src/base/bytes.js'

it.each([
  ['empty strings', [], [], true],
  ['equal arrays', [1, 2, 3], [1, 2, 3], true],
  ['a last byte that differs', [1, 2, 3], [1, 2, 4], false],
  ['a first byte that differs', [0, 2, 3], [1, 2, 3], false],
  ['an array that is a prefix of the other', [1, 2], [1, 2, 0], false],
  ['an array that continues the other', [1, 2, 0], [1, 2], false],
])('sameBytes compares %s', (_name, left, right, expected) => {
  expect(sameBytes(Uint8Array.from(left), Uint8Array.from(right))).toBe(expected)
})

it('sameBytes compares buffers and views with plain arrays of bytes by content', () => {
  const memory = Uint8Array.of(9, 1, 2, 9)
  expect(sameBytes(memory.subarray(1, 3), Buffer.of(1, 2))).toBe(true)
  expect(sameBytes(Buffer.of(9, 1), memory.subarray(1, 3))).toBe(false)
})
