/** Owns the limits of traces. */

/**
 * Maximum transactions traced at a time: about 300 bytes each, and more than a queue holds in its first minute of a
 * stall.
 */
export const FOLLOWED_MAX = 16_384
/** Maximum time for which a transaction is traced, in ms: it may be in a block before its request is answered. */
export const FOLLOWED_MS = 10 * 60_000
/** Maximum spans that wait for the collector; beyond it the library drops them. About 1 KiB each. */
export const WAITING_SPANS_MAX = 8_192
/** Maximum spans of one request to the collector. */
export const BATCH_SPANS = 512
/** Time for which the first span of a batch waits, in ms. */
export const BATCH_WAIT_MS = 2_000
/** Export timeout of the collector, in ms; also the maximum delay of a shutdown. */
export const EXPORT_TIMEOUT_MS = 3_000
