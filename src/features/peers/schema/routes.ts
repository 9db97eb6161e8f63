/** Owns the routes about consensus that committed state and stored headers answer (specification 4.2). */

import { COMMIT_QC_FRAME } from '../../../api/frames.js'
import {
  blsKeys,
  certificateHistory,
  checkpointList,
  commitQcRecord,
  consensusKeyList,
  consensusParams,
  evidenceCount,
  evidenceCountParameters,
  evidenceList,
  evidenceParameters,
  historyParameters,
  validatorSet,
  validatorSetHistory,
} from '../../../api/index.js'
import { defineRoute, publicRead } from '../../../api/route.js'
import { hash32, type Infer, struct, varint } from '../../../codec/index.js'
import { queries } from './queries.js'

export interface HeightPath extends Infer<typeof heightPath> {}
const heightPath = struct('HeightPath', { height: varint })

export interface BlockHashPath extends Infer<typeof blockPath> {}
const blockPath = struct('BlockHashPath', { hash: hash32 })

const developer = { ...publicRead, profile: 'developer' } as const

export const certificatesRoute = defineRoute({
  ...publicRead,
  id: 'consensus.commit.certificates',
  path: '/v1/consensus/commit-certificates',
  summary: 'Commit certificates, newest first, from a height down',
  query: historyParameters,
  response: certificateHistory,
  whileHalted: true,
}).byHeights(queries.commitCertificates)

export const validatorSetsRoute = defineRoute({
  ...publicRead,
  id: 'consensus.validator.sets',
  path: '/v1/consensus/validator-sets',
  summary: 'Rosters and committees, newest first, from a height down, for as long as evidence is admitted',
  query: historyParameters,
  response: validatorSetHistory,
}).byHeights(queries.validatorSets)

export const validatorSetRoute = defineRoute({
  ...publicRead,
  id: 'consensus.validator.set',
  path: '/v1/consensus/validator-sets/{height}',
  summary: 'Roster and committee of one height',
  params: heightPath,
  response: validatorSet,
})

export const checkpointsRoute = defineRoute({
  ...developer,
  id: 'consensus.checkpoints',
  path: '/v1/consensus/checkpoints',
  summary: 'Latest heights with state root, rosters and certificate, newest first',
  query: historyParameters,
  response: checkpointList,
  whileHalted: true,
}).byHeights(queries.checkpoints)

export const consensusKeysRoute = defineRoute({
  ...publicRead,
  id: 'consensus.keys',
  path: '/v1/consensus/consensus-keys',
  summary: 'Consensus keys that act at the height that is being decided',
  response: consensusKeyList,
}).byQuery(queries.consensusKeys, () => ({ everyStatus: false }))

export const keyLifecycleRoute = defineRoute({
  ...publicRead,
  id: 'consensus.key.lifecycle',
  path: '/v1/consensus/key-lifecycle',
  summary: 'Every consensus key with its status and the heights of its life, newest first',
  response: consensusKeyList,
}).byQuery(queries.consensusKeys, () => ({ everyStatus: true }))

export const blsKeysRoute = defineRoute({
  ...developer,
  id: 'consensus.bls.keys',
  path: '/v1/consensus/bls_keys',
  summary: 'The active consensus key of each peer',
  response: blsKeys,
}).byQuery(queries.blsKeys, () => ({}))

export const consensusParamsRoute = defineRoute({
  ...developer,
  id: 'consensus.params',
  path: '/v1/consensus/params',
  summary: 'Consensus parameters of the chain as they act now',
  response: consensusParams,
}).byQuery(queries.consensusParams, () => ({}))

export const evidenceRoute = defineRoute({
  ...developer,
  id: 'consensus.evidence',
  path: '/v1/consensus/evidence',
  summary: 'Proven faults on the chain, newest first, by kind',
  query: evidenceParameters,
  response: evidenceList,
})

export const evidenceCountRoute = defineRoute({
  ...publicRead,
  id: 'consensus.evidence.count',
  path: '/v1/consensus/evidence/count',
  summary: 'Number of proven faults on the chain, of one kind when it is given',
  query: evidenceCountParameters,
  response: evidenceCount,
})

export const commitQcRoute = defineRoute({
  ...publicRead,
  id: 'consensus.commit.qc',
  path: '/v1/consensus/commit_qc/{hash}',
  summary: 'The commit certificate of a block hash',
  format: 'binary-or-json',
  params: blockPath,
  response: commitQcRecord,
  frame: COMMIT_QC_FRAME,
  whileHalted: true,
}).byQuery(queries.commitQc, ({ params }) => ({ blockHash: params.hash }))
