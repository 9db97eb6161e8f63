/**
 * Owns sums of points times scalars: the weighted equations of proofs form one sum, which is the identity if they are
 * valid.
 */
import { interleavedMSMUnsafe, mulAddUnsafe } from '@noble/curves/abstract/curve.js'
import { G, Group, type Point, reduce, toGroup, u16 } from './group.js'

/** Index bits of the longest list of a one-out-of-many proof: 256 keys. */
export const INDEX_BITS_MAX = 8

/** Common bases of all proofs. */
export interface Bases {
  readonly G: Point
  readonly H: Point
  readonly D: Point
  readonly F: Point
  /** h_0 to h_7. */
  readonly bits: readonly Point[]
}

let known: Bases | undefined
/** Bases, computed at their first use (3 ms). */
export function bases(): Bases {
  known ??= {
    G,
    H: toGroup('H'),
    D: toGroup('usage-duration'),
    F: toGroup('usage-gas'),
    bits: Array.from({ length: INDEX_BITS_MAX }, (_, bit) => toGroup('bit', u16(bit))),
  }
  return known
}

/** Indexes of the bases in the tables below. */
const PLACE = { G: 0, H: 1, D: 2, F: 3, bits: 4 } as const
const PLACES = PLACE.bits + INDEX_BITS_MAX

/** Signed digits of 8 bits: 64 odd multiples for each base, 12 bases, about 200 KiB. */
const WINDOW_BITS = 8
let tables: ((scalars: bigint[]) => Point) | undefined
function fixedSum(scalars: bigint[]): Point {
  const { bits, ...others } = bases()
  tables ??= interleavedMSMUnsafe(Group, [others.G, others.H, others.D, others.F, ...bits], WINDOW_BITS)
  return tables(scalars)
}

/** Sum being built. Points are merged by object identity, so a key shared by many proofs is multiplied once. */
export class Sum {
  private readonly fixed: bigint[] = new Array<bigint>(PLACES).fill(0n)
  private readonly others = new Map<Point, bigint>()

  /** Add `scalar` times a base. */
  addBase(base: Exclude<keyof Bases, 'bits'>, scalar: bigint): void {
    this.fixed[PLACE[base]] = reduce((this.fixed[PLACE[base]] ?? 0n) + scalar)
  }

  /** Add `scalar` times h_bit. */
  addBit(bit: number, scalar: bigint): void {
    const place = PLACE.bits + bit
    if (bit < 0 || bit >= INDEX_BITS_MAX) throw new Error(`no base for bit ${bit}`)
    this.fixed[place] = reduce((this.fixed[place] ?? 0n) + scalar)
  }

  /** Add `scalar` times a point. */
  add(point: Point, scalar: bigint): void {
    this.others.set(point, reduce((this.others.get(point) ?? 0n) + scalar))
  }

  /** Add another sum, with each of its parts multiplied by `weight`. */
  addSum(sum: Sum, weight: bigint): void {
    for (const [place, scalar] of sum.fixed.entries()) {
      this.fixed[place] = reduce((this.fixed[place] ?? 0n) + weight * scalar)
    }
    for (const [point, scalar] of sum.others) this.add(point, weight * scalar)
  }

  /** Value of the sum. Its computation time depends on the scalars. */
  value(): Point {
    const points = [...this.others.keys()]
    return fixedSum(this.fixed).add(mulAddUnsafe(Group, points, [...this.others.values()]))
  }

  /** True if the sum is the identity. */
  isIdentity(): boolean {
    return this.value().is0()
  }
}
