/** History, statements, proofs and metrics, as seen by clients. */

import { defineSchema } from '../../../api/feature.js'
import { CORE_IDS } from '../../../model/index.js'
import { events, instructions } from './log.js'
import { queries } from './queries.js'
import { recoveryQueries, recoveryRoute } from './recovery.js'
import * as routes from './routes.js'
import { EXPLORER_STREAMS } from './streams.js'

export const explorerSchema = defineSchema({
  name: 'explorer',
  abi: 'core',
  version: 1,
  ids: [CORE_IDS],
  errors: {},
  instructions,
  events,
  queries: { ...queries, ...recoveryQueries },
  parameters: [],
  routes: {
    accountTransactions: routes.accountTransactionsRoute,
    transactions: routes.transactionsRoute,
    transaction: routes.transactionRoute,
    transactionStatus: routes.transactionStatusRoute,
    explorerTransactions: routes.explorerTransactionsRoute,
    explorerTransaction: routes.explorerTransactionRoute,
    instructions: routes.instructionsRoute,
    instruction: routes.instructionRoute,
    blocks: routes.blocksRoute,
    block: routes.blockRoute,
    headers: routes.headersRoute,
    stateProof: routes.stateProofRoute,
    blockProof: routes.blockProofRoute,
    finality: routes.finalityRoute,
    recovery: recoveryRoute,
    explorerMetrics: routes.explorerMetricsRoute,
    payments: routes.paymentsRoute,
    series: routes.seriesRoute,
    statement: routes.statementRoute,
    blockStream: EXPLORER_STREAMS.block,
    transactionStream: EXPLORER_STREAMS.transaction,
    instructionStream: EXPLORER_STREAMS.instruction,
  },
})
