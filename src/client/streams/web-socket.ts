/** Owns one WebSocket of the client: opened with its first frame, read message by message, ended by silence. */
import type { IncomingMessage } from 'node:http'
import type { RawData, WebSocket } from 'ws'
import { CLOSE_CODES } from '../../api/index.js'
import { type ErrorCode, LedgerError } from '../../model/index.js'
import { errorOfAnswer } from '../transport.js'
import { Inbox } from './inbox.js'

/** Time for the handshake, in ms. */
const HANDSHAKE_MS = 10_000
/** A node pings every 20 s; without a sign of it for this long, in ms, the connection is dead. */
const SILENCE_MS = 60_000
/** Longest message, in bytes: a block as JSON. */
const MESSAGE_MAX_BYTES = 256 * 1024 * 1024
/** Longest refusal that is read, in bytes. */
const REFUSAL_MAX_BYTES = 1024 * 1024

/** What a close code means for the caller. */
const CODES: ReadonlyMap<number, ErrorCode> = new Map([
  [CLOSE_CODES.stopping, 'node_stopping'],
  [CLOSE_CODES.failed, 'internal'],
  [CLOSE_CODES.badSubscription, 'validation_failed'],
  [CLOSE_CODES.subscribeTimeout, 'request_timeout'],
  [CLOSE_CODES.protocol, 'malformed_request'],
])

export interface SocketRequest {
  /** `ws:` or `wss:`. */
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  /** The first frame: a text, or bytes of the codec. */
  readonly start: Uint8Array | string
  readonly signal: AbortSignal | undefined
}

/** The error of an answer that is no upgrade. */
async function refusalOf(response: IncomingMessage): Promise<LedgerError> {
  const parts: Buffer[] = []
  let bytes = 0
  for await (const part of response) {
    parts.push(part as Buffer)
    bytes += (part as Buffer).length
    if (bytes > REFUSAL_MAX_BYTES) break
  }
  return errorOfAnswer({
    status: response.statusCode ?? 0,
    headers: response.headers,
    body: Buffer.concat(parts),
    tries: 1,
  })
}

function opened(socket: WebSocket, url: string): Promise<void> {
  return new Promise((resolve, reject) => {
    socket.once('open', resolve)
    socket.once('unexpected-response', (_, response) => {
      refusalOf(response)
        .then(reject, reject)
        .finally(() => socket.terminate())
    })
    socket.once('error', (error: NodeJS.ErrnoException) => {
      const why = error.code ?? error.message
      reject(new LedgerError('unreachable', `${new URL(url).origin}: no answer (${why})`, { cause: error }))
    })
  })
}

/** Opens a connection and gives its messages; they end when the connection does, with an error unless it was `signal`. */
export async function openSocket(request: SocketRequest): Promise<AsyncIterable<Buffer>> {
  const { url, headers, start, signal } = request
  // Loaded at the first stream: commands that open none start faster.
  const { WebSocket } = await import('ws')
  signal?.throwIfAborted()
  const socket = new WebSocket(url, {
    headers,
    perMessageDeflate: false,
    maxPayload: MESSAGE_MAX_BYTES,
    handshakeTimeout: HANDSHAKE_MS,
  })
  const stop = (): void => socket.terminate()
  signal?.addEventListener('abort', stop)
  try {
    await opened(socket, url)
  } catch (error) {
    signal?.removeEventListener('abort', stop)
    throw error
  }
  const inbox = new Inbox<Buffer>({
    pause: () => socket.pause(),
    resume: () => socket.resume(),
    close: () => socket.terminate(),
  })
  let heardMs = performance.now()
  const hear = (): void => {
    heardMs = performance.now()
  }
  const watch = setInterval(() => {
    // A reader that takes its time hears nothing either.
    if (!socket.isPaused && performance.now() - heardMs > SILENCE_MS) socket.terminate()
  }, SILENCE_MS / 4)
  socket.on('ping', hear)
  socket.on('message', (data: RawData) => {
    hear()
    inbox.push(data as Buffer)
  })
  socket.on('error', () => socket.terminate())
  socket.once('close', (code, reason) => {
    clearInterval(watch)
    signal?.removeEventListener('abort', stop)
    const text = reason.length === 0 ? `the connection ended (${code})` : reason.toString('utf8')
    inbox.end(signal?.aborted === true ? undefined : new LedgerError(CODES.get(code) ?? 'unreachable', text))
  })
  socket.send(start)
  return inbox
}
