/** Execution of permissions, roles and ownership. */
import { defineLedger } from '../../../executor/feature.js'
import { accountRoles, holders, roles, tokens } from '../../../ledger/tables.js'
import { permissionSchema } from '../schema.js'
import * as grants from './grants.js'
import { GRANT_RULES } from './grants.js'
import { permissionIndexes } from './indexes.js'
import * as ownership from './ownership.js'
import { GRANT_PERMISSIONS } from './permissions.js'
import * as queries from './queries.js'
import * as membership from './roles.js'

export const permissionLedger = defineLedger(permissionSchema, {
  tables: [accountRoles, holders, roles, tokens],
  execute: { ...grants.execute, ...ownership.execute, ...membership.execute },
  queries: {
    roles: queries.rolesQuery,
    role: queries.roleQuery,
    accountGrants: queries.accountGrantsQuery,
    permissionHolders: queries.permissionHoldersQuery,
  },
  permissions: Object.values(GRANT_PERMISSIONS),
  rules: Object.values(GRANT_RULES),
  indexes: permissionIndexes,
})
