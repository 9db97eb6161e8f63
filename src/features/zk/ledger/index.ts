/** How verifying keys act on the ledger. */
import { defineLedger } from '../../../executor/feature.js'
import { verifyingKeys } from '../../../ledger/verifying-keys.js'
import { zkSchema } from '../schema/index.js'
import * as instructions from './instructions.js'
import * as queries from './queries.js'

export const zkLedger = defineLedger(zkSchema, {
  tables: [verifyingKeys],
  execute: { ...instructions.execute },
  queries: { verifyingKey: queries.verifyingKeyQuery, verifyingKeys: queries.verifyingKeysQuery },
  permissions: [instructions.CAN_MANAGE_VERIFYING_KEYS],
})
