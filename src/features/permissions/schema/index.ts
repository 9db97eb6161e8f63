/** Permissions, roles and ownership as clients see them. */
import { defineSchema } from '../../../api/feature.js'
import { CORE_IDS } from '../../../model/index.js'
import { errors } from './errors.js'
import * as events from './events.js'
import * as instructions from './instructions.js'
import * as queries from './queries.js'
import * as routes from './routes.js'

export const permissionSchema = defineSchema({
  name: 'permissions',
  abi: 'core',
  version: 1,
  ids: [CORE_IDS],
  errors,
  instructions: {
    grant: instructions.grant,
    revoke: instructions.revoke,
    registerRole: instructions.registerRole,
    unregisterRole: instructions.unregisterRole,
    transferOwnership: instructions.transferOwnership,
  },
  events: [
    events.permissionAdded,
    events.permissionRemoved,
    events.roleGranted,
    events.roleRevoked,
    events.roleCreated,
    events.roleDeleted,
    events.rolePermissionAdded,
    events.rolePermissionRemoved,
    events.ownerChanged,
  ],
  queries: {
    roles: queries.roles,
    role: queries.role,
    accountGrants: queries.accountGrants,
    permissionHolders: queries.permissionHolders,
  },
  parameters: [],
  routes: { accountGrants: routes.accountGrantsRoute, roles: routes.rolesRoute, role: routes.roleRoute },
  topics: {
    'ledger permission': 'Grant and revoke permissions',
    role: 'Roles: named sets of permissions',
  },
})
