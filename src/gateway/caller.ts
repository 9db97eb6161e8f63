/** Owns authentication of requests: API tokens and signed requests (docs/design/gateway.md 8 and 9). */
import { createHash, timingSafeEqual } from 'node:crypto'
import type { IncomingHttpHeaders } from 'node:http'
import {
  API_TOKEN_HEADER,
  type Caller,
  NONCE_MAX_CHARACTERS,
  SESSION_HEADER,
  SIGNED_HEADERS,
  SIGNED_REQUEST_SKEW_MS,
  signedRequestBytes,
} from '../api/index.js'
import type { Clocks } from '../base/clocks.js'
import { parsePublicKey, verifyEd25519, verifySecp256k1 } from '../crypto/index.js'
import {
  type AccountId,
  type AccountKey,
  accountKeyOf,
  accountOfKey,
  keyOfAccount,
  LedgerError,
  parseAddress,
  splitAccountKey,
} from '../model/index.js'
import type { GatewayConfig } from './config.js'
import type { OperatorSessions, SessionDigest } from './sessions.js'

/** Configured API token, by its digest: tokens themselves are not stored. */
export interface KnownToken {
  readonly name: string
  readonly digest: Buffer
  readonly account: GatewayConfig['apiTokens'][number]['account']
}

/** API token of a request. */
export type Token = KnownToken | undefined

/** Parts of a request that its signature covers. */
export interface SignableRequest {
  readonly method: string
  readonly target: string
  readonly headers: IncomingHttpHeaders
  readonly body: Uint8Array
}

/** Node for which requests are signed. */
export interface SignedNode {
  readonly chain: string
  readonly addressPrefix: string
  /** Multihash text. */
  readonly networkKey: string
}

/** Identified sender of a request. */
export interface Identified {
  readonly caller: Caller
  /** Key and nonce of the signature that identified the caller. */
  readonly signed: { readonly key: AccountKey; readonly nonce: string } | undefined
}

const digestOf = (text: string): Buffer => createHash('sha256').update(text, 'utf8').digest()
const refuse = (message: string): LedgerError => new LedgerError('unauthorised', message)
export const ANONYMOUS: Caller = { kind: 'anonymous', account: undefined, operator: false }
const WANTS_TOKEN = 'this node requires an API token'
const UNKNOWN_TOKEN = 'unknown API token'
const SESSION_OVER = 'the session has expired or does not exist'
const NONCE = /^[!-~]+$/
const BASE64_SIGNATURE = /^[A-Za-z0-9+/]{86}==$/

const single = (value: string | readonly string[] | undefined): string | undefined =>
  typeof value === 'string' ? value : undefined

/** Keys of the operators; throws `config_invalid` for a key that cannot sign requests. */
export const operatorKeysOf = ({ operatorKeys }: Pick<GatewayConfig, 'operatorKeys'>): readonly AccountKey[] =>
  operatorKeys.map((text) => {
    const key = parsePublicKey(text)
    if (key === undefined || key.algorithm === 'bls') {
      throw new LedgerError('config_invalid', `operator key ${JSON.stringify(text)} is not an Ed25519 or secp256k1 key`)
    }
    return accountKeyOf(key.algorithm, key.bytes)
  })

export class Callers {
  private tokens: readonly KnownToken[] = []
  private operatorKeys: readonly AccountKey[] = []
  /** Start time on the monotonic clock, ms. */
  private readonly startedAtMs: number

  constructor(
    private readonly config: GatewayConfig,
    private readonly node: SignedNode,
    private readonly clocks: Clocks,
    private readonly sessions: OperatorSessions,
  ) {
    this.configure()
    this.startedAtMs = clocks.monotonicMs()
  }

  /** Apply the tokens and operators of the current configuration; sessions of removed operators end. */
  configure(): void {
    const { apiTokens } = this.config
    this.tokens = apiTokens.map(({ name, sha256, account }, at) => ({
      name: name ?? String(at),
      digest: Buffer.from(sha256, 'hex'),
      account,
    }))
    const before = this.operatorKeys
    this.operatorKeys = operatorKeysOf(this.config)
    for (const key of before) if (!this.operatorKeys.includes(key)) this.sessions.endAll(accountOfKey(key))
  }

  /** API token of a request; undefined if it has none and does not require one. */
  token(headers: IncomingHttpHeaders): Token | LedgerError {
    const given = single(headers[API_TOKEN_HEADER])
    if (this.tokens.length === 0) return undefined
    if (given === undefined) return this.config.requireApiToken ? refuse(WANTS_TOKEN) : undefined
    const digest = digestOf(given)
    let found: KnownToken | undefined
    // All tokens are compared, so that the time does not reveal a partial match.
    for (const token of this.tokens) if (timingSafeEqual(token.digest, digest)) found = token
    return found ?? refuse(UNKNOWN_TOKEN)
  }

  /** Account that the headers of a request claim, unverified. */
  claimed(headers: IncomingHttpHeaders, token: Token): AccountId | undefined {
    if (headers[SIGNED_HEADERS.publicKey] === undefined && headers[SIGNED_HEADERS.account] === undefined) {
      return token?.account?.id
    }
    const key = this.signingKey(headers)
    return key instanceof LedgerError ? undefined : accountOfKey(key)
  }

  /** Session of a request, if its caller was identified by that session. */
  sessionOf({ session }: Caller, headers: IncomingHttpHeaders): SessionDigest | undefined {
    return session === true ? this.sessions.digest(single(headers[SESSION_HEADER]) ?? '') : undefined
  }

