/** Owns the error codes of the core. */
import { answered, declareErrors, EXIT } from '../../../model/index.js'

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
    'Nobody else holds this global permission.',
    'Grant it to another account first.',
  ),
  bad_name: answered(
    8,
    400,
    EXIT.badInput,
    'The text is no name.',
    'Names have 1 to 128 visible ASCII characters, none of @ # $ /.',
  ),
  bad_label: answered(
    9,
    422,
    EXIT.rejected,
    'The label is taken in the domain, or is no label.',
    'Choose another label.',
  ),
  unmintable: answered(
    10,
    422,
    EXIT.rejected,
    'The definition can no longer be minted.',
    'Its mintability was fixed when it was registered.',
  ),
  not_enough: answered(
    11,
    422,
    EXIT.rejected,
    'The balance is smaller than the amount.',
    'Pay less, or fund the account.',
  ),
  bad_scale: answered(
    13,
    422,
    EXIT.rejected,
    'The amount has more fraction digits than its definition.',
    'Round it to the scale of its definition.',
  ),
  too_many_tokens: answered(
    18,
    422,
    EXIT.rejected,
    'The account or role holds as many permissions as it may.',
    'Revoke some, or use a role.',
  ),
  key_reused: answered(
    21,
    422,
    EXIT.rejected,
    'The key is or was the key of a peer.',
    'Make a new one with `causeway key generate`.',
  ),
  bad_proof_of_possession: answered(
    22,
    422,
    EXIT.rejected,
    'The proof does not show that the peer has the secret of its key.',
    'Make it anew with `causeway key pop`.',
  ),
  asset_frozen: answered(
    26,
    422,
    EXIT.rejected,
    'The balance of the payer is frozen.',
    'The owner of the asset definition froze it and can free it.',
  ),
  asset_blacklisted: answered(
    27,
    422,
    EXIT.rejected,
    'An account of the transfer may not hold or move this asset.',
    'The owner of the asset definition decides about it.',
  ),
  transfer_limit: answered(
    28,
    422,
    EXIT.rejected,
    'A cap on what leaves the account would be passed.',
    'Wait for the next window, or ask the owner of the asset definition for a higher cap.',
  ),
  too_many_roles: answered(32, 422, EXIT.rejected, 'The account has as many roles as it may.', 'Revoke one.'),
  bad_policy: answered(
    33,
    422,
    EXIT.rejected,
    'The policy has no members, a quorum that they cannot reach, or a member twice.',
    'The quorum lies between 1 and the sum of the weights.',
  ),
  not_a_member: answered(
    34,
    403,
    EXIT.rejected,
    'The account is no member of the multisig account.',
    'Members of the multisig account propose and approve.',
  ),
  proposal_expired: answered(36, 422, EXIT.rejected, 'The proposal is over.', 'Propose it again.'),
  admission_limit: answered(
    38,
    422,
    EXIT.rejected,
    'The transaction or the block makes as many accounts as it may.',
    'Register them first, or pay in smaller batches.',
  ),
  fee_unpayable: answered(
    39,
    402,
    EXIT.rejected,
    'The payer cannot pay the largest fee that it can cost.',
    'Fund the payer; metadata `teu_limit` lowers what it can cost.',
  ),
})

declare module '../../../model/error-catalogue.js' {
  interface ErrorRegistry extends Record<keyof typeof errors, ErrorDef> {}
}
