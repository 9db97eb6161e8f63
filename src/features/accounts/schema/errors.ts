/** Owns the error codes of accounts. */
import { answered, declareErrors, type ErrorDef, EXIT } from '../../../model/index.js'

export const errors = declareErrors({
  bad_label: answered(
    9,
    422,
    EXIT.rejected,
    'The label is already used in the domain, or is not a valid label.',
    'Choose another label.',
  ),
  admission_limit: answered(
    38,
    422,
    EXIT.rejected,
    'The transaction or the block reached its limit of new accounts.',
    'Register them first, or pay in smaller batches.',
  ),
})

declare module '../../../model/error-catalogue.js' {
  interface ErrorRegistry extends Record<keyof typeof errors, ErrorDef> {}
}
