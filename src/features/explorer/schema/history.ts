/** Owns view records of the history: transactions, instructions, blocks, and the parameters of their lists. */

import { heightCursor, historyCursor } from '../../../api/cursors.js'
import { type Page, pageOf } from '../../../api/paging.js'
import { pageQueryFields, pageQueryOf } from '../../../api/query-inputs.js'
import {
  hash32,
  type Infer,
  list,
  option,
  type Schema,
  string,
  struct,
  u32,
  unitEnum,
  varint,
  varintBig,
} from '../../../codec/index.js'
import {
  accountId,
  anyInstruction,
  assetDefinitionId,
  entryOutcome,
  INSTRUCTIONS_MAX,
  metadata,
  REJECTION_TEXT_MAX_BYTES,
  SIGNATURES_MAX,
  transactionSignature,
  validatorKey,
} from '../../../model/index.js'
import { isoFamily, messageId, PARTS_MAX, paymentPlace } from '../../iso20022/schema/instructions.js'

/** Outcome of a payment in a shared transaction. */
export interface SharedPayment extends Infer<typeof sharedPayment> {}
const sharedPayment = struct('SharedPayment', {
  submitter: accountId,
  family: isoFamily,
  messageId,
  bodyHash: hash32,
  place: paymentPlace,
  /** Error code name; absent: paid. */
  code: option(string(64)),
})

/** Status of a committed transaction. */
export interface TransactionView extends Infer<typeof transactionView> {}
export const transactionView = struct('TransactionView', {
  hash: hash32,
  height: varint,
  blockHash: hash32,
  index: varint,
  timeMs: varint,
  outcome: entryOutcome,
  /** Error code name of a rejection. */
  rejection: option(string(64)),
  /** Text of the rejection; absent if this node did not execute the block. */
  rejectionText: option(string(REJECTION_TEXT_MAX_BYTES)),
  /** Transaction with the same effect, which caused the rejection of this one. */
  supersededBy: option(hash32),
  authority: accountId,
  /** Message payments of the transaction, each of which may have failed separately. */
  payments: list(sharedPayment, PARTS_MAX),
})

export interface TransactionQuery extends Infer<typeof transactionQuery> {}
export const transactionQuery = struct('TransactionQuery', { hash: hash32 })

/** Maximum length of the name of an instruction kind or an error code, in bytes. */
const NAME_MAX_BYTES = 64

/** Committed transaction in a list. */
export interface TransactionItem extends Infer<typeof transactionItem> {}
const itemFields = {
  hash: hash32,
  height: varint,
  /** Index in its block. */
  index: varint,
  timeMs: varint,
  authority: accountId,
  lane: u32,
  dataspace: varintBig,
  instructionCount: varint,
  /** Metered cost in transaction execution units. */
  teu: varint,
  outcome: entryOutcome,
  /** Error code name of a rejection. */
  rejection: option(string(NAME_MAX_BYTES)),
  /** Name of the trap that ended a contract call in it. */
  trap: option(string(NAME_MAX_BYTES)),
}
export const transactionItem = struct('TransactionItem', itemFields)
export const transactionPage: Schema<Page<TransactionItem>> = pageOf('TransactionPage', transactionItem)

/** Committed transaction with its signed content. */
export interface TransactionDetail extends Infer<typeof transactionDetail> {}
export const transactionDetail = struct('TransactionDetail', {
  ...itemFields,
  blockHash: hash32,
  createdAtMs: varint,
  ttlMs: varint,
  nonce: option(u32),
  metadata,
  instructions: list(anyInstruction, INSTRUCTIONS_MAX),
  signatures: list(transactionSignature, SIGNATURES_MAX),
})

/** Outcome filter of lists. */
export type OutcomeName = 'approved' | 'rejected'
export const outcomeName = unitEnum('OutcomeName', { approved: 0, rejected: 1 })

/** Instruction of a committed transaction. */
export interface InstructionItem extends Infer<typeof instructionItem> {}
export const instructionItem = struct('InstructionItem', {
  transactionHash: hash32,
  height: varint,
  /** Index of the transaction in its block, and of the instruction in the transaction. */
  index: varint,
  position: varint,
  timeMs: varint,
  authority: accountId,
  /** Outcome of its transaction; instructions of a rejected transaction changed nothing. */
  outcome: outcomeName,
  instruction: anyInstruction,
})
export const instructionPage: Schema<Page<InstructionItem>> = pageOf('InstructionPage', instructionItem)

/** Filters of these lists; items must match all given filters. */
export const historyFilterFields = {
  /** Registry kind of an instruction. */
  kind: option(string(NAME_MAX_BYTES)),
  /** Definition that an approved transaction moved. */
  definition: option(assetDefinitionId),
  outcome: option(outcomeName),
  block: option(varint),
}
export interface HistoryQuery extends Infer<typeof historyQuery> {}
export const historyQuery = struct('HistoryQuery', {
  ...pageQueryFields(historyCursor),
  authority: option(accountId),
  ...historyFilterFields,
})

export interface InstructionPlaceQuery extends Infer<typeof instructionPlaceQuery> {}
export const instructionPlaceQuery = struct('InstructionPlaceQuery', { hash: hash32, position: varint })

/** Block in a list. */
export interface BlockView extends Infer<typeof blockView> {}
export const blockView = struct('BlockView', {
  height: varint,
  hash: hash32,
  parentHash: hash32,
  timeMs: varint,
  proposer: validatorKey,
  /** View in which it was committed; absent at genesis. */
  view: option(varint),
  transactions: varint,
  /** Absent if this node does not store the results. */
  rejected: option(varint),
  payloadBytes: varint,
  stateRoot: hash32,
})
export const blockPage: Schema<Page<BlockView>> = pageOf('BlockPage', blockView)
export const blocksInput = pageQueryOf('BlocksQuery', heightCursor)

export interface BlockQuery extends Infer<typeof blockQuery> {}
/** Block by its height or its hash. */
export const blockQuery = struct('BlockQuery', { height: option(varint), hash: option(hash32) })
