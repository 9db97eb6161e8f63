/** How triggers act on the ledger. */
import { defineLedger } from '../../../executor/feature.js'
import { TRIGGER_TABLES } from '../../../executor/triggers/tables.js'
import { triggerSchema } from '../schema/index.js'
import * as instructions from './instructions.js'
import { TRIGGER_PERMISSIONS } from './permissions.js'
import * as queries from './queries.js'
import { TRIGGER_RULES } from './rules.js'
import { rightOfTrigger } from './watching.js'

export const triggerLedger = defineLedger(triggerSchema, {
  tables: [...TRIGGER_TABLES],
  execute: { ...instructions.execute },
  queries: { triggers: queries.triggersQuery, trigger: queries.triggerQuery },
  permissions: Object.values(TRIGGER_PERMISSIONS),
  rules: Object.values(TRIGGER_RULES),
  policies: { triggerAuthority: rightOfTrigger },
})
