/** Owns the readers of blocks: each goes through the chain at its own pace, so a slow one just stays behind. */

import { BLOCK_MESSAGE_FRAME, blockMessage, type Gap } from '../../api/index.js'
import type { StreamFormat } from '../../events/event-item.js'
import type { Feed } from '../../events/feed.js'
import { binaryFrame, textFrame } from '../../events/message-frame.js'
import type { StreamSink } from './stream-sink.js'

type FrameFormat = Exclude<StreamFormat, 'sse'>

function gapBytes(format: FrameFormat, value: Gap): Buffer {
  return format === 'binary'
    ? binaryFrame(BLOCK_MESSAGE_FRAME.seal({ kind: 'gap', value }))
    : textFrame(JSON.stringify(blockMessage.toJson({ kind: 'gap', value })))
}

export class BlockStreams {
  private waiting: (() => void)[] = []

  constructor(
    private readonly feed: Feed,
    private readonly tip: () => number,
    private readonly onError: (error: unknown) => void,
  ) {}

  /** Sends blocks from a height on until the sink closes. */
  add(sink: StreamSink, format: FrameFormat, fromHeight: number): void {
    this.run(sink, format, fromHeight).catch((error: unknown) => {
      this.onError(error)
      sink.close('failed')
    })
  }

  /** A block was committed, or a sink closed: whoever waits looks again. */
  wake(): void {
    for (const resolve of this.waiting.splice(0)) resolve()
  }

  private async run(sink: StreamSink, format: FrameFormat, fromHeight: number): Promise<void> {
    for (let next = fromHeight; !sink.closed; ) {
      if (next > this.tip()) {
        await new Promise<void>((resolve) => this.waiting.push(resolve))
        continue
      }
      const blocks = await this.feed.from(next)
      const first = blocks[0]?.height ?? this.tip() + 1
      if (first > next) sink.write(gapBytes(format, { from: next, to: first - 1 }))
      next = first
      for (const block of blocks) {
        await sink.drained()
        if (sink.closed) return
        sink.write(block.blockBytes(format))
        next = block.height + 1
      }
    }
  }
}
