/**
 * Owns key files: JSON, readable by their owner only, with a secret that may be sealed with a passphrase, or with the
 * name of a program that holds the secret. No message ever contains a secret.
 */
import { constants } from 'node:fs'
import { open } from 'node:fs/promises'
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
import { LedgerError } from '../model/errors.js'
import type { KeyCommand } from './key-program.js'
import { jsonObjectOf, keyFault, readPrivate } from './private-file.js'
import { type Sealed, seal, unseal } from './sealing.js'
import { replaceFile, writeNew } from './write-file.js'

/** Version of the file layout. */
const FILE_VERSION = 1
/** Maximum size of a key file, in bytes; a real one has a few hundred. */
const MAX_FILE_BYTES = 16_384
/** `kind` of a share file, which is not a key file although it names a key. */
export const SHARE_KIND = 'share'

interface KeyFileJson {
  readonly version: number
  readonly algorithm: string
  readonly public_key: string
  readonly private_key?: string
  readonly sealed_private_key?: Sealed
  /** `command`: a program holds the secret of the key. */
  readonly kind?: string
  readonly command?: unknown
}

/** Options for writing a key file. */
export interface WriteKeyFileOptions {
  /** Passphrase that encrypts the secret; absent or empty: the file has it in plain text, protected by its mode. */
  readonly passphrase?: string | undefined
  /** True to replace an existing file atomically; otherwise it is refused with `file_exists`. */
  readonly overwrite?: boolean | undefined
  /** scrypt cost N, a power of two; smaller only for tests. */
  readonly scryptN?: number | undefined
}

/** Public content authenticated with the secret, so that a swapped public key is detected. */
const associated = (publicKey: string): Buffer => Buffer.from(`causeway key file ${FILE_VERSION} ${publicKey}`, 'ascii')

function parseJson(path: string, text: string): KeyFileJson {
  const json = jsonObjectOf(path, text) as KeyFileJson
  if (json.version !== FILE_VERSION) throw keyFault('key_file_invalid', path, 'the file version is not 1')
  return json
}

/** Public content of a key file. */
export interface KeyFileHead {
  readonly publicKey: PublicKey
  readonly sealed: boolean
  /** True if a program holds the secret. */
  readonly isHeldElsewhere: boolean
  /** Permission bits. */
  readonly mode: number
}

/** Read the public content of a key file; undefined if the file is not a key file. */
export async function readKeyFileHead(path: string): Promise<KeyFileHead | undefined> {
  const file = await open(path, constants.O_RDONLY | constants.O_NONBLOCK)
  try {
    const info = await file.stat()
    if (!info.isFile() || info.size > MAX_FILE_BYTES) return undefined
    const json = parseJson(path, await file.readFile('utf8'))
    const publicKey = typeof json.public_key === 'string' ? parsePublicKey(json.public_key) : undefined
    if (publicKey === undefined || json.algorithm !== publicKey.algorithm || json.kind === SHARE_KIND) return undefined
    const isHeldElsewhere = json.kind === 'command'
    return { publicKey, sealed: json.sealed_private_key !== undefined, isHeldElsewhere, mode: info.mode & 0o777 }
  } catch (error) {
    if (error instanceof LedgerError) return undefined
    throw error
  } finally {
    await file.close()
  }
}

/** Content of a private file, and the key that it names. */
interface Named {
  readonly json: KeyFileJson
  readonly publicKey: PublicKey
}

async function readNamed(path: string): Promise<Named> {
  const json = parseJson(path, await readPrivate(path, 'key file', MAX_FILE_BYTES))
  const publicKey = typeof json.public_key === 'string' ? parsePublicKey(json.public_key) : undefined
  if (publicKey === undefined || json.algorithm !== publicKey.algorithm) {
    throw keyFault('key_file_invalid', path, '`public_key` and `algorithm` do not form a key')
  }
  if (json.kind === SHARE_KIND) {
    throw keyFault(
      'key_file_invalid',
      path,
      'this is a share of a key, not a key',
      'Combine shares with `causeway key combine`.',
    )
  }
  if (json.kind !== undefined && json.kind !== 'command') {
    throw keyFault('key_file_invalid', path, '`kind` must be `command`, or absent')
  }
  return { json, publicKey }
}

