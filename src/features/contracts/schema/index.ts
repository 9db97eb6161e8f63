/** Contracts as clients see them. */

import { defineSchema } from '../../../api/feature.js'
import * as drafts from './draft-routes.js'
import { errors } from './errors.js'
import { events } from './events.js'
import { instructions } from './instructions.js'
import { CONTRACT_DEPLOY_POLICY, CONTRACT_GAS_PER_TX } from './parameters.js'
import { queries } from './queries.js'
import { CONTRACT_IDS } from './records.js'
import * as routes from './routes.js'

export const contractSchema = defineSchema({
  name: 'contracts',
  since: 2,
  version: 1,
  ids: [CONTRACT_IDS],
  errors,
  instructions,
  events,
  queries,
  parameters: [CONTRACT_GAS_PER_TX, CONTRACT_DEPLOY_POLICY],
  routes: {
    contracts: routes.contractsRoute,
    instance: routes.instanceRoute,
    code: routes.codeRoute,
    codeBytes: routes.codeBytesRoute,
    proven: routes.provenContractRoute,
    state: routes.stateRoute,
    events: routes.eventsRoute,
    activity: routes.activityRoute,
    rollups: routes.rollupsRoute,
    resolve: routes.resolveRoute,
    view: routes.viewRoute,
    viewBatch: routes.viewBatchRoute,
    simulate: routes.simulateRoute,
    register: drafts.registerRoute,
    deploy: drafts.deployRoute,
    call: drafts.callRoute,
    bind: drafts.bindRoute,
    bundle: drafts.bundleRoute,
    proposeCall: drafts.proposeCallRoute,
    approveCall: drafts.approveCallRoute,
    eventStream: drafts.eventStream,
  },
  topics: {
    contract: 'Contracts: programs on the ledger, from the project to the call',
    'contract alias': 'Aliases of contracts',
  },
})
