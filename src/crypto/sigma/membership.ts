/**
 * Owns the proof that a commitment opens to zero for one of a list of points (Groth and Kohlweiss, "One-out-of-Many Proofs",
 * EUROCRYPT 2015), with the bits of the index in vector commitments (Bootle and others, ESORICS 2015).
 */
import { decodePoint, decodeScalar, POINT_BYTES, type Point, reduce, SCALAR_BYTES, scalarBytes } from './group.js'
import { INDEX_BITS_MAX, Sum } from './sum.js'

/** Maximum length of a list. */
export const LIST_MAX = 2 ** INDEX_BITS_MAX

/** Number of index bits for a list of n: at least one, so that even a list of one key has a proof with an index. */
export const indexBits = (n: number): number => Math.max(1, 32 - Math.clz32(n - 1))

/** Secrets of a prover between its commitments and its response. */
export interface MembershipSecrets {
  readonly bits: readonly number[]
  readonly a: readonly bigint[]
  readonly rA: bigint
  readonly rB: bigint
  readonly rE: bigint
  readonly rK: bigint
  readonly rho: readonly bigint[]
}

/** Size of the commitments (A, B, E, K, Q_0 to Q_{m-1}), and of the responses (f_0 to f_{m-1}, z_A, z_E, z). */
export const commitmentBytes = (m: number): number => POINT_BYTES * (4 + m)
export const answerBytes = (m: number): number => SCALAR_BYTES * (m + 3)

/** Coefficients of X^0 to X^m of p_i: the product over the bits of i of b_j X + a_j or (1 - b_j) X - a_j. */
function coefficients(i: number, { bits, a }: MembershipSecrets): bigint[] {
  let product = [1n]
  for (const [j, bit] of bits.entries()) {
    const isSet = ((i >> j) & 1) === 1
    const slope = BigInt(isSet ? bit : 1 - bit)
    const constant = isSet ? (a[j] ?? 0n) : -(a[j] ?? 0n)
    const next = new Array<bigint>(product.length + 1).fill(0n)
    for (const [power, value] of product.entries()) {
      next[power] = reduce((next[power] ?? 0n) + value * constant)
      next[power + 1] = reduce((next[power + 1] ?? 0n) + value * slope)
    }
    product = next
  }
  return product
}

/** Sum of scalars times h_j, and a blinding of H. */
function vectorCommitment(scalars: readonly bigint[], blinding: bigint): Point {
  const sum = new Sum()
  for (const [j, scalar] of scalars.entries()) sum.addBit(j, scalar)
  sum.addBase('H', blinding)
  return sum.value()
}

/** A, B, E, K and Q of a prover with C minus the key at `index` equal to r H. `nonce` returns a fresh secret scalar. */
export function commitMembership(C: Point, keys: readonly Point[], index: number, nonce: () => bigint) {
  const m = indexBits(keys.length)
  const bits = Array.from({ length: m }, (_, j) => (index >> j) & 1)
  const fresh = (): bigint[] => Array.from({ length: m }, nonce)
  const secrets = { bits, a: fresh(), rA: nonce(), rB: nonce(), rE: nonce(), rK: nonce(), rho: fresh() }
  const { a, rA, rB, rE, rK, rho } = secrets
  const A = vectorCommitment(a, rA)
  const B = vectorCommitment(
    bits.map((bit) => BigInt(bit)),
    rB,
  )
  const E = vectorCommitment(
    a.map((one, j) => one * BigInt(1 - 2 * (bits[j] ?? 0))),
    rE,
  )
  const K = vectorCommitment(
    a.map((one) => -one * one),
    rK,
  )
  const sums = rho.map((blinding) => {
    const sum = new Sum()
    sum.addBase('H', blinding)
    return sum
  })
  for (let i = 0; i < 2 ** m; i += 1) {
    const key = keys[Math.min(i, keys.length - 1)]
    if (key === undefined) throw new Error('a list must have at least one key')
    const p = coefficients(i, secrets)
    for (const [k, sum] of sums.entries()) {
      sum.add(C, p[k] ?? 0n)
      sum.add(key, -(p[k] ?? 0n))
    }
  }
  const points = [A, B, E, K, ...sums.map((sum) => sum.value())]
  return { secrets, commitments: Buffer.concat(points.map((point) => point.toBytes())) }
}

