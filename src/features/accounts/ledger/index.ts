/** How accounts act on the ledger. */

import { accounts, accountUse } from '../../../executor/accounts.js'
import { defineLedger } from '../../../executor/feature.js'
import { OWNERS_MANAGE_DEFAULT_ROLES } from '../../../ledger/admission.js'
import { admissionCount, admissions } from '../../../ledger/admission-tables.js'
import { aliases } from '../../../ledger/tables.js'
import { accountSchema } from '../schema/index.js'
import * as admission from './admission.js'
import { accountIndexes } from './indexes.js'
import * as instructions from './instructions.js'
import { ACCOUNT_PERMISSIONS } from './permissions.js'
import * as queries from './queries.js'

export const accountLedger = defineLedger(accountSchema, {
  tables: [accounts, accountUse, admissionCount, admissions, aliases],
  execute: { ...admission.execute, ...instructions.execute },
  queries: { account: queries.accountByIdQuery, accounts: queries.accountsQuery, admission: queries.admissionQuery },
  permissions: Object.values(ACCOUNT_PERMISSIONS),
  rules: [OWNERS_MANAGE_DEFAULT_ROLES],
  indexes: accountIndexes,
})
