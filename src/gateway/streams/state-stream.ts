/** Owns the readers of a state. All readers get the same text on a change, at most ten times per second. */
import type { CurrentState } from '../../api/index.js'
import type { NodeServices } from '../../api/services.js'
import { STATE_MS } from './limits.js'
import type { StreamSink } from './stream-sink.js'

export class StateStream {
  /** Readers, with the number of the last state that was sent to each. */
  private readonly readers = new Map<StreamSink, number>()
  private timer: NodeJS.Timeout | undefined
  private text = ''
  private bytes = Buffer.alloc(0)
  private number = 0

  constructor(
    private readonly source: CurrentState<unknown>,
    private readonly services: NodeServices,
    private readonly onError: (error: unknown) => void,
  ) {}

  /** Send the state now and on each change, until the reader is removed. */
  add(sink: StreamSink): void {
    this.readers.set(sink, 0)
    this.timer ??= setInterval(() => this.look(), STATE_MS)
    this.refresh()
    this.send(sink)
  }

  remove(sink: StreamSink): void {
    this.readers.delete(sink)
    if (this.readers.size > 0) return
    clearInterval(this.timer)
    this.timer = undefined
  }

  /** Check for a change of the state and send it to the readers. */
  look(): void {
    try {
      this.refresh()
      for (const [sink, seen] of this.readers) if (seen !== this.number) this.send(sink)
    } catch (error) {
      this.onError(error)
      for (const sink of [...this.readers.keys()]) sink.close('failed')
    }
  }

  private refresh(): void {
    const { services } = this
    const { event, schema } = this.source
    const text = JSON.stringify(schema.toJson(this.source.read(services), services.info.codec))
    if (text === this.text) return
    this.text = text
    this.number += 1
    this.bytes = Buffer.from(`event: ${event}\ndata: ${text}\n\n`)
  }

  /** Send the newest state. A slow reader skips states, since only the newest one matters. */
  private send(sink: StreamSink): void {
    if (!sink.ready) return
    this.readers.set(sink, this.number)
    sink.write(this.bytes)
  }
}
