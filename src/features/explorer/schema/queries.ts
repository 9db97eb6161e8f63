/** Owns the queries of the history: statements, transactions, instructions, blocks, proofs, totals. */

import {
  finalityProof,
  headerList,
  stateRecordProof,
  transactionProof as transactionProofRecord,
} from '../../../api/index.js'
import { heightsQuery } from '../../../api/query-inputs.js'
import { hash32, type Infer, option, string, struct, varint } from '../../../codec/index.js'
import { defineQueries } from '../../../model/index.js'
import {
  blockPage,
  blockQuery,
  blocksInput,
  blockView,
  historyQuery,
  instructionItem,
  instructionPage,
  instructionPlaceQuery,
  transactionDetail as transactionDetailRecord,
  transactionPage,
  transactionQuery,
  transactionView,
} from './history.js'
import { paymentPage, paymentsQuery, referenceQuery } from './payments.js'
import { seriesQuery, series as seriesRecord, totalsInput, totals as totalsRecord } from './series.js'
import { statement, statementQuery } from './statement.js'

/** Height of a block already proven to the client: rosters up to it are omitted. */
export const provenFrom = option(varint)
const finalityQuery_ = struct('FinalityQuery', { height: varint, from: provenFrom })
export type FinalityQuery = Infer<typeof finalityQuery_>
/** Maximum length of the JSON form of a record key, in bytes. */
const KEY_TEXT_MAX_BYTES = 1024
const stateQuery_ = struct('StateProofQuery', { table: string(64), key: string(KEY_TEXT_MAX_BYTES), from: provenFrom })
export type StateProofQuery = Infer<typeof stateQuery_>
const transactionProofQuery_ = struct('TransactionProofQuery', { height: varint, hash: hash32, from: provenFrom })
export type TransactionProofQuery = Infer<typeof transactionProofQuery_>

export const queries = defineQueries({
  transaction: { id: 4, input: transactionQuery, output: transactionView },
  accountStatement: { id: 5, input: statementQuery, output: statement },
  transactions: { id: 50, input: historyQuery, output: transactionPage },
  instructions: { id: 51, input: historyQuery, output: instructionPage },
  transactionDetail: { id: 52, input: transactionQuery, output: transactionDetailRecord },
  instruction: { id: 53, input: instructionPlaceQuery, output: instructionItem },
  blocks: { id: 54, input: blocksInput, output: blockPage },
  block: { id: 55, input: blockQuery, output: blockView },
  headers: { id: 70, input: heightsQuery, output: headerList },
  finality: { id: 71, input: finalityQuery_, output: finalityProof },
  stateProof: { id: 72, input: stateQuery_, output: stateRecordProof },
  transactionProof: { id: 73, input: transactionProofQuery_, output: transactionProofRecord },
  totals: { id: 74, input: totalsInput, output: totalsRecord },
  payments: { id: 76, input: paymentsQuery, output: paymentPage },
  series: { id: 77, input: seriesQuery, output: seriesRecord },
  paymentsByReference: { id: 78, input: referenceQuery, output: paymentPage },
})
