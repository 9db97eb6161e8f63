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
import { defineQueries } from '../../../model/index.js'

const commitQcInput = struct('CommitQcQuery', { blockHash: hash32 })
export interface EvidenceQuery extends Infer<typeof evidenceQueryInput> {}
const evidenceQueryInput = struct('EvidenceQuery', {
  kind: option(string(FAULT_KIND_MAX_BYTES)),
  ...pageQueryFields(faultCursor),
})

const keysInput = struct('ConsensusKeysQuery', { everyStatus: bool })

export const queries = defineQueries({
  commitCertificates: { id: 20, input: heightsQuery, output: certificateHistory },
  checkpoints: { id: 21, input: heightsQuery, output: checkpointList, profile: 'developer' },
  validatorSets: { id: 22, input: heightsQuery, output: validatorSetHistory },
  commitQc: { id: 23, input: commitQcInput, output: commitQcRecord },
  consensusKeys: { id: 24, input: keysInput, output: consensusKeyList },
  blsKeys: { id: 25, input: none, output: blsKeysRecord, profile: 'developer' },
  consensusParams: { id: 26, input: none, output: consensusParamsRecord, profile: 'developer' },
  evidence: { id: 27, input: evidenceQueryInput, output: evidenceList, profile: 'developer' },
  evidenceCount: { id: 28, input: none, output: evidenceCountRecord },
})
