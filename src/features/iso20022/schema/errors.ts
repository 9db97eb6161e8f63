/** Owns the error codes of the bridge. */
import { answered, declareErrors, EXIT, row } from '../../../model/index.js'
import { featureBase } from '../../ids.js'

const BASE = featureBase(1)

export const errors = declareErrors({
  iso_malformed: row(
    400,
    EXIT.badInput,
    'The message is no XML, JSON or line that can be read.',
    'Mend it at the place of the message.',
  ),
  iso_too_large: row(
    413,
    EXIT.badInput,
    'The message is longer than the bridge reads.',
    'Split it into messages of fewer payments.',
  ),
  iso_encoding: row(415, EXIT.badInput, 'The message is in an encoding that is not taken.', 'Send UTF-8.'),
  iso_invalid: row(
    422,
    EXIT.badInput,
    'The message breaks rules of its family.',
    'Every fault is listed; `causeway iso validate` lists them without sending.',
  ),
  iso_duplicate_message: answered(
    BASE,
    409,
    EXIT.rejected,
    'The message id was paid.',
    'Send a new id for another payment.',
  ),
  iso_unknown_message: row(
    404,
    EXIT.failed,
    'No such message is known here.',
    'Check id, family and submitter; old ones are forgotten after the retention.',
  ),
  iso_submitter: answered(
    BASE + 1,
    403,
    EXIT.notAuthorised,
    'The account is no submitter, or may not debit this account.',
    'Bind the submitter with `causeway iso submitter set`.',
  ),
  iso_unbound: row(
    422,
    EXIT.rejected,
    'An IBAN or a currency of the message is bound to nothing.',
    'Bind it with `causeway iso bind`.',
  ),
  iso_ambiguous: row(409, EXIT.badInput, 'Several messages have this id.', 'Add ?family= or ?submitter=.'),
  iso_claim: answered(
    BASE + 2,
    422,
    EXIT.rejected,
    'A claim does not stand before exactly the transfer that it is for.',
    'Let the bridge make it: `causeway iso submit`.',
  ),
  iso_limit: answered(
    BASE + 3,
    422,
    EXIT.rejected,
    'The payment passes a limit of its submitter.',
    'The limit is set with `causeway iso submitter set`.',
  ),
  iso_refdata: row(
    503,
    EXIT.unreachable,
    'A file of reference data has faults, so nothing is checked against it.',
    'Correct the file; `causeway iso refdata lint` lists its faults. It is read again by itself.',
  ),
  iso_not_held: row(
    409,
    EXIT.rejected,
    'The message is not held.',
    'Only a held message is released, refused or changed; `causeway iso hold` lists them.',
  ),
})

declare module '../../../model/error-catalogue.js' {
  interface ErrorRegistry extends Record<keyof typeof errors, ErrorDef> {}
}
