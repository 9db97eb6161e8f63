/** Owns the routes of the history, proofs and metrics (specification 4.3). */

import { noAccount } from '../../../api/absent-texts.js'
import { pageFields, pageParameters } from '../../../api/paging.js'
import { accountPath, accountText, assetText } from '../../../api/query-inputs.js'
import { defineRoute, publicRead } from '../../../api/route.js'
import { historyParameters } from '../../../api/schema/consensus-detail.js'
import { pipelineQuery, TRANSACTION_STATUS_PATH, transactionStatusRecord } from '../../../api/schema/pipeline.js'
import {
  finalityProof,
  headerList,
  ROSTER_STEPS_MAX,
  stateRecordProof,
  transactionProof,
} from '../../../api/schema/proof.js'
import { hash32, type Infer, option, refine, string, struct, toHex, varint } from '../../../codec/index.js'
import { GENESIS_HEIGHT } from '../../../model/index.js'
import * as history from './history.js'
import { explorerMetrics } from './metrics.js'
import { paymentPage, paymentsParameters } from './payments.js'
import { provenFrom, queries } from './queries.js'
import { series, seriesParameters } from './series.js'
import { statement } from './statement.js'

const historyParameters_ = struct('TransactionsParameters', {
  authority: option(accountText),
  ...history.historyFilterFields,
  ...pageFields,
})
export type TransactionsParameters = Infer<typeof historyParameters_>
const ownHistory_ = struct('AccountTransactionsParameters', { ...history.historyFilterFields, ...pageFields })
export type AccountTransactionsParameters = Infer<typeof ownHistory_>
const stateProofParameters_ = struct('StateProofParameters', {
  table: string(64),
  key: string(1024),
  from: provenFrom,
})
const proofParameters_ = struct('ProofParameters', { from: provenFrom })

const hashPath_ = struct('TransactionPath', { hash: hash32 })
const instructionPath_ = struct('InstructionPath', { hash: hash32, position: varint })
const blockPath_ = struct('BlockPath', {
  id: refine(string(64), 'BlockIdText', () => undefined, { pattern: '^([0-9]{1,16}|[0-9a-fA-F]{64})$' }),
})
const blockProofPath_ = struct('BlockProofPath', { height: varint, hash: hash32 })
const heightPath_ = struct('FinalityPath', { height: varint })
/** Hint for long distances: request the next proof from the block of an earlier proof. */
const TOO_FAR = `more than ${ROSTER_STEPS_MAX.toLocaleString('en')} roster changes lead to it: prove an earlier block, then ask with \`from\``

export const accountTransactionsRoute = defineRoute({
  ...publicRead,
  id: 'ledger.account.transactions',
  path: '/v1/accounts/{id}/transactions',
  summary: 'Transactions that an account signed, newest first',
  params: accountPath,
  accounts: { id: 'id' },
  query: ownHistory_,
  response: history.transactionPage,
})

export const transactionsRoute = defineRoute({
  ...publicRead,
  id: 'ledger.transactions',
  path: '/v1/transactions',
  summary: 'Committed transactions, newest first, optionally by authority, instruction kind, asset, outcome or block',
  query: historyParameters_,
  accounts: { authority: 'id' },
  errors: ['not_found'],
  response: history.transactionPage,
})

export const transactionRoute = defineRoute({
  ...publicRead,
  id: 'ledger.transaction',
  path: '/v1/transactions/{hash}',
  summary: 'A committed transaction with its instructions and signatures',
  params: hashPath_,
  response: history.transactionDetail,
}).byQuery(
  queries.transactionDetail,
  ({ params }) => params,
  ({ params: { hash } }) => `transaction ${toHex(hash)} is not in a block`,
)

export const explorerTransactionsRoute = defineRoute({
  ...transactionsRoute,
  id: 'explorer.transactions',
  tool: { name: 'transactions', about: 'Transactions, newest first, by account, asset, outcome' },
  path: '/v1/explorer/transactions',
})

export const explorerTransactionRoute = defineRoute({
  ...transactionRoute,
  id: 'explorer.transaction',
  tool: { name: 'transaction', about: 'One transaction by its hash: its effects, or the reason of its rejection' },
  path: '/v1/explorer/transactions/{hash}',
})

export const instructionsRoute = defineRoute({
  ...publicRead,
  id: 'explorer.instructions',
  path: '/v1/explorer/instructions',
  summary: 'Instructions of committed transactions, newest first',
  query: historyParameters_,
  accounts: { authority: 'id' },
  errors: ['not_found'],
  response: history.instructionPage,
})

export const instructionRoute = defineRoute({
  ...publicRead,
  id: 'explorer.instruction',
  path: '/v1/explorer/instructions/{hash}/{position}',
  summary: 'One instruction of a committed transaction',
  params: instructionPath_,
  response: history.instructionItem,
}).byQuery(
  queries.instruction,
  ({ params }) => params,
  ({ params: { hash, position } }) => `instruction ${position} of transaction ${toHex(hash)} is not in a block`,
)

export const blocksRoute = defineRoute({
  ...publicRead,
  id: 'explorer.blocks',
  tool: { name: 'blocks', about: 'Blocks, newest first' },
  path: '/v1/explorer/blocks',
  summary: 'Blocks, newest first',
  query: pageParameters,
  response: history.blockPage,
  whileHalted: true,
}).byPage(queries.blocks)

