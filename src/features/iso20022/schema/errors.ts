/** Owns the error codes of the bridge. */
import { answered, declareErrors, type ErrorDef, EXIT, range, row } from '../../../model/index.js'

const BASE = range(1).first

export const errors = declareErrors({
  iso_malformed: row(
    400,
    EXIT.badInput,
    'The message is not well-formed XML, JSON or flat lines.',
    'Fix the message at the line that the error names.',
  ),
  iso_too_large: row(
    413,
    EXIT.badInput,
    'The message is longer than the bridge accepts.',
    'Split it into messages of fewer payments.',
  ),
  iso_encoding: row(415, EXIT.badInput, 'The encoding of the message is not supported.', 'Send UTF-8.'),
  iso_invalid: row(
    422,
    EXIT.badInput,
    'The message violates rules of its message family.',
    'Every fault is listed; `causeway iso validate` lists them without sending.',
  ),
  iso_duplicate_message: {
    ...answered(
      BASE,
      409,
      EXIT.rejected,
      'A message with this id was already paid.',
      'Send a new id for another payment.',
    ),
    repeats: true,
  },
  iso_unknown_message: row(
    404,
    EXIT.failed,
    'The message is unknown to the ledger and to this gateway.',
    'Check id, family and submitter. Before a message is in a block, only the gateway that accepted it knows it.',
  ),
  iso_submitter: answered(
    BASE + 1,
    403,
    EXIT.notAuthorised,
    'The account is not a submitter, or may not debit this account.',
    'Bind the submitter with `causeway iso submitter set`.',
  ),
  iso_unbound: row(
    422,
    EXIT.rejected,
    'An IBAN or a currency of the message is not bound.',
    'Bind it with `causeway iso bind`.',
  ),
  iso_unmapped: row(
    422,
    EXIT.rejected,
    'The ledger lacks data that the ISO 20022 message requires, or no message type fits the event.',
    'Add the missing data that the message names: an ISIN, a BIC, an IBAN or a currency.',
  ),
  iso_ambiguous: row(409, EXIT.badInput, 'Several messages have this id.', 'Add ?family= or ?submitter=.'),
  iso_claim: answered(
    BASE + 2,
    422,
    EXIT.rejected,
    'A claim must be followed directly by the transfer that it is for.',
    'Submit the message through the bridge: `causeway iso submit`.',
  ),
  iso_limit: answered(
    BASE + 3,
    422,
    EXIT.rejected,
    'The payment exceeds a limit of its submitter.',
    'The limit is set with `causeway iso submitter set`.',
  ),
  iso_uetr: answered(
    BASE + 4,
    422,
    EXIT.rejected,
    'Another payment of the submitter has this UETR.',
    'To repeat a payment, send the same message again; for another payment, make a new UETR.',
    { since: 2 },
  ),
  iso_refdata: row(
    503,
    EXIT.unreachable,
    'A reference data file is invalid, so payments cannot be checked against it.',
    'Correct the file; `causeway iso refdata lint` lists its faults. The node reads it again by itself.',
  ),
  iso_held_limit: row(
    429,
    EXIT.rejected,
    'The gateway holds no further message, of this submitter or at all.',
    'Send it again once an operator released or refused held messages; `causeway iso hold` lists them.',
  ),
  iso_not_held: row(
    409,
    EXIT.rejected,
    'The message is not held.',
    'Only a held message can be released, refused or changed; `causeway iso hold` lists them.',
  ),
  iso_held_changed: row(
    409,
    EXIT.rejected,
    'Another message is held under this id now.',
    'Look at it with `causeway iso hold`, and decide again.',
  ),
})

declare module '../../../model/error-catalogue.js' {
  interface ErrorRegistry extends Record<keyof typeof errors, ErrorDef> {}
}
