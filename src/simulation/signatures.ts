/** Owns the signatures of a simulated network: keyed hashes, a thousand times faster than BLS, or BLS itself for a slice. */
import { sameBytes } from '../base/bytes.js'
import type { EffectOf, SignatureCheck } from '../consensus/index.js'
import { type BlsBackend, hash } from '../crypto/index.js'
import { keyBytes, type ValidatorKey } from '../model/index.js'

const BYTES = 96

/** Signature of `key` over `message`. */
export function fakeSign(key: ValidatorKey, message: Uint8Array): Buffer {
  const digest = hash('sim-signature', keyBytes(key), message)
  return Buffer.concat([digest, digest, digest])
}

/** Aggregate of signatures. */
export function fakeAggregate(signatures: readonly Uint8Array[]): Buffer {
  const sum = Buffer.alloc(BYTES)
  for (const signature of signatures) for (let at = 0; at < BYTES; at++) sum[at] = (sum[at] ?? 0) ^ (signature[at] ?? 0)
  return sum
}

/** Result of a check. */
export function fakeVerify(check: SignatureCheck): boolean {
  const groups = check.kind === 'same' ? [{ keys: check.keys, message: check.message }] : check.groups
  const expected = fakeAggregate(groups.flatMap((group) => group.keys.map((key) => fakeSign(key, group.message))))
  return sameBytes(expected, check.signature)
}

/** Name of a key of a member; for the first key only its number. */
const nameOf = (index: number, rotation: number): Buffer => Buffer.from(rotation === 0 ? [index] : [index, rotation])

/** Synthetic validator key. */
export function fakeKey(index: number, rotation = 0): ValidatorKey {
  const digest = hash('sim-key', nameOf(index, rotation))
  return Buffer.concat([digest, digest.subarray(0, 16)]).toString('latin1')
}

/** Signatures of one run. */
export interface Signatures {
  /** Public key of a member after this many rotations. */
  keyOf(index: number, rotation?: number): ValidatorKey
  sign(key: ValidatorKey, message: Uint8Array): Buffer
  /** Aggregate of signatures; undefined if one is malformed. */
  aggregate(signatures: readonly Uint8Array[]): Buffer | undefined
  verify(check: SignatureCheck): boolean
}

export const FAKE_SIGNATURES: Signatures = {
  keyOf: fakeKey,
  sign: fakeSign,
  aggregate: fakeAggregate,
  verify: fakeVerify,
}

/** Aggregate like a node; returns the bad signatures of a sum that is to be verified. */
export function aggregateSignatures(
  by: Signatures,
  { signatures, verify }: EffectOf<'aggregate'>,
): { readonly aggregate: Buffer | undefined; readonly bad: readonly number[] } {
  const bad = signatures.flatMap((signature, at) => {
    if (verify === undefined) return []
    return by.verify({ kind: 'same', keys: [verify.keys[at] ?? ''], message: verify.message, signature }) ? [] : [at]
  })
  return { aggregate: bad.length > 0 ? undefined : by.aggregate(signatures), bad }
}

/** Real signatures, with secrets derived from the number of a member. */
export function blsSignatures(bls: BlsBackend): Signatures {
  const secrets = new Map<ValidatorKey, Buffer>()
  return {
    keyOf(index, rotation = 0) {
      const secret = hash('sim-secret', nameOf(index, rotation))
      // Below the order of the group, whatever the hash.
      secret[0] = (secret[0] ?? 0) & 0x3f
      const key = bls.publicKeyFromSecret(secret).toString('latin1')
      secrets.set(key, secret)
      return key
    },
    sign(key, message) {
      const secret = secrets.get(key)
      if (secret === undefined) throw new Error('the key belongs to no member')
      return bls.sign(secret, message)
    },
    aggregate: (signatures) => bls.aggregate(signatures),
    verify: (check) =>
      check.kind === 'same'
        ? bls.verifyAggregate(check.keys.map(keyBytes), check.message, check.signature)
        : bls.verifyMulti(
            check.groups.map((group) => ({ publicKeys: group.keys.map(keyBytes), message: group.message })),
            check.signature,
          ),
  }
}
