/** How fees act on the ledger. */
import { defineLedger } from '../../../executor/feature.js'
import { feePools } from '../../../ledger/fee-pools.js'
import { feeSchema } from '../schema.js'
import * as instructions from './instructions.js'
import { FEES } from './policy.js'
import { sponsorships } from './tables.js'

export const feeLedger = defineLedger(feeSchema, {
  tables: [feePools, sponsorships],
  execute: { ...instructions.execute },
  queries: {},
  permissions: [],
  policies: { fees: FEES },
})
