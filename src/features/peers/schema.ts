/**
 * Owns peers and consensus as clients see them: error codes, instructions, events, queries and routes (docs/design/lanes.md 1, rows
 * 1 to 4).
 */

import { faultCursor } from '../../api/cursors.js'
import { defineSchema } from '../../api/feature.js'
import { COMMIT_QC_FRAME } from '../../api/frames.js'
import {
  blsKeys,
  blsKeys as blsKeysRecord,
  certificateHistory,
  checkpointList,
  commitQcRecord,
  consensusKeyList,
  consensusParams,
  consensusParams as consensusParamsRecord,
  evidenceCount,
  evidenceCountParameters,
  evidenceCount as evidenceCountRecord,
  evidenceList,
  evidenceParameters,
  FAULT_KIND_MAX_BYTES,
  historyParameters,
  validatorSet,
  validatorSetHistory,
} from '../../api/index.js'
import { heightsQuery, none, pageQueryFields } from '../../api/query-inputs.js'
import { defineRoute, publicRead } from '../../api/route.js'
import { bool, bytesN, hash32, type Infer, option, string, struct, varint } from '../../codec/index.js'
import {
  answered,
  BLS_SIGNATURE_BYTES,
  CORE_IDS,
  declareErrors,
  defineEvents,
  defineInstructions,
  defineQueries,
  type ErrorDef,
  type EventSubject,
  EXIT,
  peer,
  validatorKey,
} from '../../model/index.js'

const errors = declareErrors({
  key_reused: answered(
    21,
    422,
    EXIT.rejected,
    'The key is or was used by a peer.',
    'Create a new one with `causeway key generate`.',
  ),
  bad_proof_of_possession: answered(
    22,
    422,
    EXIT.rejected,
    'The proof of possession does not match the key of the peer.',
    'Create it again with `causeway key pop`.',
  ),
})

declare module '../../model/error-catalogue.js' {
  interface ErrorRegistry extends Record<keyof typeof errors, ErrorDef> {}
}

export const instructions = defineInstructions({
  registerPeer: {
    id: 1,
    label: 'peer::register',
    record: {
      peer,
      /** True to change the roster even if fewer than its quorum signed recently. */
      force: bool,
    },
  },
  unregisterPeer: {
    id: 2,
    label: 'peer::unregister',
    record: {
      /** Key that the peer registered with. */
      peer: validatorKey,
      force: bool,
    },
  },
  rotateConsensusKey: {
    id: 3,
    label: 'consensus_key::rotate',
    record: {
      /** Key that the peer registered with. */
      peer: validatorKey,
      newKey: validatorKey,
      /** Proof of possession of the new key, 96 bytes. */
      pop: bytesN(BLS_SIGNATURE_BYTES),
      /** First height of the new key; absent: two heights ahead, as early as possible. */
      activeFrom: option(varint),
    },
  },
  disableConsensusKey: { id: 4, label: 'consensus_key::disable', record: { key: validatorKey, force: bool } },
})

const aboutPeers: EventSubject<unknown> = { subject: 'peer' }

export const events = defineEvents({
  peerAdded: { id: 1, record: { peer: validatorKey }, ...aboutPeers },
  peerRemoved: { id: 13, record: { peer: validatorKey }, ...aboutPeers },
  consensusKeyRotated: { id: 14, record: { peer: validatorKey, key: validatorKey, activeFrom: varint }, ...aboutPeers },
  consensusKeyDisabled: {
    id: 15,
    record: { peer: validatorKey, key: validatorKey, disabledFrom: varint },
    ...aboutPeers,
  },
})

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

export interface HeightPath extends Infer<typeof heightPath> {}
const heightPath = struct('HeightPath', { height: varint })

const blockPath = struct('BlockHashPath', { hash: hash32 })

const developer = { ...publicRead, profile: 'developer' } as const

const certificatesRoute = defineRoute({
  ...publicRead,
  id: 'consensus.commit.certificates',
  path: '/v1/consensus/commit-certificates',
  summary: 'Commit certificates, newest first, from a height down',
  query: historyParameters,
  response: certificateHistory,
  whileHalted: true,
}).byHeights(queries.commitCertificates)

const validatorSetsRoute = defineRoute({
  ...publicRead,
  id: 'consensus.validator.sets',
  path: '/v1/consensus/validator-sets',
  summary: 'Rosters and committees, newest first, from a height down, within the evidence window',
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

const checkpointsRoute = defineRoute({
  ...developer,
  id: 'consensus.checkpoints',
  path: '/v1/consensus/checkpoints',
  summary: 'Latest heights with state root, rosters and certificate, newest first',
  query: historyParameters,
  response: checkpointList,
  whileHalted: true,
}).byHeights(queries.checkpoints)

const consensusKeysRoute = defineRoute({
  ...publicRead,
  id: 'consensus.keys',
  path: '/v1/consensus/consensus-keys',
  summary: 'Consensus keys in effect at the height being decided',
  response: consensusKeyList,
}).byQuery(queries.consensusKeys, () => ({ everyStatus: false }))

export const keyLifecycleRoute = defineRoute({
  ...publicRead,
  id: 'consensus.key.lifecycle',
  path: '/v1/consensus/key-lifecycle',
  summary: 'Every consensus key with its status and its heights, newest first',
  response: consensusKeyList,
}).byQuery(queries.consensusKeys, () => ({ everyStatus: true }))

const blsKeysRoute = defineRoute({
  ...developer,
  id: 'consensus.bls.keys',
  path: '/v1/consensus/bls_keys',
  summary: 'The active consensus key of each peer',
  response: blsKeys,
}).byQuery(queries.blsKeys, () => ({}))

const consensusParamsRoute = defineRoute({
  ...developer,
  id: 'consensus.params',
  path: '/v1/consensus/params',
  summary: 'Consensus parameters of the chain in effect now',
  response: consensusParams,
}).byQuery(queries.consensusParams, () => ({}))

export const evidenceRoute = defineRoute({
  ...developer,
  id: 'consensus.evidence',
  path: '/v1/consensus/evidence',
  summary: 'Proven faults on the chain, newest first, optionally of one kind',
  query: evidenceParameters,
  response: evidenceList,
})

export const evidenceCountRoute = defineRoute({
  ...publicRead,
  id: 'consensus.evidence.count',
  path: '/v1/consensus/evidence/count',
  summary: 'Number of proven faults on the chain, optionally of one kind',
  query: evidenceCountParameters,
  response: evidenceCount,
})

const commitQcRoute = defineRoute({
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

export const peerSchema = defineSchema({
  name: 'peers',
  abi: 'core',
  version: 1,
  ids: [CORE_IDS],
  errors,
  instructions,
  events,
  queries,
  parameters: [],
  routes: {
    certificates: certificatesRoute,
    validatorSets: validatorSetsRoute,
    validatorSet: validatorSetRoute,
    checkpoints: checkpointsRoute,
    consensusKeys: consensusKeysRoute,
    keyLifecycle: keyLifecycleRoute,
    blsKeys: blsKeysRoute,
    consensusParams: consensusParamsRoute,
    evidence: evidenceRoute,
    evidenceCount: evidenceCountRoute,
    commitQc: commitQcRoute,
  },
  topics: { peer: 'Peers of the network and their keys' },
})
