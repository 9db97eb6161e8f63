/**
 * Owns the Ed25519 rule of the ledger (RFC 8032 signatures, one exact result for every byte string).
 *
 * Implementations disagree on crafted input, and a disagreement forks the chain. The rule: A is canonical (y < p), A
 * and R are not of small order, S < L, and the cofactorless equation S*B = R + k*A holds byte for byte. `node:crypto`
 * checks the equation, the guard below the rest; libsodium computes the same results and signatures about twice as fast
 * and is used if it loads.
 */
import { createPrivateKey, createPublicKey, type KeyObject, sign, verify } from 'node:crypto'
import { types } from 'node:util'
import { asBuffer, binaryKey } from '../base/bytes.js'
import { GenerationCache } from './generation-cache.js'

/** Length of a public key and of a secret seed, in bytes. */
export const ED25519_KEY_BYTES = 32
/** Length of a signature, in bytes. */
export const ED25519_SIGNATURE_BYTES = 64

/** Library to use: `auto` selects libsodium if it has been loaded. */
export type Ed25519Backend = 'auto' | 'node' | 'sodium'

/** Signature to check. */
export interface Ed25519Item {
  readonly publicKey: Uint8Array
  readonly message: Uint8Array
  readonly signature: Uint8Array
}

/** L, the order of the base point, little-endian. */
const ORDER = Buffer.from('edd3f55c1a631258d69cf7a2def9de1400000000000000000000000000000010', 'hex')

/** y coordinates of the eight points of small order (orders 1, 2, 4, 8 and 8), little-endian, sign bit clear. */
const SMALL_ORDER_Y = [
  '0100000000000000000000000000000000000000000000000000000000000000',
  'ecffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f',
  '0000000000000000000000000000000000000000000000000000000000000000',
  '26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05',
  'c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a',
].map((hex) => Buffer.from(hex, 'hex'))

/** Maximum cached imported keys: an import takes 5 microseconds, a tenth of one verification. */
const MAX_CACHED_KEYS = 65_536
const keys = new GenerationCache<KeyObject | null>(MAX_CACHED_KEYS)

function isSmallOrder(point: Uint8Array): boolean {
  for (const y of SMALL_ORDER_Y) {
    if (point[0] !== y[0]) continue
    let at = 1
    while (at < 31 && point[at] === y[at]) at += 1
    if (at === 31 && (point[31]! & 0x7f) === y[31]) return true
  }
  return false
}

/** y < p = 2^255 - 19. */
function isCanonicalY(point: Uint8Array): boolean {
  if ((point[31]! & 0x7f) !== 0x7f) return true
  for (let at = 30; at > 0; at -= 1) if (point[at] !== 0xff) return true
  return point[0]! < 0xed
}

function isReducedScalar(signature: Uint8Array): boolean {
  for (let at = 31; at >= 0; at -= 1) {
    const left = signature[32 + at]!
    const right = ORDER[at]!
    if (left !== right) return left < right
  }
  return false
}

/**
 * True for 32 bytes that the rule accepts as a key: canonical and not of small order (the verifier checks the curve).
 */
export function isAcceptableEd25519Key(publicKey: Uint8Array): boolean {
  return publicKey.length === ED25519_KEY_BYTES && isCanonicalY(publicKey) && !isSmallOrder(publicKey)
}

/** Imported key, or null for a key that the guard refuses. */
function importKey(publicKey: Uint8Array): KeyObject | null {
  const id = binaryKey(publicKey)
  const known = keys.get(id)
  if (known !== undefined) return known
  let imported: KeyObject | null = null
  if (isAcceptableEd25519Key(publicKey)) {
    const x = asBuffer(publicKey).toString('base64url')
    // JWK import is 14 times faster than SPKI.
    imported = createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x }, format: 'jwk' })
  }
  keys.set(id, imported)
  return imported
}

interface Sodium {
  crypto_sign_verify_detached(signature: Buffer, message: Buffer, publicKey: Buffer): unknown
  /** Write the signature; the secret key is the seed and the public key. */
  crypto_sign_detached(signature: Buffer, message: Buffer, secretKey: Buffer): unknown
}

let sodium: Sodium | undefined
let backend: Ed25519Backend = 'auto'

function isSodium(module: unknown): module is Sodium {
  const { crypto_sign_verify_detached: verifies, crypto_sign_detached: signs } = (module ?? {}) as Partial<Sodium>
  return typeof verifies === 'function' && typeof signs === 'function'
}

