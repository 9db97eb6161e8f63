/** Owns the loading of the key that signs, and the making of key files. */
import type { KeyPair } from '../../crypto/keys.js'
import { PASSPHRASE_ENV } from '../../files/passphrase.js'
import { LedgerError } from '../../model/errors.js'
import type { Settings } from './settings.js'

export { PASSPHRASE_ENV }

/** Reads a key file with a passphrase, that of the environment unless one is given. */
export async function readKey(path: string, passphrase = process.env[PASSPHRASE_ENV]): Promise<KeyPair> {
  const { readKeyFile } = await import('../../files/key-file.js')
  return readKeyFile(path, passphrase)
}

/** The key that signs; throws `key_file_missing` when nothing names one, and what `readKeyFile` throws. */
export async function signingKey(settings: Settings): Promise<KeyPair> {
  if (settings.keyFile === undefined) {
    throw new LedgerError('key_file_missing', 'nothing names the key that signs', {
      hint: 'Give --key-file, or set CAUSEWAY_KEY_FILE; `causeway key generate` creates keys.',
    })
  }
  const pair = await readKey(settings.keyFile)
  if (pair.publicKey.algorithm === 'bls') {
    throw new LedgerError('key_file_invalid', `${settings.keyFile}: a BLS key signs votes, not transactions`, {
      hint: 'Use an ed25519 or secp256k1 key.',
    })
  }
  return pair
}
