/** Owns pages of tables whose key is an id text, and of what heights have. */
import { PAGE_LIMIT_MAX, type Page } from '../api/paging.js'
import type { PageQuery } from '../api/query-inputs.js'
import type { QueryContext } from '../executor/reads.js'
import { METADATA_MAX_BYTES, STORED_INSTRUCTIONS_MAX_BYTES } from '../model/index.js'
import type { TableDef } from '../state/index.js'

/** Items of a page, between one and the most that a page has. */
export const limitOf = (asked: number, most = PAGE_LIMIT_MAX): number => Math.min(Math.max(1, asked), most)

/**
 * Records, metadata and instructions that one page shows, in bytes: one that would have more ends before and goes on by its cursor.
 * As many as one object may have: of JSON with many small parts they hold the ledger thread for 16 ms, and that of the gateway.
 */
export const ANSWER_BYTES_MAX = STORED_INSTRUCTIONS_MAX_BYTES + METADATA_MAX_BYTES

/** The first items of a list that fit one answer together, at least one. `bytesOf`: what an item shows; `most`: what fits. */
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

/** Rows that a list with a filter looks at for one page. */
export const SCAN_MAX = 2_000
/** Rows of one read after the first, which has those of a page: a read has a cost of its own, however few rows it is for. */
const SCAN_ROWS = 100
/** Rows to read next, where so many were looked at for a page of `limit` items. */
export const scanRows = (seen: number, limit: number): number => (seen === 0 ? limit : Math.max(limit, SCAN_ROWS))

/** What a page of a list that is looked through has, and the place that it goes on after. */
export interface Scanned<P, T> {
  readonly items: readonly T[]
  readonly after: P | undefined
}

/** How many items a page has, and the place that it begins after; undefined: at the start of the list. */
export interface ScanFrom<P> {
  readonly limit: number
  readonly after: P | undefined
}

/** The first items of a list that are wanted. `readAfter`: so many rows, those after a place; `itemOf`: undefined for a row that is not wanted. */
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

/** The first items of a table that are wanted, those after a key. `itemOf`: undefined for a row that is not wanted. */
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

/** A page of a table whose key is its id text; `bytesOf`: what a view shows from rows of their own. */
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

/** What a list of heights is asked for: heights from `from` down, after that of the page before. */
export interface HeightsAsked extends PageQuery {
  readonly from?: number | undefined
}

/**
 * A page of what heights have, from the newest down; heights that have nothing are passed over, and a page on which none has
 * anything is the last one. `newest` and `oldest`: the ends of the list; `most`: items of a page.
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
