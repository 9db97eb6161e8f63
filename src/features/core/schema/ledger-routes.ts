/** Owns the rows of the first ledger reads, with the records that they answer. */
import { ledgerRoutes } from '../../../api/routes.js'
import { statement } from './statement.js'
import { accountView, definitionPage, domainPage } from './views.js'

/** Domains, asset definitions, an account, its statement. */
export const LEDGER = ledgerRoutes({ domainPage, definitionPage, accountView, statement })
