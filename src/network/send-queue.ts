/** Owns the send queue of one peer: prioritised, bounded in bytes, with long messages split into parts. */
import { Fifo } from '../base/fifo.js'
import { CONSENSUS_QUEUE_MAX_BYTES, GOSSIP_QUEUE_MAX_BYTES, PART_MAX_BYTES, PAYLOAD_QUEUE_MAX_BYTES } from './limits.js'
import { CHANNELS, type Channel, FRAME_HEAD_BYTES, type FrameKind, frameHead } from './wire.js'

interface Waiting {
  readonly kind: FrameKind
  readonly body: Uint8Array
  sent: number
}

/** Queued frames and their total size. */
class Frames extends Fifo<Waiting> {
  bytes = 0

  override push(item: Waiting): void {
    super.push(item)
    this.bytes += item.body.length + FRAME_HEAD_BYTES
  }

  override shift(): Waiting | undefined {
    const item = super.shift()
    if (item !== undefined) this.bytes -= item.body.length + FRAME_HEAD_BYTES
    return item
  }
}

const LIMITS: Readonly<Record<Channel, number>> = {
  consensus: CONSENSUS_QUEUE_MAX_BYTES,
  payload: PAYLOAD_QUEUE_MAX_BYTES,
  gossip: GOSSIP_QUEUE_MAX_BYTES,
}

/** The outgoing messages of one link. */
export class SendQueue {
  private readonly control = new Frames()
  private readonly channels = CHANNELS.map(() => new Frames())

  /** Queue a frame of the link itself, ahead of all messages. */
  pushControl(kind: FrameKind, body: Uint8Array): void {
    this.control.push({ kind, body, sent: 0 })
  }

  /** Queue a message; false if the channel is full. An empty channel accepts a message of any size. */
  push(channel: Channel, body: Uint8Array): boolean {
    const queue = this.channels[CHANNELS.indexOf(channel)] as Frames
    if (queue.bytes > 0 && queue.bytes + body.length > LIMITS[channel]) return false
    queue.push({ kind: 'message', body, sent: 0 })
    return true
  }

  /** Queued bytes of the link's own frames. */
  get controlBytes(): number {
    return this.control.bytes
  }

  /** Queued bytes in total. */
  get bytes(): number {
    return this.channels.reduce((sum, { bytes }) => sum + bytes, this.control.bytes)
  }

  /** Append the next frame to the pieces of a write; returns its length in bytes, 0 if the queue is empty. */
  take(pieces: Uint8Array[]): number {
    const control = this.control.head
    if (control !== undefined) {
      this.control.shift()
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
      if (part === left) queue.shift()
      return FRAME_HEAD_BYTES + part
    }
    return 0
  }
}
