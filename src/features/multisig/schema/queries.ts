/** Owns the queries of multisig accounts. */
import { defineQuery } from '../../../model/index.js'
import { accountQuery } from '../../accounts/schema/views.js'
import { MULTISIG_QUERIES as ID } from './ids.js'
import { multisigView, proposalQuery, proposalView } from './views.js'

export const multisig = defineQuery(ID.multisig, 'multisig', accountQuery, multisigView)
export const proposal = defineQuery(ID.proposal, 'proposal', proposalQuery, proposalView)
