/** Owns the records of account statements: one movement of one balance, and the query for a period. */

import { movementCursor } from '../../../api/cursors.js'
import { PAGE_LIMIT_MAX, pageOfFields } from '../../../api/paging.js'
import { pageQueryFields } from '../../../api/query-inputs.js'
import {
  hash32,
  type Infer,
  numeric,
  omissible,
  option,
  string,
  struct,
  unitEnum,
  varint,
} from '../../../codec/index.js'
import { accountId, assetDefinitionId } from '../../../model/index.js'
import { ISO_REFERENCE_MAX_CHARS } from '../../../model/iso-text.js'
import { isoFamily, messageId, paymentCount } from '../../iso20022/schema/instructions.js'

/** Direction of the value, from the view of the account. */
const side = unitEnum('MovementSide', { credit: 0, debit: 1 })

/** Cause of a movement. */
const kind = unitEnum('MovementKind', { transfer: 0, mint: 1, burn: 2, fee: 3, hold: 4, release: 5 })

/** Metadata key of a transaction whose value statements show as the payment reference. */
export const REFERENCE_KEY = 'reference'

/** Message whose payments statements show as one entry (GrpHdr/BtchBookg). */
export interface BookedBatch extends Infer<typeof bookedBatch> {}
export const bookedBatch = struct('BookedBatch', {
  submitter: accountId,
  family: isoFamily,
  messageId,
  /** Number of payments of the message, not all of which may concern the account. */
  payments: paymentCount,
})

const movementFields = {
  definition: assetDefinitionId,
  side,
  amount: numeric,
  /** Balance of the account in this definition after the movement. */
  balance: numeric,
  kind,
  counterparty: option(accountId),
  /** Absent for movements of genesis. */
  transactionHash: option(hash32),
  /** `reference` in the metadata of the transaction, if it is 1 to 35 characters of ISO 20022; chosen by the signer. */
  reference: option(string(ISO_REFERENCE_MAX_CHARS)),
  /** Account that set the reference: the authority of the transaction. */
  referenceBy: option(accountId),
  height: varint,
  /** Header time of the block, in ms since the Unix epoch. */
  timeMs: varint,
}

/** Index rows of movements, without and with the message batch that they are booked in. */
const plainRow = struct('MovementRow', movementFields)
const batchRow = struct('BatchMovementRow', { ...movementFields, batch: bookedBatch })

/** Movement of one balance. */
export interface Movement extends Infer<typeof movement> {}
export const movement = struct('Movement', { ...movementFields, batch: omissible(bookedBatch) })

export const encodeMovement = ({ batch, ...row }: Movement): Buffer =>
  batch === undefined ? plainRow.encode(row) : batchRow.encode({ ...row, batch })

/** Decode a row; throws for invalid bytes. */
export function decodeMovement(bytes: Uint8Array): Movement {
  const plain = plainRow.decode(bytes)
  if (plain.ok) return { ...plain.value, batch: undefined }
  const batched = batchRow.decode(bytes)
  if (!batched.ok) throw new Error(`a movement does not decode: ${plain.fault.message}`)
  return batched.value
}

export interface StatementQuery extends Infer<typeof statementQuery> {}
export const statementQuery = struct('StatementQuery', {
  id: option(accountId),
  alias: option(string(257)),
  definition: option(assetDefinitionId),
  fromMs: option(varint),
  /** End of the period, exclusive. */
  toMs: option(varint),
  ...pageQueryFields(movementCursor),
})

/** Page of movements, oldest first. */
export interface Statement extends Infer<typeof statement> {}
export const statement = struct('Statement', {
  account: accountId,
  ...pageOfFields(movement, PAGE_LIMIT_MAX),
  /** Balance before the period, if one definition is requested. */
  openingBalance: option(numeric),
})
