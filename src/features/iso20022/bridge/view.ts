/**
 * Owns the view of one payment, with the status and pacs.002 code derived from its record or the ledger (specification
 * 4.4, docs/design/iso20022.md 5).
 */
import type { NodeServices } from '../../../api/services.js'
import { type AccountId, formatAsset } from '../../../model/index.js'
import { reasonForError, type StatusCode } from '../message/index.js'
import type { LedgerMessage } from '../schema/messages.js'
import { type IsoRecordView, ONE_PAYMENT } from '../schema/views.js'
import type { BridgeRecord } from './record.js'
import type { Known } from './stages/reconcile.js'

/** View of a message. `replayed`: it is the earlier result of a repeated submission. */
export function viewOf(services: NodeServices, known: Known, replayed: boolean): IsoRecordView {
  return known.by === 'ledger'
    ? committedView(services, known.message, replayed)
    : recordView(services, known.record, replayed)
}

/** View of a record of this gateway. */
export function recordView(services: NodeServices, record: BridgeRecord, replayed: boolean): IsoRecordView {
  const { state, transactionHash, holdReason, reasonCode, detail, receivedAtMs, updatedAtMs } = record
  return {
    ...commonView(services, record),
    ...(record.payments === 1 ? ONE_PAYMENT : { ...ONE_PAYMENT, ...placeOf(record) }),
    attempt: record.attempt,
    transactionHash,
    status: state === 'settled' ? 'accepted' : state === 'rejected' ? 'rejected' : 'pending',
    pacs002Code: statusCode(record),
    holdReasonCode: holdReason,
    rejectionReasonCode: reasonCode,
    detail,
    replayed,
    receivedAtMs,
    updatedAtMs,
    gateway: services.info.networkKey,
  }
}

/** View of a message in a block: the same on every node. */
function committedView(services: NodeServices, message: LedgerMessage, replayed: boolean): IsoRecordView {
  const { transactionHash, rejection, receivedAtMs, timeMs } = message
  return {
    ...commonView(services, message),
    ...ONE_PAYMENT,
    attempt: undefined,
    transactionHash,
    status: rejection === undefined ? 'accepted' : 'rejected',
    pacs002Code: rejection === undefined ? 'ACSC' : 'RJCT',
    holdReasonCode: undefined,
    rejectionReasonCode: rejection === undefined ? undefined : reasonForError(rejection),
    detail: rejection,
    replayed,
    receivedAtMs,
    updatedAtMs: timeMs,
    gateway: undefined,
  }
}

const placeOf = ({ place, payments }: BridgeRecord) => ({ place, numberOfTransactions: payments })

type Payment = Pick<BridgeRecord, 'messageId' | 'family' | 'submitter' | 'bodyHash' | 'amount' | 'details'> &
  Pick<BridgeRecord, 'source' | 'target' | 'definition'>

/** Fields of a view about the payment, from a record or from the ledger. */
function commonView({ info }: NodeServices, payment: Payment) {
  const { messageId, family, submitter, bodyHash, amount, source, target, definition } = payment
  const { changes, ...details } = payment.details
  const assetOf = (account: AccountId | undefined): string | undefined =>
    account === undefined || definition === undefined
      ? undefined
      : formatAsset({ definition, account }, info.addressPrefix)
  return {
    messageId,
    family,
    submitter,
    bodyHash,
    amount,
    ...details,
    changeReasonCodes: changes,
    ledgerId: info.chain,
    sourceAccountId: source,
    targetAccountId: target,
    assetDefinitionId: definition,
    assetId: assetOf(source),
  }
}

/** pacs.002 code of the current state of a record. */
export function statusCode({ state, details, transactionHash }: BridgeRecord): StatusCode {
  switch (state) {
    case 'settled':
      return 'ACSC'
    case 'rejected':
      return 'RJCT'
    case 'held':
      return details.changes.length > 0 ? 'ACWC' : 'PDNG'
    case 'sent':
      // Not from the queue: a transaction leaves it with its block, before the outcome is in the record.
      return transactionHash === undefined ? 'ACTC' : 'ACSP'
  }
}
