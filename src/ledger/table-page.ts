/** Owns pages of tables with an id text as key, and pages of heights. */
import { PAGE_LIMIT_MAX, type Page } from '../api/paging.js'
import type { PageQuery } from '../api/query-inputs.js'
import type { QueryContext } from '../executor/reads.js'
import { METADATA_MAX_BYTES, STORED_INSTRUCTIONS_MAX_BYTES } from '../model/index.js'
import type { TableDef } from '../state/index.js'

/** Number of items of a page, from 1 to its maximum. */
export const limitOf = (asked: number, most = PAGE_LIMIT_MAX): number => Math.min(Math.max(1, asked), most)

/**
 * Maximum bytes of records, metadata and instructions in one page; a page that would exceed it ends earlier and
 * continues at its cursor. It is the maximum of one object, which as JSON with many small parts occupies the ledger
 * thread for 16 ms, and the gateway thread as long.
 */
export const ANSWER_BYTES_MAX = STORED_INSTRUCTIONS_MAX_BYTES + METADATA_MAX_BYTES

/** First items of a list that fit into one response, at least one. `bytesOf`: size of an item; `most`: limit. */
export function fittingAnswer<T>(
  items: readonly T[],
  bytesOf: (item: T) => number,
  most = ANSWER_BYTES_MAX,
): readonly T[] {
  let left = most
  const end = items.findIndex((item, index) => {
    left -= bytesOf(item)
    return left < 0 && index > 0
  })
  return end < 0 ? items : items.slice(0, end)
}

/** Maximum rows read by a filtered list for one page. */
export const SCAN_MAX = 2_000
/** Rows per read after the first read, which is a full page; each read has a fixed cost. */
const SCAN_ROWS = 100
/** Number of rows to read next, after `seen` rows for a page of `limit` items. */
export const scanRows = (seen: number, limit: number): number => (seen === 0 ? limit : Math.max(limit, SCAN_ROWS))

/** Items of a filtered page, and the position at which the next one starts. */
export interface Scanned<P, T> {
  readonly items: readonly T[]
  readonly after: P | undefined
}

/** Number of items of a page, and the position after which it begins; undefined for the start of the list. */
export interface ScanFrom<P> {
  readonly limit: number
  readonly after: P | undefined
}

/**
 * First wanted items of a list. `readAfter`: reads a number of rows after a position; `itemOf`: undefined for an
 * unwanted row.
 */
export async function scanRowsFor<P, R, T>(
  { limit, after: place }: ScanFrom<P>,
  readAfter: (after: P | undefined, limit: number) => Promise<readonly R[]>,
  placeOf: (row: R) => P,
  itemOf: (row: R) => T | undefined,
): Promise<Scanned<P, T>> {
  const items: T[] = []
  let after = place
  for (let seen = 0; seen < SCAN_MAX; ) {
    const asked = scanRows(seen, limit)
    const rows = await readAfter(after, asked)
    for (const row of rows) {
      after = placeOf(row)
      const item = itemOf(row)
      if (item !== undefined) items.push(item)
      if (items.length === limit) return { items, after }
    }
    seen += rows.length
    if (rows.length < asked) return { items, after: undefined }
  }
  return { items, after }
}

/** First wanted items of a table after a key. `itemOf`: undefined for an unwanted row. */
export const scanTable = <K, V, T>(
  ctx: QueryContext,
  table: TableDef<K, V>,
  from: ScanFrom<K>,
  itemOf: (key: K, row: V) => T | undefined,
): Promise<Scanned<K, T>> =>
  scanRowsFor(
    from,
    (after, limit) => ctx.rows(table, { after, limit }),
    ({ key }) => key,
    ({ key, value }) => itemOf(key, value),
  )

/** Page of a table whose key is its id text; `bytesOf`: bytes of a view from separate rows. */
export async function pageOfTable<V, T>(
  ctx: QueryContext,
  table: TableDef<string, V>,
  query: PageQuery,
  view: (id: string, row: V) => T,
  bytesOf: (id: string, row: V) => number = () => 0,
): Promise<Page<T>> {
  const limit = limitOf(query.limit)
  const rows = await ctx.rows(table, { after: query.after, limit: limit + 1, maxBytes: ANSWER_BYTES_MAX })
  const shown = fittingAnswer(rows.slice(0, limit), ({ key, value, bytes }) => bytes + bytesOf(key, value))
  return {
    items: shown.map(({ key, value }) => view(key, value)),
    nextCursor: rows.length > shown.length ? shown.at(-1)?.key : undefined,
    height: ctx.height,
  }
}

/** Parameters of a list of heights: descending from `from`, after the last height of the previous page. */
export interface HeightsAsked extends PageQuery {
  readonly from?: number | undefined
}

/**
 * Page of a value per height, newest first; heights without a value are skipped, and a page without values is the last
 * one. `newest` and `oldest`: bounds of the list; `most`: page size.
 */
export async function pageOfHeights<T>(
  ctx: QueryContext,
  { limit, after, from }: HeightsAsked,
  ends: { readonly newest: number; readonly oldest: number; readonly most: number },
  at: (height: number) => Promise<T | undefined>,
): Promise<Page<T>> {
  const first = Math.min(ends.newest, from ?? ends.newest, after === undefined ? ends.newest : Number(after) - 1)
  const last = Math.max(ends.oldest, first - limitOf(limit, ends.most) + 1)
  const items: T[] = []
  for (let height = first; height >= last; height--) {
    const found = await at(height)
    if (found !== undefined) items.push(found)
  }
  const goesOn = items.length > 0 && last > ends.oldest
  return { items, nextCursor: goesOn ? String(last) : undefined, height: ctx.height }
}
