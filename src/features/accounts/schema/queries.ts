/** Owns the queries of accounts. */

import { byDomainQuery } from '../../../api/query-inputs.js'
import { defineQueries } from '../../../model/index.js'
import { accountPage, accountQuery, accountsQuery, accountView, admissionView } from './views.js'

export const queries = defineQueries({
  account: { id: 3, input: accountQuery, output: accountView },
  accounts: { id: 62, input: accountsQuery, output: accountPage },
  admission: { id: 18, input: byDomainQuery, output: admissionView },
})
