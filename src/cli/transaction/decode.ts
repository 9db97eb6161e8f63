/** Owns the view of a decoded transaction: hashes, contents, verified signatures. */

import type { Json } from '../../codec/index.js'
import {
  accountOfKey,
  expiresAtMs,
  formatAddress,
  signedHash,
  signedTransaction,
  splitAccountKey,
  transactionPayload,
} from '../../model/index.js'
import { isoTime } from '../text/figures.js'
import type { ReadTransaction } from './file.js'

/** Transaction in the form of `tx decode`. */
export interface DecodedView {
  readonly hash: string
  /** null if not signed. */
  readonly signed_hash: string | null
  /** Expiry in ISO 8601. */
  readonly expires: string
  readonly signatures: readonly { readonly signer: string; readonly valid: boolean }[]
  readonly instructions: readonly Json[]
  /** JSON form of the payload. */
  readonly payload: { readonly chain: string; readonly authority: string }
}

async function verify(curve: 'ed25519' | 'secp256k1', key: Uint8Array, message: Uint8Array, signature: Uint8Array) {
  const { verifyEd25519, verifySecp256k1 } = await import('../../crypto/index.js')
  return curve === 'ed25519' ? verifyEd25519(key, message, signature) : verifySecp256k1(key, message, signature)
}

/** Content of a transaction, with each signature verified over its id. */
export async function decodedView({ payload, id, signed, codec }: ReadTransaction): Promise<DecodedView> {
  const signatures = await Promise.all(
    (signed?.signatures ?? []).map(async ({ publicKey, signature }) => {
      const { curve, bytes } = splitAccountKey(publicKey)
      const signer = formatAddress(accountOfKey(publicKey), codec.addressPrefix)
      return { signer, valid: await verify(curve, bytes, id, signature) }
    }),
  )
  const jsonForm = transactionPayload.toJson(payload, codec) as DecodedView['payload'] & {
    readonly executable: { readonly Instructions: readonly Json[] }
  }
  return {
    hash: id.toString('hex'),
    signed_hash: signed === undefined ? null : signedHash(signedTransaction.encode(signed, codec)).toString('hex'),
    expires: isoTime(expiresAtMs(payload)),
    signatures,
    instructions: jsonForm.executable.Instructions,
    payload: jsonForm,
  }
}
