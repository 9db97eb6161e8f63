/** Owns what handlers of ledger reads share: pages with cursors, accounts of a path. */
import { formatCursor, PAGE_LIMIT_DEFAULT, PAGE_LIMIT_MAX, type PageParameters, parseCursor } from '../../api/index.js'
import type { QueryDef } from '../../executor/contract.js'
import { type AccountId, LedgerError, parseAddress, parseAlias } from '../../model/index.js'
import type { NodeServices } from '../services.js'
import { accountByIdQuery } from './queries.js'
import type { Page, PageQuery } from './schema/views.js'

/** One page of a list; `more`: what the query takes beside the paging. */
export async function answerPage<T, M extends object = object>(
  services: NodeServices,
  def: QueryDef<PageQuery & M, Page<T>>,
  { limit, cursor, offset }: PageParameters,
  more: M,
): Promise<{ value: Page<T> } | LedgerError> {
  const start = cursor === undefined ? undefined : parseCursor(cursor)
  if (cursor !== undefined && start === undefined) {
    return new LedgerError('invalid_pagination', 'cursor: not one that this node gave out')
  }
  let after = start?.after
  for (let left = offset ?? 0; left > 0; ) {
    const skipped = await services.query(def, { ...more, limit: Math.min(left, PAGE_LIMIT_MAX), after })
    if (skipped === undefined) return new LedgerError('not_found', 'no such list')
    if (skipped.nextCursor === undefined || skipped.items.length === 0) {
      return { value: { items: [], nextCursor: undefined, height: skipped.height } }
    }
    after = skipped.nextCursor
    left -= skipped.items.length
  }
  const found = await services.query(def, { ...more, limit: limit ?? PAGE_LIMIT_DEFAULT, after })
  if (found === undefined) return new LedgerError('not_found', 'no such list')
  const { nextCursor, height } = found
  return {
    value: {
      ...found,
      nextCursor: nextCursor === undefined ? undefined : formatCursor({ height, after: nextCursor }),
    },
  }
}

/** The fault of one parameter. */
export const parameterFault = (path: string, message: string): LedgerError =>
  new LedgerError('validation_failed', `${path}: ${message}`, {
    details: { faults: [{ code: 'bad_value', path, message }] },
  })

/** An account that is written as an address or an alias, as queries take it. */
export function accountOfText(services: NodeServices, text: string, path = 'id') {
  const alias = text.includes('@') && parseAlias(text) !== undefined ? text : undefined
  const id = alias === undefined ? parseAddress(text, services.info.addressPrefix) : undefined
  if (alias !== undefined || id !== undefined) return { id, alias }
  return parameterFault(path, 'neither an address of this chain nor an alias label@domain')
}

/** The id of such an account; `not_found` for an alias that nobody has. */
export async function accountIdOf(
  services: NodeServices,
  text: string,
  path: string,
): Promise<AccountId | LedgerError> {
  const named = accountOfText(services, text, path)
  if (named instanceof LedgerError) return named
  if (named.id !== undefined) return named.id
  const found = await services.query(accountByIdQuery, named)
  return found?.id ?? new LedgerError('not_found', `${path}: no such account`)
}
