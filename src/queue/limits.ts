/** Owns the bounds of the queue, each with its unit and its reason. */

/** Transactions in the queue: notes of the reference; about 20 MB of records of a transfer's size. */
export const QUEUE_CAPACITY = 65_536
/** Transactions of one authority in the queue: one account cannot fill it. */
export const QUEUE_CAPACITY_PER_ACCOUNT = 16_384
/** Proofs of one authority in the queue that no thread verified before: blocks verify them where they run. One transaction alone may have more. */
export const UNVERIFIED_PROOFS_PER_ACCOUNT = 4
/** Bytes of all queued records: the count alone does not bound memory. */
export const QUEUE_BYTES = 256 * 1024 * 1024
/** Part of the bytes of queue and block that one account may fill, 1 in so many: large records of one leave room for others, and keep no block long on the wire. */
export const ACCOUNT_SHARE = 8
/** Bytes of the queued records of one authority. */
export const QUEUE_BYTES_PER_ACCOUNT = QUEUE_BYTES / ACCOUNT_SHARE
/** Transactions of one lane that later ones pass in one block: the rest of a long queue is not looked at for nothing. */
export const DEFERRALS_PER_LANE_MAX = 256
/** A transaction with which a block took too long is passed over for this many ms times 2^k at its kth time: a slow one costs one slow height per doubled pause, an innocent one is late. */
export const PAUSE_MS = 1_000
/** Doublings of that pause: 68 minutes at the most. */
export const PAUSE_DOUBLINGS_MAX = 12
/** Doublings where a whole block took too long and none of it was slow by itself: 8 s. Whoever brings new transactions all the time would otherwise keep those of others waiting for an hour, though smaller blocks find the slow one by themselves. */
export const SHARED_PAUSE_DOUBLINGS_MAX = 3
/** A transaction whose time is yet to come by the clock of this node is looked at again after this many ms at the most: clocks are set. */
export const EARLY_MAX_MS = 10_000
