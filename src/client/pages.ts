/** Owns the end of lists that come page by page: a gateway cannot make one endless. */
import { notAGateway } from './decoded.js'

/**
 * Empty pages one after the other that are followed. A node that looks for few things among many answers pages without an
 * item: each has looked at 300 long items at least, or at a thousand blocks.
 */
export const EMPTY_PAGES_MAX = 1_000

/** Watches the cursors of one list. */
export class PageGuard {
  private readonly seen = new Set<string>()
  private empty = 0

  /** The cursor of the next page; undefined at the end. Throws `not_a_gateway` for a list that does not go on. */
  next(cursor: string | undefined, items: number): string | undefined {
    if (cursor === undefined) return undefined
    this.empty = items === 0 ? this.empty + 1 : 0
    if (this.empty > EMPTY_PAGES_MAX) throw notAGateway(`${this.empty} pages of a list are empty and name a next one`)
    if (this.seen.has(cursor)) throw notAGateway('a page of a list names an earlier page as the next one')
    this.seen.add(cursor)
    return cursor
  }
}
