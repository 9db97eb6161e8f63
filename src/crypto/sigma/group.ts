/**
 * Owns the group of sigma proofs: ristretto255 (RFC 9496), its unique encoding of points and scalars, hashing to both.
 */
import { expand_message_xmd } from '@noble/curves/abstract/hash-to-curve.js'
import { ristretto255, ristretto255_hasher } from '@noble/curves/ed25519.js'
import { sha512 } from '@noble/hashes/sha2.js'
import { binaryKey } from '../../base/bytes.js'
import { GenerationCache } from '../generation-cache.js'

/** Element of the group. */
export type Point = typeof ristretto255.Point.BASE

/** Group with a base point of prime order, so that every machine agrees on whether a sum of points is the identity. */
export const Group: typeof ristretto255.Point = ristretto255.Point
/** Order L of the group. */
export const ORDER: bigint = Group.Fn.ORDER
/** Base point. */
export const G: Point = Group.BASE

/** Length of a point and of a scalar, in bytes. */
export const POINT_BYTES = 32
export const SCALAR_BYTES = 32

/** Bytes of a hash that yields a scalar: enough more than 32 that the reduction leaves no bias. */
const WIDE_BYTES = 64
/** Domain prefix of all hashes of these proofs, extended by a label or a use. */
const DST = 'conference-sigma-v1'

/** Scalar of a value: between 0 and L - 1. */
export function reduce(value: bigint): bigint {
  const rest = value % ORDER
  return rest < 0n ? rest + ORDER : rest
}

/** Field of variable length: u16 length, then the bytes. */
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

/** Scalar from a hash: 64 bytes of expand_message_xmd with SHA-512, little-endian, reduced. */
export function toScalar(use: string, message: Uint8Array): bigint {
  return reduce(littleEndian(expand_message_xmd(message, Buffer.from(`${DST}:${use}`, 'latin1'), WIDE_BYTES, sha512)))
}

const littleEndian = (bytes: Uint8Array): bigint => BigInt(`0x${Buffer.from(bytes).reverse().toString('hex')}`)

/** 32 bytes of a scalar, little-endian. */
export function scalarBytes(scalar: bigint): Buffer {
  if (scalar < 0n || scalar >= ORDER) throw new Error('a scalar must be between 0 and L - 1')
  return Buffer.from(scalar.toString(16).padStart(2 * SCALAR_BYTES, '0'), 'hex').reverse()
}

/** Scalar of its unique encoding; undefined for any other bytes. */
export function decodeScalar(bytes: Uint8Array): bigint | undefined {
  if (bytes.length !== SCALAR_BYTES) return undefined
  const scalar = littleEndian(bytes)
  return scalar < ORDER ? scalar : undefined
}

/** Point of its unique encoding, including the identity; undefined for any other bytes. */
export function decodePoint(bytes: Uint8Array): Point | undefined {
  if (bytes.length !== POINT_BYTES) return undefined
  try {
    return Group.fromBytes(Uint8Array.from(bytes))
  } catch {
    // The library throws exactly for what RFC 9496 refuses.
    return undefined
  }
}

/**
 * Maximum cached decoded keys: many statements repeat the keys of lists; enough for 16 lists of the maximum length, at
 * about 300 bytes per key.
 */
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

/** Big-endian u8, u16, u32 and u64 of statements. */
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
