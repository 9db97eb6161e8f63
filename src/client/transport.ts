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

/** Longest answer that is read, in bytes: the largest is a list page or the OpenAPI document. */
const ANSWER_MAX_BYTES = 64 * 1024 * 1024
/**
 * Connections to one gateway at most; a gateway gives one address some hundred (`gateway.connections_per_address`), streams
 * of events included. What finds none free waits here for its turn.
 */
const CONNECTIONS_MAX = 64
/**
 * Requests on one connection at once, where they are quick and may be sent again: with that, a thousand a second need no more
 * connections when each takes a while. All others have a connection for themselves until they are answered.
 */
const PIPELINED_MAX = 8
/** First pause between tries in ms; doubled each time, up to the second. */
const BACKOFF_FIRST_MS = 100
const BACKOFF_LAST_MS = 2_000
/** Longest Retry-After that is waited for, in ms; a longer one is the caller's affair. */
const RETRY_AFTER_MAX_MS = 5_000
/** A node sends a comment every 15 s; a stream that is silent for this long, in ms, is dead. */
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

/** How a client reaches its node. */
export interface TransportOptions {
  /** Base address, for example `http://127.0.0.1:8080`. */
  readonly gateway: string
  /** Longest time of one call with its retries, in ms. */
  readonly timeoutMs: number
  /** Tries after the first one, for requests that may be repeated. */
  readonly retries: number
  readonly apiToken: string | undefined
  readonly session: string | undefined
  /** Token or session may go over plain http to another machine. */
  readonly insecure: boolean
  /**
   * PEM of the only accepted certificate, whatever its names; undefined: certificates of the authorities of the system.
   */
  readonly certificate: string | undefined
  /** End of all calls together; undefined: each has its own time. */
  readonly deadline: Deadline | undefined
  /** Longest answer that is read, in bytes; undefined: `ANSWER_MAX_BYTES`. */
  readonly answerMaxBytes: number | undefined
}

/** Address of a WebSocket. */
export interface SocketAddress {
  /** `ws:` or `wss:`. */
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  /** Time until it is open or refused, in ms. */
  readonly handshakeMs: number
  /** TLS agent that accepts only the configured certificate; undefined: authorities of the system. */
  readonly agent?: TlsAgent | undefined
}

/** One request. */
export interface HttpRequest {
  readonly method: string
  /** Path and query string. */
  readonly path: string
  readonly body?: Uint8Array | undefined
  readonly accept?: string | undefined
  readonly contentType?: string | undefined
  /** True when doing it twice is doing it once. */
  readonly idempotent: boolean
  /**
   * True for requests with an immediate response, after which the connection can be reused; only for idempotent ones.
   */
  readonly isQuick?: boolean | undefined
  /** Shorter time for this call than the client's, in ms. */
  readonly timeoutMs?: number | undefined
  /** Headers that are made anew for each try: a signature carries a nonce. */
  readonly sign?: (() => Promise<Readonly<Record<string, string>>>) | undefined
}

/** Takes one certificate and no other; what it is for is known by the file that it is in. */
const onlyBy = (certificate: string) => ({
  ca: certificate,
  allowPartialTrustChain: true,
  checkServerIdentity: () => undefined,
})

/** A pool of connections to one gateway. */
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

  /** Time for a call of so many ms: no more than the deadline of all leaves. */
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
      // Many clients of one node must not come back at once.
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

  /** Where and how a WebSocket is opened. */
  socket(path: string, headers: Readonly<Record<string, string>>): SocketAddress {
    const protocol = this.base.protocol === 'https:' ? 'wss:' : 'ws:'
    const url = `${protocol}//${this.base.host}${this.prefix}${path}`
    const { certificate } = this.options
    const agent = certificate === undefined ? undefined : new TlsAgent(onlyBy(certificate))
    return { url, headers: this.headers(headers), handshakeMs: Math.max(1, this.leftMs()), agent }
  }

  /** Opens a stream of Server-Sent Events and gives its body; rejects with what the node answers instead. */
  async events(
    path: string,
    headers: Readonly<Record<string, string>>,
    signal: AbortSignal | undefined,
  ): Promise<AsyncIterable<Uint8Array>> {
    const undici = await import('undici')
    const timeoutMs = Math.max(1, this.leftMs())
    // A stream ends its connection: none of the pool is taken.
    const dispatcher = new undici.Agent({
      headersTimeout: timeoutMs,
      bodyTimeout: SSE_SILENCE_MS,
      connections: 1,
      ...this.trusted,
    })
    // Until the stream is open, a refusal that does not end included.
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
      // A starting node answers a stream that ends at once, so that browsers come back.
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

  /** Ends all connections. */
  async close(): Promise<void> {
    await this.agent?.close()
    this.agent = undefined
  }

  private async once(request: HttpRequest, timeoutMs: number): Promise<Omit<HttpAnswer, 'tries'>> {
    // Loaded at the first request: commands that send none start faster.
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
    // A bug of ours is not the network's fault.
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
