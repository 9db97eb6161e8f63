/**
 * Owns a second verifier of conference proofs, written from the text of the relations on another library: libsodium for
 * the group and its scalars, a separate hash expansion, each equation checked individually without weights. It shares
 * no code with the first.
 */
import { createHash } from 'node:crypto'
import sodium from 'libsodium-wrappers-sumo'
import type { Claim, Statement } from '../../src/crypto/circuits/conference/index.js'

await sodium.ready

type Bytes = Uint8Array
const ZERO = new Uint8Array(32)
const isZero = (bytes: Bytes): boolean => Buffer.compare(bytes, ZERO) === 0
const same = (a: Bytes, b: Bytes): boolean => Buffer.compare(a, b) === 0

const add = (...points: readonly Bytes[]): Bytes =>
  points.reduce((sum, point) => sodium.crypto_core_ristretto255_add(sum, point), ZERO)
const minus = (a: Bytes, b: Bytes): Bytes => sodium.crypto_core_ristretto255_sub(a, b)
export const mul = (scalar: Bytes, point: Bytes): Bytes =>
  isZero(scalar) || isZero(point) ? ZERO : sodium.crypto_scalarmult_ristretto255(scalar, point)
const times = (a: Bytes, b: Bytes): Bytes => sodium.crypto_core_ristretto255_scalar_mul(a, b)
const less = (a: Bytes, b: Bytes): Bytes => sodium.crypto_core_ristretto255_scalar_sub(a, b)
const scalarOf = (value: bigint): Bytes => Buffer.from(value.toString(16).padStart(64, '0'), 'hex').reverse()
const ONE = scalarOf(1n)
const isScalar = (bytes: Bytes): boolean =>
  same(sodium.crypto_core_ristretto255_scalar_reduce(Buffer.concat([bytes, ZERO])), bytes)
const isPoint = (bytes: Bytes): boolean => sodium.crypto_core_ristretto255_is_valid_point(bytes)

const int = (value: number | bigint, bytes: number): Buffer =>
  Buffer.from(
    BigInt(value)
      .toString(16)
      .padStart(2 * bytes, '0'),
    'hex',
  )
const lp = (value: Bytes | string): Buffer => {
  const bytes = Buffer.from(value as string)
  return Buffer.concat([int(bytes.length, 2), bytes])
}
const sha512 = (...parts: readonly Bytes[]): Buffer => createHash('sha512').update(Buffer.concat(parts)).digest()

/** RFC 9380, 5.3.1: 64 bytes are one block of SHA-512. */
function expand(message: Bytes, use: string): Buffer {
  const dst = Buffer.from(`conference-sigma-v1:${use}`)
  const dstPrime = Buffer.concat([dst, int(dst.length, 1)])
  const first = sha512(Buffer.alloc(128), message, int(64, 2), int(0, 1), dstPrime)
  return sha512(first, int(1, 1), dstPrime)
}
const toScalar = (use: string, message: Bytes): Bytes =>
  sodium.crypto_core_ristretto255_scalar_reduce(expand(message, use))
const toGroup = (label: string, ...parts: readonly Bytes[]): Bytes =>
  sodium.crypto_core_ristretto255_from_hash(expand(Buffer.concat([lp(label), ...parts]), 'group'))

const G = sodium.crypto_scalarmult_ristretto255_base(ONE)
const H = toGroup('H')
const D = toGroup('usage-duration')
const F = toGroup('usage-gas')
const bit = Array.from({ length: 8 }, (_, j) => toGroup('bit', int(j, 2)))

const NUMBER = { openJoin: 1, listedJoin: 2, leave: 3, usage: 4, signal: 5 } as const

function statementOf(s: Statement): Buffer {
  const circuit = s.relation === 'usage' ? 'conference-usage-v1' : 'conference-roster-v1'
  return Buffer.concat([
    lp(circuit),
    int(NUMBER[s.relation], 1),
    lp(s.chain),
    lp(s.call),
    lp(s.submitter),
    s.vkHash,
    s.rosterRoot ?? ZERO,
    s.admissionRoot ?? ZERO,
    int(s.admissionCount ?? 0, 2),
    int(s.session ?? 0, 1),
    s.bodyHash ?? ZERO,
    int(s.durationMs ?? 0n, 8),
    int(s.billedGas ?? 0n, 8),
    int(s.segment ?? 0, 4),
    s.commitment,
    s.nullifier ?? ZERO,
  ])
}

const bitsFor = (n: number): number => Math.max(1, Math.ceil(Math.log2(n)))
/** Kinds of the parts of a proof by position; true: a point. */
function shapeOf({ statement: { relation }, keys = [] }: Claim): boolean[] {
  if (relation === 'usage') return [true, false]
  if (relation === 'signal') return [true, false, false]
  const opening = [true, true, false, false]
  if (relation !== 'listedJoin') return opening
  const m = bitsFor(keys.length)
  return [...opening, ...Array<boolean>(4 + m).fill(true), ...Array<boolean>(m + 3).fill(false)]
}

/** Base U of the session whose nullifier the statement has. */
const baseOf = ({ chain, call, relation, session = 0 }: Statement): Bytes =>
  toGroup('nullifier', lp(chain), lp(call), int(relation === 'leave' ? session + 1 : session, 1))

