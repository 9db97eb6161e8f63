/** Owns fake signatures: keyed hashes, a thousand times faster than BLS; aggregation is exclusive or. */
import type { SignatureCheck } from '../consensus/index.js'
import { hash } from '../crypto/index.js'
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

/** Verdict on a check. */
export function fakeVerify(check: SignatureCheck): boolean {
  const groups = check.kind === 'same' ? [{ keys: check.keys, message: check.message }] : check.groups
  const expected = fakeAggregate(groups.flatMap((group) => group.keys.map((key) => fakeSign(key, group.message))))
  return Buffer.compare(expected, check.signature) === 0
}

/** A made-up validator key. */
export function fakeKey(index: number): ValidatorKey {
  const digest = hash('sim-key', Buffer.from([index]))
  return Buffer.concat([digest, digest.subarray(0, 16)]).toString('latin1')
}
