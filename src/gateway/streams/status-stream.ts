/** Owns the readers of the consensus status: all get the same text, when it changed, ten times a second at most. */
import { type ConsensusStatus, consensusStatus } from '../../api/index.js'
import type { CodecContext } from '../../codec/index.js'
import { STATUS_MS } from './limits.js'
import type { StreamSink } from './stream-sink.js'

export class StatusStream {
  /** Readers with the number of the status that they have. */
  private readonly readers = new Map<StreamSink, number>()
  private timer: NodeJS.Timeout | undefined
  private text = ''
  private bytes = Buffer.alloc(0)
  private number = 0

  constructor(
    private readonly status: () => ConsensusStatus,
    private readonly codec: CodecContext,
    private readonly onError: (error: unknown) => void,
  ) {}

  /** Sends the status now and whenever it changed, until the reader is removed. */
  add(outlet: StreamSink): void {
    this.readers.set(outlet, 0)
    this.timer ??= setInterval(() => this.look(), STATUS_MS)
    this.refresh()
    this.send(outlet)
  }

  remove(outlet: StreamSink): void {
    this.readers.delete(outlet)
    if (this.readers.size > 0) return
    clearInterval(this.timer)
    this.timer = undefined
  }

  /** Looks whether the status changed and tells the readers. */
  look(): void {
    try {
      this.refresh()
      for (const [outlet, seen] of this.readers) if (seen !== this.number) this.send(outlet)
    } catch (error) {
      this.onError(error)
      for (const outlet of [...this.readers.keys()]) outlet.close('failed')
    }
  }

  private refresh(): void {
    const text = JSON.stringify(consensusStatus.toJson(this.status(), this.codec))
    if (text === this.text) return
    this.text = text
    this.number += 1
    this.bytes = Buffer.from(`event: status\ndata: ${text}\n\n`)
  }

  /** A slow reader skips what it could not take in time: only the last status is worth anything. */
  private send(outlet: StreamSink): void {
    if (!outlet.ready) return
    this.readers.set(outlet, this.number)
    outlet.write(this.bytes)
  }
}
