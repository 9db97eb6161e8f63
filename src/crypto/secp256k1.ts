/**
 * Owns secp256k1 ECDSA verification (SEC 1, SHA-256 over the message): compressed keys, 64-byte r||s, low S only. High
 * S is refused here by bytes, because libraries disagree on it and it would make signatures malleable.
 */
import { createECDH, createPublicKey, type KeyObject, verify } from 'node:crypto'
import { asBuffer, binaryKey } from '../base/bytes.js'
import { GenerationCache } from './generation-cache.js'

/** Length of a compressed public key, in bytes. */
export const SECP256K1_KEY_BYTES = 33
/** Length of a signature r||s, in bytes. */
export const SECP256K1_SIGNATURE_BYTES = 64
/** Length of a secret scalar, in bytes. */
export const SECP256K1_SECRET_BYTES = 32

/** Group order n, and its half rounded down, big-endian (SEC 2, section 2.4.1). */
const ORDER = Buffer.from('fffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141', 'hex')
const HALF_ORDER = Buffer.from('7fffffffffffffffffffffffffffffff5d576e7357a4501ddfe92f46681b20a0', 'hex')

/** SubjectPublicKeyInfo with a compressed point (RFC 5480): the 33 key bytes follow. */
const SPKI_PREFIX = Buffer.from('3036301006072a8648ce3d020106052b8104000a032200', 'hex')

/** Maximum cached imported keys: an import costs about as much as a verification. */
const MAX_CACHED_KEYS = 16_384
const keys = new GenerationCache<KeyObject | null>(MAX_CACHED_KEYS)

function importKey(publicKey: Uint8Array): KeyObject | null {
  const id = binaryKey(publicKey)
  const known = keys.get(id)
  if (known !== undefined) return known
  let imported: KeyObject | null = null
  if (publicKey[0] === 2 || publicKey[0] === 3) {
    try {
      imported = createPublicKey({ key: Buffer.concat([SPKI_PREFIX, publicKey]), format: 'der', type: 'spki' })
    } catch {
      // x is not a field element, or not on the curve.
    }
  }
  keys.set(id, imported)
  return imported
}

/** True for a compressed point on the curve. */
export function isAcceptableSecp256k1Key(publicKey: Uint8Array): boolean {
  return publicKey.length === SECP256K1_KEY_BYTES && importKey(publicKey) !== null
}

/**
 * True if the signature over SHA-256(message) is valid and its S is low; malformed input is false, never an exception.
 */
export function verifySecp256k1(publicKey: Uint8Array, message: Uint8Array, signature: Uint8Array): boolean {
  if (publicKey.length !== SECP256K1_KEY_BYTES || signature.length !== SECP256K1_SIGNATURE_BYTES) return false
  const bytes = asBuffer(signature)
  if (bytes.compare(HALF_ORDER, 0, 32, 32, 64) > 0) return false
  const key = importKey(publicKey)
  return key !== null && verify('sha256', message, { key, dsaEncoding: 'ieee-p1363' }, bytes) === true
}

/** Signature with the lower of its two S values, both of which are valid for the same messages. */
export function lowS(signature: Uint8Array): Buffer {
  const bytes = Buffer.from(signature)
  if (bytes.compare(HALF_ORDER, 0, 32, 32, 64) <= 0 || bytes.compare(ORDER, 0, 32, 32, 64) >= 0) return bytes
  const low = BigInt(`0x${ORDER.toString('hex')}`) - BigInt(`0x${bytes.toString('hex', 32)}`)
  bytes.write(low.toString(16).padStart(64, '0'), 32, 'hex')
  return bytes
}

/** True for a scalar in [1, n). */
export function isSecp256k1Secret(secret: Uint8Array): boolean {
  if (secret.length !== SECP256K1_SECRET_BYTES || secret.every((byte) => byte === 0)) return false
  return asBuffer(secret).compare(ORDER) < 0
}

/** Compressed public key of a 32-byte secret. */
export function secp256k1PublicKey(secret: Uint8Array): Buffer {
  const ecdh = createECDH('secp256k1')
  ecdh.setPrivateKey(asBuffer(secret))
  return ecdh.getPublicKey(null, 'compressed')
}
