/** Owns the queries of permissions and roles. */

import { byNameQuery } from '../../../api/query-inputs.js'
import { defineQueries } from '../../../model/index.js'
import { accountQuery } from '../../accounts/schema/views.js'
import { accountGrantsView, holderPage, holdersQuery, rolePage, rolesInput, roleView } from './views.js'

export const queries = defineQueries({
  roles: { id: 8, input: rolesInput, output: rolePage },
  role: { id: 9, input: byNameQuery, output: roleView },
  accountGrants: { id: 10, input: accountQuery, output: accountGrantsView },
  permissionHolders: { id: 19, input: holdersQuery, output: holderPage },
})
