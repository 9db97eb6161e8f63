/** Owns the routes of permissions and roles. */

import { noAccount } from '../../../api/absent-texts.js'
import { pageParameters } from '../../../api/paging.js'
import { accountPath, namePath } from '../../../api/query-inputs.js'
import { defineRoute } from '../../../api/route.js'
import { queries } from './queries.js'
import { accountGrantsView, rolePage, roleView } from './views.js'

export const accountGrantsRoute = defineRoute({
  id: 'ledger.account.permissions',
  method: 'GET',
  path: '/v1/accounts/{id}/permissions',
  summary: 'Permissions and roles of an account',
  access: 'public',
  format: 'json',
  params: accountPath,
  accounts: { id: 'name' },
  response: accountGrantsView,
}).byQuery(
  queries.accountGrants,
  ({ accounts }) => accounts.id,
  ({ params }) => noAccount(params.id),
)

export const rolesRoute = defineRoute({
  id: 'ledger.roles',
  method: 'GET',
  path: '/v1/roles',
  summary: 'Roles in the order of their names',
  access: 'public',
  format: 'json',
  query: pageParameters,
  response: rolePage,
}).byPage(queries.roles)

export const roleRoute = defineRoute({
  id: 'ledger.role',
  method: 'GET',
  path: '/v1/roles/{id}',
  summary: 'A role: its permissions, its managers, how many accounts have it',
  access: 'public',
  format: 'json',
  params: namePath,
  response: roleView,
}).byQuery(
  queries.role,
  ({ params }) => params,
  ({ params }) => `there is no role ${params.id}`,
)
