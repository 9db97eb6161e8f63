/** Execution of assets and their controls. */

import { defineLedger } from '../../../executor/feature.js'
import { ASSET_PERMISSIONS } from '../../../ledger/asset-permissions.js'
import { escrows } from '../../../ledger/escrows.js'
import { balances, controls, definitions } from '../../../ledger/tables.js'
import { assetSchema } from '../schema/index.js'
import * as control from './controls.js'
import { assetIndexes } from './indexes.js'
import * as instructions from './instructions.js'
import * as queries from './queries.js'

export const assetLedger = defineLedger(assetSchema, {
  tables: [balances, controls, definitions, escrows],
  execute: { ...control.execute, ...instructions.execute },
  queries: {
    assetDefinitions: queries.definitionsQuery,
    assetDefinition: queries.definitionQuery,
    assets: queries.assetsQuery,
    portfolio: queries.portfolioQuery,
    control: queries.controlQuery,
    controls: queries.controlsQuery,
    controlCheck: queries.controlCheckQuery,
  },
  permissions: Object.values(ASSET_PERMISSIONS),
  indexes: assetIndexes,
})
