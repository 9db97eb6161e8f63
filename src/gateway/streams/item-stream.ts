/** Owns the readers of streams of items, which are sent block by block, to each reader at its own pace. */
import { type BlockItems, type EventPosition, formatPosition, gap } from '../../api/index.js'
import type { NodeServices } from '../../api/services.js'
import type { AnyStreamRequest } from '../../api/stream-source.js'
import { BoundedMap } from '../../base/bounded.js'
import type { Feed, FeedBlock } from '../../events/feed.js'
import { CACHE_BLOCKS } from '../../events/limits.js'
import { Walks } from '../../events/walks.js'
import type { LedgerError } from '../../model/index.js'
import { REPLAY_BLOCKS_MAX } from './limits.js'
import type { StreamSink } from './stream-sink.js'

/** Start of a reader: after a position, or at a height; if neither is given, at the next block. */
export interface ItemStart {
  readonly after: EventPosition | undefined
  readonly fromHeight: number | undefined
  /** Item filter; absent: all. */
  readonly wanted?: ((item: unknown) => boolean) | undefined
}

/** Item with its encoded bytes. */
interface WrittenItem {
  readonly item: unknown
  readonly bytes: Buffer
}

/** Dependencies of item streams. */
export interface ItemModules {
  readonly services: NodeServices
  readonly feed: Feed
  /** Height of the last committed block. */
  readonly tip: () => number
  readonly onError: (error: unknown) => void
}

export class ItemStream {
  private waiting: (() => void)[] = []
  private readonly walks = new Walks()
  /** Items of the last blocks by height, each read and encoded once. */
  private readonly cache = new BoundedMap<number, Promise<readonly WrittenItem[]>>(CACHE_BLOCKS)

  constructor(
    private readonly source: BlockItems<unknown>,
    private readonly modules: ItemModules,
  ) {}

  /** Send items until the sink closes. */
  add(sink: StreamSink, start: ItemStart): void {
    this.run(sink, start).catch((error: unknown) => {
      this.modules.onError(error)
      sink.close('failed')
    })
  }

  /** Filter for a request, or the error that refuses it; undefined: all. */
  wanted(request: AnyStreamRequest): ItemStart['wanted'] | LedgerError {
    return this.source.wanted?.(request)
  }

  /** Wake waiting readers after a committed block or a closed sink. */
  wake(): void {
    for (const resolve of this.waiting.splice(0)) resolve()
  }

  private async run(sink: StreamSink, { after, fromHeight, wanted }: ItemStart): Promise<void> {
    const { feed, tip } = this.modules
    // A position inside a block: the rest of the block comes first.
    let next = after?.height ?? fromHeight ?? tip() + 1
    let skipped = after === undefined ? 0 : after.index + 1
    const leave = (from: number, to: number): void => {
      const text = JSON.stringify(gap.toJson({ from, to }))
      sink.write(Buffer.from(`event: gap\ndata: ${text}\n\n`))
      next = to + 1
      skipped = 0
    }
    if (next < tip() - REPLAY_BLOCKS_MAX) leave(next, tip() - REPLAY_BLOCKS_MAX - 1)
    while (!sink.closed) {
      if (next > tip()) {
        await new Promise<void>((resolve) => this.waiting.push(resolve))
        continue
      }
      await sink.drained()
      const show = async ({ height }: FeedBlock): Promise<boolean> => {
        if (height > next) leave(next, height - 1)
        if (!sink.ready || sink.closed) return false
        const items = await this.items(height)
        const rest = skipped === 0 ? items : items.slice(skipped)
        const sent = wanted === undefined ? rest : rest.filter(({ item }) => wanted(item))
        if (sent.length > 0) sink.write(Buffer.concat(sent.map(({ bytes }) => bytes)))
        next = height + 1
        skipped = 0
        return true
      }
      if (!(await this.walks.takeFrom(next, tip(), () => feed.walk(next, show)))) leave(next, tip())
    }
  }

  /** Encoded items of a block. */
  private items(height: number): Promise<readonly WrittenItem[]> {
    const known = this.cache.get(height)
    if (known !== undefined) return known
    const made = this.encoded(height)
    this.cache.set(height, made)
    made.catch(() => this.cache.delete(height))
    return made
  }

  private async encoded(height: number): Promise<readonly WrittenItem[]> {
    const { event, schema } = this.source
    const { services } = this.modules
    const items = await this.source.read(services, height)
    return items.map((item, index) => {
      const text = JSON.stringify(schema.toJson(item, services.info.codec))
      const id = formatPosition({ height, index })
      return { item, bytes: Buffer.from(`id: ${id}\nevent: ${event}\ndata: ${text}\n\n`) }
    })
  }
}
