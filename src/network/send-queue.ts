/** Owns the send queue of one peer: by priority, bounded in bytes, long messages in parts. */
import { CONSENSUS_QUEUE_MAX_BYTES, GOSSIP_QUEUE_MAX_BYTES, PART_MAX_BYTES, PAYLOAD_QUEUE_MAX_BYTES } from './limits.js'
import { CHANNELS, type Channel, FRAME_HEAD_BYTES, type FrameKind, frameHead } from './wire.js'

interface Waiting {
  readonly kind: FrameKind
  readonly body: Uint8Array
  sent: number
}

/** First in, first out, without moving what waits. */
class Fifo {
  private items: (Waiting | undefined)[] = []
  private first = 0
  bytes = 0

  get head(): Waiting | undefined {
    return this.items[this.first]
  }

  push(item: Waiting): void {
    this.items.push(item)
    this.bytes += item.body.length + FRAME_HEAD_BYTES
  }

  drop(): void {
    const item = this.items[this.first]
    if (item === undefined) return
    this.bytes -= item.body.length + FRAME_HEAD_BYTES
    this.items[this.first] = undefined
    this.first += 1
    if (this.first > 1024 && 2 * this.first > this.items.length) {
      this.items = this.items.slice(this.first)
      this.first = 0
    }
  }
}

const LIMITS: Readonly<Record<Channel, number>> = {
  consensus: CONSENSUS_QUEUE_MAX_BYTES,
  payload: PAYLOAD_QUEUE_MAX_BYTES,
  gossip: GOSSIP_QUEUE_MAX_BYTES,
}

/** The outgoing messages of one link. */
export class SendQueue {
  private readonly control = new Fifo()
  private readonly channels = CHANNELS.map(() => new Fifo())

  /** Queues a frame of the link itself; it goes before everything else. */
  pushControl(kind: FrameKind, body: Uint8Array): void {
    this.control.push({ kind, body, sent: 0 })
  }

  /** Queues a message; false when the channel is full. A channel that is empty takes a message of any size. */
  push(channel: Channel, body: Uint8Array): boolean {
    const queue = this.channels[CHANNELS.indexOf(channel)] as Fifo
    if (queue.bytes > 0 && queue.bytes + body.length > LIMITS[channel]) return false
    queue.push({ kind: 'message', body, sent: 0 })
    return true
  }

  /** Bytes of the link's own frames that wait. */
  get controlBytes(): number {
    return this.control.bytes
  }

  /** Bytes of all that waits. */
  get bytes(): number {
    return this.channels.reduce((sum, { bytes }) => sum + bytes, this.control.bytes)
  }

  /** Appends the next frame to the pieces of a write; its length in bytes, 0 when nothing waits. */
  take(pieces: Uint8Array[]): number {
    const control = this.control.head
    if (control !== undefined) {
      this.control.drop()
      pieces.push(frameHead(0, control.kind, control.body.length), control.body)
      return FRAME_HEAD_BYTES + control.body.length
    }
    for (const [channel, queue] of this.channels.entries()) {
      const next = queue.head
      if (next === undefined) continue
      const left = next.body.length - next.sent
      const part = Math.min(left, PART_MAX_BYTES)
      pieces.push(
        frameHead(channel, part < left ? 'part' : 'message', part),
        next.body.subarray(next.sent, next.sent + part),
      )
      next.sent += part
      if (part === left) queue.drop()
      return FRAME_HEAD_BYTES + part
    }
    return 0
  }
}
