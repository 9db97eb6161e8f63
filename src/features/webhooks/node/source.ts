/** Owns the events of a webhook in order: read from blocks and filtered, each with its following position. */
import type { Feed, FeedBlock } from '../../../events/feed.js'
import { type CompiledFilter, wanted } from '../../../events/filters.js'
import type { Walks } from '../../../events/walks.js'
import { WINDOW } from './limits.js'
import { eventMessage, gapMessage, type Message } from './message.js'
import type { Progress } from './records.js'

type Cursor = Progress['cursor']

/** Event to send, and the cursor that follows it. */
export interface Sendable {
  readonly message: Message
  readonly next: Cursor
}

/** Dependencies of a source. */
export interface SourceParts {
  readonly feed: Feed
  /** Scheduler of all sources. */
  readonly walks: Walks
  readonly filters: readonly CompiledFilter[]
  readonly chain: string
  /** Height of the last committed block. */
  readonly tip: () => number
  readonly wallMs: () => number
}

export class EventSource {
  private ready: Sendable[] = []

  constructor(
    private readonly parts: SourceParts,
    private cursor: Cursor,
  ) {}

  /** Next read position; all earlier events were returned or do not match. */
  get position(): Cursor {
    return this.cursor
  }

  /** Next event of the blocks that were read; undefined if there is none. */
  take(): Sendable | undefined {
    return this.ready.shift()
  }

  /** Read further blocks, up to the window of a webhook; false if there are none up to the tip. */
  async read(): Promise<boolean> {
    const { feed, walks, filters, chain, wallMs, tip } = this.parts
    if (this.cursor.height > tip()) return false
    const skip = (to: number): void => {
      const next = { height: to + 1, number: 0 }
      this.ready.push({ message: gapMessage(this.cursor.height, to, wallMs(), chain), next })
      this.cursor = next
    }
    const show = ({ height, eventItems }: FeedBlock): boolean => {
      if (height > this.cursor.height) skip(height - 1)
      const from = height === this.cursor.height ? this.cursor.number : 0
      for (const item of eventItems.slice(from)) {
        if (!wanted(filters, item)) continue
        const next = { height, number: (item.position?.index ?? 0) + 1 }
        this.ready.push({ message: eventMessage(item, chain), next })
        // An endpoint may be down for days: its events wait in the blocks, not in memory.
        if (this.ready.length >= WINDOW) {
          this.cursor = next
          return false
        }
      }
      this.cursor = { height: height + 1, number: 0 }
      return true
    }
    const isAny = await walks.take(() => feed.walk(this.cursor.height, show))
    if (!isAny) skip(tip())
    return isAny
  }
}
