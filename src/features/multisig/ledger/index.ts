/** How multisig accounts act on the ledger. */
import { defineLedger } from '../../../executor/feature.js'
import { multisigs, proposalLists, proposalPages, proposals } from '../../../ledger/multisig-tables.js'
import { multisigSchema } from '../schema/index.js'
import * as instructions from './instructions.js'
import * as queries from './queries.js'
import { MULTISIG_RULES } from './rules.js'

export const multisigLedger = defineLedger(multisigSchema, {
  tables: [multisigs, proposalLists, proposalPages, proposals],
  execute: { ...instructions.execute },
  queries: { multisig: queries.multisigQuery, proposal: queries.proposalQuery },
  permissions: [],
  rules: Object.values(MULTISIG_RULES),
  policies: { multisigWeights: instructions.multisigWeights },
})
