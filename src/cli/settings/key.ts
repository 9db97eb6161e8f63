/** Owns the loading of the signing key, and the creation of key files. */
import type { KeyPair } from '../../crypto/keys.js'
import { isKeyPair, type SigningKey } from '../../crypto/signing-key.js'
import { PASSPHRASE_ENV } from '../../files/passphrase.js'
import { LedgerError } from '../../model/errors.js'
import type { Settings } from './settings.js'

export { PASSPHRASE_ENV }

/** Read a key file with a passphrase; default: the passphrase of the environment. */
export async function readKey(path: string, passphrase = process.env[PASSPHRASE_ENV]): Promise<KeyPair> {
  const { readKeyFile } = await import('../../files/key-file.js')
  return readKeyFile(path, passphrase)
}

/**
 * Signing key of the settings. Throws `key_file_missing` if none is configured, and the errors of `readSigningKey` and
 * `openKeyProgram`.
 */
export async function signingKey({ keyFile, signerCommand, isKeyOfFolder }: Settings): Promise<SigningKey> {
  if (signerCommand !== undefined) {
    const { openKeyProgram } = await import('../../files/key-program.js')
    return openKeyProgram([signerCommand])
  }
  if (keyFile === undefined) {
    throw new LedgerError('key_file_missing', 'no signing key is configured', {
      hint: 'Give --key-file or --signer-command, or set CAUSEWAY_KEY_FILE; `causeway key generate` creates keys.',
    })
  }
  const { readSigningKey } = await import('../../files/key-file.js')
  const key = await readSigningKey(keyFile, process.env[PASSPHRASE_ENV])
  if (!isKeyPair(key) && isKeyOfFolder) {
    throw new LedgerError(
      'key_program_untrusted',
      `cannot run the signing program of ${keyFile}: the key file was found in the current folder`,
    )
  }
  if (key.publicKey.algorithm === 'bls') {
    throw new LedgerError('key_file_invalid', `${keyFile}: BLS keys sign votes, not transactions`, {
      hint: 'Use an ed25519 or secp256k1 key.',
    })
  }
  return key
}
