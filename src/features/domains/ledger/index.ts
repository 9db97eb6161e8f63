/** How domains act on the ledger. */
import { defineLedger } from '../../../executor/feature.js'
import { NO_STEPS_AS_NAMES } from '../../../ledger/path-names.js'
import { domainMembers, domains } from '../../../ledger/tables.js'
import { domainSchema } from '../schema/index.js'
import * as instructions from './instructions.js'
import { DOMAIN_PERMISSIONS } from './permissions.js'
import * as queries from './queries.js'

export const domainLedger = defineLedger(domainSchema, {
  tables: [domainMembers, domains],
  execute: { ...instructions.execute },
  queries: { domains: queries.domainsQuery, domain: queries.domainQuery },
  permissions: Object.values(DOMAIN_PERMISSIONS),
  rules: [NO_STEPS_AS_NAMES],
})