/**
 * Read a key pair. Throws LedgerError: `key_file_missing`, `key_file_loose` (mode or owner), `key_file_invalid`,
 * `key_passphrase` (absent or wrong), `key_held_elsewhere` (a program holds the secret), `file_unreadable`.
 */
export async function readKeyFile(path: string, passphrase?: string): Promise<KeyPair> {
  const named = await readNamed(path)
  if (named.json.kind === 'command')
    throw keyFault('key_held_elsewhere', path, 'the file refers to a program, not a secret')
  return pairOf(path, named, passphrase)
}

/** Key file with its expected role. */
export interface KeyFileOf {
  readonly path: string
  /** Purpose of the key, for error texts. */
  readonly role: string
  readonly algorithm: KeyAlgorithm
  /** Passphrase of a sealed file. */
  readonly passphrase: string | undefined
}

/**
 * Read a key pair for its purpose. Throws like `readKeyFile`, and `key_file_invalid` for a key of another algorithm.
 */
export async function readKeyFor({ path, role, algorithm, passphrase }: KeyFileOf): Promise<KeyPair> {
  const pair = await readKeyFile(path, passphrase)
  const found = pair.publicKey.algorithm
  if (found === algorithm) return pair
  throw keyFault('key_file_invalid', path, `expected a ${algorithm} key as the ${role} key, got ${found}`)
}

/**
 * Read the signing key: a key pair, or a key held by a program, which is started at the first signature. Throws like
 * `readKeyFile`.
 */
export async function readSigningKey(path: string, passphrase?: string): Promise<SigningKey> {
  const named = await readNamed(path)
  if (named.json.kind !== 'command') return pairOf(path, named, passphrase)
  const command = keyCommandOf(named.json.command)
  if (command === undefined || named.json.private_key !== undefined || named.json.sealed_private_key !== undefined) {
    throw keyFault(
      'key_file_invalid',
      path,
      '`command` must be a list of a program and its arguments, without a secret beside it',
    )
  }
  if (named.publicKey.algorithm === 'bls')
    throw keyFault('key_file_invalid', path, 'a BLS key cannot be held by a program')
  const { openKeyProgram } = await import('./key-program.js')
  return openKeyProgram(command, named.publicKey)
}

/** Program and arguments listed in a file; undefined for any other value. */
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
    throw keyFault('key_file_invalid', path, 'the private key does not match the algorithm')
  } finally {
    secret.fill(0)
  }
  if (!samePublicKey(pair.publicKey, publicKey)) {
    throw keyFault('key_file_invalid', path, 'the private key does not belong to `public_key`')
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
      throw keyFault('key_file_invalid', path, 'the file must contain either `private_key` or `sealed_private_key`')
    }
    return unseal(path, sealed, associated(json.public_key), passphrase)
  }
  const plain = typeof json.private_key === 'string' ? parseSecret(json.private_key) : undefined
  if (plain === undefined || plain.algorithm !== algorithm) {
    throw keyFault('key_file_invalid', path, '`private_key` is not a private key of the algorithm')
  }
  return plain.secret
}

/**
 * Write a key pair atomically, with mode 0600; an existing file is replaced only on request. Throws LedgerError
 * `file_exists` or `file_unwritable`.
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
          sealed_private_key: await seal(pair.secret, associated(publicKey), options.passphrase, options.scryptN),
        }
  const write = options.overwrite === true ? replaceFile : writeNew
  await write(path, `${JSON.stringify(json, null, 2)}\n`, 0o600)
}

/** Write a key file for a secret held by a program. Throws LedgerError `file_exists` or `file_unwritable`. */
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