/**
 * Load the optional fast library once; threads that verify much call it at their start.
 *
 * @returns true if libsodium is in use. `CAUSEWAY_ED25519_BACKEND=node` disables it.
 */
export async function loadFastEd25519(): Promise<boolean> {
  if (process.env.CAUSEWAY_ED25519_BACKEND === 'node') return false
  if (sodium !== undefined) return true
  // Variable specifier, because the package is optional and the compiler must not resolve it.
  const specifier = 'sodium-native'
  try {
    const loaded: { default?: unknown } = await import(specifier)
    const candidate = loaded.default ?? loaded
    if (isSodium(candidate)) sodium = candidate
  } catch {
    // Not installed, or no build for this platform: node:crypto gives the same results.
  }
  return sodium !== undefined
}

/** Force a backend (tests compare them); `sodium` throws unless it has been loaded. */
export function useEd25519Backend(choice: Ed25519Backend): void {
  if (choice === 'sodium' && sodium === undefined) throw new Error('sodium-native is not loaded')
  backend = choice
}

/** Private copy of shared memory, for which libsodium returns `undefined` without checking anything. */
function unshared(bytes: Uint8Array): Buffer {
  return types.isSharedArrayBuffer(bytes.buffer) ? Buffer.from(bytes) : asBuffer(bytes)
}

/** Verify a signature by the rule above; malformed input of any kind is false, never an exception. */
export function verifyEd25519(publicKey: Uint8Array, message: Uint8Array, signature: Uint8Array): boolean {
  if (publicKey.length !== ED25519_KEY_BYTES || signature.length !== ED25519_SIGNATURE_BYTES) return false
  if (!isReducedScalar(signature) || isSmallOrder(signature)) return false
  if (sodium !== undefined && backend !== 'node') {
    if (!isAcceptableEd25519Key(publicKey)) return false
    // Only `true` counts: any other result proves nothing.
    return sodium.crypto_sign_verify_detached(unshared(signature), unshared(message), unshared(publicKey)) === true
  }
  const key = importKey(publicKey)
  return key !== null && verify(null, message, key, signature) === true
}

/** Verify signatures; one result per item, in order. */
export function verifyEd25519Batch(items: readonly Ed25519Item[]): boolean[] {
  return items.map((item) => verifyEd25519(item.publicKey, item.message, item.signature))
}

/** Signer with one imported key. */
export interface Ed25519Signer {
  readonly publicKey: Buffer
  /** 64-byte RFC 8032 signature; deterministic. */
  sign(message: Uint8Array): Buffer
}

/** PKCS #8 wrapping of a raw seed (RFC 8410, section 7). */
const PKCS8_PREFIX = Buffer.from('302e020100300506032b657004220420', 'hex')

/** Import a 32-byte seed for repeated signing. */
export function ed25519Signer(seed: Uint8Array): Ed25519Signer {
  if (seed.length !== ED25519_KEY_BYTES) throw new Error('an Ed25519 seed must have 32 bytes')
  const der = Buffer.concat([PKCS8_PREFIX, seed])
  const key = createPrivateKey({ key: der, format: 'der', type: 'pkcs8' })
  der.fill(0)
  const x = createPublicKey(key).export({ format: 'jwk' }).x
  if (x === undefined) throw new Error('cannot derive the Ed25519 public key')
  const publicKey = Buffer.from(x, 'base64url')
  const secretKey = Buffer.concat([seed, publicKey])
  return { publicKey, sign: (message) => signFast(secretKey, message) ?? sign(null, message, key) }
}

/**
 * Signature by libsodium, which is the same in half the time; undefined if libsodium is not in use or did not write
 * one.
 */
function signFast(secretKey: Buffer, message: Uint8Array): Buffer | undefined {
  if (sodium === undefined || backend === 'node') return undefined
  const signature = Buffer.alloc(ED25519_SIGNATURE_BYTES)
  sodium.crypto_sign_detached(signature, unshared(message), secretKey)
  return signature.some((byte) => byte !== 0) ? signature : undefined
}

/** Sign once; use `ed25519Signer` for more than one message. */
export function signEd25519(seed: Uint8Array, message: Uint8Array): Buffer {
  return ed25519Signer(seed).sign(message)
}

/** 32-byte public key of a seed. */
export function ed25519PublicKey(seed: Uint8Array): Buffer {
  return ed25519Signer(seed).publicKey
}
