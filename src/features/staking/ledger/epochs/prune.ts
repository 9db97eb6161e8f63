/**
 * Owns the removal of old epochs, one seat per block, once they are no longer needed for payments, proofs or slashes.
 */

import { parameterOf } from '../../../../executor/parameters.js'
import { EVIDENCE_HORIZON_BLOCKS } from '../../../../executor/system-parameters.js'
import type { StateWriter } from '../../../../state/index.js'
import type { Epoch } from '../../schema/records.js'
import { elections, exposurePages, exposures } from '../elections/tables.js'
import { rewards } from '../rewards/tables.js'
import { type Calendar, epochs, randomness, terms } from './tables.js'

/** Number of epochs that are always kept. */
const EPOCHS_KEPT = 96

/** Remove the exposures of one seat of an epoch, and its term if the term is over. */
function dropSeat(state: StateWriter, { number, term, seats }: Epoch, isTermOver: boolean, seat: number): void {
  const validator = seats[seat]?.validator
  if (validator === undefined) return
  if (state.has(rewards, { epoch: number, validator })) state.delete(rewards, { epoch: number, validator })
  const exposed = isTermOver ? state.get(exposures, { term, validator }) : undefined
  if (exposed === undefined) return
  for (let page = 0; page < exposed.pages; page += 1) state.delete(exposurePages, { term, validator, page })
  state.delete(exposures, { term, validator })
}

/** Remove one seat of the oldest epoch, or the epoch itself after its last seat. */
export function pruneEpochs(state: StateWriter, calendar: Calendar, height: number): Calendar {
  const { oldestEpoch, oldestSeat, epoch } = calendar
  if (oldestEpoch + EPOCHS_KEPT > epoch) return calendar
  const next = state.get(epochs, oldestEpoch + 1)
  if (next === undefined || height < next.start + parameterOf(state, EVIDENCE_HORIZON_BLOCKS)) return calendar
  const record = state.get(epochs, oldestEpoch)
  if (record === undefined) return { ...calendar, oldestEpoch: oldestEpoch + 1, oldestSeat: 0 }
  if ((state.get(terms, record.term)?.openSlashes ?? 0) > 0) return calendar
  if (oldestSeat < record.seats.length) {
    dropSeat(state, record, next.term !== record.term, oldestSeat)
    return { ...calendar, oldestSeat: oldestSeat + 1 }
  }
  state.delete(epochs, oldestEpoch)
  if (state.has(elections, oldestEpoch)) state.delete(elections, oldestEpoch)
  if (state.has(randomness, oldestEpoch)) state.delete(randomness, oldestEpoch)
  return { ...calendar, oldestEpoch: oldestEpoch + 1, oldestSeat: 0 }
}
