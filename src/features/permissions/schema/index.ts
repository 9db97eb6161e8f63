/** Permissions, roles and ownership as clients see them. */

import { defineSchema } from '../../../api/feature.js'
import { CORE_IDS } from '../../../model/index.js'
import { errors } from './errors.js'
import { events } from './events.js'
import { instructions } from './instructions.js'
import { queries } from './queries.js'
import * as routes from './routes.js'

export const permissionSchema = defineSchema({
  name: 'permissions',
  abi: 'core',
  version: 1,
  ids: [CORE_IDS],
  errors,
  instructions,
  events,
  queries,
  parameters: [],
  routes: { accountGrants: routes.accountGrantsRoute, roles: routes.rolesRoute, role: routes.roleRoute },
  topics: {
    'ledger permission': 'Grant and revoke permissions',
    role: 'Roles: named sets of permissions',
  },
})
