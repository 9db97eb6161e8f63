/** Owns the walk through a list: pages are read as items are wanted, within a bound for every request. */
import type { Json } from '../../codec/index.js'
import { LedgerError } from '../../model/index.js'
import { type List, PAGE_ITEMS } from './list.js'
import type { Test } from './predicate.js'

/** Pages that one request reads: each holds the ledger thread for up to some tens of milliseconds. */
export const PAGES_MAX = 20
/** Items that one request looks at: what a sorted query may go over, and how far one goes to find a rare match. */
export const ROWS_MAX = PAGES_MAX * PAGE_ITEMS

/** What is wanted of a list. */
export interface Wanted {
  readonly list: List
  readonly test: Test
  readonly order: ((a: Json, b: Json) => number) | undefined
  readonly offset: number
  readonly limit: number
}

/** Where a walk stands. */
export interface Walk {
  /** The list goes on after this place; undefined: at its beginning. */
  readonly after: string | undefined
  /** True when the list was read to its end. */
  readonly ended: boolean
  /** Matches that were read and not given out, of one page, and the height of that page. */
  readonly held: readonly Json[]
  readonly height: number | undefined
  /** Matches to leave out yet, and to give out at most. */
  readonly skip: number
  readonly left: number
}

/** A step of a walk. */
export interface Step {
  readonly items: readonly Json[]
  /** Of the state that the first item was read from; without items, of the last page. */
  readonly height: number
  readonly walk: Walk
  /** True when the step ended at the bound on pages, with fewer items than were wanted. */
  readonly cut: boolean
}

export const walkOf = ({ offset, limit }: Wanted): Walk => ({
  after: undefined,
  ended: false,
  held: [],
  height: undefined,
  skip: offset,
  left: limit,
})

/** True when nothing follows. */
export const isOver = ({ ended, held, left }: Walk): boolean => left === 0 || (ended && held.length === 0)

/** Matches that follow, as far as they are known: all of them, once the list or the limit is reached. */
export const remainingOf = ({ ended, held, left }: Walk): number | undefined =>
  ended || held.length >= left ? Math.min(held.length, left) : undefined

const abandoned = (): LedgerError => new LedgerError('request_timeout', 'nobody waits for the answer any more')

/** Goes on by at most `count` items. The walk that was given stays as it is: a step that fails can be tried again. */
export async function stepOf(
  { list, test }: Wanted,
  from: Walk,
  count: number,
  signal: AbortSignal,
): Promise<Step | LedgerError> {
  const items: Json[] = []
  let { after, ended, skip, left } = from
  let [held, heldHeight]: [readonly Json[], number | undefined] = [from.held, from.height]
  let height: number | undefined
  for (let pages = 0; ; ) {
    const skipped = Math.min(skip, held.length)
    const taken = held.slice(skipped, skipped + Math.min(count - items.length, left))
    if (taken.length > 0) height ??= heldHeight
    items.push(...taken)
    skip -= skipped
    left -= taken.length
    held = held.slice(skipped + taken.length)
    const wantsMore = items.length < count && left > 0 && !ended
    if (!wantsMore || pages === PAGES_MAX) {
      const walk = { after, ended, held, height: heldHeight, skip, left }
      return { items, height: height ?? heldHeight ?? 0, walk, cut: wantsMore }
    }
    if (signal.aborted) return abandoned()
    const page = await list.page(after)
    if (page instanceof LedgerError) return page
    pages += 1
    after = page.after
    ended = page.after === undefined
    held = page.items.filter(test)
    heldHeight = page.height
  }
}

/** The walk through all matches in their order, which needs the whole list. */
export async function sortedWalk(
  { list, test, order, offset, limit }: Wanted,
  signal: AbortSignal,
): Promise<Walk | LedgerError> {
  const matches: Json[] = []
  let height: number | undefined
  let after: string | undefined
  for (let pages = 0; pages < PAGES_MAX; pages++) {
    if (signal.aborted) return abandoned()
    const page = await list.page(after)
    if (page instanceof LedgerError) return page
    height ??= page.height
    matches.push(...page.items.filter(test))
    after = page.after
    if (after === undefined) {
      const held = matches.sort(order).slice(offset, offset + limit)
      return { after, ended: true, held, height, skip: 0, left: held.length }
    }
  }
  return new LedgerError('query_too_complex', `the query would sort more than ${ROWS_MAX} items`, {
    hint: 'Ask for less, or in the order of the list.',
  })
}
