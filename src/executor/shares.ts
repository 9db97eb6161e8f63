/**
 * Owns the shares of `block_teu` for the block's own runs (docs/design/structure.md 4): due runs a quarter; time
 * triggers the rest of a half; pre-commit triggers a quarter; the ends of blocks of all features a quarter.
 *
 * In its first view one run may use the limit of a transaction instead of its share, because a run above its share
 * could otherwise never be executed: the first due run at even heights, the first time trigger at odd ones. A run of
 * the chain may use the units that its kind declares, beyond the limit of a transaction.
 */
import type { StateReader } from '../state/index.js'
import { parameterOf } from './parameters.js'
import { BLOCK_TEU } from './system-parameters.js'
import { PRE_COMMIT_MAX } from './triggers/tables.js'

const DUE_DIVISOR = 4
const TIMED_DIVISOR = 2
const PRE_COMMIT_DIVISOR = 4
const END_DIVISOR = 4

/** Units of due runs. */
export const dueTeu = (state: StateReader): number => Math.floor(parameterOf(state, BLOCK_TEU) / DUE_DIVISOR)
/** Units of due runs and time triggers together. */
export const timedTeu = (state: StateReader): number => Math.floor(parameterOf(state, BLOCK_TEU) / TIMED_DIVISOR)
/** Units of one pre-commit run. */
export const preCommitTeu = (state: StateReader): number =>
  Math.floor(parameterOf(state, BLOCK_TEU) / PRE_COMMIT_DIVISOR / PRE_COMMIT_MAX)
/**
 * Maximum units that the ends of blocks of all features declare together: fixed in the ABI for the default block size.
 */
export const END_OF_BLOCK_TEU_MAX = Math.floor(BLOCK_TEU.fallback / END_DIVISOR)

/** Shares as part of the hash of the ABI. */
export const shareLine = `share due ${DUE_DIVISOR} timed ${TIMED_DIVISOR} pre-commit ${PRE_COMMIT_DIVISOR} end ${END_DIVISOR}`
