/** Due runs: what features do at a time of their own. */
import type { AccountId } from '../../model/index.js'
import type { StateReader, StateWriter } from '../../state/index.js'
import type { Rejection } from '../contract.js'
import type { Scheduled } from '../feature.js'
import { addRun, firstDueMs, MINUTE_MS, type NewRun, removeRun, runOf } from './store.js'
import { PAYERS, type RunId } from './tables.js'

export { runDueRuns } from './run.js'
export { DUE_RUN_TABLES } from './tables.js'

const idOf = <K>({ kind, key }: Scheduled<K>, value: K): RunId => ({ kind, key: key.encode(value) })

/**
 * Schedules a run.
 *
 * @returns when it is due, in ms since the Unix epoch: from the next full minute on, a little later where the owner has many;
 * or a rejection: `exists`, `due_runs_full`
 */
export function scheduleRun<K>(state: StateWriter, def: Scheduled<K>, key: K, run: NewRun): number | Rejection {
  if ((run.owner === undefined) !== (def.paidBy === 'chain')) throw new Error(`who pays for ${def.kind} is the other`)
  return addRun(state, idOf(def, key), run)
}

/** Takes a run back; false when none waits. */
export const cancelRun = <K>(state: StateWriter, def: Scheduled<K>, key: K): boolean => removeRun(state, idOf(def, key))

/** A run that waits: when it is due, in ms since the Unix epoch, and how often it failed. */
export function scheduledRun<K>(
  state: StateReader,
  def: Scheduled<K>,
  key: K,
): { readonly dueMs: number; readonly owner: AccountId | undefined; readonly failures: number } | undefined {
  const row = runOf(state, idOf(def, key))
  return row && { dueMs: row.minute * MINUTE_MS, owner: row.owner, failures: row.failures }
}

/** When the first run is due, whoever pays, in ms since the Unix epoch. */
export function earliestRunMs(state: StateReader): number | undefined {
  const dues = PAYERS.flatMap((payer) => firstDueMs(state, payer) ?? [])
  return dues.length === 0 ? undefined : Math.min(...dues)
}
