/** Owns the error codes of assets and their controls. */
import { answered, declareErrors, type ErrorDef, EXIT } from '../../../model/index.js'

export const errors = declareErrors({
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
    'Choose a smaller amount, or fund the paying balance.',
  ),
  bad_scale: answered(
    13,
    422,
    EXIT.rejected,
    'The amount has more fraction digits than its definition.',
    'Round it to the scale of its definition.',
  ),
  asset_frozen: answered(
    26,
    422,
    EXIT.rejected,
    'The balance of the payer is frozen.',
    'The owner of the asset definition can unfreeze it.',
  ),
  asset_blacklisted: answered(
    27,
    422,
    EXIT.rejected,
    'An account of the transfer is blacklisted for this asset.',
    'The owner of the asset definition can remove it from the blacklist.',
  ),
  transfer_limit: answered(
    28,
    422,
    EXIT.rejected,
    'The transfer exceeds a limit on outgoing payments of the account.',
    'Wait for the next window, or ask the owner of the asset definition for a higher limit.',
  ),
})

declare module '../../../model/error-catalogue.js' {
  interface ErrorRegistry extends Record<keyof typeof errors, ErrorDef> {}
}
