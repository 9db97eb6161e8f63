/** Owns the queries of multisig accounts. */
import { defineQueries } from '../../../model/index.js'
import { accountQuery } from '../../accounts/schema/views.js'
import { multisigView, proposalQuery, proposalView } from './views.js'

export const queries = defineQueries({
  multisig: { id: 13, input: accountQuery, output: multisigView },
  proposal: { id: 14, input: proposalQuery, output: proposalView },
})
