/** Owns the events of a hook in their order: read from blocks, filtered, each with the place behind it. */
import type { Feed } from '../../../events/feed.js'
import { type CompiledFilter, wanted } from '../../../events/filters.js'
import { WINDOW } from './limits.js'
import { eventMessage, gapMessage, type Message } from './message.js'
import type { Progress } from './records.js'

type Cursor = Progress['cursor']

/** An event that is to be sent, and the cursor once it is done. */
export interface Sendable {
  readonly message: Message
  readonly next: Cursor
}

/** What a source reads. */
export interface SourceParts {
  readonly feed: Feed
  readonly filters: readonly CompiledFilter[]
  readonly chain: string
  /** Height of the last committed block. */
  readonly tip: () => number
  readonly nowMs: () => number
}

export class EventSource {
  private ready: Sendable[] = []

  constructor(
    private readonly parts: SourceParts,
    private cursor: Cursor,
  ) {}

  /** Where it reads next: everything before it was given out or is not wanted. */
  get position(): Cursor {
    return this.cursor
  }

  /** The next event of the blocks that were read; undefined: there is none in them. */
  take(): Sendable | undefined {
    return this.ready.shift()
  }

  /** Reads some blocks on, as far as the window of a hook goes; false where there are none up to the tip. */
  async read(): Promise<boolean> {
    const { feed, filters, chain, nowMs, tip } = this.parts
    if (this.cursor.height > tip()) return false
    const blocks = await feed.from(this.cursor.height)
    const found = blocks[0]?.height ?? tip() + 1
    if (found > this.cursor.height) {
      const next = { height: found, number: 0 }
      this.ready.push({ message: gapMessage(this.cursor.height, found - 1, nowMs(), chain), next })
      this.cursor = next
    }
    for (const { height, eventItems } of blocks) {
      const from = height === this.cursor.height ? this.cursor.number : 0
      for (const item of eventItems.slice(from)) {
        if (!wanted(filters, item)) continue
        const next = { height, number: (item.position?.index ?? 0) + 1 }
        this.ready.push({ message: eventMessage(item, chain), next })
        // An endpoint may be down for days: what waits for it is in the blocks, not in memory.
        if (this.ready.length >= WINDOW) {
          this.cursor = next
          return true
        }
      }
      this.cursor = { height: height + 1, number: 0 }
    }
    return blocks.length > 0
  }
}
