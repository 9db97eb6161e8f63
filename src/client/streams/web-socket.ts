/** Owns one WebSocket of the client: opened with its first frame, read message by message, ended after a silence. */
import type { IncomingMessage } from 'node:http'
import type { RawData, WebSocket } from 'ws'
import { CLOSE_CODES } from '../../api/index.js'
import { type ErrorCode, LedgerError } from '../../model/index.js'
import { errorOfAnswer, refusalBody } from '../answer.js'
import { notAGateway } from '../decoded.js'
import type { SocketAddress } from '../transport.js'
import { Inbox } from './inbox.js'

/** Silence after which a connection counts as dead, in ms: a node pings every 20 s. */
const SILENCE_MS = 60_000
/** Default maximum message size, in bytes: an event with the largest metadata is far below. */
const MESSAGE_MAX_BYTES = 4 * 1024 * 1024
/**
 * Maximum message size of a block stream, in bytes: the largest body that a chain may allow, with results, also as
 * JSON.
 */
export const BLOCK_MESSAGE_MAX_BYTES = 128 * 1024 * 1024

/** Error codes by close code. */
const CODES: ReadonlyMap<number, ErrorCode> = new Map([
  [CLOSE_CODES.stopping, 'node_stopping'],
  [CLOSE_CODES.halted, 'node_halted'],
  [CLOSE_CODES.failed, 'internal'],
  [CLOSE_CODES.badSubscription, 'validation_failed'],
  [CLOSE_CODES.withdrawn, 'unauthorised'],
  [CLOSE_CODES.subscribeTimeout, 'request_timeout'],
  [CLOSE_CODES.protocol, 'malformed_request'],
])

export interface SocketRequest extends SocketAddress {
  /** First frame: a text, or codec bytes. */
  readonly start: Uint8Array | string
  readonly signal: AbortSignal | undefined
  /** Maximum message size, in bytes. */
  readonly maxBytes?: number
}

/** Error of a response that is not an upgrade. */
async function refusalOf(response: IncomingMessage, handshakeMs: number): Promise<LedgerError> {
  const timer = setTimeout(() => response.destroy(), handshakeMs)
  // An error response without an end has the error of its reading.
  const body = await refusalBody(response).catch(() => Buffer.alloc(0))
  clearTimeout(timer)
  return errorOfAnswer({ status: response.statusCode ?? 0, headers: response.headers, body, tries: 1 })
}

function opened(socket: WebSocket, { url, handshakeMs }: SocketAddress): Promise<void> {
  return new Promise((resolve, reject) => {
    socket.once('open', resolve)
    socket.once('unexpected-response', (_, response) => {
      refusalOf(response, handshakeMs)
        .then(reject, reject)
        .finally(() => socket.terminate())
    })
    socket.once('error', (error: NodeJS.ErrnoException) => {
      const why = error.code ?? error.message
      reject(new LedgerError('unreachable', `${new URL(url).origin}: no response (${why})`, { cause: error }))
    })
  })
}

/** Open a connection and return its messages; they end with the connection, with an error unless `signal` ended it. */
export async function openSocket(request: SocketRequest): Promise<AsyncIterable<Buffer>> {
  const { url, headers, handshakeMs, agent, start, signal, maxBytes = MESSAGE_MAX_BYTES } = request
  // Loaded at the first stream, so that commands without streams start faster.
  const { WebSocket } = await import('ws')
  signal?.throwIfAborted()
  const socket = new WebSocket(url, {
    headers,
    agent,
    perMessageDeflate: false,
    maxPayload: maxBytes,
    handshakeTimeout: handshakeMs,
  })
  const stop = (): void => socket.terminate()
  signal?.addEventListener('abort', stop)
  try {
    await opened(socket, request)
  } catch (error) {
    signal?.removeEventListener('abort', stop)
    throw error
  }
  const inbox = new Inbox<Buffer>({
    pause: () => socket.pause(),
    resume: () => socket.resume(),
    close: () => socket.terminate(),
  })
  let receivedMs = performance.now()
  const onReceived = (): void => {
    receivedMs = performance.now()
  }
  const watch = setInterval(() => {
    // A paused reader receives nothing either.
    if (!socket.isPaused && performance.now() - receivedMs > SILENCE_MS) socket.terminate()
  }, SILENCE_MS / 4)
  socket.on('ping', onReceived)
  socket.on('message', (data: RawData) => {
    onReceived()
    inbox.push(data as Buffer)
  })
  let failure: LedgerError | undefined
  socket.on('error', (error: NodeJS.ErrnoException) => {
    // Not a WebSocket, or a message that is too long: another connection would have the same result.
    if (error.code?.startsWith('WS_ERR_') === true) failure = notAGateway(error.message)
    socket.terminate()
  })
  socket.once('close', (code, reason) => {
    clearInterval(watch)
    signal?.removeEventListener('abort', stop)
    const text = reason.length === 0 ? `the connection ended (${code})` : reason.toString('utf8')
    inbox.end(
      signal?.aborted === true ? undefined : (failure ?? new LedgerError(CODES.get(code) ?? 'unreachable', text)),
    )
  })
  socket.send(start)
  return inbox
}