/** Responses f, z_A, z_E and z to the challenge; r: factor of H in C minus the key. */
export function answerMembership({ bits, a, rA, rB, rE, rK, rho }: MembershipSecrets, c: bigint, r: bigint): Buffer {
  const f = bits.map((bit, j) => reduce(BigInt(bit) * c + (a[j] ?? 0n)))
  let z = 0n
  let power = 1n
  for (const blinding of rho) {
    z -= blinding * power
    power = reduce(power * c)
  }
  return Buffer.concat(
    [...f, reduce(rB * c + rA), reduce(rE * c + rK), reduce(r * power + z)].map((scalar) => scalarBytes(scalar)),
  )
}

/** Decoded membership proof. */
export interface MembershipProof {
  readonly A: Point
  readonly B: Point
  readonly E: Point
  readonly K: Point
  readonly Q: readonly Point[]
  readonly f: readonly bigint[]
  readonly zA: bigint
  readonly zE: bigint
  readonly z: bigint
}

const all = <T>(values: readonly (T | undefined)[]): readonly T[] | undefined =>
  values.every((value): value is T => value !== undefined) ? values : undefined
const slices = (bytes: Uint8Array, size: number): Uint8Array[] =>
  Array.from({ length: bytes.length / size }, (_, at) => bytes.subarray(at * size, (at + 1) * size))

/** Decode a proof for lists of m index bits; undefined if malformed. */
export function decodeMembership(bytes: Uint8Array, m: number): MembershipProof | undefined {
  if (bytes.length !== commitmentBytes(m) + answerBytes(m)) return undefined
  const points = all(slices(bytes.subarray(0, commitmentBytes(m)), POINT_BYTES).map(decodePoint))
  const scalars = all(slices(bytes.subarray(commitmentBytes(m)), SCALAR_BYTES).map(decodeScalar))
  if (points === undefined || scalars === undefined) return undefined
  const [A, B, E, K, ...Q] = points as [Point, Point, Point, Point, ...Point[]]
  const [zA, zE, z] = scalars.slice(m) as [bigint, bigint, bigint]
  return { A, B, E, K, Q, f: scalars.slice(0, m), zA, zE, z }
}

/** Weights of the three equations. */
export type MembershipWeights = readonly [bits: bigint, squares: bigint, member: bigint]

/** Add the equations of a proof to a sum, which is the identity if they are valid. */
export function addMembership(
  sum: Sum,
  { A, B, E, K, Q, f, zA, zE, z }: MembershipProof,
  C: Point,
  keys: readonly Point[],
  c: bigint,
  [bits, squares, member]: MembershipWeights,
): void {
  // A + cB = sum f_j h_j + z_A H
  for (const [j, one] of f.entries()) sum.addBit(j, bits * one)
  sum.addBase('H', bits * zA)
  sum.add(A, -bits)
  sum.add(B, -bits * c)
  // cE + K = sum f_j (c - f_j) h_j + z_E H
  for (const [j, one] of f.entries()) sum.addBit(j, squares * one * (c - one))
  sum.addBase('H', squares * zE)
  sum.add(E, -squares * c)
  sum.add(K, -squares)
  // sum_i pi_i (C - P_i) - sum_k c^k Q_k = z H
  let products = [1n]
  for (const one of f)
    products = [...products.map((p) => reduce(p * (c - one))), ...products.map((p) => reduce(p * one))]
  let total = 0n
  for (const [i, pi] of products.entries()) {
    const key = keys[Math.min(i, keys.length - 1)]
    if (key === undefined) throw new Error('a list must have at least one key')
    total += pi
    sum.add(key, -member * pi)
  }
  sum.add(C, member * reduce(total))
  let power = member
  for (const point of Q) {
    sum.add(point, -power)
    power = reduce(power * c)
  }
  sum.addBase('H', -member * z)
}
