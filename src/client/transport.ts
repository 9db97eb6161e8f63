/** Owns the HTTP transport of one request: connection pool, deadline, retries; independent of routes. */
import { Agent as TlsAgent } from 'node:https'
import type { Agent } from 'undici'
import { API_TOKEN_HEADER, EVENT_STREAM_MEDIA_TYPE, JSON_MEDIA_TYPE, SESSION_HEADER } from '../api/index.js'
import { definedFields } from '../base/defined-fields.js'
import { sleep } from '../base/sleep.js'
import { errorCode } from '../base/thrown.js'
import { LedgerError } from '../model/index.js'
import { errorOfAnswer, type HttpAnswer, headerOf, refusalBody } from './answer.js'
import type { Deadline } from './deadline.js'
import { notAGateway } from './decoded.js'
import { isLoopback } from './loopback.js'

/** Maximum response size, in bytes: the largest is a list page or the OpenAPI document. */
const ANSWER_MAX_BYTES = 64 * 1024 * 1024
/**
 * Maximum connections to one gateway; a gateway allows 256 per address by default (`gateway.connections_per_address`),
 * including event streams. Further requests wait for a free one.
 */
const CONNECTIONS_MAX = 64
/**
 * Maximum concurrent requests on one connection, if they are quick and repeatable, so that a thousand slow requests per
 * second need no more connections. Each other request has its own connection.
 */
const PIPELINED_MAX = 8
/** First delay between attempts in ms; doubled each time, up to the second value. */
const BACKOFF_FIRST_MS = 100
const BACKOFF_LAST_MS = 2_000
/** Maximum Retry-After that is waited for, in ms; longer ones are left to the caller. */
const RETRY_AFTER_MAX_MS = 5_000
/** Silence after which a stream counts as dead, in ms: a node sends a comment every 15 s. */
const SSE_SILENCE_MS = 60_000

/** Codes of failures before a request left this machine. */
const NEVER_SENT: ReadonlySet<string> = new Set([
  'EAI_AGAIN',
  'ECONNREFUSED',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENOTFOUND',
  'UND_ERR_CONNECT_TIMEOUT',
])

/** Options of the transport. */
export interface TransportOptions {
  /** Base address, for example `http://127.0.0.1:8080`. */
  readonly gateway: string
  /** Timeout of one call with its retries, in ms. */
  readonly timeoutMs: number
  /** Number of retries for requests that may be repeated. */
  readonly retries: number
  readonly apiToken: string | undefined
  readonly session: string | undefined
  /** True to send a token or session over plain HTTP to another machine. */
  readonly insecure: boolean
  /** PEM of the only accepted certificate, whatever its names; undefined: certificates of the system's authorities. */
  readonly certificate: string | undefined
  /** Common deadline of all calls; undefined: each has its own timeout. */
  readonly deadline: Deadline | undefined
  /** Maximum response size, in bytes; undefined: `ANSWER_MAX_BYTES`. */
  readonly answerMaxBytes: number | undefined
}

/** Address of a WebSocket. */
export interface SocketAddress {
  /** `ws:` or `wss:`. */
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  /** Timeout of the handshake, in ms. */
  readonly handshakeMs: number
  /** TLS agent that accepts only the configured certificate; undefined: system authorities. */
  readonly agent?: TlsAgent | undefined
}

/** HTTP request. */
export interface HttpRequest {
  readonly method: string
  /** Path and query string. */
  readonly path: string
  readonly body?: Uint8Array | undefined
  readonly accept?: string | undefined
  readonly contentType?: string | undefined
  /** True if a repetition has no further effect. */
  readonly idempotent: boolean
  /**
   * True for requests with an immediate response, after which the connection can be reused; only for idempotent ones.
   */
  readonly isQuick?: boolean | undefined
  /** Shorter timeout of this call, in ms. */
  readonly timeoutMs?: number | undefined
  /** Headers created anew for each attempt: a signature has a nonce. */
  readonly sign?: (() => Promise<Readonly<Record<string, string>>>) | undefined
}

/** TLS options that accept only this certificate, whatever its names and issuer. */
const onlyBy = (certificate: string) => ({
  ca: certificate,
  allowPartialTrustChain: true,
  checkServerIdentity: () => undefined,
})

/** Pool of connections to one gateway. */
export class Transport {
  private agent: Agent | undefined
  private readonly base: URL

