/** Owns the check of a consensus key at the start: its secret signs what its public key verifies. */
import { type CryptoService, hash, type KeyPair } from '../crypto/index.js'
import { keyString, LedgerError } from '../model/index.js'

/**
 * Hands the key to the crypto service, then signs and verifies once: a key that does not work is found before the first
 * vote, and the libraries are warm for it. Throws `key_file_invalid`.
 */
export async function addConsensusKey(service: CryptoService, pair: KeyPair): Promise<void> {
  const { bytes } = pair.publicKey
  service.addBlsKey(keyString(bytes), pair.secret)
  // No consensus message begins like a tagged hash, so this signature is worth nothing elsewhere.
  const message = hash('consensus-key-check', bytes)
  const [signature] = await service.blsSign(keyString(bytes), [message])
  if (signature === undefined || !(await service.blsVerify(bytes, message, signature))) {
    throw new LedgerError('key_file_invalid', 'the secret of the validator key does not belong to its public key')
  }
}
