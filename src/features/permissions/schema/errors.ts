/** Owns the error codes of permissions, roles and ownership. */
import { answered, declareErrors, type ErrorDef, EXIT } from '../../../model/index.js'

export const errors = declareErrors({
  unknown_permission: answered(
    5,
    422,
    EXIT.rejected,
    'There is no such permission, or it does not fit its object.',
    'docs/reference/instructions.md lists permissions and their objects.',
  ),
  last_holder: answered(
    6,
    422,
    EXIT.rejected,
    'No other account holds this global permission.',
    'Grant it to another account first.',
  ),
  too_many_tokens: answered(
    18,
    422,
    EXIT.rejected,
    'The account or role has reached its limit of permissions.',
    'Revoke some, or use a role.',
  ),
  too_many_roles: answered(32, 422, EXIT.rejected, 'The account has reached its limit of roles.', 'Revoke one.'),
})

declare module '../../../model/error-catalogue.js' {
  interface ErrorRegistry extends Record<keyof typeof errors, ErrorDef> {}
}
