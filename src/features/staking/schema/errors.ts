/** Owns the error codes of staking. */
import { answered, declareErrors, type ErrorDef, EXIT } from '../../../model/index.js'
import { STAKING_IDS } from './records.js'

const BASE = STAKING_IDS.first
const refused = (at: number, means: string, hint: string) => answered(BASE + at, 422, EXIT.rejected, means, hint)

export const errors = declareErrors({
  stake_frozen: refused(
    0,
    'A validator that this stake backed has a pending slash.',
    'Wait until it is executed or cancelled: `causeway staking slash list`.',
  ),
  stake_too_small: refused(
    1,
    'The stake would be smaller than its role requires, or its list is full of larger ones.',
    'Keep min_self_bond or min_nomination_bond; chill a validator before it unbonds.',
  ),
  stake_chunk_limit: refused(
    2,
    'Stake of 16 terms is already waiting to be withdrawn.',
    'Withdraw the unlocked stake first.',
  ),
  stake_exposure_limit: refused(
    3,
    'The stake is exposed to slashes of 32 validators.',
    'Keep the nominations until the oldest terms are over.',
  ),
  stake_jailed: refused(
    4,
    'The validator is jailed.',
    '`causeway staking show` shows the epoch in which it is released.',
  ),
  stake_bad_binding: refused(
    5,
    'A signature does not bind the keys to this account.',
    'Create the instruction with the key files of the node: `causeway staking register`.',
  ),
  stake_bad_window: refused(
    6,
    'The epoch is not in this phase, or the step was already done.',
    '`causeway consensus epoch` shows the calendar; nodes send these automatically.',
  ),
  stake_paid: refused(7, 'This page of the reward is already paid, or does not exist.', 'No action is needed.'),
  stake_wrong_role: refused(
    8,
    'The account does not have the required role.',
    'Chill and unbond the validator, or withdraw the nominations, before changing the role.',
  ),
  stake_bad_commission: refused(
    9,
    'The commission is above 10,000 bps, or rises by more than 500 bps in one epoch.',
    'Raise it over several epochs.',
  ),
  stake_no_asset: refused(
    10,
    'The chain has no stake asset, or one without a fixed number of fraction digits.',
    'Set the parameter stake_asset to a definition with a scale.',
  ),
})

declare module '../../../model/error-catalogue.js' {
  interface ErrorRegistry extends Record<keyof typeof errors, ErrorDef> {}
}
