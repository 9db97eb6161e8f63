/** Owns key texts (multihash hex) and the creation of key pairs for the three algorithms. */
import { createHash, hkdfSync, randomBytes } from 'node:crypto'
import { sameBytes } from '../base/bytes.js'
import { BLS_ORDER, BLS_PUBLIC_KEY_BYTES, BLS_SECRET_BYTES } from './bls.js'
import { loadBls } from './bls-load.js'
import { ED25519_KEY_BYTES, ed25519PublicKey } from './ed25519.js'
import { hash } from './hash.js'
import { isSecp256k1Secret, SECP256K1_KEY_BYTES, SECP256K1_SECRET_BYTES, secp256k1PublicKey } from './secp256k1.js'

/** The signature algorithms: accounts use the first two, consensus the third. */
export type KeyAlgorithm = 'ed25519' | 'secp256k1' | 'bls'

/** Public key with its algorithm; the bytes are raw (32, 33 compressed, 48 compressed). */
export interface PublicKey {
  readonly algorithm: KeyAlgorithm
  readonly bytes: Buffer
}

/** A key pair; the secret is 32 bytes for every algorithm. */
export interface KeyPair {
  readonly publicKey: PublicKey
  readonly secret: Buffer
}

interface TextForm {
  readonly algorithm: KeyAlgorithm
  /** Multicodec code as an unsigned varint, then the payload length, in hex. */
  readonly publicPrefix: string
  readonly publicBytes: number
  readonly secretPrefix: string
  readonly secretBytes: number
}

/** Codes of the multicodec table; the payload is in upper case, so that its start is visible. */
const FORMS: readonly TextForm[] = [
  {
    algorithm: 'ed25519',
    publicPrefix: 'ed0120',
    publicBytes: ED25519_KEY_BYTES,
    secretPrefix: '802620',
    secretBytes: ED25519_KEY_BYTES,
  },
  {
    algorithm: 'secp256k1',
    publicPrefix: 'e70121',
    publicBytes: SECP256K1_KEY_BYTES,
    secretPrefix: '812620',
    secretBytes: SECP256K1_SECRET_BYTES,
  },
  {
    algorithm: 'bls',
    publicPrefix: 'ea0130',
    publicBytes: BLS_PUBLIC_KEY_BYTES,
    secretPrefix: '892620',
    secretBytes: BLS_SECRET_BYTES,
  },
]

/** Names of the algorithms, in display order. */
export const KEY_ALGORITHMS: readonly KeyAlgorithm[] = FORMS.map((form) => form.algorithm)

function formOf(algorithm: KeyAlgorithm): TextForm {
  const form = FORMS.find((row) => row.algorithm === algorithm)
  if (form === undefined) throw new Error(`unknown key algorithm ${String(algorithm)}`)
  return form
}

const payload = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex').toUpperCase()

function parseText(text: string, prefix: string, length: number): Buffer | undefined {
  if (text.length !== prefix.length + 2 * length || !/^[0-9a-fA-F]+$/.test(text)) return undefined
  if (text.slice(0, prefix.length).toLowerCase() !== prefix) return undefined
  return Buffer.from(text.slice(prefix.length), 'hex')
}

/** Text of a public key, for example `ed0120` and 64 upper-case hex digits. */
export function formatPublicKey(key: PublicKey): string {
  const form = formOf(key.algorithm)
  if (key.bytes.length !== form.publicBytes) {
    throw new Error(`a ${key.algorithm} public key must have ${form.publicBytes} bytes, got ${key.bytes.length}`)
  }
  return form.publicPrefix + payload(key.bytes)
}

/**
 * Parse a public key, in either case, with or without an `algorithm:` prefix; undefined if malformed. Only the form is
 * checked; the verifier checks whether the bytes are a point.
 */
export function parsePublicKey(text: string): PublicKey | undefined {
  for (const form of FORMS) {
    const named = `${form.algorithm}:`
    const bytes = parseText(
      text.startsWith(named) ? text.slice(named.length) : text,
      form.publicPrefix,
      form.publicBytes,
    )
    if (bytes !== undefined) return { algorithm: form.algorithm, bytes }
  }
  return undefined
}

/** Text of a secret; only for key files. */
export function formatSecret(algorithm: KeyAlgorithm, secret: Uint8Array): string {
  return formOf(algorithm).secretPrefix + payload(secret)
}

/** Parse a secret; undefined if malformed. */
export function parseSecret(text: string): { algorithm: KeyAlgorithm; secret: Buffer } | undefined {
  for (const form of FORMS) {
    const secret = parseText(text, form.secretPrefix, form.secretBytes)
    if (secret !== undefined) return { algorithm: form.algorithm, secret }
  }
  return undefined
}

/** True if both are the same key of the same algorithm. */
export function samePublicKey(left: PublicKey, right: PublicKey): boolean {
  return left.algorithm === right.algorithm && sameBytes(left.bytes, right.bytes)
}

/** KeyGen of draft-irtf-cfrg-bls-signature, section 2.3, with empty key_info. */
export function blsSecretFromIkm(ikm: Uint8Array): Buffer {
  let salt = Buffer.from('BLS-SIG-KEYGEN-SALT-', 'ascii')
  const material = Buffer.concat([ikm, Buffer.of(0)])
  for (;;) {
    salt = createHash('sha256').update(salt).digest()
    const okm = Buffer.from(hkdfSync('sha256', material, salt, Buffer.of(0, 48), 48))
    const scalar = BigInt(`0x${okm.toString('hex')}`) % BLS_ORDER
    okm.fill(0)
    if (scalar !== 0n) {
      material.fill(0)
      return Buffer.from(scalar.toString(16).padStart(2 * BLS_SECRET_BYTES, '0'), 'hex')
    }
  }
}

function secretFromSeed(algorithm: KeyAlgorithm, seed: Uint8Array): Buffer {
  const name = Buffer.from(algorithm, 'ascii')
  if (algorithm === 'bls') return blsSecretFromIkm(hash('key-seed', name, seed))
  let secret = hash('key-seed', name, seed)
  while (algorithm === 'secp256k1' && !isSecp256k1Secret(secret)) secret = hash('key-seed', name, secret)
  return secret
}

/**
 * Key pair of a known 32-byte secret; throws if the bytes are not a secret of the algorithm (the message never contains
 * them).
 */
export async function keyPairFromSecret(algorithm: KeyAlgorithm, secret: Uint8Array): Promise<KeyPair> {
  const form = formOf(algorithm)
  if (secret.length !== form.secretBytes) throw new Error(`a ${algorithm} secret must have ${form.secretBytes} bytes`)
  let bytes: Buffer
  try {
    if (algorithm === 'ed25519') bytes = ed25519PublicKey(secret)
    else if (algorithm === 'secp256k1') bytes = secp256k1PublicKey(secret)
    else bytes = (await loadBls()).publicKeyFromSecret(secret)
  } catch {
    throw new Error(`the bytes are not a ${algorithm} secret`)
  }
  return { publicKey: { algorithm, bytes }, secret: Buffer.from(secret) }
}

/**
 * Generate a key pair.
 *
 * @param seed bytes of any length: the same seed gives the same pair (test networks); default: the random source of the
 * system
 */
export function generateKeyPair(algorithm: KeyAlgorithm, seed?: Uint8Array): Promise<KeyPair> {
  return keyPairFromSecret(algorithm, secretFromSeed(algorithm, seed ?? randomBytes(32)))
}
