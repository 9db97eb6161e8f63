/** Owns what a record looks like from outside: status and pacs.002 code, derived (specification 4.4, docs/design/iso20022.md 5). */

import type { NodeServices } from '../../../api/services.js'
import { type AccountId, formatAsset } from '../../../model/index.js'
import type { StatusCode } from '../message/index.js'
import type { IsoRecordView } from '../schema/views.js'
import type { BridgeRecord } from './record.js'

/** pacs.002 code of a record as it stands. */
export function statusCode(record: BridgeRecord, services: NodeServices): StatusCode {
  switch (record.state) {
    case 'settled':
      return 'ACSC'
    case 'rejected':
      return 'RJCT'
    case 'held':
      return record.changes.length > 0 ? 'ACWC' : 'PDNG'
    case 'sent': {
      // ACSP once it is in the queue, ACTC while it is only recorded.
      const { transactionHash } = record
      return transactionHash !== undefined && services.pending(transactionHash).kind === 'queued' ? 'ACSP' : 'ACTC'
    }
  }
}

/** The view of a record. */
export function recordView(record: BridgeRecord, services: NodeServices, replayed: boolean): IsoRecordView {
  const { state, definition, source } = record
  const { chain, addressPrefix } = services.info
  const assetOf = (account: AccountId | undefined): string | undefined =>
    account === undefined || definition === undefined ? undefined : formatAsset({ definition, account }, addressPrefix)
  return {
    messageId: record.messageId,
    family: record.family,
    transactionHash: record.transactionHash,
    status: state === 'settled' ? 'accepted' : state === 'rejected' ? 'rejected' : 'pending',
    pacs002Code: statusCode(record, services),
    holdReasonCode: record.holdReason,
    changeReasonCodes: record.changes,
    rejectionReasonCode: record.reasonCode,
    detail: record.detail,
    ledgerId: chain,
    sourceAccountId: source,
    targetAccountId: record.target,
    assetDefinitionId: definition,
    assetId: assetOf(source),
    amount: record.amount,
    currency: record.currency,
    settlementDate: record.settlementDate,
    instructionId: record.instructionId,
    endToEndId: record.endToEndId,
    senderTransactionId: record.senderTransactionId,
    uetr: record.uetr,
    submitter: record.submitter,
    replayed,
    receivedAtMs: record.receivedAtMs,
    updatedAtMs: record.updatedAtMs,
  }
}