/** True if the equations of a proof hold for a challenge; default: the one of its hash. */
export function holds(claim: Claim, challenge?: Bytes): boolean {
  const { statement, proof, keys = [] } = claim
  const shape = shapeOf(claim)
  if (proof.length !== 32 * shape.length) return false
  const parts = shape.map((_, at) => Uint8Array.from(proof.subarray(32 * at, 32 * at + 32)))
  if (!shape.every((point, at) => (point ? isPoint : isScalar)(parts[at] as Bytes))) return false
  const part = (at: number): Bytes => parts[at] as Bytes
  const C = Uint8Array.from(statement.commitment)
  if (isZero(C) || !isPoint(C)) return false
  const commitments = parts.filter((_, at) => shape[at])
  const c = challenge ?? toScalar('challenge', Buffer.concat([statementOf(statement), ...commitments]))
  if (isZero(c)) return false
  if (statement.relation === 'usage') {
    const opened = add(mul(scalarOf(statement.durationMs ?? 0n), D), mul(scalarOf(statement.billedGas ?? 0n), F))
    return same(mul(part(1), H), add(part(0), mul(c, minus(C, opened))))
  }
  if (statement.relation === 'signal') {
    return same(add(mul(part(1), G), mul(part(2), H)), add(part(0), mul(c, C)))
  }
  const N = Uint8Array.from(statement.nullifier ?? ZERO)
  if (isZero(N) || !isPoint(N)) return false
  const opens = same(add(mul(part(2), G), mul(part(3), H)), add(part(0), mul(c, C)))
  const spends = same(mul(part(2), baseOf(statement)), add(part(1), mul(c, N)))
  return opens && spends && (statement.relation !== 'listedJoin' || isListed(parts.slice(4), C, keys, c))
}

/** Check the three equations of a list. */
function isListed(parts: readonly Bytes[], C: Bytes, keys: readonly Bytes[], c: Bytes): boolean {
  if (keys.length === 0 || !keys.every((key) => !isZero(key) && isPoint(Uint8Array.from(key)))) return false
  const m = bitsFor(keys.length)
  const [A, B, E, K] = parts as [Bytes, Bytes, Bytes, Bytes]
  const Q = parts.slice(4, 4 + m)
  const f = parts.slice(4 + m, 4 + 2 * m)
  const [zA, zE, z] = parts.slice(4 + 2 * m) as [Bytes, Bytes, Bytes]
  const base = (j: number): Bytes => bit[j] as Bytes
  const bits = same(add(A, mul(c, B)), add(...f.map((one, j) => mul(one, base(j))), mul(zA, H)))
  const squares = same(add(mul(c, E), K), add(...f.map((one, j) => mul(times(one, less(c, one)), base(j))), mul(zE, H)))
  let sum = ZERO as Bytes
  for (let i = 0; i < 2 ** m; i += 1) {
    const pi = f.reduce((product, one, j) => times(product, (i >> j) & 1 ? one : less(c, one)), ONE)
    sum = add(sum, mul(pi, minus(C, Uint8Array.from(keys[Math.min(i, keys.length - 1)] as Bytes))))
  }
  let power = ONE
  for (const point of Q) {
    sum = minus(sum, mul(power, point))
    power = times(power, c)
  }
  return bits && squares && same(sum, mul(z, H))
}

const anyScalar = (): Bytes => sodium.crypto_core_ristretto255_scalar_random()
const anyPoint = (): Bytes => sodium.crypto_core_ristretto255_random()

/**
 * Transcript that the equations accept for this challenge, created without any secret: responses first, commitments
 * after. A verifier of a chosen challenge could have created its view itself, so it learns nothing.
 */
export function simulated({ statement, keys = [] }: Pick<Claim, 'statement' | 'keys'>, c: Bytes): Buffer {
  const C = Uint8Array.from(statement.commitment)
  const s = anyScalar()
  if (statement.relation === 'usage') {
    const opened = add(mul(scalarOf(statement.durationMs ?? 0n), D), mul(scalarOf(statement.billedGas ?? 0n), F))
    return Buffer.concat([minus(mul(s, H), mul(c, minus(C, opened))), s])
  }
  const r = anyScalar()
  const A1 = minus(add(mul(s, G), mul(r, H)), mul(c, C))
  if (statement.relation === 'signal') return Buffer.concat([A1, s, r])
  const A2 = minus(mul(s, baseOf(statement)), mul(c, Uint8Array.from(statement.nullifier ?? ZERO)))
  if (statement.relation !== 'listedJoin') return Buffer.concat([A1, A2, s, r])
  const m = bitsFor(keys.length)
  const f = Array.from({ length: m }, anyScalar)
  const [zA, zE, z, B, E] = [anyScalar(), anyScalar(), anyScalar(), anyPoint(), anyPoint()]
  const A = minus(add(...f.map((one, j) => mul(one, bit[j] as Bytes)), mul(zA, H)), mul(c, B))
  const K = minus(add(...f.map((one, j) => mul(times(one, less(c, one)), bit[j] as Bytes)), mul(zE, H)), mul(c, E))
  const later = Array.from({ length: m - 1 }, anyPoint)
  let Q0 = minus(ZERO, mul(z, H))
  for (let i = 0; i < 2 ** m; i += 1) {
    const pi = f.reduce((product, one, j) => times(product, (i >> j) & 1 ? one : less(c, one)), ONE)
    Q0 = add(Q0, mul(pi, minus(C, Uint8Array.from(keys[Math.min(i, keys.length - 1)] as Bytes))))
  }
  let power = c
  for (const point of later) {
    Q0 = minus(Q0, mul(power, point))
    power = times(power, c)
  }
  return Buffer.concat([A1, A2, s, r, A, B, E, K, Q0, ...later, ...f, zA, zE, z])
}

/** Random challenge. */
export const anyChallenge = anyScalar
