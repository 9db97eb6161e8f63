/** How metadata acts on the ledger. */
import { defineLedger } from '../../../executor/feature.js'
import { METADATA_TABLES } from '../../../executor/metadata.js'
import { metadataSchema } from '../schema/index.js'
import * as instructions from './instructions.js'
import { METADATA_PERMISSIONS } from './permissions.js'

export const metadataLedger = defineLedger(metadataSchema, {
  tables: [...METADATA_TABLES],
  execute: { ...instructions.execute },
  queries: {},
  permissions: Object.values(METADATA_PERMISSIONS),
})
