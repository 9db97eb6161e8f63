/** Owns the connection of one reader: its socket buffer, disconnection and closing. */
import type { ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { WebSocket } from 'ws'
import { CLOSE_CODES, type CloseCause, REASON_MAX_BYTES, SSE_END, SSE_END_CODES, streamEnd } from '../../api/index.js'
import { isKeyOf } from '../../base/guards.js'
import type { StreamFormat } from '../../events/event-item.js'
import { clipText } from '../../model/index.js'
import { PING_MS, PONGS_MISSED_MAX, SOCKET_BUFFER_BYTES, SSE_KEEPALIVE_MS, STALLED_MS } from './limits.js'

const KEEPALIVE = Buffer.from(': keepalive\n\n')

/** Output of a stream to one reader. */
export abstract class StreamSink {
  private blockedSinceMs: number | undefined
  private waiting: (() => void)[] = []
  private ended = false

  protected constructor(
    readonly format: StreamFormat,
    protected readonly socket: Socket,
    protected readonly monotonicMs: () => number,
    onClose: () => void,
  ) {
    socket.on('drain', () => this.free())
    socket.once('close', () => {
      this.ended = true
      this.free()
      onClose()
    })
  }

  /** False while the socket buffers so much that nothing more is written. */
  get ready(): boolean {
    return this.blockedSinceMs === undefined
  }

  /** True if the connection has ended or is about to. */
  get closed(): boolean {
    return this.ended
  }

  /** Write bytes to the socket at once. */
  write(bytes: Buffer): void {
    if (this.ended) return
    this.put(bytes)
    if (this.socket.writableLength >= SOCKET_BUFFER_BYTES) this.blockedSinceMs ??= this.monotonicMs()
  }

  /** Resolves once the sink is ready or closed. */
  drained(): Promise<void> {
    if (this.ready || this.ended) return Promise.resolve()
    return new Promise((resolve) => this.waiting.push(resolve))
  }

  /** End the stream in an orderly way. */
  close(cause: CloseCause, reason = ''): void {
    if (this.ended) return
    this.ended = true
    this.free()
    this.end(cause, clipText(reason, REASON_MAX_BYTES))
  }

  /** Disconnect at once. */
  destroy(): void {
    this.socket.destroy()
  }

  /** Keep the connection alive, and end it if its client reads nothing. */
  tick(): void {
    if (this.ended) return
    const nowMs = this.monotonicMs()
    if (this.blockedSinceMs !== undefined && nowMs - this.blockedSinceMs >= STALLED_MS) {
      this.close('tooSlow', 'the client did not read for too long')
      this.destroy()
      return
    }
    this.keepAlive(nowMs)
  }

  protected abstract put(bytes: Buffer): void
  protected abstract end(cause: CloseCause, reason: string): void
  protected abstract keepAlive(monotonicMs: number): void

  private free(): void {
    this.blockedSinceMs = undefined
    for (const resolve of this.waiting.splice(0)) resolve()
  }
}

/**
 * Server-Sent Events response whose headers were sent. It is not chunked, so that events can be written directly to its
 * socket, which is cheaper.
 */
export class SseSink extends StreamSink {
  private writtenAtMs: number

  constructor(
    private readonly response: ServerResponse,
    monotonicMs: () => number,
    onClose: () => void,
  ) {
    super('sse', response.socket as Socket, monotonicMs, onClose)
    this.writtenAtMs = monotonicMs()
  }

  protected override put(bytes: Buffer): void {
    this.writtenAtMs = this.monotonicMs()
    this.socket.write(bytes)
  }

  protected override end(cause: CloseCause, message: string): void {
    const code = isKeyOf(SSE_END_CODES, cause) ? SSE_END_CODES[cause] : undefined
    if (code !== undefined) {
      const text = JSON.stringify(streamEnd.toJson({ code, message }))
      this.put(Buffer.from(`event: ${SSE_END}\ndata: ${text}\n\n`))
    }
    this.response.end()
  }

  protected override keepAlive(monotonicMs: number): void {
    if (this.ready && monotonicMs - this.writtenAtMs >= SSE_KEEPALIVE_MS) this.write(KEEPALIVE)
  }
}

/**
 * WebSocket. Frames of the node are written directly to the socket. The library also writes only whole frames, so that
 * frames never interleave.
 */
export class SocketSink extends StreamSink {
  private pingedAtMs: number
  private missed = 0

  constructor(
    format: Exclude<StreamFormat, 'sse'>,
    private readonly webSocket: WebSocket,
    socket: Socket,
    monotonicMs: () => number,
    onClose: () => void,
  ) {
    super(format, socket, monotonicMs, onClose)
    this.pingedAtMs = monotonicMs()
    webSocket.on('pong', () => {
      this.missed = 0
    })
  }

  protected override put(bytes: Buffer): void {
    // Nothing may follow a close frame of either side.
    if (this.webSocket.readyState === this.webSocket.OPEN) this.socket.write(bytes)
  }

  protected override end(cause: CloseCause, reason: string): void {
    this.webSocket.close(CLOSE_CODES[cause], reason)
  }

  protected override keepAlive(monotonicMs: number): void {
    if (monotonicMs - this.pingedAtMs < PING_MS) return
    if (this.missed >= PONGS_MISSED_MAX) {
      this.close('tooSlow', 'no pong')
      this.destroy()
      return
    }
    this.pingedAtMs = monotonicMs
    this.missed += 1
    this.webSocket.ping()
  }
}
