/** Owns the ranges of staking: feature 4, 600 to 699, and the instruction that the core kept for it. */
import { type IdRange, range } from '../../../model/index.js'

export const STAKING_IDS = range(4)
/** Id of the core's instructions that waited for elections. */
export const STAGE_MODE_IDS: IdRange = { first: 30, last: 30 }
