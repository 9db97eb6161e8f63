/** Owns one link: a TLS socket with frames on it, its outgoing queue, its pings and its end. */
import { performance } from 'node:perf_hooks'
import type { TLSSocket } from 'node:tls'
import { LedgerError } from '../model/index.js'
import {
  CHANNEL_MESSAGE_MAX_BYTES,
  CLOSE_GRACE_MS,
  CONTROLS_PER_PING_MAX,
  DEAD_LINK_MS,
  PART_MAX_BYTES,
  SHARED_WRITE_MS,
  WRITE_WINDOW_BYTES,
} from './limits.js'
import { SendQueue } from './send-queue.js'
import { CHANNELS, type Channel, FrameReader, type ReceivedFrame } from './wire.js'

/** Cause of a link closed because of its messages. */
export type LinkFaultKind = 'protocol' | 'handler'

/** Events of a link for its owner, in stream order. */
export interface LinkEvents {
  /** Called for a Hello or a refusal of the other side. */
  onControl(link: Link, kind: 'hello' | 'refusal', body: Buffer): void
  /** Called for a whole message; its body has its own memory. */
  onMessage(link: Link, channel: Channel, body: Buffer): void
  /** Called for every part of a message except the last. */
  onPart(link: Link): void
  /** Called if the other side broke the link protocol, or a handler threw for one of its messages; the link ends. */
  onFault(link: Link, kind: LinkFaultKind, error: unknown): void
  /** Called once when the link ended. */
  onClosed(link: Link, fault: LedgerError): void
}

/** Body of a ping and its pong, in bytes: a counter. */
const PING_BYTES = 4
/** Maximum queued ping responses, in bytes; a peer that does not read them gets no more. */
const PONGS_MAX_BYTES = 4_096

interface Parts {
  pieces: Buffer[]
  bytes: number
}

/** Link in any state; opaque outside of the network layer. */
export class Link {
  /** Round-trip time of the last ping, in ms. */
  rttMs: number | undefined
  /** True if the handshake was completed. */
  wasOpen = false
  private readonly reader = new FrameReader()
  private readonly queue = new SendQueue()
  private readonly parts = new Map<Channel, Parts>(CHANNELS.map((channel) => [channel, { pieces: [], bytes: 0 }]))
  private state: 'opening' | 'open' | 'closing' | 'closed' = 'opening'
  private fault: LedgerError | undefined
  private flushing = false
  private blocked = false
  private lastReceivedMs = performance.now()
  private pings = 0
  private pingSentMs: number | undefined
  /** Pings and pongs received since our last ping. */
  private controls = 0
  private grace: NodeJS.Timeout | undefined
  private patience: NodeJS.Timeout | undefined

  constructor(
    private readonly socket: TLSSocket,
    /** True when this side dialed. */
    readonly dialed: boolean,
    /** `host:port` of the other end, for display. */
    readonly remote: string,
    private readonly events: LinkEvents,
  ) {
    socket.setNoDelay(true)
    socket.on('data', (chunk: Buffer) => this.receive(chunk))
    socket.on('drain', () => {
      this.blocked = false
      this.flush()
    })
    socket.on('error', (error) => {
      this.fault ??= new LedgerError('unreachable', `the link to ${remote} failed: ${error.message}`, { cause: error })
    })
    socket.on('close', () => this.finish())
  }

  /** True between the handshake and the end. */
  get isOpen(): boolean {
    return this.state === 'open'
  }
  /** Bytes received on this link, including TLS. */
  get bytesIn(): number {
    return this.socket.bytesRead
  }
  /** Bytes sent on this link, including TLS. */
  get bytesOut(): number {
    return this.socket.bytesWritten
  }

  /** Bytes queued for the other side. */
  get waitingBytes(): number {
    return this.queue.bytes + this.socket.writableLength
  }
  /** Bytes of unfinished messages of the other side. */
  get partBytes(): number {
    let sum = 0
    for (const { bytes } of this.parts.values()) sum += bytes
    return sum
  }

  /** Open the link for messages after the handshake. */
  open(): void {
    if (this.state !== 'opening') return
    this.state = 'open'
    this.wasOpen = true
    this.reader.limitBytes = PART_MAX_BYTES
  }

  /** Send a handshake frame. */
  sendControl(kind: 'hello' | 'refusal', body: Uint8Array): void {
    if (this.state !== 'opening' && this.state !== 'open') return
    this.queue.pushControl(kind, body)
    this.schedule()
  }

  /**
   * Queue a message; everything queued in one turn of the event loop is sent in one write. The body must not change. A
   * non-urgent message is sent with the next one, or after a short delay: a write costs as much as the checks of a
   * vote.
   *
   * @returns false if the message was not queued: the link is not open, the channel is full, or the message exceeds the
   * limit of its channel. A full consensus channel closes the link.
   */
  send(channel: Channel, body: Uint8Array, urgent = true): boolean {
    if (this.state !== 'open') return false
    if (body.length > CHANNEL_MESSAGE_MAX_BYTES[channel]) return false
    if (!this.queue.push(channel, body)) {
      if (channel === 'consensus') {
        this.destroy(new LedgerError('unreachable', `${this.remote} is too slow for consensus messages`))
      }
      return false
    }
    if (urgent) this.schedule()
    else this.patience ??= setTimeout(() => this.flush(), SHARED_WRITE_MS)
    return true
  }

