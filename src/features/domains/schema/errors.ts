/** Owns the error codes of domains. */
import { answered, declareErrors, type ErrorDef, EXIT } from '../../../model/index.js'

export const errors = declareErrors({
  bad_name: answered(
    8,
    400,
    EXIT.badInput,
    'The text is not a valid name.',
    'Names have 1 to 128 visible ASCII characters, none of @ # $ /, and are not . or ..',
  ),
})

declare module '../../../model/error-catalogue.js' {
  interface ErrorRegistry extends Record<keyof typeof errors, ErrorDef> {}
}
