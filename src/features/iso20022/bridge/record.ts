/** Owns the durable record of a submitted message: written before its transaction is queued (docs/design/iso20022.md 4). */
import {
  bytes,
  hash32,
  type Infer,
  list,
  numeric,
  option,
  string,
  struct,
  u32,
  unitEnum,
  varint,
} from '../../../codec/index.js'
import { accountId, assetDefinitionId, TRANSACTION_MAX_BYTES } from '../../../model/index.js'
import { MAX_BODY_BYTES } from '../message/limits.js'
import { isoFamily, messageDetails, messageId, PARTS_MAX } from '../schema/instructions.js'

/** How far the bridge itself brought a message; what became of it on the ledger is asked there. */
const recordState = unitEnum('RecordState', { sent: 0, settled: 1, rejected: 2, held: 3 })

export const bridgeRecord = struct('BridgeRecord', {
  submitter: accountId,
  family: isoFamily,
  messageId,
  bodyHash: hash32,
  amount: numeric,
  details: messageDetails,
  source: option(accountId),
  target: option(accountId),
  definition: option(assetDefinitionId),
  /** The body, while the message is held: it is judged again when it is released. */
  body: option(bytes(MAX_BODY_BYTES)),
  /** The signed transaction of this message alone: sent again after a restart, byte for byte. One that it shares is kept once. */
  transaction: option(bytes(TRANSACTION_MAX_BYTES)),
  transactionHash: option(hash32),
  expiresAtMs: varint,
  state: recordState,
  reasonCode: option(string(35)),
  detail: option(string(4_096)),
  /** Rule that held it; stays when it is released. */
  holdReason: option(string(35)),
  /** Operator who released, refused or changed it last. */
  decidedBy: option(string(256)),
  /** Attempts under this identity: 1 for the first. */
  attempt: u32,
  receivedAtMs: varint,
  updatedAtMs: varint,
})
export interface BridgeRecord extends Infer<typeof bridgeRecord> {}

/** True while what becomes of the message is open. */
export const isOpen = (record: BridgeRecord): boolean => record.state === 'sent' || record.state === 'held'

/** A signed transaction with payments of several messages, while one of them is open. */
export const sharedTransaction = struct('SharedTransaction', {
  transaction: bytes(TRANSACTION_MAX_BYTES),
  /** Names of the records of its payments. */
  records: list(string(256), PARTS_MAX),
})
export interface SharedTransaction extends Infer<typeof sharedTransaction> {}
