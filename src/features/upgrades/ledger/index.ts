/** How runtime upgrades act on the ledger. */
import { defineLedger } from '../../../executor/feature.js'
import { upgradeSchema } from '../schema/index.js'
import * as instructions from './instructions.js'
import { UPGRADE_PERMISSIONS } from './permissions.js'
import * as queries from './queries.js'
import { upgrades } from './tables.js'

export const upgradeLedger = defineLedger(upgradeSchema, {
  tables: [upgrades],
  execute: { ...instructions.execute },
  queries: { upgrades: queries.upgradesQuery },
  permissions: Object.values(UPGRADE_PERMISSIONS),
})
