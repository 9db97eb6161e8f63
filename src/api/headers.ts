/** Owns the headers that answers carry beside those of HTTP itself. */

/** The code of an error, also in its record. */
export const REJECT_CODE_HEADER = 'x-ledger-reject-code'

/** Where an admitted transaction goes. */
export const LANE_HEADER = 'x-ledger-lane-id'
export const DATASPACE_HEADER = 'x-ledger-dataspace-id'

/** The bucket that refused a request: its size, what is left of it, seconds until there is more. */
export const RATE_LIMIT_HEADERS = {
  limit: 'x-ratelimit-limit',
  remaining: 'x-ratelimit-remaining',
  reset: 'x-ratelimit-reset',
} as const
