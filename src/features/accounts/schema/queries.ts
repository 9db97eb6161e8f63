/** Owns the queries of accounts. */

import { byDomainQuery } from '../../../api/query-inputs.js'
import { defineQuery } from '../../../model/index.js'
import { ACCOUNT_QUERIES as ID } from './ids.js'
import { accountPage, accountQuery, accountsQuery, accountView, admissionView } from './views.js'

export const account = defineQuery(ID.account, 'account', accountQuery, accountView)

export const accounts = defineQuery(ID.accounts, 'accounts', accountsQuery, accountPage)

export const admission = defineQuery(ID.admission, 'admission', byDomainQuery, admissionView)
