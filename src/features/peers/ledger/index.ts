/** Execution of peers and consensus. */
import { defineLedger } from '../../../executor/feature.js'
import { peerSchema } from '../schema.js'
import { execute, PEER_PERMISSIONS, PEER_RULES } from './instructions.js'
import {
  blsKeysQuery,
  certificatesQuery,
  checkpointsQuery,
  commitQcQuery,
  consensusKeysQuery,
  consensusParamsQuery,
  evidenceCountQuery,
  evidenceQuery,
  validatorSetsQuery,
} from './queries.js'

export const peerLedger = defineLedger(peerSchema, {
  tables: [],
  execute,
  queries: {
    commitCertificates: certificatesQuery,
    checkpoints: checkpointsQuery,
    validatorSets: validatorSetsQuery,
    commitQc: commitQcQuery,
    consensusKeys: consensusKeysQuery,
    blsKeys: blsKeysQuery,
    consensusParams: consensusParamsQuery,
    evidence: evidenceQuery,
    evidenceCount: evidenceCountQuery,
  },
  permissions: Object.values(PEER_PERMISSIONS),
  rules: Object.values(PEER_RULES),
})
