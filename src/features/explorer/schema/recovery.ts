/** Owns the recovery record of a block: the result of its execution, and the outcome of each transaction. */
import { numberCursor } from '../../../api/cursors.js'
import { PAGE_LIMIT_MAX, pageOfFields, pageParameters } from '../../../api/paging.js'
import { pageQueryFields } from '../../../api/query-inputs.js'
import { defineRoute, publicRead } from '../../../api/route.js'
import { hash32, type Infer, option, string, struct, u32, varint, varintBig } from '../../../codec/index.js'
import { accountId, defineQueries } from '../../../model/index.js'
import { outcomeName } from './history.js'

/** Maximum length of an error code, in bytes. */
const CODE_MAX_BYTES = 64

/** Transaction of a block. */
const entry_ = struct('RecoveryEntry', {
  index: varint,
  /** Transaction id. */
  hash: hash32,
  /** Hash of the signed record: the leaf of `transactionsRoot`. */
  signedHash: hash32,
  bytes: varint,
  authority: accountId,
  lane: u32,
  dataspace: varintBig,
  teu: varint,
  outcome: outcomeName,
  /** Error code of a rejection. */
  rejection: option(string(CODE_MAX_BYTES)),
})

/**
 * Recovery record of a block: its roots, which identify the result of its execution, and a page of its transactions, in
 * order.
 */
export interface BlockRecovery extends Infer<typeof blockRecovery> {}
export const blockRecovery = struct('BlockRecovery', {
  blockHeight: varint,
  blockHash: hash32,
  parentHash: hash32,
  /** Header time in ms since the Unix epoch. */
  timeMs: varint,
  payloadHash: hash32,
  payloadBytes: varint,
  transactions: varint,
  transactionsRoot: hash32,
  resultsRoot: hash32,
  stateRoot: hash32,
  laneCommitmentRoot: hash32,
  ...pageOfFields(entry_, PAGE_LIMIT_MAX),
})

export interface RecoveryQuery extends Infer<typeof recoveryQuery> {}
const recoveryQuery = struct('BlockRecoveryQuery', { ...pageQueryFields(numberCursor), block: varint })
export const recoveryQueries = defineQueries({
  recovery: { id: 75, input: recoveryQuery, output: blockRecovery },
})

const path_ = struct('RecoveryPath', { height: varint })

export const recoveryRoute = defineRoute({
  ...publicRead,
  id: 'pipeline.recovery',
  path: '/v1/pipeline/recovery/{height}',
  summary: 'Execution result of a block: its roots, and the outcome of each transaction',
  params: path_,
  query: pageParameters,
  response: blockRecovery,
  whileHalted: true,
}).byPage(
  recoveryQueries.recovery,
  ({ params }) => ({ block: params.height }),
  ({ params }) =>
    `this node does not store block ${params.height}: it is not committed yet, or below the snapshot that the node started from`,
)
