/** Owns one reader of events: its filters, its buffer, and the notice of dropped events. */
import type { EventPosition } from '../../api/index.js'
import { type EventItem, noticeBytes } from '../../events/event-item.js'
import type { CompiledFilter } from '../../events/filters.js'
import { RING_BYTES, RING_EVENTS, WRITE_BYTES } from './limits.js'
import type { StreamSink } from './stream-sink.js'

/** True if `position` is not after `last`. */
const isKnown = (position: EventPosition, last: EventPosition): boolean =>
  position.height < last.height || (position.height === last.height && position.index <= last.index)

export class Subscriber {
  /** Position up to which the reader has everything. */
  private last: EventPosition | undefined
  private waiting: EventItem[] = []
  private waitingBytes = 0
  private missed = 0
  private flushing = false

  constructor(
    readonly sink: StreamSink,
    readonly filters: readonly CompiledFilter[],
    after: EventPosition | undefined,
  ) {
    this.last = after
  }

  /** Skip everything up to the end of this height. */
  begin(height: number): void {
    const end = { height, index: Number.MAX_SAFE_INTEGER }
    if (this.last === undefined || isKnown(this.last, end)) this.last = end
  }

  /** Send matching events in one write. `whole`: the shared bytes of all of them, if already encoded. */
  offer(items: readonly EventItem[], whole?: () => Buffer): void {
    const { sink } = this
    if (sink.closed) return
    const fresh = this.fresh(items)
    if (fresh.length === 0) return
    if (sink.ready && this.waiting.length === 0) {
      // The bytes of all items are shared by all readers; a subset is joined for this reader, which may buffer it for
      // long.
      if (whole !== undefined && fresh === items) return sink.write(whole())
      if (this.bytesOf(fresh) <= WRITE_BYTES) return sink.write(this.join(fresh))
    }
    this.hold(fresh)
    void this.flush()
  }

  /** Items that the reader does not have; the same array if none is skipped. */
  private fresh(items: readonly EventItem[]): readonly EventItem[] {
    const { last } = this
    if (last === undefined) return items
    const fresh = items.filter(({ position }) => position === undefined || !isKnown(position, last))
    if (fresh.length !== items.length) return fresh
    if (items.some(({ position }) => position !== undefined)) this.last = undefined
    return items
  }

  /** Buffer items until the socket is writable. At the limit the oldest are dropped, never the newest one. */
  private hold(items: readonly EventItem[]): void {
    const older = this.waiting.length
    for (const item of items) this.waiting.push(item)
    this.waitingBytes += this.bytesOf(items)
    let dropped = 0
    while (dropped < older && (this.waiting.length - dropped > RING_EVENTS || this.waitingBytes > RING_BYTES)) {
      this.waitingBytes -= this.waiting[dropped]!.bytes(this.sink.format).length
      dropped += 1
    }
    if (dropped === 0) return
    this.missed += dropped
    this.waiting.splice(0, dropped)
  }

  /** Send buffered items as the socket accepts them. */
  private async flush(): Promise<void> {
    if (this.flushing) return
    this.flushing = true
    const { sink } = this
    while (this.waiting.length > 0 && !sink.closed) {
      await sink.drained()
      if (sink.closed) break
      if (this.missed > 0) {
        sink.write(noticeBytes(sink.format, { kind: 'lagged', value: { missed: this.missed } }))
        this.missed = 0
      }
      sink.write(this.take())
    }
    this.flushing = false
  }

  /** Oldest waiting items that fit one write. */
  private take(): Buffer {
    let count = 0
    let bytes = 0
    while (count < this.waiting.length && bytes < WRITE_BYTES) {
      bytes += this.waiting[count]!.bytes(this.sink.format).length
      count += 1
    }
    this.waitingBytes -= bytes
    return this.join(this.waiting.splice(0, count))
  }

  private bytesOf(items: readonly EventItem[]): number {
    return items.reduce((all, item) => all + item.bytes(this.sink.format).length, 0)
  }

  private join(items: readonly EventItem[]): Buffer {
    const { format } = this.sink
    return items.length === 1 ? items[0]!.bytes(format) : Buffer.concat(items.map((item) => item.bytes(format)))
  }
}
