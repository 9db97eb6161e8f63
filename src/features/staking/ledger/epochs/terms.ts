/** Owns terms: the current one, and the end of the slashing period of stake unbonded in a term (rule U). */

import { parameterOf } from '../../../../executor/parameters.js'
import { EVIDENCE_HORIZON_BLOCKS } from '../../../../executor/system-parameters.js'
import type { StateReader } from '../../../../state/index.js'
import { ONLY } from '../table.js'
import { calendars, terms } from './tables.js'

/** Current term; 0 before the first election. */
export const currentTerm = (state: StateReader): number => state.get(calendars, ONLY)?.term ?? 0

/** True while an existing snapshot may still count stake. */
const isBeingElected = (state: StateReader): boolean => state.get(calendars, ONLY)?.snapshot !== undefined

/**
 * True if stake bonded in a term can no longer be slashed: the term after the next has begun, and evidence of earlier
 * heights is no longer admitted. Without elections the same applies from the switch on.
 */
export function isTermOver(state: StateReader, term: number, height: number): boolean {
  const calendar = state.get(calendars, ONLY)
  if (calendar === undefined) return true
  const horizon = parameterOf(state, EVIDENCE_HORIZON_BLOCKS)
  const after = state.get(terms, term + 2)
  if (after !== undefined && height >= after.start + horizon) return true
  if (calendar.isElected || isBeingElected(state)) return false
  // Without elections no stake was ever exposed.
  return calendar.term === 0 || height >= calendar.start + horizon
}
