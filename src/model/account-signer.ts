/** Owns the signing of transactions for an account whose Ed25519 key is stored on the node. */
import { ed25519Signer, type KeyPair } from '../crypto/index.js'
import { type AccountId, accountOfKey } from './address.js'
import { type AccountKey, accountKeyOf } from './keys.js'

/** Account for which this node signs transactions. */
export interface AccountSigner {
  readonly account: AccountId
  readonly key: AccountKey
  /** Signature over a transaction id. */
  sign(id: Uint8Array): Uint8Array
}

/** Signer for the account of an Ed25519 key pair. */
export function accountSigner({ publicKey, secret }: Pick<KeyPair, 'publicKey' | 'secret'>): AccountSigner {
  const key = accountKeyOf('ed25519', publicKey.bytes)
  const signer = ed25519Signer(secret)
  return { account: accountOfKey(key), key, sign: (id) => signer.sign(id) }
}
