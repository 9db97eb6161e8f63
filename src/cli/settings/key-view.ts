/** Owns the view of key files: public parts only. */
import { mkdir, readdir } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import { formatPublicKey, generateKeyPair, type KeyAlgorithm, type PublicKey } from '../../crypto/keys.js'
import { readKeyFileHead, writeKeyFile } from '../../files/key-file.js'
import { unwritable } from '../../files/write-file.js'
import { accountKeyOf, accountOfKey, formatAddress, LedgerError } from '../../model/index.js'
import { pairs } from '../terminal/output.js'
import { PASSPHRASE_ENV } from './key.js'

/** Public content of a key. */
export interface KeyView {
  readonly key_file: string
  readonly algorithm: KeyAlgorithm
  readonly public_key: string
  /** Account of the key; BLS keys have none. */
  readonly address?: string
}

/** Displayed properties of a key in a file. */
export function keyView(path: string, key: PublicKey, prefix: string): KeyView {
  const view = { key_file: path, algorithm: key.algorithm, public_key: formatPublicKey(key) }
  if (key.algorithm === 'bls') return view
  return { ...view, address: formatAddress(accountOfKey(accountKeyOf(key.algorithm, key.bytes)), prefix) }
}

/** Text about a new key file. */
export const madeKeyText = ({ key_file, algorithm, public_key, address }: KeyView): string =>
  pairs([
    ['key file', key_file],
    ['algorithm', algorithm],
    ['public key', public_key],
    ['address', address],
  ])

/** Key file in a list. */
export interface ListedKey extends KeyView {
  readonly sealed: boolean
  /** True if a program holds the secret. */
  readonly held_elsewhere: boolean
  /** Permissions in octal. */
  readonly mode: string
}

/** Key files of a folder, by name. Throws `file_missing` if the folder does not exist. */
export async function keysOfFolder(folder: string, prefix: string): Promise<ListedKey[]> {
  const names = await readdir(folder).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOENT' && error.code !== 'ENOTDIR') throw error
    throw new LedgerError('file_missing', `${folder}: no such folder`)
  })
  const found: ListedKey[] = []
  for (const name of names.filter((one) => one.endsWith('.json')).toSorted()) {
    const path = join(folder, name)
    const head = await readKeyFileHead(path)
    if (head === undefined) continue
    const mode = head.mode.toString(8).padStart(4, '0')
    found.push({
      ...keyView(path, head.publicKey, prefix),
      sealed: head.sealed,
      held_elsewhere: head.isHeldElsewhere,
      mode,
    })
  }
  return found
}

/** Create a key pair in a new file with mode 0600, encrypted if a passphrase is given; throws `file_exists`. */
export async function makeKeyFile(
  algorithm: KeyAlgorithm,
  path: string,
  prefix: string,
  passphrase = process.env[PASSPHRASE_ENV],
): Promise<KeyView> {
  await mkdir(dirname(resolve(path)), { recursive: true }).catch((error: unknown) => {
    throw unwritable(path, error)
  })
  const pair = await generateKeyPair(algorithm)
  await writeKeyFile(path, pair, { passphrase })
  return keyView(path, pair.publicKey, prefix)
}