  constructor(private readonly options: TransportOptions) {
    try {
      this.base = new URL(options.gateway)
    } catch {
      throw new LedgerError('usage', `${JSON.stringify(options.gateway)} is not a URL`, {
        hint: 'For example http://127.0.0.1:8080',
      })
    }
    if (this.base.protocol !== 'http:' && this.base.protocol !== 'https:') {
      throw new LedgerError('usage', `the gateway must be reached over http or https, not ${this.base.protocol}`)
    }
    const secret = options.apiToken !== undefined || options.session !== undefined
    if (secret && !options.insecure && this.base.protocol === 'http:' && !isLoopback(options.gateway)) {
      throw new LedgerError('gateway_insecure', `the token would be sent to ${this.base.origin} without encryption`)
    }
  }

  /** Time for a call, in ms: at most the remaining time of the common deadline. */
  leftMs(timeoutMs: number = this.options.timeoutMs): number {
    return Math.min(timeoutMs, this.options.deadline?.leftMs() ?? Number.POSITIVE_INFINITY)
  }

  /**
   * Send a request, with retries if it may be repeated: without a response, and for 429 and 503 with Retry-After.
   * Throws `unreachable` without a response in time, with `may_have_arrived` in its details if the node may have
   * processed the request.
   */
  async send(request: HttpRequest): Promise<HttpAnswer> {
    const timeoutMs = this.leftMs(Math.min(this.options.timeoutMs, request.timeoutMs ?? this.options.timeoutMs))
    const deadlineMs = performance.now() + timeoutMs
    let mayHaveArrived = false
    for (let tries = 1; ; tries++) {
      const leftMs = deadlineMs - performance.now()
      const last = !request.idempotent || tries > this.options.retries
      let pauseMs = Math.min(BACKOFF_LAST_MS, BACKOFF_FIRST_MS * 2 ** (tries - 1))
      // Jitter: many clients of one node must not retry at once.
      pauseMs *= 0.5 + Math.random() / 2
      let answer: HttpAnswer | LedgerError
      try {
        answer = { ...(await this.once(request, Math.max(1, Math.ceil(leftMs)))), tries }
      } catch (error) {
        mayHaveArrived ||= !NEVER_SENT.has(String(errorCode(error)))
        answer = this.unreachable(error, timeoutMs, mayHaveArrived)
      }
      if (answer instanceof LedgerError) {
        if (answer.code !== 'unreachable') throw answer
      } else {
        const retryAfter = headerOf(answer, 'retry-after')
        const busy = answer.status === 429 || answer.status === 503
        if (!busy || retryAfter === undefined || last) return answer
        const wantedMs = Number(retryAfter) * 1000
        if (!(wantedMs <= RETRY_AFTER_MAX_MS)) return answer
        pauseMs = Math.max(pauseMs, wantedMs)
      }
      if (last || performance.now() + pauseMs >= deadlineMs) {
        if (answer instanceof LedgerError) throw answer
        return answer
      }
      await sleep(pauseMs)
    }
  }

  /** Address and options for a WebSocket. */
  socket(path: string, headers: Readonly<Record<string, string>>): SocketAddress {
    const protocol = this.base.protocol === 'https:' ? 'wss:' : 'ws:'
    const url = `${protocol}//${this.base.host}${this.prefix}${path}`
    const { certificate } = this.options
    const agent = certificate === undefined ? undefined : new TlsAgent(onlyBy(certificate))
    return { url, headers: this.headers(headers), handshakeMs: Math.max(1, this.leftMs()), agent }
  }

  /** Open a stream of Server-Sent Events and return its body; rejects with the error response of the node. */
  async events(
    path: string,
    headers: Readonly<Record<string, string>>,
    signal: AbortSignal | undefined,
  ): Promise<AsyncIterable<Uint8Array>> {
    const undici = await import('undici')
    const timeoutMs = Math.max(1, this.leftMs())
    // A stream ends its connection, so it does not use the pool.
    const dispatcher = new undici.Agent({
      headersTimeout: timeoutMs,
      bodyTimeout: SSE_SILENCE_MS,
      connections: 1,
      ...this.trusted,
    })
    // Until the stream is open, including an error response without an end.
    const late = new AbortController()
    const timer = setTimeout(() => late.abort(new DOMException('', 'TimeoutError')), timeoutMs)
    try {
      const answer = await undici.request(`${this.base.origin}${this.prefix}${path}`, {
        dispatcher,
        headers: { accept: EVENT_STREAM_MEDIA_TYPE, ...this.headers(headers) },
        signal: signal === undefined ? late.signal : AbortSignal.any([signal, late.signal]),
      })
      const { statusCode: status, body } = answer
      const refused = { status, headers: answer.headers, tries: 1 }
      if (status !== 200) throw errorOfAnswer({ ...refused, body: await refusalBody(body) })
      const answered = { ...refused, body: Buffer.alloc(0) }
      // A starting node responds with a stream that ends at once, so that browsers reconnect.
      if (headerOf(answered, 'x-ledger-reject-code') === 'node_starting') {
        await body.dump()
        throw new LedgerError('node_starting', 'the node is starting')
      }
      const type = headerOf(answered, 'content-type') ?? 'nothing'
      if (!type.startsWith(EVENT_STREAM_MEDIA_TYPE)) throw notAGateway(`received ${type} instead of a stream of events`)
      return this.bodyOf(body, dispatcher)
    } catch (error) {
      await dispatcher.destroy()
      throw this.unreachable(error, timeoutMs)
    } finally {
      clearTimeout(timer)
    }
  }

