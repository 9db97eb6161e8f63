/** Owns the range of conferences: feature 3, 500 to 599. */
import { range } from '../../../model/index.js'

export const CONFERENCE_IDS = range(3)
export const CONFERENCE_INDEXES = { counts: CONFERENCE_IDS.first } as const
