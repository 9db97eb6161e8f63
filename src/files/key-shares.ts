/**
 * Owns shares of a private key (Shamir): any `threshold` of them reconstruct the key, fewer reveal nothing. Each is a
 * file of mode 0600, encrypted with the passphrase of its holder. No message ever contains a secret.
 */
import { randomBytes } from 'node:crypto'
import { combine, split } from 'shamir-secret-sharing'
import { sameBytes } from '../base/bytes.js'
import { blake3 } from '../crypto/hash.js'
import {
  formatPublicKey,
  type KeyPair,
  keyPairFromSecret,
  type PublicKey,
  parsePublicKey,
  samePublicKey,
} from '../crypto/keys.js'
import { LedgerError } from '../model/errors.js'
import { SHARE_KIND } from './key-file.js'
import { isCount, jsonObjectOf, keyFault, readPrivate } from './private-file.js'
import { type Sealed, seal, unseal } from './sealing.js'
import { SHARES_MAX } from './share-limits.js'
import { writeNew } from './write-file.js'

/** Version of the file layout. */
const FILE_VERSION = 1
/** Maximum size of a share file, in bytes; a real one has less than a kilobyte. */
const MAX_FILE_BYTES = 16_384
const SPLIT_BYTES = 16

/** Public content of a share. */
export interface ShareHead {
  readonly path: string
  readonly publicKey: PublicKey
  /** Id of the split; shares of different splits of a key cannot be combined. */
  readonly split: string
  /** Number of shares that reconstruct the key. */
  readonly threshold: number
  /** Total number of shares. */
  readonly shares: number
  /** Number of the share, from 1. */
  readonly number: number
  readonly sealed: Sealed
}

/** Options for splitting a key. */
export interface SplitOptions {
  readonly threshold: number
  /** Passphrase of each holder, in the order of the shares; none is empty. */
  readonly passphrases: readonly string[]
  /** Path of the share with a number. */
  readonly pathOf: (number: number) => string
  /** Called with each created file. */
  readonly onFile: (path: string) => void
  /** scrypt cost N, a power of two; smaller only for tests. */
  readonly scryptN?: number
}

type ShareText = Omit<ShareHead, 'path' | 'publicKey' | 'sealed'> & { readonly public_key: string }

/** Public content authenticated with a sealed share. */
const associated = (share: ShareText): Buffer =>
  Buffer.from(
    `causeway key share ${FILE_VERSION} ${share.public_key} ${share.split} ${share.threshold} ${share.shares} ${share.number}`,
    'ascii',
  )

/** Checksum that detects a damaged file without its passphrase. */
const checksumOf = (fields: Readonly<Record<string, unknown>>): string =>
  blake3(Buffer.from(JSON.stringify(fields), 'utf8')).toString('hex')

/**
 * Split the secret of a key and write its shares. Throws `file_exists` or `file_unwritable`; files written before are
 * kept.
 */
export async function splitKey(pair: KeyPair, options: SplitOptions): Promise<void> {
  const { threshold, passphrases, pathOf, onFile, scryptN } = options
  const shares = passphrases.length
  const secret = Uint8Array.from(pair.secret)
  const parts = await split(secret, shares, threshold)
  // Verifies the split while the key still exists.
  if (!sameBytes(await combine(parts.slice(-threshold)), secret))
    throw new Error('the shares do not reconstruct the key')
  secret.fill(0)
  const splitName = randomBytes(SPLIT_BYTES).toString('hex')
  for (const [index, part] of parts.entries()) {
    const text: ShareText = {
      public_key: formatPublicKey(pair.publicKey),
      split: splitName,
      threshold,
      shares,
      number: index + 1,
    }
    const sealed_share = await seal(part, associated(text), passphrases[index] as string, scryptN)
    part.fill(0)
    const { algorithm } = pair.publicKey
    const fields = { version: FILE_VERSION, kind: SHARE_KIND, algorithm, ...text, sealed_share }
    const path = pathOf(text.number)
    await writeNew(path, `${JSON.stringify({ ...fields, checksum: checksumOf(fields) }, null, 2)}\n`, 0o600)
    onFile(path)
  }
}

