/** Owns the bounds of deliveries, each with its unit and its reason. */

/** Events of a hook that may be under way or done beyond its stored cursor: so many are sent again after a crash. */
export const WINDOW = 16
/** First and longest wait after an endpoint failed, in ms; each failure doubles it. */
export const FAILED_WAIT_MS = 5_000
export const FAILED_WAIT_MAX_MS = 15 * 60_000
/** Share by which a wait is longer or shorter: endpoints that failed together are not called together. */
export const WAIT_SPREAD = 0.1
/** Maximum wait by the Retry-After of an endpoint, in ms. */
export const RETRY_AFTER_MAX_MS = 3_600_000
/** Duration of failures after which a webhook is disabled, in ms: five days. */
export const FAILING_MAX_MS = 5 * 86_400_000
/** Waits before an event that was refused is sent again, in ms; after the last it is a dead letter. */
export const REFUSED_WAITS_MS: readonly number[] = [5_000, 30_000]
/**
 * Maximum sleep of a hook before it checks the time again, in ms: the longest wait, below the timer limit of 24.8 days.
 */
export const SLEEP_MAX_MS = RETRY_AFTER_MAX_MS
/** Wait after the store failed, in ms. */
export const STORE_WAIT_MS = 5_000
/** Blocks without a wanted event after which the cursor is stored all the same: they are read again after a restart. */
export const IDLE_BLOCKS = 1_000
/** Life of the previous secret after a rotation, in ms: receivers change theirs meanwhile. */
export const PREVIOUS_SECRET_MS = 86_400_000
/** Previous secrets of a hook that still sign; with more rotations in that time the oldest leaves. */
export const PREVIOUS_SECRETS_MAX = 4
/** Hooks reserved for operators. */
export const HOOKS_OF_OPERATORS = 16
