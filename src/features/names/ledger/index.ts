/** Names as a feature of the ledger. */
import { defineLedger } from '../../../executor/feature.js'
import { nameSchema } from '../schema/index.js'
import { assertAliases } from './assertion.js'
import { names } from './tables.js'
import { accountAliasesQuery, aliasesQuery, assetAliasesQuery, targetIndexes } from './targets.js'

export const nameLedger = defineLedger(nameSchema, {
  tables: [names],
  execute: { assertAliases },
  queries: {
    aliases: aliasesQuery,
    accountAliases: accountAliasesQuery,
    assetAliases: assetAliasesQuery,
  },
  permissions: [],
  indexes: targetIndexes,
})
