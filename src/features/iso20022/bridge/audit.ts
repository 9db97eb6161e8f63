/** Owns the audit line of a submission (docs/design/iso20022.md 1): submitter, message, outcome. */
import type { Caller } from '../../../api/handler.js'
import { formatNumeric, toHex } from '../../../codec/index.js'
import { type AccountId, type AuditEntry, formatAddress, LedgerError } from '../../../model/index.js'
import type { IsoFamily } from '../schema/instructions.js'
import type { IsoRecordView } from '../schema/views.js'

/** Sender of a message, as identified by the gateway. */
export type IsoCaller = Pick<Caller, 'kind' | 'account' | 'token'>

/** A submission with its outcome. */
export interface Submission {
  readonly submitter: AccountId
  readonly caller: IsoCaller
  readonly family: IsoFamily
  /** undefined: the body is not a message and has no id. */
  readonly messageId: string | undefined
  readonly bodyHash: Uint8Array
  /** undefined: the bridge failed, and the submitter got a 500. */
  readonly outcome: IsoRecordView | LedgerError | undefined
}

const credentialOf = ({ kind, account, token }: IsoCaller): string =>
  account === undefined ? 'anonymous' : kind === 'token' ? `token ${token ?? ''}`.trimEnd() : 'signature'

/** Audit line of a submission. `outcome`: ISO status of an accepted message, or the error code of a refused one. */
export function submissionEntry(submission: Submission, addressPrefix: string): AuditEntry {
  const { submitter, caller, family, messageId, bodyHash, outcome } = submission
  const view = outcome === undefined || outcome instanceof LedgerError ? undefined : outcome
  return {
    action: 'iso_submission',
    actor: formatAddress(submitter, addressPrefix),
    fields: {
      credential: credentialOf(caller),
      family,
      message_id: messageId ?? null,
      body_hash: toHex(bodyHash),
      outcome: outcome === undefined ? 'internal' : outcome instanceof LedgerError ? outcome.code : outcome.pacs002Code,
      reason: view?.rejectionReasonCode ?? null,
      replayed: view?.replayed ?? false,
      transaction_hash: view?.transactionHash === undefined ? null : toHex(view.transactionHash),
      ...(view?.numberOfTransactions === undefined ? {} : severalFields(view)),
    },
  }
}

/**
 * Additional fields of the audit line of a message with several payments: number of payments, and number and sums by
 * status.
 */
const severalFields = ({ numberOfTransactions, statusCounts }: IsoRecordView) => ({
  number_of_transactions: numberOfTransactions ?? 0,
  payments: (statusCounts ?? [])
    .map(({ pacs002Code, numberOfTransactions: count, sums }) => {
      const amounts = sums.map(({ currency, amount }) => `${formatNumeric(amount)} ${currency}`)
      return [`${count} ${pacs002Code}`, ...amounts].join(' ')
    })
    .join(', '),
})