  /** Send a ping; end the link if nothing was received for `DEAD_LINK_MS`. */
  ping(monotonicMs: number): void {
    if (this.state !== 'open') return
    if (monotonicMs - this.lastReceivedMs > DEAD_LINK_MS) {
      this.destroy(new LedgerError('unreachable', `${this.remote} was silent for ${DEAD_LINK_MS} ms`))
      return
    }
    this.pings = (this.pings + 1) >>> 0
    this.pingSentMs = monotonicMs
    this.controls = 0
    const body = Buffer.alloc(PING_BYTES)
    body.writeUInt32BE(this.pings)
    this.queue.pushControl('ping', body)
    this.schedule()
  }

  /** Send the queued messages and a goodbye, then end; later input is ignored. `onClosed` receives the fault. */
  close(fault: LedgerError): void {
    if (this.state === 'closing' || this.state === 'closed') return
    this.state = 'closing'
    this.fault ??= fault
    this.schedule()
    this.grace = setTimeout(() => this.socket.destroy(), CLOSE_GRACE_MS)
  }

  /** End the link at once. */
  destroy(fault: LedgerError): void {
    this.fault ??= fault
    if (this.state !== 'closed') this.state = 'closing'
    this.socket.destroy()
  }

  private receive(chunk: Buffer): void {
    this.lastReceivedMs = performance.now()
    if (this.state === 'closing' || this.state === 'closed') return
    try {
      const wrong = this.reader.push(chunk, (frame) => this.take(frame))
      if (wrong !== undefined) this.violation(wrong)
    } catch (error) {
      // The error of a handler was caused by these bytes: this link ends, the node continues.
      this.end('handler', 'cannot handle a message', error)
    }
  }

  /** Handle one frame; false to stop reading. */
  private take(frame: ReceivedFrame): boolean {
    switch (frame.kind) {
      case 'hello':
      case 'refusal':
        this.events.onControl(this, frame.kind, frame.body)
        break
      case 'ping':
        if (!this.admitsControl(frame)) break
        if (this.queue.controlBytes < PONGS_MAX_BYTES) {
          this.queue.pushControl('pong', frame.body)
          this.schedule()
        }
        break
      case 'pong':
        if (!this.admitsControl(frame)) break
        if (this.pingSentMs !== undefined && frame.body.readUInt32BE(0) === this.pings) {
          this.rttMs = performance.now() - this.pingSentMs
          this.pingSentMs = undefined
        }
        break
      case 'part':
      case 'message':
        this.takeMessage(frame)
    }
    return this.state === 'opening' || this.state === 'open'
  }

  /** True for a valid ping or pong; otherwise the link ends. */
  private admitsControl({ kind, body }: ReceivedFrame): boolean {
    this.controls += 1
    const wrong =
      body.length !== PING_BYTES
        ? `a ${kind} has the wrong size`
        : this.controls > CONTROLS_PER_PING_MAX &&
          `more than ${CONTROLS_PER_PING_MAX} pings and pongs within one ping interval`
    if (wrong !== false) this.violation(wrong)
    return wrong === false
  }

  private takeMessage({ channel, kind, body }: ReceivedFrame): void {
    if (this.state !== 'open') return this.violation('a message arrived before the handshake')
    const parts = this.parts.get(channel) as Parts
    if (kind === 'message' && parts.bytes === 0) return this.events.onMessage(this, channel, body)
    parts.bytes += body.length
    const maxBytes = CHANNEL_MESSAGE_MAX_BYTES[channel]
    if (parts.bytes > maxBytes) return this.violation(`a message exceeds ${maxBytes} bytes`)
    parts.pieces.push(body)
    if (kind === 'part') {
      // A sender cuts at one size only: smaller parts would let it fill memory with their bookkeeping.
      if (body.length !== PART_MAX_BYTES) return this.violation('a part of a message has the wrong size')
      return this.events.onPart(this)
    }
    const whole = Buffer.allocUnsafeSlow(parts.bytes)
    let at = 0
    for (const piece of parts.pieces) {
      whole.set(piece, at)
      at += piece.length
    }
    this.parts.set(channel, { pieces: [], bytes: 0 })
    this.events.onMessage(this, channel, whole)
  }

  private violation(what: string): void {
    this.end('protocol', `it violated the link protocol: ${what}`, undefined)
  }

  private end(kind: LinkFaultKind, what: string, error: unknown): void {
    this.destroy(new LedgerError('peer_refused', `the link to ${this.remote} was closed: ${what}`))
    this.events.onFault(this, kind, error)
  }

  private schedule(): void {
    if (this.flushing) return
    this.flushing = true
    setImmediate(() => {
      this.flushing = false
      this.flush()
    })
  }

  /** Write queued bytes, one window at a time; a closing link ends when none remain. */
  private flush(): void {
    clearTimeout(this.patience)
    this.patience = undefined
    while (!this.blocked && this.state !== 'closed' && !this.socket.destroyed) {
      const pieces: Uint8Array[] = []
      let bytes = 0
      while (bytes < WRITE_WINDOW_BYTES) {
        const taken = this.queue.take(pieces)
        if (taken === 0) break
        bytes += taken
      }
      if (bytes === 0) {
        if (this.state === 'closing') this.socket.end()
        return
      }
      this.blocked = !this.socket.write(Buffer.concat(pieces, bytes))
    }
  }

  private finish(): void {
    if (this.state === 'closed') return
    this.state = 'closed'
    clearTimeout(this.grace)
    clearTimeout(this.patience)
    this.events.onClosed(this, this.fault ?? new LedgerError('unreachable', `${this.remote} closed the link`))
  }
}
