/** What happened, as clients see it: history, statements, proofs, figures. */
import { defineSchema } from '../../../api/feature.js'
import { CORE_IDS } from '../../../model/index.js'
import * as events from './events.js'
import * as instructions from './instructions.js'
import * as queries from './queries.js'
import { recovery, recoveryRoute } from './recovery.js'
import * as routes from './routes.js'
import { EXPLORER_STREAMS } from './streams.js'

export const explorerSchema = defineSchema({
  name: 'explorer',
  abi: 'core',
  version: 1,
  ids: [CORE_IDS],
  errors: {},
  instructions: { log: instructions.log },
  events: [events.logged],
  queries: {
    transaction: queries.transaction,
    accountStatement: queries.accountStatement,
    transactions: queries.transactions,
    instructions: queries.instructions,
    transactionDetail: queries.transactionDetail,
    instruction: queries.instruction,
    blocks: queries.blocks,
    block: queries.block,
    headers: queries.headers,
    finality: queries.finality,
    stateProof: queries.stateProof,
    transactionProof: queries.transactionProof,
    totals: queries.totals,
    payments: queries.payments,
    series: queries.series,
    recovery,
  },
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
  topics: { 'ledger tx': 'Committed transactions' },
})
