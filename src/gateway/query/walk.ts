/** Owns the walk through a list: pages are read on demand, within a bound per request. */
import type { NodeServices } from '../../api/services.js'
import type { Json } from '../../codec/index.js'
import { LedgerError } from '../../model/index.js'
import type { Slices } from '../slices.js'
import { type List, PAGE_ITEMS } from './list.js'
import type { Test } from './predicate.js'

/** Maximum items read by one request, which bounds the input of a sorted query and the search for a rare match. */
export const ROWS_MAX = 20 * PAGE_ITEMS
/**
 * Maximum pages read by one request. Each page occupies the ledger thread for up to 20 ms, and pages of large items
 * contain few items.
 */
export const PAGES_MAX = 100

/** Maximum matches sorted by one request, in bytes of JSON; as objects they need thirteen times as much memory. */
export const SORTED_MAX_BYTES = 4 * 1024 * 1024

/** Maximum items of one response, in bytes of JSON, which are written without interruption. */
export const ANSWER_MAX_BYTES = 1024 * 1024

/** Selection of list items. */
export interface Wanted {
  readonly list: List
  readonly test: Test
  readonly order: ((a: Json, b: Json) => number) | undefined
  readonly offset: number
  readonly limit: number
}

/** Position of a walk. */
export interface Walk {
  /** Position after which the list continues; undefined: its beginning. */
  readonly after: string | undefined
  /** True if the list was read to its end. */
  readonly ended: boolean
  /**
   * Matches that were read and not yet returned, from one page or sorted. They are JSON texts, because objects would
   * take thirteen times the memory.
   */
  readonly held: readonly string[]
  readonly heldBytes: number
  readonly height: number | undefined
  /** Number of matches to skip, and to return at most. */
  readonly skip: number
  readonly left: number
}

/** Step of a walk. */
export interface Step {
  readonly items: readonly Json[]
  /** Height of the state from which the first item was read; without items, from which the last page was read. */
  readonly height: number
  readonly walk: Walk
  /** True if the step ended at a bound on pages or bytes, before it had all wanted items. */
  readonly cut: boolean
}

/** Control of a walk: cancelled when the client leaves, with pauses for the event loop. */
export interface Reading {
  /** Node services of this request, whose state may be newer than at the first request. */
  readonly services: NodeServices
  readonly signal: AbortSignal
  readonly slices: Slices
}

export const walkOf = ({ offset, limit }: Wanted): Walk => ({
  after: undefined,
  ended: false,
  held: [],
  heldBytes: 0,
  height: undefined,
  skip: offset,
  left: limit,
})

/** True if no items follow. */
export const isOver = ({ ended, held, left }: Walk): boolean => left === 0 || (ended && held.length === 0)

/** Number of remaining matches, if known: once the end of the list or the limit was reached. */
export const remainingOf = ({ ended, held, left }: Walk): number | undefined =>
  ended || held.length >= left ? Math.min(held.length, left) : undefined

/** Text of an item, as stored in walks and sent in responses. */
export const textOfItem = (item: Json): string => JSON.stringify(item)
export const itemOfText = (text: string): Json => JSON.parse(text) as Json

const bytesOf = (texts: readonly string[]): number => texts.reduce((sum, text) => sum + Buffer.byteLength(text), 0)

const abandoned = (): LedgerError => new LedgerError('request_timeout', 'the client has disconnected')

/** Leading items that fit into this number of bytes, at least one item. */
function fitting(
  items: readonly string[],
  leftBytes: number,
): { readonly taken: readonly string[]; readonly bytes: number } {
  let bytes = 0
  for (const [at, item] of items.entries()) {
    const size = Buffer.byteLength(item)
    if (bytes + size > leftBytes && (at > 0 || leftBytes < ANSWER_MAX_BYTES))
      return { taken: items.slice(0, at), bytes }
    bytes += size
  }
  return { taken: items, bytes }
}

/** Advance by at most `count` items. The given walk is not changed, so that a failed step can be retried. */
export async function stepOf(
  { list, test }: Wanted,
  from: Walk,
  count: number,
  { services, signal, slices }: Reading,
): Promise<Step | LedgerError> {
  const items: Json[] = []
  let bytes = 0
  let { after, ended, skip, left } = from
  let [held, heldHeight]: [readonly string[], number | undefined] = [from.held, from.height]
  let height: number | undefined
  for (let pages = 0, looked = 0; ; ) {
    const skipped = Math.min(skip, held.length)
    const next = held.slice(skipped, skipped + Math.min(count - items.length, left))
    const { taken, bytes: takenBytes } = fitting(next, ANSWER_MAX_BYTES - bytes)
    const isFull = taken.length < next.length
    bytes += takenBytes
    if (taken.length > 0) height ??= heldHeight
    items.push(...(await slices.map(taken, itemOfText)))
    skip -= skipped
    left -= taken.length
    held = held.slice(skipped + taken.length)
    const wantsMore = items.length < count && left > 0 && (!ended || isFull)
    if (!wantsMore || isFull || pages === PAGES_MAX || looked >= ROWS_MAX) {
      const walk = { after, ended, held, heldBytes: bytesOf(held), height: heldHeight, skip, left }
      return { items, height: height ?? heldHeight ?? 0, walk, cut: wantsMore }
    }
    if (signal.aborted) return abandoned()
    const page = await list.page(services, after)
    if (page instanceof LedgerError) return page
    pages += 1
    looked += page.items.length
    after = page.after
    ended = page.after === undefined
    held = await slices.map(await slices.filter(page.items, test), textOfItem)
    heldHeight = page.height
  }
}

/** Walk through all matches in order, which needs the whole list. */
export async function sortedWalk(
  { list, test, order, offset, limit }: Wanted,
  { services, signal, slices }: Reading,
): Promise<Walk | LedgerError> {
  const matches: Json[] = []
  let height: number | undefined
  let after: string | undefined
  let bytes = 0
  for (let pages = 0, looked = 0; pages < PAGES_MAX && looked < ROWS_MAX; pages++) {
    if (signal.aborted) return abandoned()
    const page = await list.page(services, after)
    if (page instanceof LedgerError) return page
    height ??= page.height
    looked += page.items.length
    const found = await slices.filter(page.items, test)
    for (const size of await slices.map(found, (item) => Buffer.byteLength(textOfItem(item)))) bytes += size
    if (bytes > SORTED_MAX_BYTES) break
    matches.push(...found)
    after = page.after
    if (after === undefined) {
      const sorted = order === undefined ? matches : await slices.sort(matches, order)
      const held = await slices.map(sorted.slice(offset, offset + limit), textOfItem)
      return { after, ended: true, held, heldBytes: bytesOf(held), height, skip: 0, left: held.length }
    }
  }
  return new LedgerError(
    'query_too_complex',
    `the query would sort more than ${ROWS_MAX} items, ${SORTED_MAX_BYTES} bytes or ${PAGES_MAX} pages of large items`,
    {
      hint: 'Request fewer items, or use the order of the list.',
    },
  )
}
