/** How real-world assets act on the ledger (docs/concepts/rwas.md). */
import { defineLedger } from '../../../executor/feature.js'
import { LOT_TABLES } from '../../../ledger/lot-tables.js'
import { rwaSchema } from '../schema/index.js'
import * as classes from './classes.js'
import * as lots from './lots.js'

export const rwaLedger = defineLedger(rwaSchema, {
  tables: LOT_TABLES,
  execute: { ...classes.execute, ...lots.execute },
  queries: {},
  permissions: [],
})
