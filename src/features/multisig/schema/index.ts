/** Multisig accounts as clients see them. */
import { defineSchema } from '../../../api/feature.js'
import { CORE_IDS } from '../../../model/index.js'
import { errors } from './errors.js'
import * as events from './events.js'
import * as instructions from './instructions.js'
import * as queries from './queries.js'
import * as routes from './routes.js'

export const multisigSchema = defineSchema({
  name: 'multisig',
  abi: 'core',
  version: 1,
  ids: [CORE_IDS],
  errors,
  instructions: {
    registerMultisig: instructions.registerMultisig,
    propose: instructions.propose,
    approve: instructions.approve,
    cancel: instructions.cancel,
  },
  events: [
    events.multisigChanged,
    events.proposalCreated,
    events.proposalApproved,
    events.proposalExecuted,
    events.proposalFailed,
    events.proposalCancelled,
    events.proposalExpired,
  ],
  queries: { multisig: queries.multisig, proposal: queries.proposal },
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
