/** Owns the durable record of a submitted message: written before its transaction is queued (design/iso.md 4). */
import {
  bytes,
  hash32,
  type Infer,
  numeric,
  option,
  type Schema,
  string,
  struct,
  u32,
  unitEnum,
  varint,
} from '../../../codec/index.js'
import { accountId, assetDefinitionId, TRANSACTION_MAX_BYTES } from '../../../model/index.js'
import { currencyCode, isoFamily, messageId } from '../schema/instructions.js'

/** How far the bridge itself brought a message; what became of it on the ledger is asked there. */
export type RecordState = 'sent' | 'settled' | 'rejected'
const recordState_ = unitEnum('RecordState', { sent: 0, settled: 1, rejected: 2 })
const recordState: Schema<RecordState> = recordState_

const bridgeRecord_ = struct('BridgeRecord', {
  submitter: accountId,
  family: isoFamily,
  messageId,
  bodyHash: hash32,
  amount: numeric,
  currency: currencyCode,
  source: option(accountId),
  target: option(accountId),
  definition: option(assetDefinitionId),
  /** The signed transaction: sent again after a restart, byte for byte. */
  transaction: option(bytes(TRANSACTION_MAX_BYTES)),
  transactionHash: option(hash32),
  expiresAtMs: varint,
  state: recordState,
  reasonCode: option(string(35)),
  detail: option(string(4_096)),
  /** Attempts under this identity: 1 for the first. */
  attempt: u32,
  updatedAtMs: varint,
})
export type BridgeRecord = Infer<typeof bridgeRecord_>
export const bridgeRecord: Schema<BridgeRecord> = bridgeRecord_
