/** Execution of real-world assets (docs/concepts/rwas.md). */
import { defineLedger } from '../../../executor/feature.js'
import { LOT_TABLES } from '../../../ledger/lot-tables.js'
import { rwaSchema } from '../schema/index.js'
import * as classes from './classes.js'
import * as control from './control.js'
import * as income from './income.js'
import { rwaHistory, rwaIndexes } from './indexes.js'
import * as lots from './lots.js'
import * as queries from './queries.js'
import * as redemption from './redemption.js'
import * as settle from './settle.js'
import { lotSettlements } from './tables.js'

export const rwaLedger = defineLedger(rwaSchema, {
  tables: [...LOT_TABLES, lotSettlements],
  execute: {
    ...classes.execute,
    ...lots.execute,
    ...control.execute,
    ...redemption.execute,
    ...income.execute,
    ...settle.execute,
  },
  queries: {
    rwaLots: queries.lotsQuery,
    rwaLot: queries.lotQuery,
    rwaClasses: queries.classesQuery,
    rwaClass: queries.classQuery,
    rwaHolders: queries.holdersQuery,
    rwaAncestors: queries.ancestorsQuery,
    rwaChanges: queries.changesQuery,
  },
  permissions: [],
  indexes: rwaIndexes,
  history: rwaHistory,
})
