/** Owns the error codes of the ministry. */
import { answered, declareErrors, type ErrorDef, EXIT } from '../../../model/index.js'
import { MINISTRY_IDS } from './records.js'

const rejected = (at: number, meaning: string, remedy: string): ErrorDef =>
  answered(MINISTRY_IDS.first + at, 422, EXIT.rejected, meaning, remedy)

export const errors = declareErrors({
  agenda_limit: rejected(
    0,
    'The account has 2 open agendas, or 64 are open in all.',
    'Wait until the council settles one, or until it is 30 days old.',
  ),
  duplicate_target: rejected(1, 'The agenda names a hash twice.', 'Name each hash of a family once.'),
  denylist_full: rejected(
    2,
    'The deny list has 65,536 hashes.',
    'Remove hashes that are no longer needed by an agenda of the action `RemoveFromDenylist`.',
  ),
  agenda_closed: rejected(
    3,
    'The agenda was dismissed or applied, or is no longer open.',
    '`causeway ministry show` shows its status.',
  ),
  agenda_changed: rejected(
    4,
    'The application names another digest than that of the agenda.',
    '`causeway ministry show` shows the digest.',
  ),
})

declare module '../../../model/error-catalogue.js' {
  interface ErrorRegistry extends Record<keyof typeof errors, ErrorDef> {}
}
