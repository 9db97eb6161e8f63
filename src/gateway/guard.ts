/** Owns the checks of every request: the state of the node, limits, credentials, and access to the route. */
import type { IncomingHttpHeaders, IncomingMessage } from 'node:http'
import { type AnyRoute, type Caller, JSON_MEDIA_TYPE, profileServes } from '../api/index.js'
import type { NodeServices } from '../api/services.js'
import type { Clocks } from '../base/clocks.js'
import { type AccountId, LedgerError } from '../model/index.js'
import { ANONYMOUS, Callers, type Identified, type SignedNode, type Token } from './caller.js'
import { clientAddress } from './client-address.js'
import type { GatewayConfig } from './config.js'
import { haltedRefusal } from './halted.js'
import { type NonceBounds, NonceMemory } from './nonces.js'
import type { Origins } from './origins.js'
import { permit } from './permit.js'
import { RateLimiter } from './rate-limit.js'
import type { OperatorSessions, SessionDigest } from './sessions.js'
import type { TrustedProxies } from './trusted-proxies.js'

/**
 * Weight of a byte of JSON, which is parsed before the signature is verified and takes this many times as long as any
 * other byte.
 */
const JSON_WEIGHT = 16
/** Burst of bytes, in seconds of their rate: more than the largest body even at the lowest rate. */
const BYTES_BURST_SECONDS = 4
/**
 * Nonce bounds of operators, whose signatures are few. Other keys are free, and their signatures must not lock
 * operators out.
 */
const OPERATOR_NONCES: NonceBounds = { total: 65_536, perKey: 16_384, perClient: 65_536 }
const ACCOUNT_NONCES: NonceBounds = { total: 262_144, perKey: 32_768, perClient: 65_536 }

/** Methods without effects. */
const READING: ReadonlySet<string> = new Set(['GET', 'HEAD', 'OPTIONS'])

/**
 * True if a body is read as JSON, according to its headers; some routes also assume JSON if there is no content type.
 */
function isJson(row: AnyRoute | undefined, contentType: string | undefined): boolean {
  if (contentType !== undefined) return contentType.trim().toLowerCase().startsWith(JSON_MEDIA_TYPE)
  const { body } = row ?? {}
  return body?.as === 'record' || (body?.as === 'bytes' && body.types.includes(JSON_MEDIA_TYPE))
}

/** Client and route of a stream. */
export interface StreamOwner {
  readonly row: AnyRoute
  readonly caller: Caller
  readonly token: Token
  /** Session that identifies the caller. */
  readonly session: SessionDigest | undefined
  /** Address of the client (`clientAddress`). */
  readonly address: string
}

/** Target of a request as received; the router has already reduced an absolute target to a path. */
const targetOf = (request: IncomingMessage & { readonly originalUrl?: string }) => ({
  headers: request.headers,
  url: request.originalUrl ?? request.url ?? '/',
})

/**
 * True for a request with an ambiguous end: HTTP/1.0 has no transfer encoding, so that a proxy may have parsed a
 * different request (RFC 9112, 6.1).
 */
export const isEndInDoubt = ({ httpVersionMinor, headers }: IncomingMessage): boolean =>
  httpVersionMinor === 0 && headers['transfer-encoding'] !== undefined

/** Number of Host headers in the received names and values. */
function hostLines(rawHeaders: readonly string[]): number {
  let lines = 0
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at]
    if (name?.length === 4 && name.toLowerCase() === 'host') lines += 1
  }
  return lines
}

export class Guard {
  private readonly callers: Callers
  private limiter: RateLimiter | undefined
  private bytes: RateLimiter | undefined
  private readonly operatorNonces = new NonceMemory(OPERATOR_NONCES)
  private readonly accountNonces = new NonceMemory(ACCOUNT_NONCES)
  private stopping = false

  constructor(
    private readonly config: GatewayConfig,
    private readonly node: Pick<NodeServices, 'halted'> & { readonly info: SignedNode },
    private readonly clocks: Clocks,
    sessions: OperatorSessions,
    private readonly origins: Origins,
    private readonly proxies: TrustedProxies,
  ) {
    this.callers = new Callers(config, node.info, clocks, sessions)
    this.limitRates()
  }

  /**
   * Apply names, origins, credentials and limits of the current configuration. The buckets of clients are full again
   * afterwards.
   */
  configure(): void {
    this.origins.change(this.config.hosts)
    this.proxies.change(this.config.trustedProxies)
    this.callers.configure()
    this.limitRates()
  }

  private limitRates(): void {
    const { rateLimit, rateBytesPerSecond: perSecond } = this.config
    this.limiter = rateLimit && new RateLimiter(rateLimit)
    this.bytes = rateLimit && new RateLimiter({ perSecond, burst: perSecond * BYTES_BURST_SECONDS })
  }

  /** Refuse every request from now on. */
  stop(): void {
    this.stopping = true
  }

  /** Client of a request by its address. */
  private addressOf(request: IncomingMessage): string {
    return clientAddress(this.proxies.clientOf(request))
  }

  /** Client whose buckets a request is charged to. */
  private clientOf(request: IncomingMessage, token: Token): string {
    return token === undefined ? this.addressOf(request) : `token:${token.name}`
  }

  /** Charge one request to a client; the error if it is over its limit. */
  limit(client: string): LedgerError | undefined {
    const waitSeconds = this.limiter?.take(client, this.clocks.monotonicMs()) ?? 0
    if (waitSeconds <= 0) return undefined
    return new LedgerError('rate_limited', 'too many requests', {
      details: { retry_after_seconds: Math.max(1, Math.ceil(waitSeconds)), burst: this.config.rateLimit?.burst },
    })
  }

