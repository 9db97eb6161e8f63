/** Due runs: work that features schedule for a time. */
import type { AccountId } from '../../model/index.js'
import type { StateReader, StateWriter } from '../../state/index.js'
import type { Rejection } from '../contract.js'
import type { Scheduled } from '../feature.js'
import { addRun, firstDueMs, MINUTE_MS, type NewRun, removeRun, roomOf, runOf } from './store.js'
import { PAYERS, type RunId } from './tables.js'

export { runDueRuns } from './run.js'

/** Identity of a kind of runs. */
type RunKind<K> = Pick<Scheduled<K>, 'kind' | 'key' | 'paidBy'>

const idOf = <K>({ kind, key }: RunKind<K>, value: K): RunId => ({ kind, key: key.encode(value) })

/**
 * Schedule a run.
 *
 * @returns its due time, in ms since the Unix epoch: the next full minute or later, if the owner has many runs; or a
 * rejection: `exists`, `due_runs_full`
 */
export function scheduleRun<K>(state: StateWriter, def: RunKind<K>, key: K, run: NewRun): number | Rejection {
  if ((run.owner === undefined) !== (def.paidBy === 'chain'))
    throw new Error(`${def.kind} is declared with the wrong payer`)
  return addRun(state, idOf(def, key), run)
}

/** Cancel a run; false if it is not scheduled. */
export const cancelRun = <K>(state: StateWriter, def: RunKind<K>, key: K): boolean => removeRun(state, idOf(def, key))

/** Scheduled run: its due time, in ms since the Unix epoch, and its number of failures. */
export function scheduledRun<K>(
  state: StateReader,
  def: RunKind<K>,
  key: K,
): { readonly dueMs: number; readonly owner: AccountId | undefined; readonly failures: number } | undefined {
  const row = runOf(state, idOf(def, key))
  return row && { dueMs: row.minute * MINUTE_MS, owner: row.owner, failures: row.failures }
}

/** Number of runs that an owner can still schedule for a time, in ms since the Unix epoch, before `due_runs_full`. */
export const roomForRuns = (state: StateReader, owner: AccountId, dueMs: number): number => roomOf(state, owner, dueMs)

/** Due time of the first run of any payer, in ms since the Unix epoch. */
export function earliestRunMs(state: StateReader): number | undefined {
  const dues = PAYERS.flatMap((payer) => firstDueMs(state, payer) ?? [])
  return dues.length === 0 ? undefined : Math.min(...dues)
}
