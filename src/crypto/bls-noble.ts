/** Owns the BLS backend over @noble/curves: pure JavaScript, always available, about 30 times slower than blst. */
import { bls12_381 } from '@noble/curves/bls12-381.js'
import { binaryKey } from '../base/bytes.js'
import {
  assertBlsSecret,
  BLS_PUBLIC_KEY_BYTES,
  BLS_SIGNATURE_BYTES,
  BLS_SIGNATURE_TAG,
  type BlsBackend,
  type BlsGroup,
  MAX_PARSED_BLS_KEYS,
} from './bls.js'
import { GenerationCache } from './generation-cache.js'

const scheme = bls12_381.longSignatures
type Key = ReturnType<typeof scheme.getPublicKey>
type Signature = ReturnType<typeof scheme.sign>

const parsedKeys = new GenerationCache<Key | null>(MAX_PARSED_BLS_KEYS)

/** Point of a key; undefined if it is malformed, outside the subgroup, or infinity. */
export function parseNobleKey(bytes: Uint8Array): Key | undefined {
  if (bytes.length !== BLS_PUBLIC_KEY_BYTES) return undefined
  const id = binaryKey(bytes)
  const known = parsedKeys.get(id)
  if (known !== undefined) return known ?? undefined
  let point: Key | null = null
  try {
    // fromBytes checks the encoding, the curve equation and the subgroup.
    const parsed = bls12_381.G1.Point.fromBytes(Uint8Array.from(bytes))
    if (!parsed.is0()) point = parsed
  } catch {
    // Not a point of the group.
  }
  parsedKeys.set(id, point)
  return point ?? undefined
}

/** Point of a signature; undefined if it is malformed, outside the subgroup, or infinity. */
export function parseNobleSignature(bytes: Uint8Array): Signature | undefined {
  if (bytes.length !== BLS_SIGNATURE_BYTES) return undefined
  try {
    const point = scheme.Signature.fromBytes(Uint8Array.from(bytes))
    return point.is0() ? undefined : point
  } catch {
    return undefined
  }
}

function parseAll<T>(list: readonly Uint8Array[], parse: (bytes: Uint8Array) => T | undefined): T[] | undefined {
  const out: T[] = []
  for (const bytes of list) {
    const parsed = parse(bytes)
    if (parsed === undefined) return undefined
    out.push(parsed)
  }
  return out.length === 0 ? undefined : out
}

const hashed = (message: Uint8Array): Signature => scheme.hash(message, BLS_SIGNATURE_TAG)

/** Sum of the keys; undefined if one is malformed or the sum is infinity (it would accept any message). */
function sumKeys(list: readonly Uint8Array[]): Key | undefined {
  const points = parseAll(list, parseNobleKey)
  if (points === undefined) return undefined
  const sum = points.reduce((left, right) => left.add(right))
  return sum.is0() ? undefined : sum
}

const holds = (publicKeys: readonly Uint8Array[], message: Uint8Array, point: Signature | undefined): boolean => {
  const key = sumKeys(publicKeys)
  return key !== undefined && point !== undefined && scheme.verify(point, hashed(message), key)
}

const verifyAggregate = (publicKeys: readonly Uint8Array[], message: Uint8Array, signature: Uint8Array): boolean =>
  holds(publicKeys, message, parseNobleSignature(signature))

function sumSignatures(list: readonly Uint8Array[]): Signature | undefined {
  const sum = parseAll(list, parseNobleSignature)?.reduce((left, right) => left.add(right))
  return sum?.is0() === false ? sum : undefined
}

const toBytes = (point: Signature): Buffer => Buffer.from(scheme.Signature.toBytes(point))

function verifyMulti(groups: readonly BlsGroup[], signature: Uint8Array): boolean {
  const point = parseNobleSignature(signature)
  if (point === undefined || groups.length === 0) return false
  const items: { message: Signature; publicKey: Key }[] = []
  for (const group of groups) {
    const publicKey = sumKeys(group.publicKeys)
    if (publicKey === undefined) return false
    items.push({ message: hashed(group.message), publicKey })
  }
  return scheme.verifyBatch(point, items)
}

const backend: BlsBackend = {
  name: 'noble',
  publicKeyFromSecret(secret) {
    assertBlsSecret(secret)
    return Buffer.from(scheme.getPublicKey(Uint8Array.from(secret)).toBytes())
  },
  sign(secret, message) {
    assertBlsSecret(secret)
    return toBytes(scheme.sign(hashed(message), Uint8Array.from(secret)))
  },
  verify: (publicKey, message, signature) => verifyAggregate([publicKey], message, signature),
  aggregate(signatures) {
    const sum = sumSignatures(signatures)
    return sum === undefined ? undefined : toBytes(sum)
  },
  aggregateVerified(signatures, publicKeys, message) {
    const sum = sumSignatures(signatures)
    return sum !== undefined && holds(publicKeys, message, sum) ? toBytes(sum) : undefined
  },
  verifyAggregate,
  verifyMulti,
  verifyAggregates: (aggregates) =>
    aggregates.every(({ publicKeys, message, signature }) => verifyAggregate(publicKeys, message, signature)),
  isValidPublicKey: (publicKey) => parseNobleKey(publicKey) !== undefined,
}

/** Backend that is always available. */
export const nobleBackend = (): BlsBackend => backend
