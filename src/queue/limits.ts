/** Owns the bounds of the queue, each with its unit and its reason. */

/**
 * Maximum transactions in the queue, see the notes of the reference; about 20 MB of records of the size of a transfer.
 */
export const QUEUE_CAPACITY = 65_536
/** Maximum transactions of one authority in the queue, so that one account cannot fill it. */
export const QUEUE_CAPACITY_PER_ACCOUNT = 16_384
/**
 * Maximum unverified proofs of one authority in the queue; blocks verify them during execution. A single transaction
 * may have more.
 */
export const UNVERIFIED_PROOFS_PER_ACCOUNT = 4
/** Maximum bytes of all queued records; their number alone does not bound memory. */
export const QUEUE_BYTES = 256 * 1024 * 1024
/**
 * Divisor for the bytes of queue and block that one account may fill, so that large records of one account leave room
 * for others, and do not delay the transfer of blocks.
 */
export const ACCOUNT_SHARE = 8
/** Maximum bytes of the queued records of one authority. */
export const QUEUE_BYTES_PER_ACCOUNT = QUEUE_BYTES / ACCOUNT_SHARE
/** Maximum transactions of one lane skipped in one block; bounds the scan of a long queue. */
export const DEFERRALS_PER_LANE_MAX = 256
/**
 * Base pause of a transaction with which a block was too slow, in ms, times 2^k for its kth pause. A slow transaction
 * costs one slow height per pause; an innocent one is only delayed.
 */
export const PAUSE_MS = 1_000
/** Maximum doublings of that pause, to 68 minutes. */
export const PAUSE_DOUBLINGS_MAX = 12
/**
 * Maximum doublings if a whole block was slow without a single slow transaction, to 8 s. Otherwise an account with new
 * transactions could delay the transactions of others for an hour, although smaller blocks identify the slow one.
 */
export const SHARED_PAUSE_DOUBLINGS_MAX = 3
/** Maximum delay before a transaction with a future time is checked again, in ms, because clocks are adjusted. */
export const EARLY_MAX_MS = 10_000
