/**
 * Owns key files: JSON, readable by their owner only, optionally sealed with a passphrase; or the name of a program that holds the
 * secret. No message ever shows a secret.
 */
import { randomBytes, scrypt } from 'node:crypto'
import { constants } from 'node:fs'
import { type FileHandle, open } from 'node:fs/promises'
import { xchacha20poly1305 } from '@noble/ciphers/chacha.js'
import {
  formatPublicKey,
  formatSecret,
  type KeyAlgorithm,
  type KeyPair,
  keyPairFromSecret,
  type PublicKey,
  parsePublicKey,
  parseSecret,
  samePublicKey,
} from '../crypto/keys.js'
import type { SigningKey } from '../crypto/signing-key.js'
import { type ErrorCode, LedgerError } from '../model/errors.js'
import type { KeyCommand } from './key-program.js'
import { replaceFile, writeNew } from './write-file.js'

/** Version of the file layout. */
const FILE_VERSION = 1
/** A key file has a few hundred bytes; a larger one is something else. */
const MAX_FILE_BYTES = 16_384
/** scrypt cost when sealing: N = 2^17, r = 8, p = 1 takes 128 MiB and about half a second. */
const SCRYPT = { n: 131_072, r: 8, p: 1 }
/** Bounds on the cost that a file may ask for: 1 GiB of memory at most. */
const MAX_SCRYPT = { n: 1_048_576, r: 8, p: 4 }
const KEY_BYTES = 32
const NONCE_BYTES = 24
const SALT_BYTES = 16

interface Sealed {
  readonly kdf: 'scrypt'
  readonly n: number
  readonly r: number
  readonly p: number
  readonly salt: string
  readonly cipher: 'xchacha20-poly1305'
  readonly nonce: string
  readonly ciphertext: string
}

interface KeyFileJson {
  readonly version: number
  readonly algorithm: string
  readonly public_key: string
  readonly private_key?: string
  readonly sealed_private_key?: Sealed
  /** `command`: a program holds the secret. */
  readonly kind?: string
  readonly command?: unknown
}

/** How a key file is written. */
export interface WriteKeyFileOptions {
  /** Seals the secret; absent or empty, the file holds it in the clear behind its mode. */
  readonly passphrase?: string
  /** Replaces an existing file atomically; otherwise one is refused with `file_exists`. */
  readonly overwrite?: boolean
  /** scrypt cost N, a power of two; smaller only for tests. */
  readonly scryptN?: number
}

function fault(code: ErrorCode, path: string, message: string, hint?: string): LedgerError {
  return new LedgerError(
    code,
    `${path}: ${message}`,
    hint === undefined ? { details: { path } } : { hint, details: { path } },
  )
}

const codeOf = (error: unknown): string | undefined => (error as NodeJS.ErrnoException | undefined)?.code

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

/** What stands beside the secret is authenticated with it, so that a swapped public key is seen. */
const associated = (publicKey: string): Buffer => Buffer.from(`causeway key file ${FILE_VERSION} ${publicKey}`, 'ascii')

