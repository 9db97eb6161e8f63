/**
 * Owns the codes of pacs.002: transaction statuses and the external status reasons that the bridge uses, with their
 * texts.
 */

/** Status codes of the bridge (specification 4.4); only messages with several payments can have PART. */
export const STATUS_CODES = {
  ACTC: 'Accepted: authentication and syntactical and semantical validation passed',
  ACSP: 'Accepted: settlement in process, the transaction is queued to the ledger',
  ACSC: 'Accepted: settlement completed, the transaction is committed',
  RJCT: 'Rejected: see the reason code',
  PDNG: 'Pending: held until an operator releases or refuses it',
  ACWC: 'Accepted with change: an instruction was changed, such as the settlement date',
  PART: 'Partially accepted: the payments of the message differ in their status',
} as const

/** A status code of the bridge. */
export type StatusCode = keyof typeof STATUS_CODES

/** Reasons from ISO's external code set ExternalStatusReason1Code that the bridge uses, with their meaning here. */
export const REASON_CODES = {
  AC01: 'Account number is incorrect',
  AC02: 'Debtor account number is invalid or missing',
  AC03: 'Creditor account number is invalid or missing',
  AC04: 'Account is closed',
  AC06: 'Account is blocked',
  AG01: 'Transaction is not permitted on this account',
  AM01: 'Amount is zero',
  AM03: 'Currency is not processed by this ledger',
  AM04: 'Funds are insufficient',
  AM05: 'Payment is a duplicate',
  AM10: 'Control sum or total does not match the transactions',
  AM11: 'Currency of the transaction is invalid or missing',
  AM12: 'Amount is invalid or missing',
  AM14: 'Amount is above the agreed limit',
  AM18: 'Number of transactions is invalid or missing',
  CNOR: 'Creditor bank is not in the directory',
  DNOR: 'Debtor bank is not in the directory',
  DT01: 'Date is invalid',
  DT02: 'Creation date or time is invalid',
  DT04: 'Date is too far in the future',
  DT06: 'Settlement date was changed so that the transaction can be processed',
  DU01: 'Message identification is not unique',
  DU03: 'Transaction is not unique',
  ED05: 'Settlement of the transaction failed',
  ED06: 'Settlement system is not available',
  FF01: 'Syntax or structure of the message is invalid',
  FF07: 'Purpose is invalid',
  NARR: 'Reason is given as text',
  RC01: 'Bank identifier is incorrect',
  RC03: 'Debtor bank identifier is invalid or missing',
  RC04: 'Creditor bank identifier is invalid or missing',
  RC05: 'BIC is invalid or missing',
  TM01: 'Transaction expired before it was processed',
} as const

/** A reason code of the bridge. */
export type ReasonCode = keyof typeof REASON_CODES

/**
 * ISO reason for an error code of the ledger or the queue, for a rejected payment. An error without a row becomes NARR,
 * and its text is written to additional information.
 */
export function reasonForError(errorCode: string): ReasonCode {
  return REASONS_BY_ERROR[errorCode] ?? 'NARR'
}

const REASONS_BY_ERROR: Readonly<Record<string, ReasonCode>> = {
  unknown_account: 'AC01',
  not_enough: 'AM04',
  bad_amount: 'AM12',
  bad_scale: 'AM12',
  overflow: 'AM14',
  self_transfer: 'AC03',
  not_permitted: 'AG01',
  iso_submitter: 'AG01',
  iso_unbound: 'AC01',
  iso_duplicate_message: 'DU01',
  iso_malformed: 'FF01',
  iso_invalid: 'FF01',
  transaction_expired: 'TM01',
  queue_full: 'ED06',
  per_user_queue_limit: 'ED06',
  iso_claim: 'ED05',
  iso_limit: 'AM14',
  iso_uetr: 'AM05',
  transfer_limit: 'AM14',
  asset_frozen: 'AC06',
  asset_blacklisted: 'AC06',
}
