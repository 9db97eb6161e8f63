/** Owns the bounds of the events in memory, each with its unit and its reason. */

/** Blocks kept with what was encoded of them: readers that start together ask for the same ones. */
export const CACHE_BLOCKS = 32
/** Bodies and results of these blocks together, in bytes; encoded forms take a few times as much. */
export const CACHE_BYTES = 8 * 1024 * 1024
/** Blocks asked of the ledger at once. */
export const READ_BLOCKS = 16
