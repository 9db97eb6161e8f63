/** Owns the BLS backend over @chainsafe/blst (native, optional): used when the platform has a build. */

import { binaryKey } from '../base/bytes.js'
import {
  assertBlsSecret,
  BLS_PUBLIC_KEY_BYTES,
  BLS_SIGNATURE_BYTES,
  type BlsAggregate,
  type BlsBackend,
  type BlsGroup,
  MAX_PARSED_BLS_KEYS,
} from './bls.js'
import { GenerationCache } from './generation-cache.js'

// Types of the used part of the package, which is optional, so its own types cannot be imported.
interface BlstKey {
  toBytes(compress?: boolean): Uint8Array
}
interface BlstSignature {
  toBytes(compress?: boolean): Uint8Array
}
interface BlstSecret {
  toPublicKey(): BlstKey
  sign(message: Uint8Array): BlstSignature
}
interface BlstSet {
  msg: Uint8Array
  pk: BlstKey
  sig: BlstSignature
}
interface Blst {
  SecretKey: { fromBytes(bytes: Uint8Array): BlstSecret }
  PublicKey: { fromBytes(bytes: Uint8Array, validate: boolean): BlstKey }
  Signature: { fromBytes(bytes: Uint8Array, validate: boolean, infinityCheck: boolean): BlstSignature }
  aggregatePublicKeys(keys: BlstKey[], validate: boolean): BlstKey
  aggregateSignatures(signatures: BlstSignature[], groupCheck: boolean): BlstSignature
  verify(message: Uint8Array, key: BlstKey, signature: BlstSignature, v: boolean, g: boolean): boolean
  verifyMultipleAggregateSignatures(sets: BlstSet[], v: boolean, g: boolean): boolean
  aggregateVerify(messages: Uint8Array[], keys: BlstKey[], signature: BlstSignature, v: boolean, g: boolean): boolean
}

/** Flag bits of a compressed point: compressed (0x80), infinity (0x40). */
const COMPRESSED = 0x80
const INFINITY = 0x40