export const blockRoute = defineRoute({
  ...publicRead,
  id: 'explorer.block',
  tool: { name: 'block', about: 'One block by height or hash with its transactions' },
  path: '/v1/explorer/blocks/{id}',
  summary: 'A block by its height or its hash',
  params: blockPath_,
  response: history.blockView,
  whileHalted: true,
})

export const headersRoute = defineRoute({
  ...publicRead,
  id: 'ledger.headers',
  path: '/v1/ledger/headers',
  summary: 'Headers with their commit certificates, newest first, from a height down',
  query: historyParameters,
  response: headerList,
  whileHalted: true,
}).byHeights(queries.headers)

export const stateProofRoute = defineRoute({
  ...publicRead,
  id: 'ledger.state.proof',
  path: '/v1/ledger/state-proof',
  summary: 'A record of the world state, or its absence, proven against the genesis hash',
  query: stateProofParameters_,
  errors: ['not_found'],
  response: stateRecordProof,
}).byQuery(
  queries.stateProof,
  ({ query }) => query,
  () => `this node does not store the data for the proof, or ${TOO_FAR}`,
)

export const blockProofRoute = defineRoute({
  ...publicRead,
  id: 'ledger.block.proof',
  path: '/v1/ledger/block/{height}/proof/{hash}',
  summary: 'A transaction of a block and its result, proven against the genesis hash',
  params: blockProofPath_,
  query: proofParameters_,
  response: transactionProof,
  whileHalted: true,
}).byQuery(
  queries.transactionProof,
  ({ params, query }) => ({
    ...params,
    ...query,
  }),
  ({ params: { hash, height } }) => `transaction ${toHex(hash)} is not in block ${height}, or ${TOO_FAR}`,
)

export const finalityRoute = defineRoute({
  ...publicRead,
  id: 'bridge.finality',
  path: '/v1/bridge/finality/{height}',
  summary: 'Proof that the block of a height is final, starting from the genesis hash',
  params: heightPath_,
  query: proofParameters_,
  response: finalityProof,
  whileHalted: true,
}).byQuery(
  queries.finality,
  ({ params, query }) => ({
    ...params,
    ...query,
  }),
  ({ params }) =>
    params.height === GENESIS_HEIGHT
      ? `height ${GENESIS_HEIGHT} is genesis: it has no votes, and is final by its hash, which clients pin`
      : `no block of that height, or this node does not store the data for its proof, or ${TOO_FAR}`,
)

export const explorerMetricsRoute = defineRoute({
  id: 'explorer.metrics',
  method: 'GET',
  path: '/v1/explorer/metrics',
  summary: 'Figures of the chain: blocks, transactions, objects, peers, average times',
  access: 'public',
  format: 'json',
  response: explorerMetrics,
})

export const paymentsRoute = defineRoute({
  ...publicRead,
  id: 'explorer.payments',
  tool: { name: 'payments', about: 'ISO 20022 payments, newest first, by submitter, account or reference' },
  path: '/v1/explorer/payments',
  summary:
    'Payments of ISO 20022 messages, newest first, by their submitter, an account that paid or was paid, or their reference',
  query: paymentsParameters,
  accounts: { submitter: 'id', account: 'id' },
  about: {
    submitter: 'Account that submitted the message.',
    account: 'Account that paid or was paid.',
    reference: 'UETR or end-to-end id, without regard to case.',
  },
  errors: ['not_found'],
  response: paymentPage,
})

export const seriesRoute = defineRoute({
  ...publicRead,
  id: 'explorer.series',
  path: '/v1/explorer/series',
  summary: 'A metric of blocks over time: by minutes of the last 48 hours, hours of 400 days, days',
  query: seriesParameters,
  about: {
    metric: 'Metric that is summed; teu: metered execution units, bytes: of payloads.',
    from_ms: 'Start, in ms since the Unix epoch; default: an hour before the end.',
    to_ms: 'End, exclusive; default: now.',
    points: 'Maximum number of points: neighbouring minutes, hours or days are summed.',
  },
  response: series,
})

const statementParameters_ = struct('StatementParameters', {
  asset: option(assetText),
  fromMs: option(varint),
  toMs: option(varint),
  ...pageFields,
})

export const statementRoute = defineRoute({
  ...publicRead,
  id: 'ledger.account.statement',
  tool: { name: 'statement', about: 'Movements of an account within a time, with balances' },
  path: '/v1/accounts/{id}/statement',
  summary: 'Movements of an account in a period, oldest first, each with the balance after it',
  params: accountPath,
  accounts: { id: 'name' },
  query: statementParameters_,
  response: statement,
}).byPage(
  queries.accountStatement,
  ({ query: { asset, fromMs, toMs }, accounts }) => ({ ...accounts.id, definition: asset, fromMs, toMs }),
  ({ params }) => noAccount(params.id),
)

export const transactionStatusRoute = defineRoute({
  ...publicRead,
  id: 'pipeline.transaction.status',
  path: TRANSACTION_STATUS_PATH,
  summary: 'Status of a transaction: queued, in a block, or expired',
  query: pipelineQuery,
  response: transactionStatusRecord,
  errors: ['not_found'],
})
