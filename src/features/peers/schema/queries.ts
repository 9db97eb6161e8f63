/** Owns the queries about consensus that committed state and stored headers answer: certificates, rosters, keys, evidence. */

import { faultCursor } from '../../../api/cursors.js'
import {
  blsKeys as blsKeysRecord,
  certificateHistory,
  checkpointList,
  commitQcRecord,
  consensusKeyList,
  consensusParams as consensusParamsRecord,
  evidenceCount as evidenceCountRecord,
  evidenceList,
  FAULT_KIND_MAX_BYTES,
  validatorSetHistory,
} from '../../../api/index.js'
import { heightsQuery, none, pageQueryFields } from '../../../api/query-inputs.js'
import { bool, hash32, type Infer, option, string, struct } from '../../../codec/index.js'
import { defineQuery } from '../../../model/index.js'
import { PEER_QUERIES as ID } from './ids.js'

const commitQcInput = struct('CommitQcQuery', { blockHash: hash32 })
export interface EvidenceQuery extends Infer<typeof evidenceQueryInput> {}
const evidenceQueryInput = struct('EvidenceQuery', {
  kind: option(string(FAULT_KIND_MAX_BYTES)),
  ...pageQueryFields(faultCursor),
})

const keysInput = struct('ConsensusKeysQuery', { everyStatus: bool })

export const commitCertificates = defineQuery(
  ID.commitCertificates,
  'commitCertificates',
  heightsQuery,
  certificateHistory,
)
export const checkpoints = defineQuery(ID.checkpoints, 'checkpoints', heightsQuery, checkpointList, 'developer')
export const validatorSets = defineQuery(ID.validatorSets, 'validatorSets', heightsQuery, validatorSetHistory)
export const commitQc = defineQuery(ID.commitQc, 'commitQc', commitQcInput, commitQcRecord)
export const consensusKeys = defineQuery(ID.consensusKeys, 'consensusKeys', keysInput, consensusKeyList)
export const blsKeys = defineQuery(ID.blsKeys, 'blsKeys', none, blsKeysRecord, 'developer')
export const consensusParams = defineQuery(
  ID.consensusParams,
  'consensusParams',
  none,
  consensusParamsRecord,
  'developer',
)
export const evidence = defineQuery(ID.evidence, 'evidence', evidenceQueryInput, evidenceList, 'developer')
export const evidenceCount = defineQuery(ID.evidenceCount, 'evidenceCount', none, evidenceCountRecord)
