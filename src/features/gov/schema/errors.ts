/** Owns the error codes of governance. */
import { answered, declareErrors, type ErrorDef, EXIT } from '../../../model/index.js'
import { GOV_IDS } from './records.js'

const rejected = (at: number, meaning: string, remedy: string): ErrorDef =>
  answered(GOV_IDS.first + at, 422, EXIT.rejected, meaning, remedy)

export const errors = declareErrors({
  bad_track: rejected(
    0,
    'A field of the track is out of its bounds, or the track cannot be removed.',
    'The message names the field and its bounds. Track 0 always exists.',
  ),
  bad_electorate: rejected(
    1,
    'The electorate is not sound, or no track has it.',
    'An asset must belong to the governance account; a role must be sealed, with all its members listed; the quorum has a maximum.',
  ),
  sealed_role: rejected(
    2,
    'Only the governance account changes a sealed role and its members.',
    'Propose the change on track 0. A member can revoke the role from itself, unless it is the last one.',
  ),
  track_scope: rejected(
    3,
    'The track does not admit an instruction of the proposal.',
    '`causeway gov track list` shows the scopes. Track 0 admits the instructions that change governance itself.',
  ),
  forced_membership: rejected(
    4,
    'A proposal changes the validators with `force`, and the roster has 3 or more members.',
    'Propose the change without `force`; a quorum must have signed recently.',
  ),
  not_elector: rejected(
    5,
    'The account is not an elector of the track.',
    'Lock votes, join the role, or be set as the elector of a validator. `causeway gov account` shows the tracks of an account.',
  ),
  not_voting: rejected(
    6,
    'The status of the proposal or agenda does not allow the instruction.',
    '`causeway gov show` shows the status and its times.',
  ),
  wrong_digest: rejected(
    7,
    'The ballot names another digest than that of the proposal.',
    'Read the proposal again: `causeway gov vote` recomputes the digest from the instructions.',
  ),
  lock_too_small: rejected(
    8,
    'The lock is smaller than the amount of the ballot, or than the minimum of the track.',
    'Lock more votes: `causeway gov lock`.',
  ),
  ballot_limit: rejected(
    9,
    'The lock already secures 32 ballots.',
    'Wait until one of them is free: `causeway gov account` shows the times.',
  ),
  lock_held: rejected(10, 'Ballots hold the amount.', 'The message says until when. Withdraw less, or wait.'),
  not_due: rejected(
    11,
    'The proposal has no step that is due now.',
    '`causeway gov show` shows when the next step is due.',
  ),
  below_floor: rejected(
    12,
    'The change would leave the limits within which the chain and its governance keep working.',
    'The message names the limit; docs/concepts/gov.md lists all of them.',
  ),
  abi_not_ready: rejected(
    13,
    'Fewer than a quorum of the validators attested that their nodes have this ABI.',
    'Update the nodes, then attest: `causeway gov ready`.',
  ),
  not_seated: rejected(
    14,
    'The account is not a member of the council in office.',
    '`causeway gov council show` lists the members and the end of the term.',
  ),
  namespace_protected: rejected(
    15,
    'The domain is protected, and governance did not approve this deployment.',
    'Propose an ApproveDeployment for its digest.',
  ),
})

declare module '../../../model/error-catalogue.js' {
  interface ErrorRegistry extends Record<keyof typeof errors, ErrorDef> {}
}
