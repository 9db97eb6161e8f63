/** Owns the queries of permissions and roles. */

import { byNameQuery } from '../../../api/query-inputs.js'
import { defineQuery } from '../../../model/index.js'
import { accountQuery } from '../../accounts/schema/views.js'
import { PERMISSION_QUERIES as ID } from './ids.js'
import { accountGrantsView, holderPage, holdersQuery, rolePage, rolesInput, roleView } from './views.js'

export const roles = defineQuery(ID.roles, 'roles', rolesInput, rolePage)
export const role = defineQuery(ID.role, 'role', byNameQuery, roleView)
export const accountGrants = defineQuery(ID.accountGrants, 'accountGrants', accountQuery, accountGrantsView)

export const permissionHolders = defineQuery(ID.permissionHolders, 'permissionHolders', holdersQuery, holderPage)
