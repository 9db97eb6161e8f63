/** Names as a feature of the ledger. */
import { defineLedger } from '../../../executor/feature.js'
import { nameSchema } from '../schema/index.js'
import { assertAliases } from './assertion.js'
import { names } from './tables.js'

export const nameLedger = defineLedger(nameSchema, {
  tables: [names],
  execute: { assertAliases },
  queries: {},
  permissions: [],
})
