/** Owns the bounds of the events in memory, each with its unit and its reason. */

/** Number of blocks cached with their encodings, for readers that start at the same time. */
export const CACHE_BLOCKS = 32
/** Maximum total size of the bodies and results of these blocks, in bytes; encoded forms need a few times as much. */
export const CACHE_BYTES = 8 * 1024 * 1024
/** Number of blocks per request to the ledger. */
export const READ_BLOCKS = 16
