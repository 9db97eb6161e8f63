/** Peers and consensus as clients see them. */

import { defineSchema } from '../../../api/feature.js'
import { CORE_IDS } from '../../../model/index.js'
import { errors } from './errors.js'
import { events } from './events.js'
import { instructions } from './instructions.js'
import { queries } from './queries.js'
import * as routes from './routes.js'

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
    certificates: routes.certificatesRoute,
    validatorSets: routes.validatorSetsRoute,
    validatorSet: routes.validatorSetRoute,
    checkpoints: routes.checkpointsRoute,
    consensusKeys: routes.consensusKeysRoute,
    keyLifecycle: routes.keyLifecycleRoute,
    blsKeys: routes.blsKeysRoute,
    consensusParams: routes.consensusParamsRoute,
    evidence: routes.evidenceRoute,
    evidenceCount: routes.evidenceCountRoute,
    commitQc: routes.commitQcRoute,
  },
  topics: { 'ledger peer': 'Peers of the network: who takes part, with which keys' },
})
