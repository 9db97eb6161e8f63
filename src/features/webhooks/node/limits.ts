/** Owns the bounds of deliveries, each with its unit and its reason. */

/** Maximum events of a webhook in progress or done beyond its stored cursor, which are sent again after a crash. */
export const WINDOW = 16
/** First and maximum delay after an endpoint failed, in ms; each failure doubles it. */
export const FAILED_WAIT_MS = 5_000
export const FAILED_WAIT_MAX_MS = 15 * 60_000
/** Jitter of a delay, so that endpoints that failed together are not called together again. */
export const WAIT_SPREAD = 0.1
/** Maximum wait that the Retry-After of an endpoint can cause, in ms. */
export const RETRY_AFTER_MAX_MS = 3_600_000
/** Duration of failures after which a webhook is disabled, in ms: five days. */
export const FAILING_MAX_MS = 5 * 86_400_000
/** Delays before a refused event is sent again, in ms; after the last it becomes a dead letter. */
export const REFUSED_WAITS_MS: readonly number[] = [5_000, 30_000]
/**
 * Maximum sleep of a webhook before it checks the time again, in ms: the longest delay, below the timer limit of 24.8
 * days.
 */
export const SLEEP_MAX_MS = RETRY_AFTER_MAX_MS
/** Delay after a failure of the store, in ms. */
export const STORE_WAIT_MS = 5_000
/**
 * Blocks without a matching event after which the cursor is stored; blocks after a stored cursor are read again after a
 * restart.
 */
export const IDLE_BLOCKS = 1_000
/** Lifetime of the previous secret after a rotation, in ms; receivers change to the new secret in that time. */
export const PREVIOUS_SECRET_MS = 86_400_000
/** Maximum previous secrets of a webhook that still sign; beyond it the oldest is dropped. */
export const PREVIOUS_SECRETS_MAX = 4
/** Webhooks reserved for operators. */
export const HOOKS_OF_OPERATORS = 16
