/** Owns the readers of blocks: each reads the chain at its own pace. */

import { BLOCK_MESSAGE_FRAME, type Gap, STORED_BLOCK_MESSAGE_FRAME } from '../../api/index.js'
import type { FrameOf } from '../../codec/index.js'
import type { StreamFormat } from '../../events/event-item.js'
import type { Feed, FeedBlock } from '../../events/feed.js'
import { binaryFrame, textFrame } from '../../events/message-frame.js'
import { Walks } from '../../events/walks.js'
import type { StreamSink } from './stream-sink.js'

type FrameFormat = Exclude<StreamFormat, 'sse'>

/** Format of streamed blocks. */
interface BlockForm {
  block(of: FeedBlock, format: FrameFormat): Buffer
  gap(value: Gap, format: FrameFormat): Buffer
}

const gapIn =
  (frame: FrameOf<{ readonly kind: 'gap'; readonly value: Gap }>): BlockForm['gap'] =>
  (value, format) =>
    format === 'binary'
      ? binaryFrame(frame.seal({ kind: 'gap', value }))
      : textFrame(JSON.stringify(frame.schema.toJson({ kind: 'gap', value })))

/** Forms of streamed blocks: with decoded bodies, or as stored. */
export const BLOCK_FORMS: Readonly<Record<'decoded' | 'stored', BlockForm>> = {
  decoded: { block: (of, format) => of.blockBytes(format), gap: gapIn(BLOCK_MESSAGE_FRAME as never) },
  stored: { block: (of, format) => of.storedBytes(format), gap: gapIn(STORED_BLOCK_MESSAGE_FRAME as never) },
}

export class BlockStreams {
  private waiting: (() => void)[] = []
  private readonly walks = new Walks()

  constructor(
    private readonly feed: Feed,
    private readonly tip: () => number,
    private readonly onError: (error: unknown) => void,
  ) {}

  /** Send blocks from a height on until the sink closes. */
  add(sink: StreamSink, form: BlockForm, format: FrameFormat, fromHeight: number): void {
    this.run(sink, form, format, fromHeight).catch((error: unknown) => {
      this.onError(error)
      sink.close('failed')
    })
  }

  /** Wake waiting readers after a committed block or a closed sink. */
  wake(): void {
    for (const resolve of this.waiting.splice(0)) resolve()
  }

  private async run(sink: StreamSink, form: BlockForm, format: FrameFormat, fromHeight: number): Promise<void> {
    for (let next = fromHeight; !sink.closed; ) {
      if (next > this.tip()) {
        await new Promise<void>((resolve) => this.waiting.push(resolve))
        continue
      }
      await sink.drained()
      const show = (block: FeedBlock): boolean => {
        if (block.height > next) sink.write(form.gap({ from: next, to: block.height - 1 }, format))
        next = block.height
        if (!sink.ready || sink.closed) return false
        sink.write(form.block(block, format))
        next = block.height + 1
        return true
      }
      if (await this.walks.takeFrom(next, this.tip(), () => this.feed.walk(next, show))) continue
      sink.write(form.gap({ from: next, to: this.tip() }, format))
      next = this.tip() + 1
    }
  }
}
