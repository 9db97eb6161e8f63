/**
 * Owns upgrade requests. WebSockets are passed to their streams; an upgrade to any other protocol is ignored, and the
 * request is processed as usual.
 */
import { IncomingMessage, type Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { type AnyRoute, NO_PARAMETERS, splitTarget } from '../api/index.js'
import type { Metrics } from '../api/metrics.js'
import type { CodecContext } from '../codec/index.js'
import { LedgerError } from '../model/index.js'
import { WEBSOCKET_VERSION } from './answer.js'
import { ChunkedBody, LengthBody } from './chunked.js'
import { nextRequestId } from './exchange.js'
import type { Guard, StreamOwner } from './guard.js'
import { EMPTY_BODY_MAX_BYTES, ParameterReader } from './input.js'
import { rawError } from './raw.js'
import { noBodyHere } from './replies.js'
import type { Streams } from './streams/index.js'

/** Empty query string: the parameters of a WebSocket are in its first frame. */
const NO_QUERY = new ParameterReader(NO_PARAMETERS)
const NO_BODY = Buffer.alloc(0)
/** Methods whose bodies the router does not read. */
const BODYLESS: ReadonlySet<string> = new Set(['GET', 'HEAD', 'OPTIONS', 'TRACE'])

export interface UpgradeModules {
  readonly guard: Guard
  readonly streams: Streams
  readonly metrics: Metrics['gateway']
  readonly codec: CodecContext
  /** Served WebSocket routes, by path. */
  readonly routes: ReadonlyMap<string, AnyRoute>
  /** Timeout for receiving a body, in ms. */
  readonly requestTimeoutMs: number
}

/** Serve the upgrade requests of a server. */
export function serveUpgrades(server: Server, modules: UpgradeModules): void {
  server.on('upgrade', (request: IncomingMessage, duplex, head: Buffer) => {
    const socket = duplex as Socket
    // Without a listener a reset connection would end the process.
    socket.on('error', () => socket.destroy())
    const row = modules.routes.get(splitTarget(request.url ?? '/').path)
    if (row === undefined || request.headers.upgrade?.toLowerCase() !== 'websocket' || request.method !== 'GET') {
      ignoreUpgrade(server, modules, request, socket, head)
      return
    }
    const owner = ownerOf(modules, row, request)
    let status: number = 101
    const decline = (why: LedgerError): void => {
      status = why.http
      refuse(modules, socket, why)
    }
    if (owner instanceof LedgerError) decline(owner)
    else {
      socket.setNoDelay(true)
      modules.streams.upgrade(owner, request, socket, head, decline)
    }
    modules.metrics.requests.inc({ route: row.id, method: 'GET', status })
  })
}

/** Owner of a requested WebSocket, or the reason of the refusal. */
function ownerOf(
  { guard, streams, codec }: UpgradeModules,
  row: AnyRoute,
  request: IncomingMessage,
): StreamOwner | LedgerError {
  const checked = guard.head(request, row)
  if (checked instanceof LedgerError) return checked
  const { search } = splitTarget(request.url ?? '/')
  const query = NO_QUERY.readSearch(search, codec)
  if (query instanceof LedgerError) return query
  if (request.headers['sec-websocket-version'] !== WEBSOCKET_VERSION) {
    return new LedgerError('upgrade_required', `Sec-WebSocket-Version must be ${WEBSOCKET_VERSION}`)
  }
  const { token } = checked
  const caller = guard.caller(row, request, NO_BODY, token)
  if (caller instanceof LedgerError) return caller
  const owner = guard.streamOwner(row, caller, token, request)
  return streams.full(owner.address) ?? owner
}

function refuse({ metrics }: UpgradeModules, socket: Socket, error: LedgerError): void {
  metrics.rejections.inc({ code: error.code })
  socket.end(rawError(error, nextRequestId()))
  socket.destroySoon()
}

/**
 * Respond in HTTP/1.1 to a request that offers a different protocol, which RFC 9110 (7.8) allows a server to ignore.
 * HTTP/2 clients offer `h2c` on every first request. Node has already detached the connection, so the body is read
 * here.
 */
function ignoreUpgrade(
  server: Server,
  modules: UpgradeModules,
  request: IncomingMessage,
  socket: Socket,
  head: Buffer,
): void {
  const body = bodyOf(request)
  if (body === undefined) {
    const why = 'a body has either a Content-Length or the transfer encoding chunked'
    refuse(modules, socket, new LedgerError('malformed_request', why))
    return
  }
  // No handler reads the body of such a request, so nothing would bound it.
  if (BODYLESS.has(request.method ?? '') && !body.isWithin(EMPTY_BODY_MAX_BYTES)) {
    refuse(modules, socket, noBodyHere())
    return
  }
  const plain = withoutUpgrade(request, socket)
  const response = new ServerResponse(plain)
  response.shouldKeepAlive = false
  response.assignSocket(socket)
  response.once('finish', () => socket.destroySoon())
  socket.setTimeout(modules.requestTimeoutMs, () => socket.destroy())
  // A body that trickles in does not count as silence.
  const deadline = setTimeout(() => socket.destroy(), modules.requestTimeoutMs).unref()
  // Applies backpressure to the socket.
  plain._read = () => void socket.resume()
  const take = (bytes: Buffer): void => {
    const parts = body.take(bytes)
    if (parts === undefined) {
      clearTimeout(deadline)
      refuse(modules, socket, new LedgerError('malformed_request', 'the body is not a valid chunked encoding'))
      return
    }
    for (const part of parts) if (part.length > 0 && !plain.push(part)) socket.pause()
    if (!body.isWhole) return
    socket.off('data', take)
    clearTimeout(deadline)
    plain.complete = true
    plain.push(null)
  }
  plain.once('error', () => socket.destroy())
  socket.once('close', () => {
    clearTimeout(deadline)
    plain.destroy()
  })
  socket.on('data', take)
  take(head)
  server.emit('request', plain, response)
}

/** Body of a request as announced by its head; undefined if there is none that can be read. */
function bodyOf({ headers }: IncomingMessage): LengthBody | ChunkedBody | undefined {
  const { 'content-length': length, 'transfer-encoding': encoding } = headers
  if (encoding === undefined)
    return /^[0-9]{1,15}$/.test(length ?? '0') ? new LengthBody(Number(length ?? '0')) : undefined
  return length === undefined && encoding.trim().toLowerCase() === 'chunked' ? new ChunkedBody() : undefined
}

/** Copy of the request, because Node has ended the body of the detached request. */
function withoutUpgrade(request: IncomingMessage, socket: Socket): IncomingMessage {
  const plain = new IncomingMessage(socket)
  const { method, url, httpVersion, httpVersionMajor, httpVersionMinor, rawHeaders, headers } = request
  const head = { method, url, httpVersion, httpVersionMajor, httpVersionMinor, rawHeaders, headers }
  return Object.assign(plain, head)
}
