/** How parameters act on the ledger. */
import { defineLedger } from '../../../executor/feature.js'
import { parameterSchema } from '../schema/index.js'
import * as instructions from './instructions.js'
import { PARAMETER_PERMISSIONS } from './permissions.js'
import * as queries from './queries.js'

export const parameterLedger = defineLedger(parameterSchema, {
  tables: [],
  execute: { ...instructions.execute },
  queries: { parameters: queries.parametersQuery },
  permissions: Object.values(PARAMETER_PERMISSIONS),
})
