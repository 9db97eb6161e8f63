/**
 * Owns the readers of events: events are replayed from the block store, then sent live, without gaps or duplicates at
 * the transition.
 */
import { setImmediate } from 'node:timers/promises'
import { type EventPosition, type EventSubscription, parsePosition } from '../../api/index.js'
import type { PendingChange } from '../../api/services.js'
import { SYSTEM_CLOCKS } from '../../base/clocks.js'
import type { CodecContext } from '../../codec/index.js'
import { type EventItem, noticeBytes } from '../../events/event-item.js'
import type { Feed, FeedBlock } from '../../events/feed.js'
import { FilterIndex } from '../../events/filter-index.js'
import { asksForPending, compileFilter, wanted } from '../../events/filters.js'
import { Walks } from '../../events/walks.js'
import { Slices } from '../slices.js'
import { REPLAY_BLOCKS_MAX, SLICE_READERS } from './limits.js'
import type { StreamSink } from './stream-sink.js'
import { Subscriber } from './subscriber.js'

/** Dependencies of the hub. */
export interface HubModules {
  readonly feed: Feed
  readonly codec: CodecContext
  /** Height of the last committed block. */
  readonly tip: () => number
  readonly onPending: (listener: (change: PendingChange) => void) => () => void
  readonly onError: (error: unknown) => void
}

/** Start of a subscription: the first height, and the position up to which the reader already has all events. */
function startOf({ after, fromHeight }: Pick<EventSubscription, 'after' | 'fromHeight'>) {
  const last = after === undefined ? undefined : parsePosition(after)
  if (last !== undefined) return { height: Math.max(1, last.height), last }
  if (fromHeight === undefined) return undefined
  const height = Math.max(1, fromHeight)
  return { height, last: { height: height - 1, index: Number.MAX_SAFE_INTEGER } satisfies EventPosition }
}

export class EventHub {
  private readonly live = new FilterIndex<Subscriber>()
  /** Subscribers of events outside of blocks, such as those of pending transactions. */
  private readonly pendingReaders = new FilterIndex<Subscriber>()
  private stopPending: (() => void) | undefined
  /** Height of the last block sent to live readers. */
  private dispatched = 0
  private pumping = false
  private readonly walks = new Walks()

  constructor(private readonly modules: HubModules) {}

  /** Serve a reader until its sink closes; the caller then calls `remove`. */
  add(sink: StreamSink, subscription: EventSubscription): Subscriber {
    const { codec, tip } = this.modules
    const filters = subscription.filters.map((filter) => compileFilter(filter, codec))
    const start = startOf(subscription)
    const reader = new Subscriber(sink, filters, start?.last)
    // It is stale after a time without readers.
    if (this.live.size === 0 && !this.pumping) this.dispatched = tip()
    const nextHeight = start?.height ?? this.dispatched + 1
    sink.write(noticeBytes(sink.format, { kind: 'subscribed', value: { nextHeight } }))
    if (filters.some(asksForPending)) this.addPending(reader)
    if (nextHeight > this.dispatched) this.goLive(reader)
    else this.replay(reader, nextHeight).catch((error: unknown) => this.fail(reader, error))
    return reader
  }

  remove(reader: Subscriber): void {
    this.live.delete(reader)
    this.pendingReaders.delete(reader)
    if (this.pendingReaders.size === 0) {
      this.stopPending?.()
      this.stopPending = undefined
    }
  }

  /** Handle a committed block. */
  committed(): void {
    this.pump()
  }

  private addPending(reader: Subscriber): void {
    this.pendingReaders.add(reader)
    this.stopPending ??= this.modules.onPending((change) => {
      const item = this.modules.feed.pending(change)
      const readers = new Set<Subscriber>()
      this.pendingReaders.wanting(item, (one) => readers.add(one))
      for (const one of readers) one.offer([item])
    })
  }

  /** Send each block to the reader as it is dispatched, from now on. */
  private goLive(reader: Subscriber): void {
    if (reader.sink.closed) return
    // The last dispatched block may still be on its way to other readers.
    reader.begin(this.dispatched)
    this.live.add(reader)
    this.pump()
  }

  /**
   * Send stored blocks until the reader has caught up with the live readers. The final check and the switch to live
   * happen in one step.
   */
  private async replay(reader: Subscriber, from: number): Promise<void> {
    const { sink, filters } = reader
    const gap = (first: number, to: number): void =>
      sink.write(noticeBytes(sink.format, { kind: 'gap', value: { from: first, to } }))
    let next = from
    const floor = this.dispatched - REPLAY_BLOCKS_MAX + 1
    if (next < floor) {
      gap(next, floor - 1)
      next = floor
    }
    while (!sink.closed) {
      await sink.drained()
      if (next > this.dispatched) return this.goLive(reader)
      const show = (block: FeedBlock): boolean => {
        if (block.height > next) gap(next, block.height - 1)
        next = block.height
        // Blocks that are not dispatched yet are sent live.
        if (block.height > this.dispatched || !sink.ready || sink.closed) return false
        if (filters.length === 0) reader.offer(block.eventItems, () => block.eventBytes(sink.format))
        else reader.offer(block.eventItems.filter((item) => wanted(filters, item)))
        next = block.height + 1
        return true
      }
      if (await this.walks.take(() => this.modules.feed.walk(next, show))) continue
      gap(next, this.dispatched)
      next = this.dispatched + 1
    }
  }

  /** Bring the live readers to the tip, block by block. */
  private pump(): void {
    if (this.pumping || this.live.size === 0) return
    this.pumping = true
    this.run().catch((error: unknown) => {
      for (const reader of [...this.live.readers()]) this.fail(reader, error)
    })
  }

  private async run(): Promise<void> {
    const { feed, tip } = this.modules
    try {
      while (this.live.size > 0 && this.dispatched < tip()) {
        const blocks = await feed.from(this.dispatched + 1)
        if (blocks.length === 0) return
        for (const block of blocks) if (block.height > this.dispatched) await this.dispatch(block)
      }
    } finally {
      // In the same step as the last check of the tip: a later commit pumps again.
      this.pumping = false
    }
  }

  /** Send a block to all live subscribers; later subscribers start after it. */
  private async dispatch(block: FeedBlock): Promise<void> {
    this.dispatched = block.height
    const items = block.eventItems
    const deliveries: (() => void)[] = []
    for (const reader of this.live.unfiltered) {
      deliveries.push(() => reader.offer(items, () => block.eventBytes(reader.sink.format)))
    }
    for (const [reader, own] of await this.matched(items)) deliveries.push(() => reader.offer(own))
    for (let from = 0; from < deliveries.length; from += SLICE_READERS) {
      // Each write takes some microseconds, and the node has to build the next block: it gets its turn between slices.
      if (from > 0) await setImmediate()
      for (const deliver of deliveries.slice(from, from + SLICE_READERS)) deliver()
    }
  }

  /** Events for each filtered reader, in order. */
  private async matched(items: readonly EventItem[]): Promise<ReadonlyMap<Subscriber, EventItem[]>> {
    const found = new Map<Subscriber, EventItem[]>()
    await new Slices(SYSTEM_CLOCKS.monotonicMs).map(items, (item) => {
      this.live.wanting(item, (reader) => {
        const own = found.get(reader)
        // Several filters of a reader may match the same event.
        if (own === undefined) found.set(reader, [item])
        else if (own.at(-1) !== item) own.push(item)
      })
    })
    return found
  }

  private fail(reader: Subscriber, error: unknown): void {
    this.modules.onError(error)
    reader.sink.close('failed')
    this.remove(reader)
  }
}
