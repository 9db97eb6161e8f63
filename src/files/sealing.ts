/** Owns the encryption of secrets at rest with a passphrase: scrypt derives the key, XChaCha20-Poly1305 encrypts. */
import { randomBytes, scrypt } from 'node:crypto'
import { xchacha20poly1305 } from '@noble/ciphers/chacha.js'
import { isCount, keyFault } from './private-file.js'

/** scrypt cost when sealing: N = 2^17, r = 8, p = 1 takes 128 MiB and about half a second. */
const SCRYPT = { n: 131_072, r: 8, p: 1 }
/** Maximum cost that a file may require: 1 GiB of memory. */
const MAX_SCRYPT = { n: 1_048_576, r: 8, p: 4 }
const KEY_BYTES = 32
const NONCE_BYTES = 24
const SALT_BYTES = 16

/** Sealed secret in a file; binary fields in hex. */
export interface Sealed {
  readonly kdf: 'scrypt'
  readonly n: number
  readonly r: number
  readonly p: number
  readonly salt: string
  readonly cipher: 'xchacha20-poly1305'
  readonly nonce: string
  readonly ciphertext: string
}

function derive(passphrase: string, salt: Buffer, cost: { n: number; r: number; p: number }): Promise<Buffer> {
  // scrypt needs 128 * N * r bytes, and a little more for its own blocks.
  const options = { N: cost.n, r: cost.r, p: cost.p, maxmem: 128 * cost.n * cost.r + 64 * 1024 * 1024 }
  return new Promise((resolve, reject) => {
    scrypt(passphrase.normalize('NFKC'), salt, KEY_BYTES, options, (error, key) => {
      if (error === null) resolve(key)
      else reject(error)
    })
  })
}

/**
 * Encrypt a secret; `associated` is public content of the file that is authenticated with it. Only tests set a smaller
 * `n`.
 */
export async function seal(
  secret: Uint8Array,
  associated: Uint8Array,
  passphrase: string,
  n = SCRYPT.n,
): Promise<Sealed> {
  const cost = { ...SCRYPT, n }
  const salt = randomBytes(SALT_BYTES)
  const nonce = randomBytes(NONCE_BYTES)
  const key = await derive(passphrase, salt, cost)
  const ciphertext = xchacha20poly1305(key, nonce, associated).encrypt(secret)
  key.fill(0)
  return {
    kdf: 'scrypt',
    ...cost,
    salt: salt.toString('hex'),
    cipher: 'xchacha20-poly1305',
    nonce: nonce.toString('hex'),
    ciphertext: Buffer.from(ciphertext).toString('hex'),
  }
}

/** Bytes of a hex field, or undefined. */
function hexField(value: unknown, length?: number): Buffer | undefined {
  if (typeof value !== 'string' || !/^([0-9a-f]{2})+$/i.test(value)) return undefined
  const bytes = Buffer.from(value, 'hex')
  return length === undefined || bytes.length === length ? bytes : undefined
}

/** Decrypt the output of `seal`. Throws `key_passphrase` (absent or wrong), `key_file_invalid`. */
export async function unseal(
  path: string,
  sealed: Sealed,
  associated: Uint8Array,
  passphrase: string | undefined,
): Promise<Buffer> {
  const salt = hexField(sealed.salt, SALT_BYTES)
  const nonce = hexField(sealed.nonce, NONCE_BYTES)
  const ciphertext = hexField(sealed.ciphertext)
  const { n, r, p } = sealed
  const known = sealed.kdf === 'scrypt' && sealed.cipher === 'xchacha20-poly1305'
  const affordable =
    isCount(n, MAX_SCRYPT.n) && (n & (n - 1)) === 0 && n > 1 && isCount(r, MAX_SCRYPT.r) && isCount(p, MAX_SCRYPT.p)
  if (salt === undefined || nonce === undefined || ciphertext === undefined || !known || !affordable) {
    throw keyFault('key_file_invalid', path, 'the encrypted key has an unknown format')
  }
  if (passphrase === undefined || passphrase === '') {
    throw keyFault('key_passphrase', path, 'the key is encrypted and no passphrase was given')
  }
  const key = await derive(passphrase, salt, { n, r, p })
  try {
    return Buffer.from(xchacha20poly1305(key, nonce, associated).decrypt(ciphertext))
  } catch {
    throw keyFault('key_passphrase', path, 'the passphrase does not decrypt the key')
  } finally {
    key.fill(0)
  }
}
