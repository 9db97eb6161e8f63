/** Owns the queries about what happened: statements, transactions, instructions, blocks, proofs, totals. */

import {
  finalityProof,
  headerList,
  stateRecordProof,
  transactionProof as transactionProofRecord,
} from '../../../api/index.js'
import { heightsQuery } from '../../../api/query-inputs.js'
import { hash32, type Infer, option, string, struct, varint } from '../../../codec/index.js'
import { defineQuery } from '../../../model/index.js'
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
import { EXPLORER_QUERIES as ID } from './ids.js'
import { paymentPage, paymentsQuery } from './payments.js'
import { seriesQuery, series as seriesRecord } from './series.js'
import { statement, statementQuery } from './statement.js'
import { totalsInput, totals as totalsRecord } from './totals.js'

/** Height of a block that the asker has a proof of: rosters up to it are left out. */
export const provenFrom = option(varint)
const finalityQuery_ = struct('FinalityQuery', { height: varint, from: provenFrom })
export type FinalityQuery = Infer<typeof finalityQuery_>
/** Longest key of a record as its JSON twin, in bytes. */
const KEY_TEXT_MAX_BYTES = 1024
const stateQuery_ = struct('StateProofQuery', { table: string(64), key: string(KEY_TEXT_MAX_BYTES), from: provenFrom })
export type StateProofQuery = Infer<typeof stateQuery_>
const transactionProofQuery_ = struct('TransactionProofQuery', { height: varint, hash: hash32, from: provenFrom })
export type TransactionProofQuery = Infer<typeof transactionProofQuery_>

export const transaction = defineQuery(ID.transaction, 'transaction', transactionQuery, transactionView)
export const accountStatement = defineQuery(ID.accountStatement, 'accountStatement', statementQuery, statement)

export const transactions = defineQuery(ID.transactions, 'transactions', historyQuery, transactionPage)
export const instructions = defineQuery(ID.instructions, 'instructions', historyQuery, instructionPage)
export const transactionDetail = defineQuery(
  ID.transactionDetail,
  'transactionDetail',
  transactionQuery,
  transactionDetailRecord,
)
export const instruction = defineQuery(ID.instruction, 'instruction', instructionPlaceQuery, instructionItem)
export const blocks = defineQuery(ID.blocks, 'blocks', blocksInput, blockPage)
export const block = defineQuery(ID.block, 'block', blockQuery, blockView)

export const headers = defineQuery(ID.headers, 'headers', heightsQuery, headerList)
export const finality = defineQuery(ID.finality, 'finality', finalityQuery_, finalityProof)
export const stateProof = defineQuery(ID.stateProof, 'stateProof', stateQuery_, stateRecordProof)
export const transactionProof = defineQuery(
  ID.transactionProof,
  'transactionProof',
  transactionProofQuery_,
  transactionProofRecord,
)
export const totals = defineQuery(ID.totals, 'totals', totalsInput, totalsRecord)
export const payments = defineQuery(ID.payments, 'payments', paymentsQuery, paymentPage)
export const series = defineQuery(ID.series, 'series', seriesQuery, seriesRecord)
