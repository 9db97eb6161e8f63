/** Owns error responses written to the raw socket, for input that could not be parsed as a request. */
import { type IncomingMessage, type Server, type ServerResponse, STATUS_CODES } from 'node:http'
import type { Socket } from 'node:net'
import { LedgerError } from '../model/index.js'
import { errorAnswer } from './answer.js'

/** Error codes of Node's HTTP parser with a more specific meaning than a malformed request. */
function parserError(code: string | undefined): LedgerError {
  switch (code) {
    case 'HPE_HEADER_OVERFLOW':
      return new LedgerError('headers_too_large', 'the request line and the headers are too long')
    case 'HPE_CHUNK_EXTENSIONS_OVERFLOW':
      return new LedgerError('payload_too_large', 'the chunk extensions are too long')
    case 'ERR_HTTP_REQUEST_TIMEOUT':
      return new LedgerError('request_timeout', 'the request was not complete in time')
    default:
      return new LedgerError('malformed_request', 'the request is not HTTP/1.1')
  }
}

/** Bytes of an error response that closes its connection. */
export function rawError(error: LedgerError, requestId: string): Buffer {
  const { status, headers, body } = errorAnswer(error, requestId, false)
  const lines = Object.entries({ ...headers, 'content-length': String(body.length), connection: 'close' })
  const head = [
    `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ''}`,
    `date: ${new Date().toUTCString()}`,
    ...lines.map(([name, value]) => `${name}: ${value}`),
  ].join('\r\n')
  return Buffer.concat([Buffer.from(`${head}\r\n\r\n`, 'latin1'), body])
}

/** Socket with the response in progress, which Node stores on it. */
interface HttpSocket extends Socket {
  readonly _httpMessage?: { readonly _headerSent?: boolean } | null
}

/** Close a connection with an invalid request. */
export function onClientError(
  error: NodeJS.ErrnoException,
  socket: Socket,
  requestId: string,
): LedgerError | undefined {
  const answering = (socket as HttpSocket)._httpMessage?._headerSent === true
  // After a failed handshake no response would be readable for the client.
  const handshake = /^ERR_(SSL|TLS)_/.test(error.code ?? '')
  if (error.code === 'ECONNRESET' || !socket.writable || answering || handshake) {
    socket.destroy()
    return undefined
  }
  const reported = parserError(error.code)
  socket.end(rawError(reported, requestId))
  // The client may never close its side.
  socket.destroySoon()
  return reported
}

/** Answer requests with an unsupported Expect header; Node handles `100-continue`. */
export function refuseExpectations(server: Server, nextId: () => string): void {
  server.on('checkExpectation', (_request: IncomingMessage, response: ServerResponse) => {
    const error = new LedgerError('malformed_request', 'Expect supports only 100-continue')
    const { status, headers, body } = errorAnswer(error, nextId(), false)
    response.writeHead(status, { ...headers, 'content-length': body.length, connection: 'close' }).end(body)
  })
}
