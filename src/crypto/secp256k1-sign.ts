/**
 * Owns secp256k1 signing (RFC 6979, deterministic, low S), separate from verification, which needs no curve library.
 */
import { secp256k1 } from '@noble/curves/secp256k1.js'

/** 64-byte r||s signature over SHA-256(message), with low S. */
export function signSecp256k1(secret: Uint8Array, message: Uint8Array): Buffer {
  return Buffer.from(secp256k1.sign(message, secret, { prehash: true, lowS: true, format: 'compact' }))
}
