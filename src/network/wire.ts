/**
 * Owns the frames of a link: {u32 length, u8 channel, u8 kind, body}, big-endian; the length excludes itself.
 *
 * A message above `PART_MAX_BYTES` is sent as frames of kind `part` and a last frame of kind `message`; parts of
 * different channels interleave. Frames have no checksum, since TLS has one.
 */
import { HELLO_MAX_BYTES } from './limits.js'

/** Channels in order of priority: votes and proposals before payloads and sync before gossip. */
export type Channel = 'consensus' | 'payload' | 'gossip'
export const CHANNELS: readonly Channel[] = ['consensus', 'payload', 'gossip']

/** Kinds of frames; kinds after `part` belong to the link itself and are sent on channel 0. */
export const FRAME_KIND = { message: 0, part: 1, hello: 2, refusal: 3, ping: 4, pong: 5 } as const
export type FrameKind = keyof typeof FRAME_KIND
const KINDS = Object.keys(FRAME_KIND) as FrameKind[]

/** Bytes before the body. */
export const FRAME_HEAD_BYTES = 6

/** Head of a frame. */
export function frameHead(channel: number, kind: FrameKind, bodyBytes: number): Buffer {
  const head = Buffer.allocUnsafe(FRAME_HEAD_BYTES)
  head.writeUInt32BE(bodyBytes + 2, 0)
  head[4] = channel
  head[5] = FRAME_KIND[kind]
  return head
}

/** Received frame; the body has its own memory. */
export interface ReceivedFrame {
  readonly channel: Channel
  readonly kind: FrameKind
  readonly body: Buffer
}

/** Splits a stream into frames. */
export class FrameReader {
  /** Maximum body accepted now, in bytes; raised after the handshake. */
  limitBytes = HELLO_MAX_BYTES
  private readonly head = Buffer.alloc(FRAME_HEAD_BYTES)
  private headBytes = 0
  private body: Buffer | undefined
  private bodyBytes = 0

  /**
   * Add the next bytes of the stream and pass on the frames that they complete.
   *
   * @param onFrame returns false to stop reading
   * @returns fault of the stream, or undefined
   */
  push(chunk: Buffer, onFrame: (frame: ReceivedFrame) => boolean): string | undefined {
    let at = 0
    while (at < chunk.length) {
      if (this.body === undefined) {
        const taken = chunk.copy(this.head, this.headBytes, at, at + FRAME_HEAD_BYTES - this.headBytes)
        this.headBytes += taken
        at += taken
        if (this.headBytes < FRAME_HEAD_BYTES) return undefined
        const fault = this.open()
        if (fault !== undefined) return fault
      }
      const { body } = this
      if (body === undefined) throw new Error('a frame was opened without a body')
      const taken = chunk.copy(body, this.bodyBytes, at, at + body.length - this.bodyBytes)
      this.bodyBytes += taken
      at += taken
      if (this.bodyBytes < body.length) return undefined
      this.body = undefined
      this.headBytes = 0
      const channel = CHANNELS[this.head[4] as number] as Channel
      const kind = KINDS[this.head[5] as number] as FrameKind
      if (!onFrame({ channel, kind, body })) return undefined
    }
    return undefined
  }

  private open(): string | undefined {
    const bytes = this.head.readUInt32BE(0) - 2
    if (bytes < 0) return 'a frame is too short'
    if (bytes > this.limitBytes) return `a frame of ${bytes} bytes exceeds ${this.limitBytes}`
    if (CHANNELS[this.head[4] as number] === undefined) return `unknown channel ${this.head[4]}`
    if (KINDS[this.head[5] as number] === undefined) return `unknown kind of frame ${this.head[5]}`
    // Separate memory: a kept body keeps no other bytes alive, and can be transferred to another thread.
    this.body = Buffer.allocUnsafeSlow(bytes)
    this.bodyBytes = 0
    return undefined
  }
}
