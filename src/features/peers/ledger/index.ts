/** How peers and consensus act on the ledger. */
import { defineLedger } from '../../../executor/feature.js'
import { peerSchema } from '../schema/index.js'
import * as instructions from './instructions.js'
import { PEER_PERMISSIONS } from './permissions.js'
import * as queries from './queries.js'
import { PEER_RULES } from './rules.js'

export const peerLedger = defineLedger(peerSchema, {
  tables: [],
  execute: { ...instructions.execute },
  queries: {
    commitCertificates: queries.certificatesQuery,
    checkpoints: queries.checkpointsQuery,
    validatorSets: queries.validatorSetsQuery,
    commitQc: queries.commitQcQuery,
    consensusKeys: queries.consensusKeysQuery,
    blsKeys: queries.blsKeysQuery,
    consensusParams: queries.consensusParamsQuery,
    evidence: queries.evidenceQuery,
    evidenceCount: queries.evidenceCountQuery,
  },
  permissions: Object.values(PEER_PERMISSIONS),
  rules: Object.values(PEER_RULES),
})
