/** Owns the error codes of peers and consensus. */
import { answered, declareErrors, type ErrorDef, EXIT } from '../../../model/index.js'

export const errors = declareErrors({
  key_reused: answered(
    21,
    422,
    EXIT.rejected,
    'The key is or was the key of a peer.',
    'Create a new one with `causeway key generate`.',
  ),
  bad_proof_of_possession: answered(
    22,
    422,
    EXIT.rejected,
    'The proof of possession does not match the key of the peer.',
    'Create it again with `causeway key pop`.',
  ),
})

declare module '../../../model/error-catalogue.js' {
  interface ErrorRegistry extends Record<keyof typeof errors, ErrorDef> {}
}
