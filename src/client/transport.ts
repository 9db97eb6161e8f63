/** Owns the way of one request over HTTP: connection pool, deadline, retries; knows no route. */
import type { Agent } from 'undici'
import {
  API_TOKEN_HEADER,
  CODEC_MEDIA_TYPE,
  ERROR_FRAME,
  EVENT_STREAM_MEDIA_TYPE,
  JSON_MEDIA_TYPE,
  SESSION_HEADER,
} from '../api/index.js'
import { isErrorCode, LedgerError } from '../model/index.js'

/** Longest answer that is read, in bytes: the largest is a list page or the OpenAPI document. */
const ANSWER_MAX_BYTES = 64 * 1024 * 1024
/** First pause between tries in ms; doubled each time, up to the second. */
const BACKOFF_FIRST_MS = 100
const BACKOFF_LAST_MS = 2_000
/** Longest Retry-After that is waited for, in ms; a longer one is the caller's affair. */
const RETRY_AFTER_MAX_MS = 5_000
/** A node sends a comment every 15 s; a stream that is silent for this long, in ms, is dead. */
const SSE_SILENCE_MS = 60_000

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
}

/** One request. */
export interface HttpRequest {
  readonly method: string
  /** Path and query string. */
  readonly path: string
  readonly body?: Uint8Array
  readonly accept?: string
  readonly contentType?: string
  /** True when doing it twice is doing it once. */
  readonly idempotent: boolean
  /** Shorter time for this call than the client's, in ms. */
  readonly timeoutMs?: number
  /** Headers that are made anew for each try: a signature carries a nonce. */
  readonly sign?: () => Promise<Readonly<Record<string, string>>>
}

/** What came back, whatever its status. */
export interface HttpAnswer {
  readonly status: number
  /** Lower-case names. */
  readonly headers: Readonly<Record<string, string | string[] | undefined>>
  readonly body: Buffer
  /** Tries that were made, 1 for none repeated. */
  readonly tries: number
}

/** One header as a text. */
export const headerOf = (answer: HttpAnswer, name: string): string | undefined => {
  const value = answer.headers[name]
  return Array.isArray(value) ? value[0] : value
}

/** The error that a failed answer carries; made up from the status when something else than a node answered. */
export function errorOfAnswer(answer: HttpAnswer): LedgerError {
  const type = headerOf(answer, 'content-type') ?? ''
  let record: { code?: unknown; message?: unknown; hint?: unknown; details?: unknown; request_id?: unknown } = {}
  try {
    if (type.startsWith(CODEC_MEDIA_TYPE)) {
      const opened = ERROR_FRAME.open(answer.body)
      if (opened.ok) {
        const { details, requestId, ...rest } = opened.value
        record = { ...rest, request_id: requestId, details: details === undefined ? undefined : JSON.parse(details) }
      }
    } else {
      const json: unknown = JSON.parse(answer.body.toString('utf8'))
      if (json !== null && typeof json === 'object') record = json
    }
  } catch {
    // Not a record of ours: the status says enough.
  }
  const more: Record<string, unknown> = { http_status: answer.status }
  if (typeof record.details === 'object' && record.details !== null) Object.assign(more, record.details)
  if (typeof record.request_id === 'string') more['request_id'] = record.request_id
  const retryAfter = Number(headerOf(answer, 'retry-after'))
  if (Number.isFinite(retryAfter) && retryAfter > 0) more['retry_after_seconds'] = retryAfter
  const { code, message, hint } = record
  const text = typeof message === 'string' ? message : `the gateway answered HTTP ${answer.status}`
  if (typeof code === 'string' && isErrorCode(code)) {
    return new LedgerError(code, text, typeof hint === 'string' ? { hint, details: more } : { details: more })
  }
  // A proxy in between, or a node of another release.
  const fallback = answer.status === 502 || answer.status === 503 || answer.status === 504 ? 'unreachable' : 'internal'
  return new LedgerError(fallback, text, {
    hint: 'The answer is not one of this release: is the address that of a Causeway gateway?',
    details: typeof code === 'string' ? { ...more, code } : more,
  })
}

const sleep = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms))

/** A pool of connections to one gateway. */
export class Transport {
  private agent: Agent | undefined
  private readonly base: URL

