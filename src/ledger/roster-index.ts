/** Owns the index of rosters by the height where they begin to act: proofs and old certificates need more of them than the state keeps. */
import { list, type Schema } from '../codec/index.js'
import { rosterAt } from '../executor/rosters.js'
import { rosterStarts, SINGLETON_KEY } from '../executor/tables.js'
import { FIRST_VOTED_HEIGHT, ROSTER_MAX, type ValidatorKey, validatorKey } from '../model/index.js'
import type { StateReader } from '../state/index.js'
import { rosterKey } from './indexes.js'

/** Roster as the index keeps it. */
export const rosterList: Schema<readonly ValidatorKey[]> = list(validatorKey, ROSTER_MAX)

/** Index entry of the roster that begins to act at a height; none where it stays the same. */
export function rosterEntries(state: StateReader, height: number): [Uint8Array, Uint8Array][] {
  if (height !== FIRST_VOTED_HEIGHT && !(state.get(rosterStarts, SINGLETON_KEY) ?? []).includes(height)) return []
  const row = rosterAt(state, height)
  return row === undefined ? [] : [[rosterKey(height), rosterList.encode(row.roster)]]
}

/** Roster that the index notes for a height; undefined where none begins to act there. */
export function rosterOfIndex(
  indexGet: (key: Uint8Array) => Buffer | undefined,
  height: number,
): readonly ValidatorKey[] | undefined {
  const bytes = indexGet(rosterKey(height))
  const decoded = bytes === undefined ? undefined : rosterList.decode(bytes)
  return decoded?.ok === true ? decoded.value : undefined
}
