/**
 * Owns proofs of possession: a signature over the signer's own public key with a separate tag
 * (draft-irtf-cfrg-bls-signature, section 3.3). It makes aggregation safe against rogue keys. Uses noble, because blst
 * has a fixed tag; about 22 ms, once per registered key and process.
 */
import { bls12_381 } from '@noble/curves/bls12-381.js'
import { binaryKey } from '../base/bytes.js'
import { assertBlsSecret, BLS_POP_TAG, BLS_PUBLIC_KEY_BYTES, BLS_SIGNATURE_BYTES } from './bls.js'
import { parseNobleKey, parseNobleSignature } from './bls-noble.js'
import { GenerationCache } from './generation-cache.js'

const scheme = bls12_381.longSignatures

/** Create the 96-byte proof of possession of a secret. */
export function createPop(secret: Uint8Array): Buffer {
  assertBlsSecret(secret)
  const scalar = Uint8Array.from(secret)
  const publicKey = scheme.getPublicKey(scalar).toBytes()
  const proof = Buffer.from(scheme.Signature.toBytes(scheme.sign(scheme.hash(publicKey, BLS_POP_TAG), scalar)))
  scalar.fill(0)
  return proof
}

/**
 * Maximum cached valid proofs, each about 0.3 KiB: the proofs of a topology are checked in its file, in the manifest
 * and in genesis.
 */
const GOOD_PROOFS_MAX = 4_096
const goodProofs = new GenerationCache<true>(GOOD_PROOFS_MAX)

/** True if the proof belongs to the key; malformed input is false, never an exception. */
export function verifyPop(publicKey: Uint8Array, proof: Uint8Array): boolean {
  if (publicKey.length !== BLS_PUBLIC_KEY_BYTES || proof.length !== BLS_SIGNATURE_BYTES) return false
  const id = binaryKey(publicKey) + binaryKey(proof)
  if (goodProofs.get(id) !== undefined) return true
  const key = parseNobleKey(publicKey)
  const point = parseNobleSignature(proof)
  if (key === undefined || point === undefined) return false
  const isGood = scheme.verify(point, scheme.hash(Uint8Array.from(publicKey), BLS_POP_TAG), key)
  if (isGood) goodProofs.set(id, true)
  return isGood
}
