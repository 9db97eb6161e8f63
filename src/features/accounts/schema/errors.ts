/** Owns the error codes of accounts. */
import { answered, declareErrors, EXIT } from '../../../model/index.js'

export const errors = declareErrors({
  bad_label: answered(
    9,
    422,
    EXIT.rejected,
    'The label is taken in the domain, or is no label.',
    'Choose another label.',
  ),
  admission_limit: answered(
    38,
    422,
    EXIT.rejected,
    'The transaction or the block makes as many accounts as it may.',
    'Register them first, or pay in smaller batches.',
  ),
})

declare module '../../../model/error-catalogue.js' {
  interface ErrorRegistry extends Record<keyof typeof errors, ErrorDef> {}
}
