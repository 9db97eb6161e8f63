/** Owns the receive buffer of a stream: a queue with one reader and backpressure. */

/** Number of buffered messages at which the sender is paused, and at which it is resumed. */
const PAUSE_AT = 1_024
const RESUME_AT = 256
/** The same limits in bytes: a few long messages fill the buffer as well. */
const PAUSE_AT_BYTES = 32 * 1024 * 1024
const RESUME_AT_BYTES = 8 * 1024 * 1024

export class Inbox<T extends { readonly length: number }> implements AsyncIterable<T> {
  private items: T[] = []
  /** Bytes of waiting messages, including the current one. */
  private bytes = 0
  private ended = false
  private failure: Error | undefined
  private wake: (() => void) | undefined
  private paused = false

  constructor(private readonly sender: { pause(): void; resume(): void; close(): void }) {}

  push(item: T): void {
    this.items.push(item)
    this.bytes += item.length
    if (!this.paused && (this.items.length >= PAUSE_AT || this.bytes >= PAUSE_AT_BYTES)) {
      this.paused = true
      this.sender.pause()
    }
    this.wake?.()
  }

  /** Mark the end of the stream; an error is thrown after the waiting messages. */
  end(failure?: Error): void {
    if (this.ended) return
    this.ended = true
    this.failure = failure
    this.wake?.()
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<T, void, undefined> {
    try {
      for (;;) {
        const batch = this.items
        this.items = []
        for (const item of batch) {
          yield item
          this.bytes -= item.length
        }
        if (this.paused && this.items.length <= RESUME_AT && this.bytes <= RESUME_AT_BYTES) {
          this.paused = false
          this.sender.resume()
        }
        if (this.items.length > 0) continue
        if (this.ended) break
        await new Promise<void>((resolve) => {
          this.wake = resolve
        })
        this.wake = undefined
      }
      if (this.failure !== undefined) throw this.failure
    } finally {
      this.sender.close()
    }
  }
}
