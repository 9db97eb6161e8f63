/** Owns the index of rosters by start height; proofs and old certificates need more rosters than the state keeps. */
import { hash32, type Infer, list, type Schema, struct, varint } from '../codec/index.js'
import { rosterAt } from '../executor/rosters.js'
import { rosterStarts, SINGLETON_KEY } from '../executor/tables.js'
import { FIRST_VOTED_HEIGHT, ROSTER_MAX, type ValidatorKey, validatorKey } from '../model/index.js'
import type { StateReader } from '../state/index.js'
import { rosterEpochKey, rosterKey } from './indexes.js'

/** Roster in the form of the index. */
export const rosterList: Schema<readonly ValidatorKey[]> = list(validatorKey, ROSTER_MAX)

/** Epoch and seed of a roster, part of its signing context; absent for the epoch and seed of genesis. */
export interface RosterEpoch extends Infer<typeof rosterEpoch> {}
export const rosterEpoch = struct('RosterEpoch', {
  number: varint,
  /** Seed from which committees are drawn. */
  seed: hash32,
})

/** Roster and epoch with their start height. */
export interface RosterStart {
  readonly height: number
  readonly roster: readonly ValidatorKey[]
  readonly epoch: RosterEpoch
}

/** Index entries of a roster; the epoch of genesis is omitted. */
export function entriesOfStart({ height, roster, epoch }: RosterStart): [Uint8Array, Uint8Array][] {
  const keys: [Uint8Array, Uint8Array] = [rosterKey(height), rosterList.encode(roster)]
  return epoch.number === 0 ? [keys] : [keys, [rosterEpochKey(height), rosterEpoch.encode(epoch)]]
}

/** Index entries of the roster that starts at a height; none if it is unchanged. */
export function rosterEntries(state: StateReader, height: number): [Uint8Array, Uint8Array][] {
  if (height !== FIRST_VOTED_HEIGHT && !(state.get(rosterStarts, SINGLETON_KEY) ?? []).includes(height)) return []
  const row = rosterAt(state, height)
  if (row === undefined) return []
  const { epoch: number, seed, roster } = row
  return entriesOfStart({ height, roster, epoch: { number, seed } })
}

/** Indexed epoch of the roster of a height; undefined for the epoch of genesis. */
export function epochOfIndex(
  indexGet: (key: Uint8Array) => Buffer | undefined,
  height: number,
): RosterEpoch | undefined {
  const bytes = indexGet(rosterEpochKey(height))
  const decoded = bytes === undefined ? undefined : rosterEpoch.decode(bytes)
  return decoded?.ok === true ? decoded.value : undefined
}

/** Indexed roster that starts at a height; undefined if there is none. */
export function rosterOfIndex(
  indexGet: (key: Uint8Array) => Buffer | undefined,
  height: number,
): readonly ValidatorKey[] | undefined {
  const bytes = indexGet(rosterKey(height))
  const decoded = bytes === undefined ? undefined : rosterList.decode(bytes)
  return decoded?.ok === true ? decoded.value : undefined
}