  constructor(private readonly options: TransportOptions) {
    try {
      this.base = new URL(options.gateway)
    } catch {
      throw new LedgerError('usage', `${JSON.stringify(options.gateway)} is no URL`, {
        hint: 'For example http://127.0.0.1:8080',
      })
    }
    if (this.base.protocol !== 'http:' && this.base.protocol !== 'https:') {
      throw new LedgerError('usage', `the gateway is reached over http or https, not ${this.base.protocol}`)
    }
  }

  /**
   * Sends a request and repeats it, when it may be repeated, on no answer, 429 and 503 with Retry-After.
   * Throws `unreachable` when there was no answer in time.
   */
  async send(request: HttpRequest): Promise<HttpAnswer> {
    const timeoutMs = Math.min(this.options.timeoutMs, request.timeoutMs ?? this.options.timeoutMs)
    const deadlineMs = performance.now() + timeoutMs
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
        answer = this.unreachable(error, timeoutMs)
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

  /** Address and headers of a WebSocket. */
  socket(path: string, headers: Readonly<Record<string, string>>): { url: string; headers: Record<string, string> } {
    const protocol = this.base.protocol === 'https:' ? 'wss:' : 'ws:'
    return { url: `${protocol}//${this.base.host}${this.prefix}${path}`, headers: this.headers(headers) }
  }

  /** Opens a stream of Server-Sent Events and gives its body; rejects with what the node answers instead. */
  async events(
    path: string,
    headers: Readonly<Record<string, string>>,
    signal: AbortSignal | undefined,
  ): Promise<AsyncIterable<Uint8Array>> {
    const undici = await import('undici')
    const { timeoutMs } = this.options
    // A stream ends its connection: none of the pool is taken.
    const dispatcher = new undici.Agent({ headersTimeout: timeoutMs, bodyTimeout: SSE_SILENCE_MS, connections: 1 })
    try {
      const answer = await undici.request(`${this.base.origin}${this.prefix}${path}`, {
        dispatcher,
        headers: { accept: EVENT_STREAM_MEDIA_TYPE, ...this.headers(headers) },
        ...(signal === undefined ? {} : { signal }),
      })
      const { statusCode: status, body } = answer
      if (status === 200) return this.bodyOf(body, dispatcher)
      throw errorOfAnswer({ status, headers: answer.headers, body: Buffer.from(await body.arrayBuffer()), tries: 1 })
    } catch (error) {
      await dispatcher.destroy()
      throw this.unreachable(error, timeoutMs)
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
    return {
      ...more,
      ...(apiToken === undefined ? {} : { [API_TOKEN_HEADER]: apiToken }),
      ...(session === undefined ? {} : { [SESSION_HEADER]: session }),
    }
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
    this.agent ??= new undici.Agent({ keepAliveTimeout: 10_000, maxResponseSize: ANSWER_MAX_BYTES })
    const headers = this.headers({ accept: request.accept ?? JSON_MEDIA_TYPE })
    if (request.contentType !== undefined) headers['content-type'] = request.contentType
    if (request.sign !== undefined) Object.assign(headers, await request.sign())
    const answer = await undici.request(`${this.base.origin}${this.prefix}${request.path}`, {
      dispatcher: this.agent,
      method: request.method as 'GET',
      headers,
      body: request.body ?? null,
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

  private unreachable(error: unknown, timeoutMs: number): LedgerError {
    if (error instanceof LedgerError) return error
    const { code, name, message } = error as { code?: unknown; name?: unknown; message?: unknown }
    if (code === 'UND_ERR_INVALID_ARG' || code === 'UND_ERR_NOT_SUPPORTED') {
      return new LedgerError('usage', `this is no HTTP request: ${String(message)}`)
    }
    // A bug of ours is not the network's fault.
    if (typeof code === 'string' && /^ERR_(INVALID|OUT_OF_RANGE)/.test(code)) throw error
    const late = name === 'TimeoutError' || code === 'UND_ERR_HEADERS_TIMEOUT' || code === 'UND_ERR_BODY_TIMEOUT'
    const why = late ? `no answer within ${timeoutMs} ms` : `no answer (${String(code ?? name)})`
    return new LedgerError('unreachable', `${this.base.origin}: ${why}`, {
      details: { gateway: this.base.origin, reason: late ? 'timeout' : String(code ?? name) },
      cause: error,
    })
  }
}