async function seal(secret: Buffer, publicKey: string, passphrase: string, n: number): Promise<Sealed> {
  const cost = { ...SCRYPT, n }
  const salt = randomBytes(SALT_BYTES)
  const nonce = randomBytes(NONCE_BYTES)
  const key = await derive(passphrase, salt, cost)
  const ciphertext = xchacha20poly1305(key, nonce, associated(publicKey)).encrypt(secret)
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

/** The bytes of a hex field, or undefined. */
function hexField(value: unknown, length?: number): Buffer | undefined {
  if (typeof value !== 'string' || !/^([0-9a-f]{2})+$/i.test(value)) return undefined
  const bytes = Buffer.from(value, 'hex')
  return length === undefined || bytes.length === length ? bytes : undefined
}

const isCost = (value: unknown, max: number): value is number =>
  Number.isSafeInteger(value) && (value as number) >= 1 && (value as number) <= max

async function unseal(
  path: string,
  sealed: Sealed,
  publicKey: string,
  passphrase: string | undefined,
): Promise<Buffer> {
  const salt = hexField(sealed.salt, SALT_BYTES)
  const nonce = hexField(sealed.nonce, NONCE_BYTES)
  const ciphertext = hexField(sealed.ciphertext)
  const { n, r, p } = sealed
  const known = sealed.kdf === 'scrypt' && sealed.cipher === 'xchacha20-poly1305'
  const affordable =
    isCost(n, MAX_SCRYPT.n) && (n & (n - 1)) === 0 && n > 1 && isCost(r, MAX_SCRYPT.r) && isCost(p, MAX_SCRYPT.p)
  if (salt === undefined || nonce === undefined || ciphertext === undefined || !known || !affordable) {
    throw fault('key_file_invalid', path, 'the sealed key is not in a form that this release knows')
  }
  if (passphrase === undefined || passphrase === '') {
    throw fault('key_passphrase', path, 'the key is sealed and no passphrase was given')
  }
  const key = await derive(passphrase, salt, { n, r, p })
  try {
    return Buffer.from(xchacha20poly1305(key, nonce, associated(publicKey)).decrypt(ciphertext))
  } catch {
    throw fault('key_passphrase', path, 'the passphrase does not open the key')
  } finally {
    key.fill(0)
  }
}

/** Opens the file and refuses one that others could read or have planted. The caller closes the handle. */
async function openPrivate(path: string): Promise<FileHandle> {
  let file: FileHandle
  try {
    // NONBLOCK: opening a pipe must not wait for a writer; NOFOLLOW: a link may point anywhere.
    file = await open(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK)
  } catch (error) {
    const code = codeOf(error)
    if (code === 'ENOENT' || code === 'ENOTDIR') throw fault('key_file_missing', path, 'there is no key file')
    if (code === 'ELOOP') throw fault('key_file_invalid', path, 'a key file must be a regular file, not a link')
    throw fault('file_unreadable', path, `cannot be read (${code ?? 'unknown error'})`)
  }
  try {
    const info = await file.stat()
    if (!info.isFile()) throw fault('key_file_invalid', path, 'a key file must be a regular file')
    const uid = process.getuid?.()
    // Windows has neither owners nor modes in this sense.
    if (uid !== undefined) {
      if (info.uid !== uid) {
        throw fault('key_file_loose', path, 'the key file belongs to another user', 'Run as the owner of the file.')
      }
      if ((info.mode & 0o077) !== 0) {
        const mode = (info.mode & 0o777).toString(8).padStart(4, '0')
        throw fault('key_file_loose', path, `the key file has mode ${mode}, so that others can open it`)
      }
    }
    if (info.size > MAX_FILE_BYTES) throw fault('key_file_invalid', path, 'the file is too large for a key file')
    return file
  } catch (error) {
    await file.close()
    throw error
  }
}

function parseJson(path: string, text: string): KeyFileJson {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    // The parser's message would quote the file.
    throw fault('key_file_invalid', path, 'the file is not JSON')
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw fault('key_file_invalid', path, 'the file is not a JSON object')
  }
  const json = value as KeyFileJson
  if (json.version !== FILE_VERSION) throw fault('key_file_invalid', path, 'the file has another version than 1')
  return json
}

/** What a key file says without its secret. */
export interface KeyFileHead {
  readonly publicKey: PublicKey
  readonly sealed: boolean
  /** A program has the secret. */
  readonly isHeldElsewhere: boolean
  /** Permission bits. */
  readonly mode: number
}

/** Reads what a key file says without its secret; undefined for a file that is none. */
export async function readKeyFileHead(path: string): Promise<KeyFileHead | undefined> {
  const file = await open(path, constants.O_RDONLY | constants.O_NONBLOCK)
  try {
    const info = await file.stat()
    if (!info.isFile() || info.size > MAX_FILE_BYTES) return undefined
    const json = parseJson(path, await file.readFile('utf8'))
    const publicKey = typeof json.public_key === 'string' ? parsePublicKey(json.public_key) : undefined
    if (publicKey === undefined || json.algorithm !== publicKey.algorithm) return undefined
    const isHeldElsewhere = json.kind === 'command'
    return { publicKey, sealed: json.sealed_private_key !== undefined, isHeldElsewhere, mode: info.mode & 0o777 }
  } catch (error) {
    if (error instanceof LedgerError) return undefined
    throw error
  } finally {
    await file.close()
  }
}

/** What a private file says, and the key that it names. */
interface Named {
  readonly json: KeyFileJson
  readonly publicKey: PublicKey
}

async function readNamed(path: string): Promise<Named> {
  const file = await openPrivate(path)
  let text: string
  try {
    text = await file.readFile('utf8')
  } finally {
    await file.close()
  }
  const json = parseJson(path, text)
  const publicKey = typeof json.public_key === 'string' ? parsePublicKey(json.public_key) : undefined
  if (publicKey === undefined || json.algorithm !== publicKey.algorithm) {
    throw fault('key_file_invalid', path, '`public_key` and `algorithm` do not name a key')
  }
  if (json.kind !== undefined && json.kind !== 'command') {
    throw fault('key_file_invalid', path, '`kind` is `command`, or absent')
  }
  return { json, publicKey }
}

/**
 * Reads a key pair. Throws LedgerError: `key_file_missing`, `key_file_loose` (mode or owner), `key_file_invalid`,
 * `key_passphrase` (absent or wrong), `key_held_elsewhere` (a program has the secret), `file_unreadable`.
 */
export async function readKeyFile(path: string, passphrase?: string): Promise<KeyPair> {
  const named = await readNamed(path)
  if (named.json.kind === 'command') throw fault('key_held_elsewhere', path, 'the file names a program, not a secret')
  return pairOf(path, named, passphrase)
}

