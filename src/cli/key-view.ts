/** Owns what is shown of keys: public parts only. */
import { mkdir } from 'node:fs/promises'
import { dirname, resolve } from 'node:path'
import { formatPublicKey, generateKeyPair, type KeyAlgorithm, type PublicKey } from '../crypto/keys.js'
import { accountKeyOf, accountOfKey, formatAddress } from '../model/index.js'
import { writeKeyFile } from '../model/key-file.js'
import { PASSPHRASE_ENV } from './key.js'

/** The public side of a key. */
export interface KeyView {
  readonly key_file: string
  readonly algorithm: KeyAlgorithm
  readonly public_key: string
  /** Account of the key; BLS keys have none. */
  readonly address?: string
}

/** What is shown of a key in a file. */
export function keyView(path: string, key: PublicKey, prefix: string): KeyView {
  const view = { key_file: path, algorithm: key.algorithm, public_key: formatPublicKey(key) }
  if (key.algorithm === 'bls') return view
  return { ...view, address: formatAddress(accountOfKey(accountKeyOf(key.algorithm, key.bytes)), prefix) }
}

/** Makes a key pair in a new file with mode 0600; throws `file_exists`. */
export async function makeKeyFile(algorithm: KeyAlgorithm, path: string, prefix: string): Promise<KeyView> {
  await mkdir(dirname(resolve(path)), { recursive: true })
  const pair = await generateKeyPair(algorithm)
  const passphrase = process.env[PASSPHRASE_ENV]
  await writeKeyFile(path, pair, passphrase === undefined ? {} : { passphrase })
  return keyView(path, pair.publicKey, prefix)
}