  /** Revalidate an earlier caller; an error if it is no longer valid. */
  now(caller: Caller, token: Token, session: SessionDigest | undefined): Caller | LedgerError {
    if (session !== undefined && !this.sessions.isOpen(session, this.clocks.monotonicMs())) return refuse(SESSION_OVER)
    if (token === undefined && this.config.requireApiToken && this.tokens.length > 0) return refuse(WANTS_TOKEN)
    const isKnown = token === undefined || this.tokens.some(({ digest }) => digest.equals(token.digest))
    if (!isKnown) return refuse(UNKNOWN_TOKEN)
    const operator = caller.operator && this.operatorKeys.some((key) => accountOfKey(key) === caller.account)
    return { ...caller, operator }
  }

  /**
   * Identify the caller of a request. Replay protection of signed requests is left to the code that relies on the
   * signature.
   */
  caller(request: SignableRequest, token: Token): Identified | LedgerError {
    const signed = Object.values(SIGNED_HEADERS).some((name) => request.headers[name] !== undefined)
    if (signed) return this.signer(request)
    const session = single(request.headers[SESSION_HEADER])
    if (session !== undefined) {
      const account = this.sessions.find(session, this.clocks.monotonicMs())
      if (account === undefined) return refuse(SESSION_OVER)
      return { caller: { kind: 'account', account, operator: true, session: true }, signed: undefined }
    }
    if (token === undefined) return { caller: ANONYMOUS, signed: undefined }
    const { name, account } = token
    return { caller: { kind: 'token', account: account?.id, operator: false, token: name }, signed: undefined }
  }

  private signer(request: SignableRequest): Identified | LedgerError {
    const { headers } = request
    const key = this.signingKey(headers)
    if (key instanceof LedgerError) return key
    const timestamp = single(headers[SIGNED_HEADERS.timestampMs])
    if (timestamp === undefined || !/^[1-9][0-9]{0,15}$/.test(timestamp)) {
      return refuse(`${SIGNED_HEADERS.timestampMs} is missing or not a time in ms`)
    }
    const timestampMs = Number(timestamp)
    const ageMs = this.clocks.wallMs() - timestampMs
    const offMs = Math.abs(ageMs)
    if (offMs > SIGNED_REQUEST_SKEW_MS) {
      return new LedgerError('unauthorised', `the request was signed ${offMs} ms away from the clock of this node`, {
        hint: 'Check the clock of the signing machine.',
      })
    }
    // Nonces from before the start are unknown. The clock at the start may have been wrong, and corrected since.
    if (ageMs > this.clocks.monotonicMs() - this.startedAtMs) {
      return new LedgerError('unauthorised', 'the request was signed before this node started', {
        hint: 'Sign it again.',
      })
    }
    const nonce = single(headers[SIGNED_HEADERS.nonce])
    if (nonce === undefined || nonce.length > NONCE_MAX_CHARACTERS || !NONCE.test(nonce)) {
      return refuse(`${SIGNED_HEADERS.nonce} is missing or not 1 to ${NONCE_MAX_CHARACTERS} visible ASCII characters`)
    }
    const signature = single(headers[SIGNED_HEADERS.signature])
    if (signature === undefined || !BASE64_SIGNATURE.test(signature)) {
      return refuse(`${SIGNED_HEADERS.signature} is missing or not base64 of 64 bytes`)
    }
    const message = signedRequestBytes({
      chain: this.node.chain,
      networkKey: this.node.networkKey,
      method: request.method,
      target: request.target,
      body: request.body,
      timestampMs,
      nonce,
    })
    if (message === undefined) return new LedgerError('malformed_request', 'the query string has an invalid escape')
    const { curve, bytes } = splitAccountKey(key)
    const verify = curve === 'ed25519' ? verifyEd25519 : verifySecp256k1
    if (!verify(bytes, message, Buffer.from(signature, 'base64'))) {
      return new LedgerError('unauthorised', 'the signature does not cover this request', {
        hint: 'It must cover the network key of this node, which GET /v1/node/capabilities shows.',
      })
    }
    const caller: Caller = { kind: 'account', account: accountOfKey(key), operator: this.operatorKeys.includes(key) }
    return { caller, signed: { key, nonce } }
  }

  /** Signing key named by the headers, directly or as the id of an account. */
  private signingKey(headers: IncomingHttpHeaders): AccountKey | LedgerError {
    const keyText = single(headers[SIGNED_HEADERS.publicKey])
    const accountText = single(headers[SIGNED_HEADERS.account])
    if (keyText === undefined && accountText === undefined) {
      return refuse(`a signed request must name its signer in ${SIGNED_HEADERS.publicKey} or ${SIGNED_HEADERS.account}`)
    }
    const named = accountText === undefined ? undefined : parseAddress(accountText, this.node.addressPrefix)
    if (accountText !== undefined && named === undefined) {
      return refuse(`${SIGNED_HEADERS.account} is not an account of this chain`)
    }
    const ofAccount = named === undefined ? undefined : keyOfAccount(named)
    if (keyText === undefined) return ofAccount ?? refuse('the account has no single key: name the signing key')
    const key = parsePublicKey(keyText)
    if (key === undefined || key.algorithm === 'bls') {
      return refuse(`${SIGNED_HEADERS.publicKey} is not an Ed25519 or secp256k1 key`)
    }
    const given = accountKeyOf(key.algorithm, key.bytes)
    if (named !== undefined && given !== ofAccount) return refuse('the key does not belong to the account')
    return given
  }
}
