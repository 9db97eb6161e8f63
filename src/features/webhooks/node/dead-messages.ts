/** Owns the messages of dead letters: an event is rebuilt from its block, a gap from its heights. */
import { parsePosition } from '../../../api/schema/stream.js'
import type { Feed } from '../../../events/feed.js'
import { LedgerError } from '../../../model/index.js'
import type { DeadLetter } from '../schema.js'
import { eventMessage, gapMessage, gapOf, type Message } from './message.js'

export class DeadMessages {
  constructor(
    private readonly feed: Feed,
    private readonly chain: string,
  ) {}

  /** Message of a dead letter, or the reason why it is unavailable. */
  async of({ event, atMs }: DeadLetter): Promise<Message | LedgerError> {
    const gone = new LedgerError('not_found', `the block of event ${event} is no longer stored`)
    const gap = gapOf(event)
    if (gap !== undefined) return gapMessage(gap.from, gap.to, atMs, this.chain)
    const at = parsePosition(event)
    if (at === undefined) return gone
    const [block] = await this.feed.from(at.height)
    const item = block?.height === at.height ? block.eventItems[at.index] : undefined
    return item === undefined ? gone : eventMessage(item, this.chain)
  }
}