// biome-ignore lint/complexity/noExcessiveLinesPerFunction: the methods of one backend share its caches
function makeBackend(blst: Blst): BlsBackend {
  const parsedKeys = new GenerationCache<BlstKey | null>(MAX_PARSED_BLS_KEYS)

  const isCompressedPoint = (bytes: Uint8Array, length: number): boolean =>
    bytes.length === length && (bytes[0]! & (COMPRESSED | INFINITY)) === COMPRESSED

  const parseKey = (bytes: Uint8Array): BlstKey | undefined => {
    if (!isCompressedPoint(bytes, BLS_PUBLIC_KEY_BYTES)) return undefined
    const id = binaryKey(bytes)
    const known = parsedKeys.get(id)
    if (known !== undefined) return known ?? undefined
    let key: BlstKey | null = null
    try {
      key = blst.PublicKey.fromBytes(bytes, true)
    } catch {
      // Not a point of the group.
    }
    parsedKeys.set(id, key)
    return key ?? undefined
  }

  /** `inGroup`: true to check the subgroup; otherwise only the curve. */
  const parseSignature = (bytes: Uint8Array, inGroup = true): BlstSignature | undefined => {
    if (!isCompressedPoint(bytes, BLS_SIGNATURE_BYTES)) return undefined
    try {
      return blst.Signature.fromBytes(bytes, inGroup, inGroup)
    } catch {
      return undefined
    }
  }

  const isInfinity = (compressed: Uint8Array): boolean => (compressed[0]! & INFINITY) !== 0

  const sumKeys = (list: readonly Uint8Array[]): BlstKey | undefined => {
    const points: BlstKey[] = []
    for (const bytes of list) {
      const key = parseKey(bytes)
      if (key === undefined) return undefined
      points.push(key)
    }
    if (points.length <= 1) return points[0]
    const sum = blst.aggregatePublicKeys(points, false)
    return isInfinity(sum.toBytes(true)) ? undefined : sum
  }

  const sumSignatures = (
    list: readonly Uint8Array[],
    inGroup: boolean,
  ): { point: BlstSignature; bytes: Uint8Array } | undefined => {
    const points: BlstSignature[] = []
    for (const bytes of list) {
      const point = parseSignature(bytes, inGroup)
      if (point === undefined) return undefined
      points.push(point)
    }
    if (points.length === 0) return undefined
    const point = blst.aggregateSignatures(points, false)
    const bytes = point.toBytes(true)
    return isInfinity(bytes) ? undefined : { point, bytes }
  }

  /** `inGroup`: true if the point is known to be in the subgroup. */
  const holds = (
    publicKeys: readonly Uint8Array[],
    message: Uint8Array,
    point: BlstSignature | undefined,
    inGroup = true,
  ): boolean => {
    const key = sumKeys(publicKeys)
    if (key === undefined || point === undefined) return false
    return blst.verify(message, key, point, false, !inGroup) === true
  }

  const verifyAggregate = (publicKeys: readonly Uint8Array[], message: Uint8Array, signature: Uint8Array): boolean =>
    holds(publicKeys, message, parseSignature(signature))

  const verifyMulti = (groups: readonly BlsGroup[], signature: Uint8Array): boolean => {
    const point = parseSignature(signature)
    if (point === undefined || groups.length === 0) return false
    const keys: BlstKey[] = []
    for (const group of groups) {
      const key = sumKeys(group.publicKeys)
      if (key === undefined) return false
      keys.push(key)
    }
    const messages = groups.map((group) => group.message)
    return blst.aggregateVerify(messages, keys, point, false, false) === true
  }

  const verifyAggregates = (aggregates: readonly BlsAggregate[]): boolean => {
    const sets: BlstSet[] = []
    for (const { publicKeys, message, signature } of aggregates) {
      const [pk, sig] = [sumKeys(publicKeys), parseSignature(signature)]
      if (pk === undefined || sig === undefined) return false
      sets.push({ msg: message, pk, sig })
    }
    return sets.length === 0 || blst.verifyMultipleAggregateSignatures(sets, false, false) === true
  }

  return {
    name: 'blst',
    publicKeyFromSecret(secret) {
      assertBlsSecret(secret)
      return Buffer.from(blst.SecretKey.fromBytes(secret).toPublicKey().toBytes(true))
    },
    sign(secret, message) {
      assertBlsSecret(secret)
      return Buffer.from(blst.SecretKey.fromBytes(secret).sign(message).toBytes(true))
    },
    verify: (publicKey, message, signature) => verifyAggregate([publicKey], message, signature),
    aggregate(signatures) {
      const sum = sumSignatures(signatures, true)
      return sum === undefined ? undefined : Buffer.from(sum.bytes)
    },
    aggregateVerified(signatures, publicKeys, message) {
      // Others receive and verify the sum, so the subgroup is checked once for it instead of for each part.
      const sum = sumSignatures(signatures, false)
      return sum !== undefined && holds(publicKeys, message, sum.point, false) ? Buffer.from(sum.bytes) : undefined
    },
    verifyAggregate,
    verifyMulti,
    verifyAggregates,
    isValidPublicKey: (publicKey) => parseKey(publicKey) !== undefined,
  }
}

/** Native backend; undefined if the package is absent or has no build for this platform. */
export async function loadBlstBackend(): Promise<BlsBackend | undefined> {
  // Variable specifier, because the package is optional and the compiler must not resolve it.
  const specifier = '@chainsafe/blst'
  try {
    const loaded: { default?: unknown } = await import(specifier)
    const candidate = (loaded.default ?? loaded) as Partial<Blst>
    return candidate.SecretKey === undefined ? undefined : makeBackend(candidate as Blst)
  } catch {
    return undefined
  }
}