/**
 * Read the public content of a share. Throws `key_file_missing`, `key_file_loose`, `key_file_invalid`,
 * `file_unreadable`.
 */
export async function readShare(path: string): Promise<ShareHead> {
  const json = jsonObjectOf(path, await readPrivate(path, 'share of a key', MAX_FILE_BYTES))
  const { checksum, ...fields } = json as Readonly<Record<string, unknown>>
  const invalid = (message: string): LedgerError => keyFault('key_file_invalid', path, message)
  if (fields.kind !== SHARE_KIND) throw invalid('the file is not a share of a key')
  if (fields.version !== FILE_VERSION) throw invalid('the file version is not 1')
  if (checksum !== checksumOf(fields)) throw invalid('the checksum does not match: the file is corrupt')
  const { public_key, split: name, threshold, shares, number, sealed_share } = fields
  const publicKey = typeof public_key === 'string' ? parsePublicKey(public_key) : undefined
  if (publicKey === undefined || fields.algorithm !== publicKey.algorithm) {
    throw invalid('`public_key` and `algorithm` do not form a key')
  }
  if (
    typeof name !== 'string' ||
    !isCount(shares, SHARES_MAX) ||
    !isCount(threshold, shares) ||
    threshold < 2 ||
    !isCount(number, shares) ||
    typeof sealed_share !== 'object' ||
    sealed_share === null
  ) {
    throw invalid('`split`, `threshold`, `shares`, `number` and `sealed_share` do not form a share')
  }
  return { path, publicKey, split: name, threshold, shares, number, sealed: sealed_share as Sealed }
}

/** Shares to decrypt, if they can reconstruct one key. Throws `key_shares` if one is missing or does not match. */
export function checkShares(heads: readonly ShareHead[]): readonly [ShareHead, ...ShareHead[]] {
  const [first, ...others] = heads
  if (first === undefined) throw new LedgerError('key_shares', 'no share was given')
  const seen = new Map([[first.number, first.path]])
  for (const head of others) {
    if (!samePublicKey(head.publicKey, first.publicKey)) {
      throw keyFault('key_shares', head.path, `share of another key than ${first.path}`)
    }
    if (head.split !== first.split || head.threshold !== first.threshold || head.shares !== first.shares) {
      throw keyFault('key_shares', head.path, `share of another split of this key than ${first.path}`)
    }
    const duplicate = seen.get(head.number)
    if (duplicate !== undefined)
      throw keyFault('key_shares', head.path, `share ${head.number} was given twice, also as ${duplicate}`)
    seen.set(head.number, head.path)
  }
  const missing = first.threshold - seen.size
  if (missing > 0) {
    const given = [...seen.keys()].sort((a, b) => a - b).join(', ')
    throw new LedgerError(
      'key_shares',
      `share ${given} of ${first.shares}: ${missing} more required, the threshold is ${first.threshold}`,
    )
  }
  return [first, ...others]
}

/**
 * Key of the shares, each decrypted with the passphrase at its index. Throws `key_passphrase`, and `key_shares` if they
 * reconstruct a key other than the named one.
 */
export async function combineShares(heads: readonly ShareHead[], passphrases: readonly string[]): Promise<KeyPair> {
  const checked = checkShares(heads)
  const parts: Uint8Array[] = []
  try {
    for (const [index, head] of checked.entries()) {
      const text: ShareText = { ...head, public_key: formatPublicKey(head.publicKey) }
      parts.push(Uint8Array.from(await unseal(head.path, head.sealed, associated(text), passphrases[index])))
    }
    const [{ publicKey }] = checked
    // A holder may have sealed other bytes than a share.
    const secret = await combine(parts).catch(() => new Uint8Array())
    const pair = await keyPairFromSecret(publicKey.algorithm, secret).catch(() => undefined)
    secret.fill(0)
    if (pair !== undefined && samePublicKey(pair.publicKey, publicKey)) return pair
    throw new LedgerError('key_shares', `the shares reconstruct another key than ${formatPublicKey(publicKey)}`)
  } finally {
    for (const part of parts) part.fill(0)
  }
}
