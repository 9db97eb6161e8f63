/** Owns what a request must pass whatever it asks for: a node that is not stopping, limits, credentials, the right to the route. */
import type { IncomingMessage } from 'node:http'
import type { AnyRoute, Caller } from '../api/index.js'
import { type AccountId, LedgerError } from '../model/index.js'
import { Callers, type Clocks } from './caller.js'
import type { GatewayConfig } from './config.js'
import { permit } from './permit.js'
import { RateLimiter } from './rate-limit.js'
import type { OperatorSessions } from './sessions.js'

/** The API token that a request came with. */
export type Token = { readonly name: string; readonly account: AccountId | undefined } | undefined

/** Number of Host headers in the names and values as they came. */
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
  private readonly limiter: RateLimiter | undefined
  private stopping = false

  constructor(
    private readonly config: GatewayConfig,
    chain: { readonly id: string; readonly addressPrefix: string },
    private readonly clocks: Clocks,
    sessions: OperatorSessions,
  ) {
    this.callers = new Callers(config, chain, clocks, sessions)
    this.limiter = config.rateLimit === undefined ? undefined : new RateLimiter(config.rateLimit)
  }

  /** From here on every request is refused. */
  stop(): void {
    this.stopping = true
  }

  /** Takes one request of a client; why it may not pass now. */
  limit(client: string | undefined): LedgerError | undefined {
    const waitSeconds = this.limiter?.take(client ?? '', this.clocks.monotonicMs()) ?? 0
    if (waitSeconds <= 0) return undefined
    return new LedgerError('rate_limited', 'too many requests', {
      details: { retry_after_seconds: Math.max(1, Math.ceil(waitSeconds)), burst: this.config.rateLimit?.burst },
    })
  }

  /** Checks that need the head of a request only, in the order of their cost; `row`: undefined for unknown paths. */
  head(request: IncomingMessage, row: AnyRoute | undefined): { readonly token: Token } | LedgerError {
    const { headers } = request
    if (this.stopping) return new LedgerError('node_stopping', 'the node is stopping')
    const hosts = hostLines(request.rawHeaders)
    // RFC 9112, section 3.2: proxies that read another one than we do would be talked past.
    if (hosts > 1 || (hosts === 0 && request.httpVersionMinor > 0)) {
      return new LedgerError('malformed_request', 'a request has one Host header')
    }
    if (row?.unlimited === true) return { token: undefined }
    const token = this.callers.token(headers)
    const known = token !== undefined && !(token instanceof LedgerError)
    const limited = this.limit(known ? `token:${token.name}` : request.socket.remoteAddress)
    if (limited !== undefined) return limited
    return token instanceof LedgerError ? token : { token }
  }

  /** Who sent the request, when that one may use the route. */
  caller(row: AnyRoute, request: IncomingMessage, body: Uint8Array, token: Token): Caller | LedgerError {
    const { method = 'GET', url: target = '/', headers } = request
    const caller = this.callers.caller({ method, target, headers, body }, token)
    return caller instanceof LedgerError ? caller : permit(row, caller, this.config)
  }
}
