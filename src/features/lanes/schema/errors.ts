/** Owns the error codes of lanes, settlements and relays. */
import { answered, declareErrors, EXIT } from '../../../model/index.js'
import { featureBase } from '../../ids.js'

const BASE = featureBase(2)

export const errors = declareErrors({
  lane_in_use: answered(
    BASE,
    422,
    EXIT.rejected,
    'The lane is needed: by default, by a rule, or as the last of its dataspace.',
    'Change the routing policy first.',
  ),
  lane_limit: answered(
    BASE + 1,
    422,
    EXIT.rejected,
    'There are as many lanes as there may be, or the id was used.',
    'Retire one; ids are never used again.',
  ),
  bad_routing_policy: answered(
    BASE + 2,
    422,
    EXIT.rejected,
    'The policy names lanes or dataspaces that do not fit, or an old version.',
    'Compare with `causeway lane list`: lanes, dataspaces and the version in force.',
  ),
  dataspace_in_use: answered(
    BASE + 3,
    422,
    EXIT.rejected,
    'A lane or a domain lies in the dataspace.',
    'Retire its lanes first; domains stay where they are.',
  ),
  space_denied: answered(
    BASE + 7,
    403,
    EXIT.rejected,
    'What the instruction touches belongs to a restricted dataspace.',
    'Ask a holder of CanManageLanes for CanUseDataspace on it; `causeway lane list` shows the dataspaces.',
  ),
  lane_mismatch: answered(
    BASE + 4,
    422,
    EXIT.rejected,
    'The settlement stands in another lane than its own.',
    '`causeway lane route explain` says which lane a transaction takes.',
  ),
  bad_variance: answered(
    BASE + 5,
    422,
    EXIT.rejected,
    'The figures of the receipt do not add up.',
    'Variance is what was due less what is left after the haircut.',
  ),
  relay_envelope_invalid: answered(
    BASE + 6,
    422,
    EXIT.rejected,
    'The envelope does not prove what it says.',
    'Run `causeway lane envelope verify` on the envelope.',
  ),
})

declare module '../../../model/error-catalogue.js' {
  interface ErrorRegistry extends Record<keyof typeof errors, ErrorDef> {}
}
