/** Owns the routes of permissions and roles. */

import { pageParameters } from '../../../api/paging.js'
import { accountPath, namePath } from '../../../api/query-inputs.js'
import { byPage, byQuery, defineRoute } from '../../../api/route.js'
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
  response: accountGrantsView,
})

export const rolesRoute = defineRoute({
  id: 'ledger.roles',
  method: 'GET',
  path: '/v1/roles',
  summary: 'Roles in the order of their names',
  access: 'public',
  format: 'json',
  query: pageParameters,
  response: rolePage,
  answer: byPage(queries.roles),
})

export const roleRoute = defineRoute({
  id: 'ledger.role',
  method: 'GET',
  path: '/v1/roles/{id}',
  summary: 'A role: its permissions, its managers, how many accounts have it',
  access: 'public',
  format: 'json',
  params: namePath,
  response: roleView,
  answer: byQuery(
    queries.role,
    ({ params }: { readonly params: { readonly id: string } }) => params,
    ({ params }: { readonly params: { readonly id: string } }) => `there is no role ${params.id}`,
  ),
})
