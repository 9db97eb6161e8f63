/** Owns the error codes of subscriptions. */
import { answered, declareErrors, type ErrorDef, EXIT } from '../../../model/index.js'
import { SUBSCRIPTION_IDS } from './records.js'

const { first } = SUBSCRIPTION_IDS

export const errors = declareErrors({
  plan_changed: answered(
    first,
    422,
    EXIT.rejected,
    'The hash or the asset of the plan differs from the signed one.',
    'Read the plan again: `causeway subscription plan list`. A change must keep the asset.',
  ),
  plan_closed: answered(
    first + 1,
    422,
    EXIT.rejected,
    'The plan is closed to new subscribers.',
    'Choose an open plan: `causeway subscription plan list`.',
  ),
  mandate_too_small: answered(
    first + 2,
    422,
    EXIT.rejected,
    'The mandate does not cover the price of one period, or ends before the first charge.',
    'Raise `max_per_period` and `total_max` to the price of a period, and `until_ms` beyond the first charge.',
  ),
  mandate_exceeded: answered(
    first + 3,
    422,
    EXIT.rejected,
    'The charge is not within the mandate of the subscriber.',
    'The subscriber can sign another mandate: `causeway subscription change`.',
  ),
  usage_replayed: answered(
    first + 4,
    422,
    EXIT.rejected,
    'The sequence number of the usage is not above the last one.',
    'The usage may already be recorded: `causeway subscription show` shows the last number.',
  ),
  subscription_state: answered(
    first + 5,
    422,
    EXIT.rejected,
    'The status of the subscription does not allow the instruction.',
    '`causeway subscription show` shows its status.',
  ),
  charge_early: answered(
    first + 6,
    422,
    EXIT.rejected,
    'The next charge is not due.',
    '`causeway subscription show` shows the time at which it is due.',
  ),
})

declare module '../../../model/error-catalogue.js' {
  interface ErrorRegistry extends Record<keyof typeof errors, ErrorDef> {}
}
