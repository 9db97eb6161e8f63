/** Owns the error codes of repos. */
import { answered, declareErrors, type ErrorDef, EXIT } from '../../../model/index.js'
import { REPO_IDS } from './records.js'

const refused = (at: number, means: string, hint: string) =>
  answered(REPO_IDS.first + at, 422, EXIT.rejected, means, hint)

export const errors = declareErrors({
  terms_changed: refused(
    0,
    'The hash of the consent does not match the parties and terms of the agreement.',
    'Read the terms with `causeway repo show`, and consent to their hash.',
  ),
  bad_terms: refused(
    1,
    'The terms, the items or the calendar are inconsistent or out of bounds.',
    'The message names the field. Dates must be business days; collateral must be eligible and named once.',
  ),
  repo_state: refused(
    2,
    'The status of the agreement does not allow the instruction, or its proposal has expired.',
    '`causeway repo show` shows the status.',
  ),
  price_stale: refused(
    3,
    'No poster of the agreement has a fresh price of a definition.',
    'Ask a poster for `causeway repo price`; `causeway repo show` lists posters and the ages of prices.',
  ),
  no_exposure: refused(
    4,
    'The exposure is not above the threshold, or is below the minimum transfer.',
    '`causeway repo show` shows the exposure.',
  ),
  margin_short: refused(
    5,
    'The collateral after haircuts and the cash margin would not cover the repurchase price.',
    'Add items or cash, or withdraw less; `causeway repo show` shows the exposure.',
  ),
  not_in_default: refused(
    6,
    'The seller has not missed a margin call or the repurchase.',
    'A default requires a missed deadline: of a margin call whose exposure remains, or of the repurchase after the grace.',
  ),
})

declare module '../../../model/error-catalogue.js' {
  interface ErrorRegistry extends Record<keyof typeof errors, ErrorDef> {}
}
