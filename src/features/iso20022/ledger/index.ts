/** Owns the bridge as a feature of the ledger: bindings, submitters, claims. */
import { defineLedger } from '../../../executor/feature.js'
import { currencies, currencyTimes, ibans } from '../../../ledger/iso-bindings.js'
import { isoSchema } from '../schema/index.js'
import { isoIndexes } from './indexes.js'
import { execute } from './instructions.js'
import { ISO_PERMISSIONS } from './permissions.js'
import * as queries from './queries.js'
import { ISO_RULES } from './rules.js'
import { claims, headRefusals, heads, payments, submitters, submitterTimes, uetrs, usage } from './tables.js'

export const isoLedger = defineLedger(isoSchema, {
  tables: [
    ibans,
    currencies,
    currencyTimes,
    submitters,
    submitterTimes,
    claims,
    usage,
    heads,
    headRefusals,
    payments,
    uetrs,
  ],
  execute,
  queries,
  permissions: Object.values(ISO_PERMISSIONS),
  rules: Object.values(ISO_RULES),
  indexes: isoIndexes,
})
