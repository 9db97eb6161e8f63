/** Owns the error codes of conferences and their relays. */
import { answered, declareErrors, type ErrorDef, EXIT } from '../../../model/index.js'
import { CONFERENCE_IDS } from './records.js'

const BASE = CONFERENCE_IDS.first
const refused = (at: number, means: string, hint: string) => answered(BASE + at, 422, EXIT.rejected, means, hint)

export const errors = declareErrors({
  conference_not_found: refused(
    0,
    'The call does not exist.',
    'Calls are written domain:name; `causeway conference list`.',
  ),
  conference_ended: refused(1, 'The call has ended and can no longer change.', 'Create another call.'),
  conference_artefacts_forbidden: refused(
    2,
    'The mode of the call does not allow a field of the instruction.',
    'A transparent call has no commitments, nullifiers or proofs; a private call names no participant.',
  ),
  conference_artefacts_required: refused(
    3,
    'The call is private: commitment, nullifier, root or proof is missing.',
    'Make the instruction with `causeway conference prove`.',
  ),
  conference_not_host: refused(
    4,
    'Only the host of the call may do this.',
    '`causeway conference show` names the host.',
  ),
  conference_bad_capacity: refused(
    5,
    'The maximum number of participants is zero or above the limit.',
    'Transparent calls have at most 1,000 participants, private ones at most the parameter conference_max_ring.',
  ),
  conference_bad_billing: refused(6, 'Only the host can be billed.', 'Omit the billing account.'),
  conference_not_listed: refused(
    7,
    'The call has no list of admitted keys.',
    'Only private calls with the admission `listed` have one.',
  ),
  conference_participant_is_host: refused(8, 'The host is in the call until it ends.', 'End the call instead.'),
  conference_already_joined: refused(9, 'The participant is already in the call.', 'No action is needed.'),
  conference_not_joined: refused(
    10,
    'The participant is not in the call.',
    '`causeway conference show` shows the call.',
  ),
  conference_full: refused(11, 'The call is full.', 'Wait until a participant leaves.'),
  conference_bad_duration: refused(12, 'The duration is zero.', 'Record a duration of at least a millisecond.'),
  conference_overbilled: refused(
    13,
    'The billed gas exceeds the rate of the call.',
    'Bill at most the rate for each started minute.',
  ),
  conference_bad_end_time: refused(
    14,
    'The call cannot end before it began or after this block.',
    'Omit the time to use the time of the block.',
  ),
  conference_manifest_expired: refused(15, 'The manifest has expired.', 'Set an expiry in the future.'),
  conference_bad_hops: refused(
    16,
    'A manifest needs at least three hops, each a different relay with a weight of at least 1.',
    'Compare with `causeway conference relay list`.',
  ),
  conference_relay_not_registered: refused(
    17,
    'The relay is not registered in the domain of the call.',
    'Its owner registers it: `causeway conference relay register`.',
  ),
  conference_relay_not_allowed: refused(
    18,
    'The domain has a list of allowed relays, and this one is not on it.',
    'The owner of the domain changes it: `causeway conference relay allow`.',
  ),
  conference_relay_key_mismatch: refused(
    19,
    'The HPKE key in the manifest differs from the registered one.',
    '`causeway conference relay show` shows the key.',
  ),
  conference_relay_other_domain: refused(
    20,
    'The relay is registered in another domain.',
    'A relay belongs to one domain: use another account.',
  ),
  conference_relay_not_in_manifest: refused(
    21,
    'The relay is not in an unexpired manifest of the call.',
    'Report relays that the call uses.',
  ),
  conference_report_in_future: refused(
    22,
    'The time of the report is after this block.',
    'Check the clock of the reporter.',
  ),
  conference_report_stale: refused(23, 'A report of this time or a later one exists.', 'Report a later time.'),
  conference_bad_admission_key: refused(
    24,
    'A key is not a point of the group, or it is the identity.',
    'Members create a key with `causeway conference key show`.',
  ),
  conference_duplicate_admission_key: refused(25, 'A key is on the list already.', 'Name each key once.'),
  conference_admission_full: refused(
    26,
    'The list would be longer than the chain allows.',
    'The parameter conference_max_ring sets the limit.',
  ),
  conference_stale_root: refused(
    27,
    'The roster root of the proof is not among the last 64.',
    'Create the proof again: the roster has changed since.',
  ),
  conference_session_limit: refused(
    28,
    'A member has at most 16 sessions.',
    'The host can admit another key of the member.',
  ),
  conference_stale_admission: refused(
    29,
    'The list of admitted keys has changed since the proof was made.',
    'Create the proof again.',
  ),
  conference_admission_too_small: refused(
    30,
    'The list has fewer than two keys: a proof would reveal its member.',
    'The host admits more members.',
  ),
  conference_commitment_used: refused(
    31,
    'The commitment already has a seat in the call.',
    'Leave first, then join again.',
  ),
  conference_nullifier_used: refused(
    32,
    'The nullifier does not fit this session: it was already spent, or the previous session was not left.',
    'Create the proof again for the next session.',
  ),
  conference_not_in_roster: refused(33, 'The commitment has no seat in the call.', 'Join first.'),
  conference_signal_limit: refused(34, 'The call has reached its limit of signals.', 'Create another call.'),
})

declare module '../../../model/error-catalogue.js' {
  interface ErrorRegistry extends Record<keyof typeof errors, ErrorDef> {}
}
