/** Owns the group of sigma proofs: ristretto255 (RFC 9496), its one encoding of points and scalars, hashing to both. */
import { expand_message_xmd } from '@noble/curves/abstract/hash-to-curve.js'
import { ristretto255, ristretto255_hasher } from '@noble/curves/ed25519.js'
import { sha512 } from '@noble/hashes/sha2.js'
import { binaryKey } from '../../base/bytes.js'
import { GenerationCache } from '../generation-cache.js'

/** An element of the group. */
export type Point = typeof ristretto255.Point.BASE

/** The group: a base point of prime order, so a sum of points is the identity or it is not, on every machine. */
export const Group: typeof ristretto255.Point = ristretto255.Point
/** L, the order of the group. */
export const ORDER: bigint = Group.Fn.ORDER
/** The base point. */
export const G: Point = Group.BASE

/** Length of a point and of a scalar, in bytes. */
export const POINT_BYTES = 32
export const SCALAR_BYTES = 32

/** Bytes that a hash gives a scalar: so many more than its 32 that reduction leaves no bias. */
const WIDE_BYTES = 64
/** What all hashing of these proofs starts from; a label or a use makes it one's own. */
const DST = 'conference-sigma-v1'

/** The scalar of this value: between 0 and L - 1. */
export function reduce(value: bigint): bigint {
  const rest = value % ORDER
  return rest < 0n ? rest + ORDER : rest
}

/** A field of variable length: u16 length, then the bytes. */
export function lengthPrefixed(bytes: Uint8Array): Buffer {
  const length = Buffer.alloc(2)
  length.writeUInt16BE(bytes.length)
  return Buffer.concat([length, bytes])
}

/** Point with an unknown discrete logarithm: RFC 9380 hash_to_ristretto255. */
export const toGroup = (label: string, ...parts: readonly Uint8Array[]): Point =>
  ristretto255_hasher.hashToCurve(Buffer.concat([lengthPrefixed(Buffer.from(label, 'latin1')), ...parts]), {
    DST: `${DST}:group`,
  })

/** A scalar by a hash: 64 bytes of expand_message_xmd with SHA-512, little-endian, reduced. */
export function toScalar(use: string, message: Uint8Array): bigint {
  return reduce(littleEndian(expand_message_xmd(message, Buffer.from(`${DST}:${use}`, 'latin1'), WIDE_BYTES, sha512)))
}

const littleEndian = (bytes: Uint8Array): bigint => BigInt(`0x${Buffer.from(bytes).reverse().toString('hex')}`)

/** The 32 bytes of a scalar, little-endian. */
export function scalarBytes(scalar: bigint): Buffer {
  if (scalar < 0n || scalar >= ORDER) throw new Error('a scalar must be between 0 and L - 1')
  return Buffer.from(scalar.toString(16).padStart(2 * SCALAR_BYTES, '0'), 'hex').reverse()
}

/** The scalar of its one encoding; undefined for any other bytes. */
export function decodeScalar(bytes: Uint8Array): bigint | undefined {
  if (bytes.length !== SCALAR_BYTES) return undefined
  const scalar = littleEndian(bytes)
  return scalar < ORDER ? scalar : undefined
}

/** The point of its one encoding; undefined for any other bytes. The identity is a point. */
export function decodePoint(bytes: Uint8Array): Point | undefined {
  if (bytes.length !== POINT_BYTES) return undefined
  try {
    return Group.fromBytes(Uint8Array.from(bytes))
  } catch {
    // The library throws for what RFC 9496 refuses, and for nothing else.
    return undefined
  }
}

/** Keys of lists stand in many statements: 16 lists of the longest kind stay decoded (about 300 bytes each). */
const MAX_DECODED_KEYS = 4_096
const decodedKeys = new GenerationCache<Point | null>(MAX_DECODED_KEYS)

/** Decode a key point: like `decodePoint`, but refuses the identity. Equal bytes return the same object. */
export function decodeKey(bytes: Uint8Array): Point | undefined {
  if (bytes.length !== POINT_BYTES) return undefined
  const id = binaryKey(bytes)
  let point = decodedKeys.get(id)
  if (point === undefined) {
    const decoded = decodePoint(bytes)
    point = decoded === undefined || decoded.is0() ? null : decoded
    decodedKeys.set(id, point)
  }
  return point ?? undefined
}

/** Point times scalar, including zero; for computations of a prover with secrets. */
export const times = (point: Point, scalar: bigint): Point => (scalar === 0n ? Group.ZERO : point.multiply(scalar))

/** u8, u16, u32, u64 of statements: big-endian. */
export const u8 = (value: number): Buffer => Buffer.of(value)
export function u16(value: number): Buffer {
  const bytes = Buffer.alloc(2)
  bytes.writeUInt16BE(value)
  return bytes
}
export function u32(value: number): Buffer {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32BE(value)
  return bytes
}
export function u64(value: bigint): Buffer {
  const bytes = Buffer.alloc(8)
  bytes.writeBigUInt64BE(value)
  return bytes
}
