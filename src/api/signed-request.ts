/** Owns the signature over an HTTP request (docs/design/gateway.md 9), shared by client and gateway. */
import { compareText } from '../codec/index.js'
import { blake3, hash } from '../crypto/index.js'

/** Names of the headers of a signed request; one of the first two names the signer. */
export const SIGNED_HEADERS = {
  publicKey: 'x-ledger-public-key',
  account: 'x-ledger-account',
  timestampMs: 'x-ledger-timestamp-ms',
  nonce: 'x-ledger-nonce',
  signature: 'x-ledger-signature',
} as const

/** Header of an operator's session token. */
export const SESSION_HEADER = 'x-ledger-session'

/** Header of an API token. */
export const API_TOKEN_HEADER = 'x-api-token'

/** Maximum deviation of the clock of a signer, in ms. */
export const SIGNED_REQUEST_SKEW_MS = 60_000
/** Maximum length of a nonce, in visible ASCII characters. */
export const NONCE_MAX_CHARACTERS = 128

/** Signed content of a request. */
export interface SignedRequest {
  readonly chain: string
  /** Multihash text of the network key of the addressed node; other nodes refuse the request. */
  readonly networkKey: string
  readonly method: string
  /** Path and query string as in the request line. */
  readonly target: string
  readonly body: Uint8Array
  readonly timestampMs: number
  readonly nonce: string
}

/** Pairs of a query string, percent-decoded, with `+` as a space; undefined for an invalid escape. */
export function queryPairs(search: string): readonly (readonly [string, string])[] | undefined {
  if (search === '') return []
  try {
    return search.split('&').flatMap((part) => {
      if (part === '') return []
      const at = part.indexOf('=')
      const text = (raw: string): string => decodeURIComponent(raw.replaceAll('+', ' '))
      return [at < 0 ? ([text(part), ''] as const) : ([text(part.slice(0, at)), text(part.slice(at + 1))] as const)]
    })
  } catch {
    return undefined
  }
}

/** Path and query string of a request target. */
export function splitTarget(target: string): { readonly path: string; readonly search: string } {
  const hashAt = target.indexOf('#')
  const plain = hashAt < 0 ? target : target.slice(0, hashAt)
  const at = plain.indexOf('?')
  return at < 0 ? { path: plain, search: '' } : { path: plain.slice(0, at), search: plain.slice(at + 1) }
}

/** Query string with its pairs sorted by name, then value, each percent-encoded; undefined if malformed. */
export function sortedQuery(search: string): string | undefined {
  return queryPairs(search)
    ?.toSorted(([a, x], [b, y]) => compareText(a, b) || compareText(x, y))
    .map(([name, value]) => `${encodeURIComponent(name)}=${encodeURIComponent(value)}`)
    .join('&')
}

/** The 32 bytes that a request signature covers; undefined if its query string is malformed. */
export function signedRequestBytes(request: SignedRequest): Buffer | undefined {
  const { path, search } = splitTarget(request.target)
  const query = sortedQuery(search)
  if (query === undefined) return undefined
  const text = (value: string): Buffer => Buffer.from(value, 'utf8')
  return hash(
    'http-request',
    text(request.chain),
    text(request.networkKey),
    text(request.method.toUpperCase()),
    text(path),
    text(query),
    blake3(request.body),
    text(String(request.timestampMs)),
    text(request.nonce),
  )
}
