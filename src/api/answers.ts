/** Owns shared parts of read handlers: pages with cursors, single records, faults of parameters. */

import type { CodecContext, Json } from '../codec/index.js'
import { LedgerError, type QueryDef } from '../model/index.js'
import { nearest } from '../model/suggest.js'
import {
  formatCursor,
  listDigest,
  PAGE_LIMIT_DEFAULT,
  PAGE_LIMIT_MAX,
  type Page,
  type PageParameters,
  parseCursor,
} from './paging.js'
import type { HeightsQuery, PageQuery } from './query-inputs.js'
import { HISTORY_DEFAULT, type HistoryParameters } from './schema/consensus-detail.js'
import type { NodeServices } from './services.js'

const foreignCursor = (): LedgerError =>
  new LedgerError('invalid_pagination', 'cursor: not one that a node gave out for this list', {
    hint: 'A cursor continues the list that it came from, with the same parameters.',
  })

/** True when the query takes the place: its own schema says what one looks like. */
const takesPlace = <Q>(def: QueryDef<Q, unknown>, asked: Q, after: string, codec: CodecContext): boolean => {
  const twin = def.input.toJson(asked, codec) as Readonly<Record<string, Json>>
  return def.input.fromJson({ ...twin, after }, codec).ok
}

/**
 * One page of a list; `more`: what the query takes beside the paging, `missing`: what is said when that is about nothing.
 *
 * A cursor is good for the list that it came from, and for a state that is not older than the one it was read from
 * (docs/decisions/0033-places-in-lists.md); `invalid_pagination` and `cursor_expired` say so.
 */
export async function answerPage<R extends Page<unknown>, M extends object = object>(
  services: NodeServices,
  def: QueryDef<PageQuery & M, R>,
  { limit = PAGE_LIMIT_DEFAULT, cursor, offset = 0 }: PageParameters,
  more: M,
  missing = 'no such list',
): Promise<{ value: R } | LedgerError> {
  const { codec } = services.info
  const first = { ...more, limit: PAGE_LIMIT_DEFAULT, after: undefined }
  const list = listDigest(def.kind, def.input.encode(first, codec))
  const start = cursor === undefined ? undefined : parseCursor(cursor)
  if (cursor !== undefined) {
    if (start === undefined || !list.equals(start.list)) return foreignCursor()
    if (!takesPlace(def, first, start.after, codec)) return foreignCursor()
  }
  let after = start?.after
  let left = offset
  for (;;) {
    const asked = left > 0 ? Math.min(left, PAGE_LIMIT_MAX) : limit
    const found = await services.query(def, { ...more, limit: asked, after })
    if (found === undefined) return new LedgerError('not_found', missing)
    const { nextCursor, height } = found
    if (start !== undefined && height < start.height) {
      return new LedgerError('cursor_expired', `the cursor is of height ${start.height}, this node is at ${height}`, {
        hint: 'This node is behind the one that issued it: ask that one, or read the list from the start.',
      })
    }
    if (left === 0) {
      const sealed = nextCursor === undefined ? undefined : formatCursor({ height, list, after: nextCursor })
      return { value: { ...found, nextCursor: sealed } }
    }
    if (nextCursor === undefined) return { value: { ...found, items: [], nextCursor } }
    after = nextCursor
    left -= found.items.length
  }
}

/** One page of a history: heights from one down. */
export const answerHistory = <R extends Page<unknown>>(
  services: NodeServices,
  def: QueryDef<HeightsQuery, R>,
  { from, limit = HISTORY_DEFAULT, ...page }: HistoryParameters,
) => answerPage(services, def, { ...page, limit }, { from })

/** The fault of one parameter. */
export const parameterFault = (path: string, message: string): LedgerError =>
  new LedgerError('validation_failed', `${path}: ${message}`, {
    details: { faults: [{ code: 'bad_value', path, message }] },
  })

/** The fault of a parameter that is none of the words that there are. */
export function unknownWord(path: string, word: string, known: readonly string[]): LedgerError {
  const meant = nearest(word, known)
  const message = `unknown value ${JSON.stringify(word)}; expected one of ${known.join(', ')}`
  return new LedgerError('validation_failed', `${path}: ${message}`, {
    hint: meant === undefined ? undefined : `Did you mean ${meant}?`,
    details: { faults: [{ code: 'bad_value', path, message }] },
  })
}

/** The answer of a query for one record; `message`: what is said when there is none. */
export async function answerOne<Q, R>(services: NodeServices, def: QueryDef<Q, R>, input: Q, message: string) {
  const value = await services.query(def, input)
  return value === undefined ? new LedgerError('not_found', message) : { value }
}