/** A key file with what it is to be. */
export interface KeyFileOf {
  readonly path: string
  /** What the key is for, in words of errors. */
  readonly role: string
  readonly algorithm: KeyAlgorithm
  /** Opens a sealed file. */
  readonly passphrase: string | undefined
}

/** Reads a key pair for its purpose. Throws as `readKeyFile` does, and `key_file_invalid` for a key of another algorithm. */
export async function readKeyFor({ path, role, algorithm, passphrase }: KeyFileOf): Promise<KeyPair> {
  const pair = await readKeyFile(path, passphrase)
  const found = pair.publicKey.algorithm
  if (found === algorithm) return pair
  throw fault('key_file_invalid', path, `the ${role} key is a ${algorithm} key, this is ${found}`)
}

/** Reads the key that signs: a key pair, or one that a program holds, which is started when it first signs. Throws as `readKeyFile` does. */
export async function readSigningKey(path: string, passphrase?: string): Promise<SigningKey> {
  const named = await readNamed(path)
  if (named.json.kind !== 'command') return pairOf(path, named, passphrase)
  const command = keyCommandOf(named.json.command)
  if (command === undefined || named.json.private_key !== undefined || named.json.sealed_private_key !== undefined) {
    throw fault(
      'key_file_invalid',
      path,
      '`command` must be a list of a program and its arguments, and no secret beside it',
    )
  }
  if (named.publicKey.algorithm === 'bls') throw fault('key_file_invalid', path, 'no program holds a BLS key')
  const { openKeyProgram } = await import('./key-program.js')
  return openKeyProgram(command, named.publicKey)
}

/** A program and its arguments as a file lists them; undefined for anything else. */
function keyCommandOf(value: unknown): KeyCommand | undefined {
  if (!Array.isArray(value)) return undefined
  const words = value.filter((one): one is string => typeof one === 'string' && one !== '')
  const [program, ...args] = words
  return program === undefined || words.length < value.length ? undefined : [program, ...args]
}

async function pairOf(path: string, { json, publicKey }: Named, passphrase: string | undefined): Promise<KeyPair> {
  const secret = await secretOf(path, json, publicKey.algorithm, passphrase)
  let pair: KeyPair
  try {
    pair = await keyPairFromSecret(publicKey.algorithm, secret)
  } catch {
    throw fault('key_file_invalid', path, 'the private key is not one of the algorithm')
  } finally {
    secret.fill(0)
  }
  if (!samePublicKey(pair.publicKey, publicKey)) {
    throw fault('key_file_invalid', path, 'the private key does not belong to `public_key`')
  }
  return pair
}

async function secretOf(
  path: string,
  json: KeyFileJson,
  algorithm: KeyAlgorithm,
  passphrase: string | undefined,
): Promise<Buffer> {
  const sealed = json.sealed_private_key
  if (sealed !== undefined) {
    if (typeof sealed !== 'object' || sealed === null || json.private_key !== undefined) {
      throw fault('key_file_invalid', path, 'the file must contain either `private_key` or `sealed_private_key`')
    }
    return unseal(path, sealed, json.public_key, passphrase)
  }
  const plain = typeof json.private_key === 'string' ? parseSecret(json.private_key) : undefined
  if (plain === undefined || plain.algorithm !== algorithm) {
    throw fault('key_file_invalid', path, '`private_key` is not a private key of the algorithm')
  }
  return plain.secret
}

/**
 * Writes a key pair with mode 0600: complete or not at all, and never over an existing file unless asked to.
 * Throws LedgerError `file_exists` or `file_unwritable`.
 */
export async function writeKeyFile(path: string, pair: KeyPair, options: WriteKeyFileOptions = {}): Promise<void> {
  const publicKey = formatPublicKey(pair.publicKey)
  const { algorithm } = pair.publicKey
  const head = { version: FILE_VERSION, algorithm, public_key: publicKey }
  const json: KeyFileJson =
    options.passphrase === undefined || options.passphrase === ''
      ? { ...head, private_key: formatSecret(algorithm, pair.secret) }
      : {
          ...head,
          sealed_private_key: await seal(pair.secret, publicKey, options.passphrase, options.scryptN ?? SCRYPT.n),
        }
  const write = options.overwrite === true ? replaceFile : writeNew
  await write(path, `${JSON.stringify(json, null, 2)}\n`, 0o600)
}

/** Writes a key file whose secret a program holds. Throws LedgerError `file_exists` or `file_unwritable`. */
export async function writeCommandKeyFile(path: string, publicKey: PublicKey, command: KeyCommand): Promise<void> {
  const { algorithm } = publicKey
  const json: KeyFileJson = {
    version: FILE_VERSION,
    kind: 'command',
    algorithm,
    public_key: formatPublicKey(publicKey),
    command,
  }
  await writeNew(path, `${JSON.stringify(json, null, 2)}\n`, 0o600)
}
