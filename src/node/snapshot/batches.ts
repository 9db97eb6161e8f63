/** Owns how much of a snapshot goes into a state together. */

/** Bytes of rows or transaction ids in one batch: a batch costs as much whatever it holds. */
export const COMMIT_BYTES = 1024 * 1024
