/** Owns the answers of the core's ledger reads: domains, asset definitions, accounts. */
import {
  type AccountPath,
  type AnyRoute,
  handle,
  ledgerRoutes,
  type PageParameters,
  routeTable,
  type StatementParameters,
} from '../../api/index.js'
import { accountOfText, answerPage } from '../../features/core/answers.js'
import { accountByIdQuery, definitionsQuery, domainsQuery } from '../../features/core/queries.js'
import { statement } from '../../features/core/schema/statement.js'
import { accountView, definitionPage, domainPage } from '../../features/core/schema/views.js'
import { statementByAccountQuery } from '../../features/core/statement.js'
import type { NodeServices } from '../../features/services.js'
import { LedgerError } from '../../model/index.js'

type Input<P, Q> = { readonly services: NodeServices; readonly params: P; readonly query: Q }

const routes = ledgerRoutes({ domainPage, definitionPage, accountView, statement })

/** Rows of the ledger reads. */
export const LEDGER_ROUTES: readonly AnyRoute[] = routeTable(
  routes.domains,
  routes.definitions,
  routes.account,
  routes.statement,
)

export const ledgerHandlers = [
  handle(routes.domains, ({ services, query }: Input<undefined, PageParameters>) =>
    answerPage(services, domainsQuery, query, {}),
  ),
  handle(routes.definitions, ({ services, query }: Input<undefined, PageParameters>) =>
    answerPage(services, definitionsQuery, query, {}),
  ),
  handle(routes.statement, async ({ services, params, query }: Input<AccountPath, StatementParameters>) => {
    const named = accountOfText(services, params.id)
    if (named instanceof LedgerError) return named
    const { asset: definition, fromMs, toMs, ...page } = query
    const asked = { ...named, definition, fromMs, toMs }
    return answerPage(services, statementByAccountQuery, page, asked, 'no such account')
  }),
  handle(routes.account, async ({ services, params }: Input<AccountPath, undefined>) => {
    const named = accountOfText(services, params.id)
    if (named instanceof LedgerError) return named
    const account = await services.query(accountByIdQuery, named)
    return account === undefined ? new LedgerError('not_found', 'no such account') : { value: account }
  }),
]