  private async *bodyOf(body: AsyncIterable<Uint8Array>, dispatcher: Agent): AsyncGenerator<Uint8Array, void> {
    try {
      yield* body
    } catch (error) {
      throw this.unreachable(error, SSE_SILENCE_MS)
    } finally {
      await dispatcher.destroy()
    }
  }

  private headers(more: Readonly<Record<string, string>>): Record<string, string> {
    const { apiToken, session } = this.options
    return { ...more, ...definedFields({ [API_TOKEN_HEADER]: apiToken, [SESSION_HEADER]: session }) }
  }

  private get answerMaxBytes(): number {
    return this.options.answerMaxBytes ?? ANSWER_MAX_BYTES
  }

  /** Certificate settings of a connection. */
  private get trusted() {
    const { certificate } = this.options
    return definedFields({ connect: certificate === undefined ? undefined : onlyBy(certificate) })
  }

  private get prefix(): string {
    return this.base.pathname.replace(/\/$/, '')
  }

  /** Close all connections. */
  async close(): Promise<void> {
    await this.agent?.close()
    this.agent = undefined
  }

  private async once(request: HttpRequest, timeoutMs: number): Promise<Omit<HttpAnswer, 'tries'>> {
    // Loaded at the first request, so that commands without requests start faster.
    const undici = await import('undici')
    this.agent ??= new undici.Agent({
      connections: CONNECTIONS_MAX,
      pipelining: PIPELINED_MAX,
      keepAliveTimeout: 10_000,
      maxResponseSize: this.answerMaxBytes,
      ...this.trusted,
    })
    const headers = this.headers({ accept: request.accept ?? JSON_MEDIA_TYPE })
    if (request.contentType !== undefined) headers['content-type'] = request.contentType
    if (request.sign !== undefined) Object.assign(headers, await request.sign())
    const answer = await undici.request(`${this.base.origin}${this.prefix}${request.path}`, {
      dispatcher: this.agent,
      method: request.method as 'GET',
      headers,
      body: request.body ?? null,
      idempotent: request.idempotent,
      blocking: request.isQuick !== true,
      signal: AbortSignal.timeout(timeoutMs),
      headersTimeout: timeoutMs,
      bodyTimeout: timeoutMs,
    })
    return {
      status: answer.statusCode,
      headers: answer.headers,
      body: Buffer.from(await answer.body.arrayBuffer()),
    }
  }

  /** `mayHaveArrived`: the node may have processed the request, in this attempt or an earlier one. */
  private unreachable(error: unknown, timeoutMs: number, mayHaveArrived = false): LedgerError {
    if (error instanceof LedgerError) return error
    const { code, name, message } = error as { code?: unknown; name?: unknown; message?: unknown }
    if (code === 'UND_ERR_INVALID_ARG' || code === 'UND_ERR_NOT_SUPPORTED') {
      return new LedgerError('usage', `not an HTTP request: ${String(message)}`)
    }
    if (code === 'UND_ERR_RES_EXCEEDED_MAX_SIZE') {
      return notAGateway(`a response of more than ${this.answerMaxBytes} bytes`)
    }
    if (typeof code === 'string' && (code.startsWith('HPE_') || code === 'UND_ERR_RESPONSE')) {
      return notAGateway(`not an HTTP response (${code})`)
    }
    // A bug of this program is not a network failure.
    if (typeof code === 'string' && /^ERR_(INVALID|OUT_OF_RANGE)/.test(code)) throw error
    const late = name === 'TimeoutError' || code === 'UND_ERR_HEADERS_TIMEOUT' || code === 'UND_ERR_BODY_TIMEOUT'
    const why = late ? `no response within ${Math.round(timeoutMs)} ms` : `no response (${String(code ?? name)})`
    return new LedgerError('unreachable', `${this.base.origin}: ${why}`, {
      details: definedFields({
        gateway: this.base.origin,
        reason: late ? 'timeout' : String(code ?? name),
        may_have_arrived: mayHaveArrived || undefined,
      }),
      cause: error,
    })
  }
}
