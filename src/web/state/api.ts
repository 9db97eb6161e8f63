/** Owns requests to the node that served the page: reads and streams. The token stays in memory. */
import { definedFields } from '../../base/defined-fields.js'
import { EventParser, type StreamEvent } from './sse.js'
import { Store } from './store.js'

/** Base URL of the API: the page is one folder below it, wherever a proxy mounts both. */
const BASE = new URL('../', window.location.href.replace(/[?#].*$/, ''))

/** Timeout of one read, in ms. */
const TIMEOUT_MS = 15_000
/** Time without data after which a stream counts as dead, in ms; it sends data at least every 15 s. */
const SILENCE_MS = 45_000

/** Error response of a node. */
export class ApiError extends Error {
  constructor(
    readonly status: number,
    readonly code: string,
    message: string,
    readonly hint: string | undefined,
  ) {
    super(message)
  }
}

interface Access {
  readonly token: string | undefined
  /** Session token of an operator, and its end, in ms since the Unix epoch. */
  readonly session: string | undefined
  readonly until: number | undefined
  /** True if the node refused a request without a token, or with the current token. */
  readonly refused: boolean
}
/** True if the node allows this page to read. */
export const access = new Store<Access>({
  token: undefined,
  session: undefined,
  until: undefined,
  refused: false,
})

export const giveToken = (token: string): void => access.change({ token, refused: false })

type Query = Readonly<Record<string, string | number | undefined>>

/** URL of a route. */
export function urlOf(path: string, query: Query = {}): URL {
  const url = new URL(path.replace(/^\//, ''), BASE)
  for (const [name, value] of Object.entries(query)) if (value !== undefined) url.searchParams.set(name, String(value))
  return url
}

async function ask(
  url: URL,
  accept: string,
  more: Readonly<Record<string, string>>,
  signal: AbortSignal,
  sent: Pick<RequestInit, 'method' | 'body'> = {},
): Promise<Response> {
  const { token, session } = access.value
  const headers = { accept, ...more, ...definedFields({ 'x-api-token': token, 'x-ledger-session': session }) }
  const options = { cache: 'no-store', credentials: 'omit', redirect: 'error' } as const
  const answer = await fetch(url, { ...options, ...sent, headers, signal })
  if (answer.ok) return answer
  const record = (await answer.json().catch(() => ({}))) as { code?: string; message?: string; hint?: string }
  const { code = 'unknown', message = `the node responded ${answer.status}`, hint } = record
  if (answer.status === 401) {
    // An ended session grants nothing; without it the node requires a token.
    if (session !== undefined) access.change({ session: undefined, until: undefined })
    else if (sent.method === undefined) access.change({ refused: true })
  }
  throw new ApiError(answer.status, code, message, hint)
}

/** Response of a JSON route. Rejects with an `ApiError`, or the error of `fetch` without a response. */
export async function get<T>(path: string, query?: Query, signal?: AbortSignal): Promise<T> {
  const late = AbortSignal.timeout(TIMEOUT_MS)
  const stop = signal === undefined ? late : AbortSignal.any([signal, late])
  return (await (await ask(urlOf(path, query), 'application/json', {}, stop)).json()) as T
}

/** Response of a JSON route to a POST, or another method. Rejects like `get`. */
export async function post<T>(path: string, body?: unknown, method = 'POST'): Promise<T> {
  const more = definedFields({ 'content-type': body === undefined ? undefined : 'application/json' })
  const sent = { method, body: body === undefined ? null : JSON.stringify(body) }
  const answer = await ask(urlOf(path), 'application/json', more, AbortSignal.timeout(TIMEOUT_MS), sent)
  return (await answer.json()) as T
}

/**
 * Read a stream to its end; `opened` is called once it is connected. Rejects like `get`, or if the stream stops
 * sending.
 */
export async function readStream(
  path: string,
  lastEventId: string | undefined,
  signal: AbortSignal,
  opened: () => void,
  take: (event: StreamEvent) => void,
): Promise<void> {
  const silent = new AbortController()
  const stop = AbortSignal.any([signal, silent.signal])
  let timer = 0
  const wait = (): void => {
    window.clearTimeout(timer)
    timer = window.setTimeout(() => silent.abort(), SILENCE_MS)
  }
  try {
    wait()
    const more = definedFields({ 'last-event-id': lastEventId })
    const { body } = await ask(urlOf(path), 'text/event-stream', more, stop)
    if (body === null) throw new Error('the response has no body')
    opened()
    const parser = new EventParser()
    const reader = body.pipeThrough(new TextDecoderStream()).getReader()
    for (;;) {
      const { done, value } = await reader.read()
      if (done) return
      wait()
      for (const event of parser.push(value)) take(event)
    }
  } finally {
    window.clearTimeout(timer)
  }
}

/** Error message for display. */
export function errorText(error: unknown): string {
  if (!(error instanceof ApiError)) return 'The node does not respond. Retrying.'
  if (error.code === 'node_starting') return 'The node is starting. Retrying.'
  return error.hint === undefined ? `${error.message}.` : `${error.message}. ${error.hint}`
}
