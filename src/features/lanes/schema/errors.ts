/** Owns the error codes of lanes, settlements and relays. */
import { answered, declareErrors, type ErrorDef, EXIT, range } from '../../../model/index.js'

const BASE = range(2).first

export const errors = declareErrors({
  lane_in_use: answered(
    BASE,
    422,
    EXIT.rejected,
    'The lane is in use: as the default, by a rule, or as the last of its dataspace.',
    'Change the routing policy first.',
  ),
  lane_limit: answered(
    BASE + 1,
    422,
    EXIT.rejected,
    'The limit of lanes is reached, or the id was used before.',
    'Retire a lane; ids are never reused.',
  ),
  bad_routing_policy: answered(
    BASE + 2,
    422,
    EXIT.rejected,
    'The policy names unknown lanes or dataspaces, or an old version.',
    'Compare lanes, dataspaces and the current version with `causeway lane list`.',
  ),
  dataspace_in_use: answered(
    BASE + 3,
    422,
    EXIT.rejected,
    'A lane or a domain belongs to the dataspace.',
    'Retire its lanes first; domains cannot be moved.',
  ),
  space_denied: answered(
    BASE + 7,
    403,
    EXIT.rejected,
    'The instruction accesses objects of a restricted dataspace.',
    'Ask a holder of CanManageLanes for CanUseDataspace on it, or its operator for a manifest: `causeway space show`.',
  ),
  lane_mismatch: answered(
    BASE + 4,
    422,
    EXIT.rejected,
    'The settlement is for another lane than that of its transaction.',
    '`causeway lane route explain` shows the lane of a transaction.',
  ),
  bad_variance: answered(
    BASE + 5,
    422,
    EXIT.rejected,
    'The amounts of the receipt are inconsistent.',
    'The variance is the amount due minus the amount after the haircut.',
  ),
  relay_envelope_invalid: answered(
    BASE + 6,
    422,
    EXIT.rejected,
    'The relay envelope is invalid.',
    'Run `causeway lane envelope verify` on the envelope.',
  ),
})

declare module '../../../model/error-catalogue.js' {
  interface ErrorRegistry extends Record<keyof typeof errors, ErrorDef> {}
}
