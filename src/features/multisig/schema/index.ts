/** Multisig accounts as clients see them. */

import { defineSchema } from '../../../api/feature.js'
import { CORE_IDS } from '../../../model/index.js'
import { errors } from './errors.js'
import { events } from './events.js'
import { instructions } from './instructions.js'
import { queries } from './queries.js'
import * as routes from './routes.js'

export const multisigSchema = defineSchema({
  name: 'multisig',
  abi: 'core',
  version: 1,
  ids: [CORE_IDS],
  errors,
  instructions,
  events,
  queries,
  parameters: [],
  routes: {
    multisig: routes.multisigRoute,
    proposal: routes.proposalRoute,
    propose: routes.proposeRoute,
    approve: routes.approveRoute,
    cancel: routes.cancelRoute,
    multisigAddress: routes.multisigAddressRoute,
  },
  topics: { multisig: 'Accounts that several members control' },
})
