/** Owns the termination of paged lists: a gateway cannot make one endless. */
import { notAGateway } from './decoded.js'

/**
 * Maximum number of consecutive empty pages. A node that filters many items may return pages without a match: each
 * covers at least 300 long items, or a thousand blocks.
 */
export const EMPTY_PAGES_MAX = 1_000

/** Guard over the cursors of one list. */
export class PageGuard {
  private readonly seen = new Set<string>()
  private empty = 0

  /** Cursor of the next page; undefined at the end. Throws `not_a_gateway` for a list without progress. */
  next(cursor: string | undefined, items: number): string | undefined {
    if (cursor === undefined) return undefined
    this.empty = items === 0 ? this.empty + 1 : 0
    if (this.empty > EMPTY_PAGES_MAX) throw notAGateway(`a list has ${this.empty} empty pages in a row`)
    if (this.seen.has(cursor)) throw notAGateway('a page of a list refers to an earlier page as the next one')
    this.seen.add(cursor)
    return cursor
  }
}
