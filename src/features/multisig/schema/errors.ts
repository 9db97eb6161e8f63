/** Owns the error codes of multisig accounts. */
import { answered, declareErrors, type ErrorDef, EXIT } from '../../../model/index.js'

export const errors = declareErrors({
  bad_policy: answered(
    33,
    422,
    EXIT.rejected,
    'The policy has no members, a quorum that they cannot reach, or a duplicate member.',
    'The quorum must be between 1 and the sum of the weights.',
  ),
  not_a_member: answered(
    34,
    403,
    EXIT.rejected,
    'The account is not a member of the multisig account.',
    'Members of the multisig account propose and approve.',
  ),
  proposal_expired: answered(36, 422, EXIT.rejected, 'The proposal is closed or expired.', 'Propose it again.'),
})

declare module '../../../model/error-catalogue.js' {
  interface ErrorRegistry extends Record<keyof typeof errors, ErrorDef> {}
}
