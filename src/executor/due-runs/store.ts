/**
 * Owns the store of scheduled runs: insertion, lookup and removal need a few rows each, independent of the number of
 * runs.
 */
import type { AccountId } from '../../model/index.js'
import type { StateReader, StateWriter } from '../../state/index.js'
import { type Rejection, reject } from '../contract.js'
import { clearMinute, firstMinute, isMinute, setMinute } from './minutes.js'
import {
  type DueRun,
  dueMinutes,
  dueOwners,
  duePages,
  dueRuns,
  OWNER_RUNS_PER_MINUTE_MAX,
  PAGE_RUNS_MAX,
  PAYERS,
  type Payer,
  type RunId,
} from './tables.js'

export const MINUTE_MS = 60_000
/** Maximum delay of a run, in minutes, if its owner has too many runs in the same minute. */
export const MINUTES_TRIED = 64

/** Run to schedule. */
export interface NewRun {
  readonly owner: AccountId | undefined
  /** Header time in ms since the Unix epoch; it runs from the next full minute on. */
  readonly dueMs: number
}

const payerOf = (owner: AccountId | undefined): number => PAYERS.indexOf(owner === undefined ? 'chain' : 'owner')
const isSame = (a: RunId, b: RunId): boolean => a.kind === b.kind && Buffer.compare(a.key, b.key) === 0

/** Minute with capacity for another run of an owner; undefined if there is none nearby. */
function minuteFor(state: StateReader, owner: AccountId | undefined, dueMs: number): number | undefined {
  const first = Math.ceil(dueMs / MINUTE_MS)
  if (owner === undefined) return first
  for (let minute = first; minute < first + MINUTES_TRIED; minute += 1) {
    if ((state.get(dueOwners, { owner, minute }) ?? 0) < OWNER_RUNS_PER_MINUTE_MAX) return minute
  }
  return undefined
}

/** Number of runs that fit in the minutes from a due time on. */
export function roomOf(state: StateReader, owner: AccountId, dueMs: number): number {
  const first = Math.ceil(dueMs / MINUTE_MS)
  const minutes = Array.from({ length: MINUTES_TRIED }, (_, index) => first + index)
  return minutes.reduce(
    (room, minute) => room + OWNER_RUNS_PER_MINUTE_MAX - (state.get(dueOwners, { owner, minute }) ?? 0),
    0,
  )
}

function countOwner(state: StateWriter, owner: AccountId | undefined, minute: number, by: 1 | -1): void {
  if (owner === undefined) return
  const key = { owner, minute }
  const count = (state.get(dueOwners, key) ?? 0) + by
  if (count < 0) throw new Error('the count of due runs of an owner is negative')
  if (count === 0) state.delete(dueOwners, key)
  else state.set(dueOwners, key, count)
}

/** Add a run; `failures`: consecutive earlier failures. Returns its due time, or the rejection if there is no room. */
export function addRun(state: StateWriter, id: RunId, { owner, dueMs }: NewRun, failures = 0): number | Rejection {
  if (state.has(dueRuns, id)) return reject('exists', 'this run is already scheduled')
  const minute = minuteFor(state, owner, dueMs)
  if (minute === undefined) {
    const message = `the owner already has ${OWNER_RUNS_PER_MINUTE_MAX} runs in each of ${MINUTES_TRIED} minutes from then on`
    return reject('due_runs_full', message)
  }
  if (!isMinute(minute)) throw new Error(`a run cannot be due at ${dueMs}`)
  const payer = payerOf(owner)
  const pages = state.get(dueMinutes, { payer, minute }) ?? 0
  const last = pages === 0 ? [] : pageOf(state, payer, minute, pages - 1)
  const isNewPage = pages === 0 || last.length >= PAGE_RUNS_MAX
  const page = isNewPage ? pages : pages - 1
  state.set(duePages, { payer, minute, page }, isNewPage ? [id] : [...last, id])
  if (isNewPage) state.set(dueMinutes, { payer, minute }, pages + 1)
  if (pages === 0) setMinute(state, payer, minute)
  countOwner(state, owner, minute, 1)
  state.set(dueRuns, id, { owner, minute, page, failures })
  return minute * MINUTE_MS
}

function pageOf(state: StateReader, payer: number, minute: number, page: number): readonly RunId[] {
  const found = state.get(duePages, { payer, minute, page })
  if (found === undefined) throw new Error(`page ${page} of the runs of minute ${minute} is missing`)
  return found
}

/** Scheduled run; undefined if it does not exist. */
export const runOf = (state: StateReader, id: RunId): DueRun | undefined => state.get(dueRuns, id)

/** Remove a scheduled run; false if it does not exist. The last run of its minute fills the gap. */
export function removeRun(state: StateWriter, id: RunId): boolean {
  const row = state.get(dueRuns, id)
  if (row === undefined) return false
  const { owner, minute, page } = row
  const payer = payerOf(owner)
  const pages = state.get(dueMinutes, { payer, minute }) ?? 0
  const lastPage = pages - 1
  const last = pageOf(state, payer, minute, lastPage)
  const moved = last.at(-1)
  if (moved === undefined) throw new Error(`minute ${minute} has an empty page of runs`)
  const rest = last.slice(0, -1)
  if (page === lastPage) {
    const place = last.findIndex((one) => isSame(one, id))
    if (place < 0) throw new Error('a due run is not on its page')
    if (place < rest.length) rest[place] = moved
  } else {
    const home = [...pageOf(state, payer, minute, page)]
    const place = home.findIndex((one) => isSame(one, id))
    const movedRow = state.get(dueRuns, moved)
    if (place < 0 || movedRow === undefined) throw new Error('a due run is not on its page')
    home[place] = moved
    state.set(duePages, { payer, minute, page }, home)
    state.set(dueRuns, moved, { ...movedRow, page })
  }
  setLastPage(state, { payer, minute, page: lastPage }, rest)
  countOwner(state, owner, minute, -1)
  state.delete(dueRuns, id)
  return true
}

/** Write the remaining runs of the last page of a minute; an empty page, and a minute without pages, are removed. */
function setLastPage(
  state: StateWriter,
  key: { readonly payer: number; readonly minute: number; readonly page: number },
  rest: readonly RunId[],
): void {
  if (rest.length > 0) return state.set(duePages, key, rest)
  const { payer, minute, page } = key
  state.delete(duePages, key)
  if (page > 0) return state.set(dueMinutes, { payer, minute }, page)
  state.delete(dueMinutes, { payer, minute })
  clearMinute(state, payer, minute)
}

/** Due time of the first run of a kind of payer, in ms since the Unix epoch. */
export function firstDueMs(state: StateReader, by: Payer): number | undefined {
  const minute = firstMinute(state, PAYERS.indexOf(by))
  return minute === undefined ? undefined : minute * MINUTE_MS
}

/** Run of the earliest minute with runs, chosen so that its removal changes the fewest rows. */
export function firstRun(state: StateReader, by: Payer): RunId | undefined {
  const payer = PAYERS.indexOf(by)
  const minute = firstMinute(state, payer)
  if (minute === undefined) return undefined
  const pages = state.get(dueMinutes, { payer, minute }) ?? 0
  return pageOf(state, payer, minute, pages - 1).at(-1)
}
