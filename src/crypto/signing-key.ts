/** Owns what signs for an account or an operator: a key pair of this process, or a key that somebody else holds. */
import type { KeyPair, PublicKey } from './keys.js'

/** A key whose secret this process never sees: a program, a device or a service signs with it. */
export interface ExternalKey {
  readonly publicKey: PublicKey
  /**
   * The signature over a message: 64 bytes, of Ed25519 (RFC 8032) over the message, or of ECDSA over its SHA-256 with a low S for
   * secp256k1. Rejects with a LedgerError when whoever holds the key does not sign.
   */
  sign(message: Uint8Array): Promise<Buffer>
}

/** What signs. */
export type SigningKey = KeyPair | ExternalKey

/** Whether the secret is in this process. */
export const isKeyPair = (key: SigningKey): key is KeyPair => 'secret' in key
