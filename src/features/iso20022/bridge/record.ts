/** Owns the durable record of a submitted payment: written before its transaction is queued (docs/design/iso20022.md 4). */
import {
  bool,
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
import { isoFamily, messageDetails, messageId, PARTS_MAX, paymentCount, paymentPlace } from '../schema/instructions.js'

/** Progress of a message within the bridge; its result on the ledger is queried from the ledger. */
const recordState = unitEnum('RecordState', { sent: 0, settled: 1, rejected: 2, held: 3 })

const recordFields = {
  submitter: accountId,
  family: isoFamily,
  messageId,
  bodyHash: hash32,
  amount: numeric,
  details: messageDetails,
  source: option(accountId),
  target: option(accountId),
  definition: option(assetDefinitionId),
  /** Body of a held message; it is validated again when it is released. */
  body: option(bytes(MAX_BODY_BYTES)),
  /**
   * Signed transaction of this message alone, which is sent again after a restart, byte for byte. Shared transactions
   * are stored separately.
   */
  transaction: option(bytes(TRANSACTION_MAX_BYTES)),
  transactionHash: option(hash32),
  expiresAtMs: varint,
  state: recordState,
  reasonCode: option(string(35)),
  detail: option(string(4_096)),
  /** Rule that held it; kept after the release. */
  holdReason: option(string(35)),
  /** Operator that last released, refused or changed it. */
  decidedBy: option(string(256)),
  /** Number of attempts under this identity: 1 for the first. */
  attempt: u32,
  receivedAtMs: varint,
  updatedAtMs: varint,
}

/** Record of a message with one payment, in the format of release 0.1.0. */
const onlyPayment = struct('BridgeRecord', recordFields)
/** Record of one payment among several. The body is stored once for the message. */
const onePayment = struct('BridgePayment', {
  ...recordFields,
  payments: paymentCount,
  place: paymentPlace,
  batchBooking: bool,
})

/** A payment of a submitted message: the only one, or the one at a place among several. */
export interface BridgeRecord extends Infer<typeof onePayment> {}

/** Place of the only payment of a message. */
export const ONLY = { payments: 1, place: 1, batchBooking: false } as const

export const encodeRecord = (record: BridgeRecord): Buffer =>
  record.payments === 1 ? onlyPayment.encode(record) : onePayment.encode(record)

/** Decode a record; throws on invalid bytes. */
export function decodeRecord(bytes: Uint8Array, isOneOfSeveral: boolean): BridgeRecord {
  const decoded = isOneOfSeveral ? onePayment.decode(bytes) : onlyPayment.decode(bytes)
  if (!decoded.ok) throw new Error(`a bridge record does not decode: ${decoded.fault.message}`)
  return { ...ONLY, ...decoded.value }
}

/** True while the payment is undecided. */
export const isOpen = (record: BridgeRecord): boolean => record.state === 'sent' || record.state === 'held'

/** A signed transaction with payments of several messages, while one of them is open. */
export const sharedTransaction = struct('SharedTransaction', {
  transaction: bytes(TRANSACTION_MAX_BYTES),
  /** Record names of the payments in the transaction. */
  records: list(string(256), PARTS_MAX),
})
export interface SharedTransaction extends Infer<typeof sharedTransaction> {}
