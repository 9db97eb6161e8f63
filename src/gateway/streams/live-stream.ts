/**
 * Owns the readers of live changes. All readers get the same bytes; a slow reader gets the number of missed changes,
 * then the full state.
 */
import type { LiveChanges, LiveEvent } from '../../api/index.js'
import type { CodecContext } from '../../codec/index.js'
import type { StreamSink } from './stream-sink.js'

export class LiveStream {
  /** Readers with the number of events that each missed. */
  private readonly readers = new Map<StreamSink, number>()
  private stop: (() => void) | undefined
  /** Initial message, valid until a change. */
  private first: Buffer | undefined

  constructor(
    private readonly source: LiveChanges,
    private readonly codec: CodecContext,
  ) {}

  /** Send the full state, then each change, until the reader is removed. */
  add(sink: StreamSink): void {
    // A connection that ended meanwhile was removed before this point.
    if (sink.closed) return
    this.readers.set(sink, 0)
    if (this.stop === undefined) {
      this.first = undefined
      this.stop = this.source.open((events) => this.send(events))
    }
    sink.write(this.firstBytes())
  }

  remove(sink: StreamSink): void {
    this.readers.delete(sink)
    if (this.readers.size > 0) return
    this.stop?.()
    this.stop = undefined
  }

  private send(events: readonly LiveEvent[]): void {
    if (events.length === 0) return
    this.first = undefined
    let bytes: Buffer | undefined
    for (const [sink, missed] of this.readers) {
      if (!sink.ready) {
        this.readers.set(sink, missed + events.length)
        continue
      }
      if (missed > 0) {
        this.readers.set(sink, 0)
        const lagged = this.bytesOf({ event: 'lagged', value: { missed: missed + events.length } })
        sink.write(Buffer.concat([lagged, this.firstBytes()]))
        continue
      }
      bytes ??= Buffer.concat(events.map((event) => this.bytesOf(event)))
      sink.write(bytes)
    }
  }

  private firstBytes(): Buffer {
    this.first ??= this.bytesOf(this.source.first())
    return this.first
  }

  private bytesOf({ event, value }: LiveEvent): Buffer {
    const schema = this.source.schemas[event]
    if (schema === undefined) throw new Error(`no schema of the event ${event}`)
    return Buffer.from(`event: ${event}\ndata: ${JSON.stringify(schema.toJson(value as never, this.codec))}\n\n`)
  }
}
