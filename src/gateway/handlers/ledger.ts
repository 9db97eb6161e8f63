/** Owns the answers of the core's ledger reads: domains, asset definitions, accounts. */
import {
  type AccountPath,
  type AnyRoute,
  formatCursor,
  handle,
  ledgerRoutes,
  PAGE_LIMIT_DEFAULT,
  PAGE_LIMIT_MAX,
  type PageParameters,
  parseCursor,
  routeTable,
  type StatementParameters,
} from '../../api/index.js'
import type { QueryDef } from '../../executor/contract.js'
import { accountByIdQuery, definitionsQuery, domainsQuery } from '../../features/core/queries.js'
import { statement } from '../../features/core/schema/statement.js'
import { accountView, definitionPage, domainPage, type Page, type PageQuery } from '../../features/core/schema/views.js'
import { statementByAccountQuery } from '../../features/core/statement.js'
import type { NodeServices } from '../../features/services.js'
import { LedgerError, parseAddress, parseAlias } from '../../model/index.js'

type Input<P, Q> = { readonly services: NodeServices; readonly params: P; readonly query: Q }

const routes = ledgerRoutes({ domainPage, definitionPage, accountView, statement })

/** Rows of the ledger reads. */
export const LEDGER_ROUTES: readonly AnyRoute[] = routeTable(
  routes.domains,
  routes.definitions,
  routes.account,
  routes.statement,
)

/** One page of a list. */
async function page<T>(
  services: NodeServices,
  def: QueryDef<PageQuery, Page<T>>,
  { limit, cursor, offset }: PageParameters,
): Promise<{ value: Page<T> } | LedgerError> {
  const start = cursor === undefined ? undefined : parseCursor(cursor)
  if (cursor !== undefined && start === undefined) {
    return new LedgerError('invalid_pagination', 'cursor: not one that this node gave out')
  }
  let after = start?.after
  for (let left = offset ?? 0; left > 0; ) {
    const skipped = await services.query(def, { limit: Math.min(left, PAGE_LIMIT_MAX), after })
    if (skipped === undefined) return new LedgerError('not_found', 'no such list')
    if (skipped.nextCursor === undefined || skipped.items.length === 0) {
      return { value: { items: [], nextCursor: undefined, height: skipped.height } }
    }
    after = skipped.nextCursor
    left -= skipped.items.length
  }
  const found = await services.query(def, { limit: limit ?? PAGE_LIMIT_DEFAULT, after })
  if (found === undefined) return new LedgerError('not_found', 'no such list')
  const { nextCursor, height } = found
  return {
    value: {
      ...found,
      nextCursor: nextCursor === undefined ? undefined : formatCursor({ height, after: nextCursor }),
    },
  }
}

/** The account of a path: an address or an alias. */
function accountOfPath(services: NodeServices, { id: text }: AccountPath) {
  const alias = text.includes('@') && parseAlias(text) !== undefined ? text : undefined
  const id = alias === undefined ? parseAddress(text, services.info.addressPrefix) : undefined
  if (alias !== undefined || id !== undefined) return { id, alias }
  const message = 'neither an address of this chain nor an alias label@domain'
  return new LedgerError('validation_failed', `id: ${message}`, {
    details: { faults: [{ code: 'bad_value', path: 'id', message }] },
  })
}

export const ledgerHandlers = [
  handle(routes.domains, ({ services, query }: Input<undefined, PageParameters>) =>
    page(services, domainsQuery, query),
  ),
  handle(routes.definitions, ({ services, query }: Input<undefined, PageParameters>) =>
    page(services, definitionsQuery, query),
  ),
  handle(routes.statement, async ({ services, params, query }: Input<AccountPath, StatementParameters>) => {
    const named = accountOfPath(services, params)
    if (named instanceof LedgerError) return named
    const { asset: definition, fromMs, toMs, limit = PAGE_LIMIT_DEFAULT, cursor: after } = query
    const badCursor = after !== undefined && !/^(?:[0-9a-f]{2})+$/.test(after)
    if (limit < 1 || limit > PAGE_LIMIT_MAX || badCursor) {
      return new LedgerError(
        'invalid_pagination',
        `limit lies between 1 and ${PAGE_LIMIT_MAX}, a cursor is one that this node gave out`,
      )
    }
    const found = await services.query(statementByAccountQuery, { ...named, definition, fromMs, toMs, limit, after })
    return found === undefined ? new LedgerError('not_found', 'no such account') : { value: found }
  }),
  handle(routes.account, async ({ services, params }: Input<AccountPath, undefined>) => {
    const named = accountOfPath(services, params)
    if (named instanceof LedgerError) return named
    const account = await services.query(accountByIdQuery, named)
    return account === undefined ? new LedgerError('not_found', 'no such account') : { value: account }
  }),
]
