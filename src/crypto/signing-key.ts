/** Owns the signing keys of accounts and operators: a key pair of this process, or an external key. */
import type { KeyPair, PublicKey } from './keys.js'

/** Key whose secret is never in this process: a program, a device or a service signs with it. */
export interface ExternalKey {
  readonly publicKey: PublicKey
  /**
   * Sign a message: 64 bytes, of Ed25519 (RFC 8032) over the message, or of ECDSA over its SHA-256 with a low S for
   * secp256k1. Rejects with a LedgerError if the holder of the key does not sign.
   */
  sign(message: Uint8Array): Promise<Buffer>
}

/** Signing key. */
export type SigningKey = KeyPair | ExternalKey

/** True if the secret is in this process. */
export const isKeyPair = (key: SigningKey): key is KeyPair => 'secret' in key
