/** Owns the limits of traces. */

/**
 * Maximum transactions traced at the same time. Each takes about 300 bytes; the maximum exceeds the number that a queue
 * receives in the first minute of a stall.
 */
export const FOLLOWED_MAX = 16_384
/** Maximum time for which a transaction is traced, in ms; a block may contain it before its request gets a response. */
export const FOLLOWED_MS = 10 * 60_000
/** Maximum spans that wait for the collector, about 1 KiB each; the library drops any further spans. */
export const WAITING_SPANS_MAX = 8_192
/** Maximum spans of one request to the collector. */
export const BATCH_SPANS = 512
/** Maximum wait of the first span of a batch, in ms. */
export const BATCH_WAIT_MS = 2_000
/** Export timeout of the collector, in ms; also the maximum delay of a shutdown. */
export const EXPORT_TIMEOUT_MS = 3_000
