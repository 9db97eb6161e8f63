/** Owns the answers of the core's ledger reads: domains, asset definitions, accounts. */

import {
  type AccountPath,
  type AnyRoute,
  handle,
  type PageParameters,
  routeTable,
  type StatementParameters,
} from '../../api/index.js'
import { accountOfText, answerPage, noAccount } from '../../features/core/answers.js'
import { LEDGER } from '../../features/core/schema/ledger-routes.js'
import * as queries from '../../features/core/schema/queries.js'
import type { NodeServices } from '../../features/services.js'
import { LedgerError } from '../../model/index.js'

type Input<P, Q> = { readonly services: NodeServices; readonly params: P; readonly query: Q }

/** Rows of the ledger reads. */
export const LEDGER_ROUTES: readonly AnyRoute[] = routeTable(...(Object.values(LEDGER) as never[]))

export const ledgerHandlers = [
  handle(LEDGER.domains, ({ services, query }: Input<undefined, PageParameters>) =>
    answerPage(services, queries.domains, query, {}),
  ),
  handle(LEDGER.definitions, ({ services, query }: Input<undefined, PageParameters>) =>
    answerPage(services, queries.assetDefinitions, query, {}),
  ),
  handle(LEDGER.statement, async ({ services, params, query }: Input<AccountPath, StatementParameters>) => {
    const named = accountOfText(services, params.id)
    if (named instanceof LedgerError) return named
    const { asset: definition, fromMs, toMs, ...page } = query
    const asked = { ...named, definition, fromMs, toMs }
    return answerPage(services, queries.accountStatement, page, asked, noAccount(params.id))
  }),
  handle(LEDGER.account, async ({ services, params }: Input<AccountPath, undefined>) => {
    const named = accountOfText(services, params.id)
    if (named instanceof LedgerError) return named
    const account = await services.query(queries.account, named)
    return account === undefined ? new LedgerError('not_found', noAccount(params.id)) : { value: account }
  }),
]
