/** 64-bit arithmetic in halves against that of the language. */
import { describe, expect, it } from 'vitest'
import { TRAP } from '../../../src/vm/index.js'
import * as int64 from '../../../src/vm/int64.js'
import { Random } from '../../support/vm/generator.js'

const signed = (value: bigint): bigint => BigInt.asIntN(64, value)
const unsigned = (value: bigint): bigint => BigInt.asUintN(64, value)
const EDGES = [
  0n,
  1n,
  2n,
  3n,
  0xffffn,
  0x1_0000n,
  0xffff_ffffn,
  0x1_0000_0000n,
  0x20_0000_0000_0000n,
  1n << 62n,
  (1n << 63n) - 1n,
]

function* pairs(): Generator<readonly [bigint, bigint]> {
  const edges = EDGES.flatMap((edge) => [edge, -edge, edge + 1n, -edge - 1n])
  for (const a of edges) for (const b of edges) yield [a, b]
  const random = new Random(11)
  const any = (): bigint => ((BigInt(random.next()) << 32n) | BigInt(random.next())) >> BigInt(random.below(64))
  for (let round = 0; round < 20_000; round += 1) {
    const [a, b] = [any(), any()]
    yield [a, b]
    // Next to a multiple: where an estimate of the quotient is wrong first.
    yield [a * b - 1n, b]
    yield [a * b, b]
  }
}

/** Result of an operation on two numbers; its destination is its first operand, which is permitted. */
function applied(operation: (typeof OPERATIONS)[number][1], a: bigint, b: bigint): { trap: unknown; value: bigint } {
  const lo = Int32Array.of(Number(BigInt.asIntN(32, a)), Number(BigInt.asIntN(32, b)))
  const hi = Int32Array.of(Number(BigInt.asIntN(32, a >> 32n)), Number(BigInt.asIntN(32, b >> 32n)))
  const trap = operation(lo, hi, 0, 0, 1) ?? TRAP.ok
  return { trap, value: unsigned((BigInt(hi[0] as number) << 32n) | BigInt((lo[0] as number) >>> 0)) }
}
type Operation = (lo: Int32Array, hi: Int32Array, d: number, a: number, b: number) => unknown
const OPERATIONS: readonly (readonly [string, Operation, (a: bigint, b: bigint) => bigint])[] = [
  ['multiply', int64.multiply, (a, b) => a * b],
  ['shiftLeft', int64.shiftLeft, (a, b) => a << (unsigned(b) & 63n)],
  ['shiftRight', int64.shiftRight, (a, b) => signed(a) >> (unsigned(b) & 63n)],
  ['shiftRightUnsigned', int64.shiftRightUnsigned, (a, b) => unsigned(a) >> (unsigned(b) & 63n)],
  [
    'rotateLeft',
    int64.rotateLeft,
    (a, b) => (unsigned(a) << (unsigned(b) & 63n)) | (unsigned(a) >> (64n - (unsigned(b) & 63n))),
  ],
  [
    'rotateRight',
    int64.rotateRight,
    (a, b) => (unsigned(a) >> (unsigned(b) & 63n)) | (unsigned(a) << (64n - (unsigned(b) & 63n))),
  ],
]
const DIVISIONS: readonly (readonly [string, Operation, (a: bigint, b: bigint) => bigint])[] = [
  ['divideSigned', int64.divideSigned, (a, b) => signed(a) / signed(b)],
  ['divide', int64.divide, (a, b) => unsigned(a) / unsigned(b)],
  ['remainderSigned', int64.remainderSigned, (a, b) => signed(a) % signed(b)],
  ['remainder', int64.remainder, (a, b) => unsigned(a) % unsigned(b)],
]

describe('64-bit arithmetic', () => {
  it.each(OPERATIONS)('computes %s like arbitrary precision integers', (_name, operation, expected) => {
    for (const [a, b] of pairs()) {
      expect([a, b, applied(operation, a, b).value]).toEqual([a, b, unsigned(expected(a, b))])
    }
  })

  it.each(DIVISIONS)(
    'computes %s like arbitrary precision integers, and traps where it is undefined',
    (name, operation, expected) => {
      for (const [a, b] of pairs()) {
        const found = applied(operation, a, b)
        if (unsigned(b) === 0n) expect(found.trap).toBe(TRAP.divide_by_zero)
        else if (name === 'divideSigned' && unsigned(a) === 1n << 63n && signed(b) === -1n) {
          expect(found.trap).toBe(TRAP.integer_overflow)
        } else expect([a, b, found]).toEqual([a, b, { trap: TRAP.ok, value: unsigned(expected(a, b)) }])
      }
    },
  )

  it('counts leading zeros, trailing zeros and ones', () => {
    const random = new Random(5)
    const values = [0, 1, -1, 0x8000_0000 | 0, 0x7fff_ffff, ...Array.from({ length: 1_000 }, () => random.next() | 0)]
    for (const value of values) {
      const bits = (value >>> 0).toString(2)
      expect(int64.ones(value)).toBe(bits.replaceAll('0', '').length)
      expect(int64.trailingZeros(value)).toBe(value === 0 ? 32 : bits.length - bits.lastIndexOf('1') - 1)
    }
  })
})
