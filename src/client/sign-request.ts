/** Owns the headers of a signed request on the client (docs/design/gateway.md 9). */
import { randomBytes } from 'node:crypto'
import { SIGNED_HEADERS, signedRequestBytes } from '../api/index.js'
import { formatPublicKey, type SigningKey } from '../crypto/index.js'
import { LedgerError } from '../model/index.js'
import { signMessage } from './transaction.js'

/** Request to sign. */
export interface RequestToSign {
  readonly chain: string
  /** Multihash text of the network key of the node, from its capabilities. */
  readonly networkKey: string
  readonly method: string
  /** Path and query string. */
  readonly target: string
  readonly body?: Uint8Array | undefined
  readonly nowMs?: number | undefined
}

/** Headers that prove the sender of a request; new for each call, because a nonce is valid once. */
export async function signRequest(request: RequestToSign, pair: SigningKey): Promise<Record<string, string>> {
  const timestampMs = request.nowMs ?? Date.now()
  const nonce = randomBytes(16).toString('hex')
  const message = signedRequestBytes({ ...request, body: request.body ?? Buffer.alloc(0), timestampMs, nonce })
  if (message === undefined) throw new LedgerError('malformed_request', 'the query string has an invalid escape')
  const signature = await signMessage(pair, message)
  return {
    [SIGNED_HEADERS.publicKey]: formatPublicKey(pair.publicKey),
    [SIGNED_HEADERS.timestampMs]: String(timestampMs),
    [SIGNED_HEADERS.nonce]: nonce,
    [SIGNED_HEADERS.signature]: signature.toString('base64'),
  }
}
