/** Execution of the log instruction, and queries of the history. */
import { defineLedger } from '../../../executor/feature.js'
import { explorerSchema } from '../schema/index.js'
import * as history from './history.js'
import { explorerHistory, explorerIndexes } from './indexes.js'
import * as instructions from './log.js'
import { paymentsByReferenceQuery, paymentsQuery } from './payments.js'
import * as proofs from './proofs.js'
import { recoveryQuery } from './recovery.js'
import { seriesQuery } from './series.js'
import * as statement from './statement.js'
import * as totals from './totals.js'
import * as transaction from './transaction.js'

export const explorerLedger = defineLedger(explorerSchema, {
  tables: [],
  execute: instructions.execute,
  queries: {
    transactions: history.transactionsQuery,
    instructions: history.instructionsQuery,
    transactionDetail: history.transactionDetailQuery,
    instruction: history.instructionQuery,
    blocks: history.blocksQuery,
    block: history.blockQuery,
    headers: proofs.headersQuery,
    finality: proofs.finalityQuery,
    stateProof: proofs.stateProofQuery,
    transactionProof: proofs.transactionProofQuery,
    accountStatement: statement.statementByAccountQuery,
    totals: totals.totalsQuery,
    payments: paymentsQuery,
    paymentsByReference: paymentsByReferenceQuery,
    series: seriesQuery,
    recovery: recoveryQuery,
    transaction: transaction.transactionByHashQuery,
  },
  permissions: [],
  indexes: explorerIndexes,
  history: explorerHistory,
})
