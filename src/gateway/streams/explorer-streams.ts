/** Owns the readers of the explorer's streams: items of its lists, block by block, each reader at its own pace. */

import { type EventPosition, formatPosition, gap, PAGE_LIMIT_MAX } from '../../api/index.js'
import type { Page } from '../../api/paging.js'
import type { NodeServices } from '../../api/services.js'
import type { CodecContext, Schema } from '../../codec/index.js'
import {
  blockView,
  type HistoryQuery,
  instructionItem,
  transactionItem,
} from '../../features/explorer/schema/history.js'
import * as queries from '../../features/explorer/schema/queries.js'
import { EXPLORER_STREAMS } from '../../features/explorer/schema/streams.js'
import type { QueryDef } from '../../model/index.js'
import type { Feed } from './feed.js'
import { CACHE_BLOCKS, REPLAY_BLOCKS_MAX } from './limits.js'
import type { StreamSink } from './stream-sink.js'

/** Where a reader begins: after a position, or with a height; with neither at the next block. */
export interface ExplorerStart {
  readonly after: EventPosition | undefined
  readonly fromHeight: number | undefined
}

/** The items of one block, oldest first, as JSON. */
type Read = (services: NodeServices, codec: CodecContext, height: number) => Promise<readonly string[]>

const jsonOf = <T>(schema: Schema<T>, item: T, codec: CodecContext): string =>
  JSON.stringify(schema.toJson(item, codec))

/** Reads a list that is newest first, all pages of one block. */
const listed =
  <T>(def: QueryDef<HistoryQuery, Page<T>>, schema: Schema<T>): Read =>
  async (services, codec, height) => {
    const texts: string[] = []
    const asked = { authority: undefined, kind: undefined, definition: undefined, outcome: undefined, block: height }
    for (let after: string | undefined; ; ) {
      const page = await services.query(def, { ...asked, limit: PAGE_LIMIT_MAX, after })
      texts.push(...(page?.items ?? []).map((item) => jsonOf(schema, item, codec)))
      after = page?.nextCursor
      if (after === undefined) return texts.reverse()
    }
  }

const READS: Readonly<Record<keyof typeof EXPLORER_STREAMS, Read>> = {
  block: async (services, codec, height) => {
    const found = await services.query(queries.block, { height, hash: undefined })
    return found === undefined ? [] : [jsonOf(blockView, found, codec)]
  },
  transaction: listed(queries.transactions, transactionItem),
  instruction: listed(queries.instructions, instructionItem),
}

type Kind = keyof typeof READS
const KINDS: ReadonlyMap<string, Kind> = new Map(
  (Object.keys(READS) as Kind[]).map((kind) => [EXPLORER_STREAMS[kind].id, kind]),
)

/** True for the routes that are served here. */
export const isExplorerStream = (routeId: string): boolean => KINDS.has(routeId)

export class ExplorerStreams {
  private waiting: (() => void)[] = []
  /** Items of the last blocks by kind and height, each asked for and written once. */
  private readonly cache = new Map<string, Promise<readonly Buffer[]>>()

  constructor(
    private readonly modules: {
      readonly services: NodeServices
      readonly feed: Feed
      readonly tip: () => number
      readonly onError: (error: unknown) => void
    },
  ) {}

  /** Sends the items of a route until the outlet closes. */
  add(outlet: StreamSink, routeId: string, start: ExplorerStart): void {
    const kind = KINDS.get(routeId)
    if (kind === undefined) throw new Error(`route ${routeId} is not a stream of the explorer`)
    this.run(outlet, kind, start).catch((error: unknown) => {
      this.modules.onError(error)
      outlet.close('failed')
    })
  }

  /** A block was committed, or an outlet closed: whoever waits looks again. */
  wake(): void {
    for (const resolve of this.waiting.splice(0)) resolve()
  }

  private async run(outlet: StreamSink, kind: Kind, { after, fromHeight }: ExplorerStart): Promise<void> {
    const { feed, tip } = this.modules
    // A position inside a block: the rest of it comes first.
    let next = after?.height ?? fromHeight ?? tip() + 1
    let skipped = after === undefined ? 0 : after.index + 1
    const leave = (from: number, to: number): void => {
      const text = JSON.stringify(gap.toJson({ from, to }))
      outlet.write(Buffer.from(`event: gap\ndata: ${text}\n\n`))
      next = to + 1
      skipped = 0
    }
    if (next < tip() - REPLAY_BLOCKS_MAX) leave(next, tip() - REPLAY_BLOCKS_MAX - 1)
    while (!outlet.closed) {
      if (next > tip()) {
        await new Promise<void>((resolve) => this.waiting.push(resolve))
        continue
      }
      const blocks = await feed.from(next)
      const first = blocks[0]?.height ?? tip() + 1
      if (first > next) leave(next, first - 1)
      for (const { height } of blocks) {
        const items = await this.items(kind, height)
        await outlet.drained()
        if (outlet.closed) return
        const rest = skipped === 0 ? items : items.slice(skipped)
        if (rest.length > 0) outlet.write(Buffer.concat(rest))
        next = height + 1
        skipped = 0
      }
    }
  }

  /** The items of a block as they are sent. */
  private items(kind: Kind, height: number): Promise<readonly Buffer[]> {
    const key = `${kind} ${height}`
    const known = this.cache.get(key)
    if (known !== undefined) return known
    const { services } = this.modules
    const made = READS[kind](services, services.info.codec, height).then((texts) =>
      texts.map((text, index) =>
        Buffer.from(`id: ${formatPosition({ height, index })}\nevent: ${kind}\ndata: ${text}\n\n`),
      ),
    )
    this.cache.set(key, made)
    made.catch(() => this.cache.delete(key))
    for (const oldest of this.cache.keys()) {
      if (this.cache.size <= CACHE_BLOCKS) break
      this.cache.delete(oldest)
    }
    return made
  }
}
