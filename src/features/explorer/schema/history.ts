/** Owns view records of the history: transactions, instructions, blocks, and what the lists are asked with. */

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
  type AccountId,
  accountId,
  assetDefinitionId,
  type EntryOutcome,
  entryOutcome,
  INSTRUCTIONS_MAX,
  type Instruction,
  instruction,
  type Metadata,
  metadata,
  SIGNATURES_MAX,
  type TransactionSignature,
  transactionSignature,
  type ValidatorKey,
  validatorKey,
} from '../../../model/index.js'

/** Where a committed transaction stands. */
export interface TransactionView {
  readonly hash: Uint8Array
  readonly height: number
  readonly blockHash: Uint8Array
  readonly index: number
  readonly timeMs: number
  readonly outcome: EntryOutcome
  /** Name of the error code when it was rejected. */
  readonly rejection: string | undefined
  readonly authority: AccountId
}
const transactionView_ = struct('TransactionView', {
  hash: hash32,
  height: varint,
  blockHash: hash32,
  index: varint,
  timeMs: varint,
  outcome: entryOutcome,
  rejection: option(string(64)),
  authority: accountId,
})
export const transactionView: Schema<TransactionView> = transactionView_

const transactionQuery_ = struct('TransactionQuery', { hash: hash32 })
export type TransactionQuery = Infer<typeof transactionQuery_>
export const transactionQuery: Schema<TransactionQuery> = transactionQuery_

/** Longest name of an instruction kind or an error code, in bytes. */
const NAME_MAX_BYTES = 64

/** A committed transaction in a list. */
export interface TransactionItem {
  readonly hash: Uint8Array
  readonly height: number
  /** Place in its block. */
  readonly index: number
  readonly timeMs: number
  readonly authority: AccountId
  readonly lane: number
  readonly dataspace: bigint
  readonly instructionCount: number
  /** Metered cost in transaction execution units. */
  readonly teu: number
  readonly outcome: EntryOutcome
  /** Name of the error code when it was rejected. */
  readonly rejection: string | undefined
}
const itemFields = {
  hash: hash32,
  height: varint,
  index: varint,
  timeMs: varint,
  authority: accountId,
  lane: u32,
  dataspace: varintBig,
  instructionCount: varint,
  teu: varint,
  outcome: entryOutcome,
  rejection: option(string(NAME_MAX_BYTES)),
}
const transactionItem_ = struct('TransactionItem', itemFields)
export const transactionItem: Schema<TransactionItem> = transactionItem_
export const transactionPage: Schema<Page<TransactionItem>> = pageOf('TransactionPage', transactionItem)

/** A committed transaction with all that was signed. */
export interface TransactionDetail extends TransactionItem {
  readonly blockHash: Uint8Array
  readonly createdAtMs: number
  readonly ttlMs: number
  readonly nonce: number | undefined
  readonly metadata: Metadata
  readonly instructions: readonly Instruction[]
  readonly signatures: readonly TransactionSignature[]
}
const transactionDetail_ = struct('TransactionDetail', {
  ...itemFields,
  blockHash: hash32,
  createdAtMs: varint,
  ttlMs: varint,
  nonce: option(u32),
  metadata,
  instructions: list(instruction, INSTRUCTIONS_MAX),
  signatures: list(transactionSignature, SIGNATURES_MAX),
})
export const transactionDetail: Schema<TransactionDetail> = transactionDetail_

/** Outcome as lists are asked for it. */
export type OutcomeName = 'approved' | 'rejected'
const outcomeName_ = unitEnum('OutcomeName', { approved: 0, rejected: 1 })

/** An instruction of a committed transaction. */
export interface InstructionItem {
  readonly transactionHash: Uint8Array
  readonly height: number
  /** Place of the transaction in its block, and of the instruction in the transaction. */
  readonly index: number
  readonly position: number
  readonly timeMs: number
  readonly authority: AccountId
  /** Of its transaction: a rejected one changed nothing. */
  readonly outcome: OutcomeName
  readonly instruction: Instruction
}
const instructionItem_ = struct('InstructionItem', {
  transactionHash: hash32,
  height: varint,
  index: varint,
  position: varint,
  timeMs: varint,
  authority: accountId,
  outcome: outcomeName_,
  instruction,
})
export const instructionItem: Schema<InstructionItem> = instructionItem_
export const instructionPage: Schema<Page<InstructionItem>> = pageOf('InstructionPage', instructionItem)

/** Filters of these lists: what is given must hold. */
export const historyFilterFields = {
  /** Registry kind of an instruction. */
  kind: option(string(NAME_MAX_BYTES)),
  /** Definition that an approved transaction moved. */
  definition: option(assetDefinitionId),
  outcome: option(outcomeName_),
  block: option(varint),
}
const historyQuery_ = struct('HistoryQuery', {
  ...pageQueryFields(historyCursor),
  authority: option(accountId),
  ...historyFilterFields,
})
export type HistoryQuery = Infer<typeof historyQuery_>
export const historyQuery: Schema<HistoryQuery> = historyQuery_

const instructionPlace_ = struct('InstructionPlaceQuery', { hash: hash32, position: varint })
export type InstructionPlaceQuery = Infer<typeof instructionPlace_>
export const instructionPlaceQuery: Schema<InstructionPlaceQuery> = instructionPlace_

/** A block in a list. */
export interface BlockView {
  readonly height: number
  readonly hash: Uint8Array
  readonly parentHash: Uint8Array
  readonly timeMs: number
  readonly proposer: ValidatorKey
  /** View that it was committed in; absent at genesis. */
  readonly view: number | undefined
  readonly transactions: number
  /** Absent where this node does not hold the results. */
  readonly rejected: number | undefined
  readonly payloadBytes: number
  readonly stateRoot: Uint8Array
}
const blockView_ = struct('BlockView', {
  height: varint,
  hash: hash32,
  parentHash: hash32,
  timeMs: varint,
  proposer: validatorKey,
  view: option(varint),
  transactions: varint,
  rejected: option(varint),
  payloadBytes: varint,
  stateRoot: hash32,
})
export const blockView: Schema<BlockView> = blockView_
export const blockPage: Schema<Page<BlockView>> = pageOf('BlockPage', blockView)
export const blocksInput = pageQueryOf('BlocksQuery', heightCursor)

/** A block by its height or its hash. */
const blockQuery_ = struct('BlockQuery', { height: option(varint), hash: option(hash32) })
export type BlockQuery = Infer<typeof blockQuery_>
export const blockQuery: Schema<BlockQuery> = blockQuery_
