/** Owns the error codes of fees. */
import { answered, declareErrors, type ErrorDef, EXIT } from '../../../model/index.js'

export const errors = declareErrors({
  fee_unpayable: answered(
    39,
    402,
    EXIT.rejected,
    'The payer cannot pay the maximum fee.',
    'Fund the payer; metadata `teu_limit` lowers what it can cost.',
  ),
})

declare module '../../../model/error-catalogue.js' {
  interface ErrorRegistry extends Record<keyof typeof errors, ErrorDef> {}
}
