/** Owns shared parts of read handlers: pages with cursors, single records, faults of parameters. */

import type { CodecContext, Json } from '../codec/index.js'
import { LedgerError, type QueryDef } from '../model/index.js'
import { closeMatches, nearest } from '../model/suggest.js'
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
  new LedgerError('invalid_pagination', 'cursor: not a cursor that a node issued for this list', {
    hint: 'Use a cursor only with the list and the parameters that returned it.',
  })

/** True if the schema of the query accepts the position. */
const takesPlace = <Q>(def: QueryDef<Q, unknown>, asked: Q, after: string, codec: CodecContext): boolean => {
  const jsonForm = def.input.toJson(asked, codec) as Readonly<Record<string, Json>>
  return def.input.fromJson({ ...jsonForm, after }, codec).ok
}

/**
 * Answer one page of a list. `more`: query input besides paging; `missing`: message of `not_found` if the input names
 * an object that does not exist.
 *
 * A cursor is valid only for the list that issued it, on a state at least as high as the state of its page
 * (docs/decisions/0033-cursors.md); otherwise `invalid_pagination` or `cursor_expired`.
 */
export async function answerPage<R extends Page<unknown>, M extends object = object>(
  services: NodeServices,
  def: QueryDef<PageQuery & M, R>,
  { limit = PAGE_LIMIT_DEFAULT, cursor, offset = 0 }: PageParameters,
  more: M,
  missing = 'this list does not exist',
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
      return new LedgerError(
        'cursor_expired',
        `the cursor is for height ${start.height}, but this node is at height ${height}`,
        {
          hint: 'This node is behind the node that issued the cursor: use that node, or read the list from the start.',
        },
      )
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

/** Answer one page of a history, by descending height from a start height. */
export const answerHistory = <R extends Page<unknown>>(
  services: NodeServices,
  def: QueryDef<HeightsQuery, R>,
  { from, limit = HISTORY_DEFAULT, ...page }: HistoryParameters,
) => answerPage(services, def, { ...page, limit }, { from })

/** Fault of one parameter. */
export const parameterFault = (path: string, message: string): LedgerError =>
  new LedgerError('validation_failed', `${path}: ${message}`, {
    details: { faults: [{ code: 'bad_value', path, message }] },
  })

const unknownFault = (path: string, message: string, hint: string | undefined): LedgerError =>
  new LedgerError('validation_failed', `${path}: ${message}`, {
    hint,
    details: { faults: [{ code: 'bad_value', path, message }] },
  })

/** Fault of a parameter whose value is not one of a few known words; its message lists them. */
export function unknownWord(path: string, word: string, known: readonly string[]): LedgerError {
  const meant = nearest(word, known)
  const message = `unknown value ${JSON.stringify(word)}; expected one of ${known.join(', ')}`
  return unknownFault(path, message, meant === undefined ? undefined : `Did you mean ${meant}?`)
}

/** Maximum number of close matches in the fault of an unknown kind. */
const CLOSE_MAX = 5

/**
 * Fault of a parameter whose value is not a known kind. Its message lists the close matches and names the source of all
 * kinds.
 */
export function unknownKind(path: string, kind: string, known: readonly string[], listing: string): LedgerError {
  const close = closeMatches(kind, known, CLOSE_MAX)
  const matches = close.length === 0 ? '' : `; close matches: ${close.join(', ')}`
  return unknownFault(path, `unknown value ${JSON.stringify(kind)}${matches}`, listing)
}

/** Answer a query for one record. `message`: text of `not_found`. */
export async function answerOne<Q, R>(services: NodeServices, def: QueryDef<Q, R>, input: Q, message: string) {
  const value = await services.query(def, input)
  return value === undefined ? new LedgerError('not_found', message) : { value }
}