  /** Charge the bytes of a body to a client; the error if it is over its limit. */
  private limitBytes(
    request: IncomingMessage,
    row: AnyRoute | undefined,
    token: Token,
    bytes: number,
  ): LedgerError | undefined {
    const weight = isJson(row, request.headers['content-type']) ? JSON_WEIGHT : 1
    const client = this.clientOf(request, token)
    const waitSeconds = this.bytes?.take(client, this.clocks.monotonicMs(), bytes * weight) ?? 0
    if (waitSeconds <= 0) return undefined
    return new LedgerError('rate_limited', 'too many bytes', {
      details: { retry_after_seconds: Math.max(1, Math.ceil(waitSeconds)) },
    })
  }

  /** Error for requests that every route refuses. */
  private unfit(request: IncomingMessage): LedgerError | undefined {
    const { rawHeaders, httpVersionMinor } = request
    if (this.stopping) return new LedgerError('node_stopping', 'the node is stopping')
    const hosts = hostLines(rawHeaders)
    // RFC 9112, section 3.2: a proxy that read another host could otherwise be bypassed.
    const hasOne = hosts === 1 || (hosts === 0 && httpVersionMinor === 0)
    if (!hasOne) return new LedgerError('malformed_request', 'a request must have exactly one Host header')
    if (!isEndInDoubt(request)) return undefined
    return new LedgerError('malformed_request', 'an HTTP/1.0 request must not have a transfer encoding')
  }

  /** Check a request for a file of a site. Files are public and need no token. */
  file(request: IncomingMessage): LedgerError | undefined {
    return (
      this.unfit(request) ?? this.origins.hostFault(targetOf(request)) ?? this.limit(this.clientOf(request, undefined))
    )
  }

  /** Make the checks that require only the head of a request, cheapest first; `row` is undefined for unknown paths. */
  head(
    request: IncomingMessage,
    row: AnyRoute | undefined,
  ): { readonly token: Token; readonly client: string } | LedgerError {
    const { headers } = request
    const unfit = this.unfit(request)
    if (unfit !== undefined) return unfit
    if (row?.unlimited === true) return { token: undefined, client: '' }
    const misdirected = this.origins.hostFault(targetOf(request))
    if (misdirected !== undefined) return misdirected
    const isActing = !READING.has(request.method ?? '') || headers.upgrade !== undefined
    const foreign = isActing ? this.origins.pageFault(headers) : undefined
    if (foreign !== undefined) return foreign
    const token = this.callers.token(headers)
    const known = token instanceof LedgerError ? undefined : token
    const client = this.clientOf(request, known)
    const limited = this.limit(client)
    if (limited !== undefined) return limited
    if (token instanceof LedgerError) return token
    const halted = row === undefined ? undefined : haltedRefusal(this.node, row)
    if (halted !== undefined) return halted
    const announced = row?.body === undefined ? 0 : Number(headers['content-length'] ?? 0)
    return (announced > 0 ? this.limitBytes(request, row, token, announced) : undefined) ?? { token, client }
  }

  /**
   * Authorize an identified caller for a further route within the same request; returns the error if it may not use the
   * route.
   */
  again(row: AnyRoute, caller: Caller, client: string): Caller | LedgerError {
    if (this.stopping) return new LedgerError('node_stopping', 'the node is stopping')
    return this.limit(client) ?? haltedRefusal(this.node, row) ?? permit(row, caller, this.config)
  }

  /** Account that a request claims, before its body is read and its signature verified. */
  claimedAccount(headers: IncomingHttpHeaders, token: Token): AccountId | undefined {
    return this.callers.claimed(headers, token)
  }

  /** Charge a preflight to a client; the error if it is over its limit. */
  preflight(request: IncomingMessage): LedgerError | undefined {
    return this.limit(this.clientOf(request, undefined))
  }

  /** Owner of a stream opened by a request. */
  streamOwner(row: AnyRoute, caller: Caller, token: Token, request: IncomingMessage): StreamOwner {
    const session = this.callers.sessionOf(caller, request.headers)
    return { row, caller, token, session, address: this.addressOf(request) }
  }

  /** Reason why an open stream ends under the current settings and sessions; undefined if it continues. */
  withdrawn({ row, caller, token, session }: StreamOwner): LedgerError | undefined {
    if (row.unlimited === true) return undefined
    const now = this.callers.now(caller, token, session)
    const permitted = now instanceof LedgerError ? now : permit(row, now, this.config)
    return permitted instanceof LedgerError ? permitted : undefined
  }

  /** Identify the caller of a request; the error if it may not use the route. */
  caller(row: AnyRoute, request: IncomingMessage, body: Uint8Array, token: Token): Caller | LedgerError {
    if (row.unlimited === true) return ANONYMOUS
    const { method = 'GET', url: target = '/', headers } = request
    const unannounced = headers['content-length'] === undefined && body.length > 0
    const limited = unannounced ? this.limitBytes(request, row, token, body.length) : undefined
    if (limited !== undefined) return limited
    const identified = this.callers.caller({ method, target, headers, body }, token)
    if (identified instanceof LedgerError) return identified
    const permitted = permit(row, identified.caller, this.config)
    if (permitted instanceof LedgerError) return permitted
    return this.spent(row, identified, this.clientOf(request, token)) ?? permitted
  }

  /** Reason why a signature may not be used again; a signature that is not relied on is not stored. */
  private spent(row: AnyRoute, { caller, signed }: Identified, client: string): LedgerError | undefined {
    const isOpen = row.access === 'public' && profileServes(this.config.telemetryProfile, row.profile)
    const decides = row.method === 'POST' || !isOpen
    if (signed === undefined || !decides) return undefined
    const nonces = caller.operator ? this.operatorNonces : this.accountNonces
    return nonces.note(signed.key, signed.nonce, client, this.clocks.monotonicMs())
  }
}
