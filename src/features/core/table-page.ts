/** Owns pages of tables whose key is an id text. */
import type { QueryContext } from '../../executor/contract.js'
import type { TableDef } from '../../state/index.js'
import { PAGE_MAX, type Page, type PageQuery } from './schema/views.js'

/** Items of a page, between one and the most that a page has. */
export const limitOf = (asked: number): number => Math.min(Math.max(1, asked), PAGE_MAX)

/** A page of a table whose key is its id text. */
export async function pageOfTable<V, T>(
  ctx: QueryContext,
  table: TableDef<string, V>,
  query: PageQuery,
  view: (id: string, row: V) => T,
): Promise<Page<T>> {
  const limit = limitOf(query.limit)
  const after = query.after === undefined ? {} : { after: query.after }
  const rows = await ctx.rows(table, { ...after, limit: limit + 1 })
  const shown = rows.slice(0, limit)
  return {
    items: shown.map(({ key, value }) => view(key, value)),
    nextCursor: rows.length > limit ? shown.at(-1)?.key : undefined,
    height: ctx.height,
  }
}
