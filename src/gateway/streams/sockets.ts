/** Owns the WebSocket side of the streams: the first frame of a client, and the rules for later frames. */
import type { IncomingMessage } from 'node:http'
import type { Socket } from 'node:net'
import { type RawData, type WebSocket, WebSocketServer } from 'ws'
import { CLOSE_CODES, PING_TEXT, PONG_TEXT, REASON_MAX_BYTES } from '../../api/index.js'
import type { NodeServices } from '../../api/services.js'
import type { CodecContext, FrameOf } from '../../codec/index.js'
import { clipText, LedgerError } from '../../model/index.js'
import { faultError, toLedgerError } from '../answer.js'
import type { StreamOwner } from '../guard.js'
import { mayBeAlias, readAgain } from '../user-input.js'
import { CLIENT_FRAME_MAX_BYTES, SOCKET_BUFFER_BYTES, SUBSCRIBE_MS } from './limits.js'

/** Subscribed connection, with the response format of its subscription. */
export interface Opened<T> {
  readonly start: T
  readonly format: 'text' | 'binary'
  readonly webSocket: WebSocket
  readonly socket: Socket
}

/** Handshake of a WebSocket. */
export interface Handshake {
  readonly owner: StreamOwner
  readonly request: IncomingMessage
  readonly socket: Socket
  readonly head: Buffer
  /** Respond to a malformed handshake. */
  readonly decline: (why: LedgerError) => void
}

const bytesOf = (data: RawData): Buffer =>
  Array.isArray(data) ? Buffer.concat(data) : data instanceof ArrayBuffer ? Buffer.from(data) : data

const close = (webSocket: WebSocket, code: number, reason: string): void =>
  webSocket.close(code, clipText(reason, REASON_MAX_BYTES))

/** Close a connection whose subscription cannot be served. */
export const refuseSubscription = (webSocket: WebSocket, { code, message }: LedgerError): void =>
  close(webSocket, CLOSE_CODES.badSubscription, `${code}: ${message}`)

/** Handle a frame after the subscription: only a ping is allowed. */
function onLater(webSocket: WebSocket, bytes: Buffer): void {
  if (bytes.toString('latin1').replace(/\s/g, '') !== PING_TEXT) {
    close(webSocket, CLOSE_CODES.protocol, 'one subscription per connection')
  } else if (webSocket.bufferedAmount < SOCKET_BUFFER_BYTES) webSocket.send(PONG_TEXT)
}

/** Accept connections and read their first frame. */
export class Sockets {
  private readonly server = new WebSocketServer({
    noServer: true,
    clientTracking: false,
    perMessageDeflate: false,
    maxPayload: CLIENT_FRAME_MAX_BYTES,
    // The library would accept the first protocol that a client offers.
    handleProtocols: () => false,
  })
  /** Connections that have no subscription yet, with their owners. */
  readonly asking = new Map<WebSocket, StreamOwner>()

  constructor(private readonly services: NodeServices) {}

  /** Complete the handshake, wait for the first frame, and pass the connection on. */
  open<T>(
    { owner, request, socket, head, decline }: Handshake,
    frame: FrameOf<T>,
    onOpen: (opened: Opened<T>) => void,
  ): void {
    const declined = ({ message }: Error): void => decline(new LedgerError('malformed_request', message))
    // The server has one listener at a time: it checks a handshake before it returns.
    this.server.once('wsClientError', declined)
    this.server.handleUpgrade(request, socket, head, (webSocket) => {
      this.asking.set(webSocket, owner)
      const timer = setTimeout(
        () => close(webSocket, CLOSE_CODES.subscribeTimeout, 'no subscription received in time'),
        SUBSCRIBE_MS,
      )
      const settle = (): void => {
        clearTimeout(timer)
        this.asking.delete(webSocket)
      }
      webSocket.once('close', settle)
      // Invalid framing ends the connection by itself, with the protocol's code.
      webSocket.on('error', () => {})
      webSocket.once('message', (data, isBinary) => {
        webSocket.on('message', (later) => onLater(webSocket, bytesOf(later)))
        const opened = (start: T | LedgerError): void => {
          settle()
          if (start instanceof LedgerError) return refuseSubscription(webSocket, start)
          onOpen({ start, format: isBinary ? 'binary' : 'text', webSocket, socket })
        }
        const read = (codec: CodecContext) => readFrame(frame, bytesOf(data), isBinary, codec)
        const start = read(this.services.info.codec)
        if (!mayBeAlias(start)) return opened(start)
        const answered = (again: T | LedgerError): void => {
          if (webSocket.readyState === webSocket.OPEN) opened(again)
        }
        readAgain(this.services, read).then(answered, (error: unknown) => answered(toLedgerError(error)))
      })
    })
    this.server.off('wsClientError', declined)
  }

  /** Close the connections without a subscription. */
  close(): void {
    for (const webSocket of this.asking.keys()) webSocket.close(CLOSE_CODES.stopping, 'the node is stopping')
  }

  /** Disconnect them at once. */
  destroy(): void {
    for (const webSocket of this.asking.keys()) webSocket.terminate()
  }
}

function readFrame<T>(frame: FrameOf<T>, bytes: Buffer, isBinary: boolean, codec: CodecContext): T | LedgerError {
  const decoded = isBinary ? frame.open(bytes, codec) : frame.schema.parseJson(bytes, codec)
  return decoded.ok ? decoded.value : faultError(decoded.fault)
}
