/**
 * Owns the rosters by height, stored as long as evidence of a height is admitted (docs/design/consensus.md 1 and 10).
 */
import { sortRoster } from '../consensus/index.js'
import type { ValidatorKey } from '../model/index.js'
import type { StateReader, StateWriter } from '../state/index.js'
import { keyOfPeer } from './consensus-keys.js'
import type { RosterSource } from './election.js'
import {
  chainInfo,
  peerList,
  peers,
  ROSTER_STARTS_MAX,
  type RosterRow,
  rosterStarts,
  rosters,
  SINGLETON_KEY,
} from './tables.js'

/** Maximum rosters removed by one block, which bounds the work; later blocks remove the rest. */
const ROSTER_DROPS_PER_BLOCK = 8

/** Roster of a height as determined by the given state: the registered validators with an active key. */
export function rosterFor(state: StateReader, height: number): Pick<RosterRow, 'roster' | 'rotated'> {
  const keys: ValidatorKey[] = []
  const rotated = new Map<ValidatorKey, ValidatorKey>()
  for (const peer of state.get(peerList, SINGLETON_KEY) ?? []) {
    if (state.get(peers, peer)?.role !== 'validator') continue
    const key = keyOfPeer(state, peer, height)
    if (key === undefined) continue
    keys.push(key)
    if (key !== peer) rotated.set(key, peer)
  }
  return { roster: sortRoster(keys), rotated }
}

/** Roster of a height; undefined if it is not stored. */
export function rosterAt(state: StateReader, height: number): RosterRow | undefined {
  const start = (state.get(rosterStarts, SINGLETON_KEY) ?? []).findLast((one) => one <= height)
  return start === undefined ? undefined : state.get(rosters, start)
}

/** Registered key of the peer that a consensus key belongs to. */
export const peerOfKey = (row: Pick<RosterRow, 'rotated'>, key: ValidatorKey): ValidatorKey =>
  row.rotated.get(key) ?? key

/** Registered validators as one open epoch. */
function registeredRoster(state: StateReader, height: number): RosterRow {
  const seed = state.get(chainInfo, SINGLETON_KEY)?.genesisSeed
  if (seed === undefined) throw new Error('the state has no genesis')
  return { epoch: 0, seed, ...rosterFor(state, height) }
}

/** Fix the roster of a height from the current state; a row is written only on a change. */
export function fixRoster(state: StateWriter, height: number, source?: RosterSource): void {
  const next = source?.(state, height) ?? registeredRoster(state, height)
  const before = rosterAt(state, height)
  if (before !== undefined && sameRoster(before, next)) return
  state.set(rosters, height, next)
  state.set(rosterStarts, SINGLETON_KEY, [...(state.get(rosterStarts, SINGLETON_KEY) ?? []), height])
}

const sameRoster = (a: RosterRow, b: RosterRow): boolean =>
  a.epoch === b.epoch &&
  Buffer.compare(a.seed, b.seed) === 0 &&
  a.roster.length === b.roster.length &&
  a.roster.every((key, place) => key === b.roster[place] && peerOfKey(a, key) === peerOfKey(b, key))

/** Remove rosters whose last height is at or below `height`. */
export function dropRosters(state: StateWriter, height: number): void {
  const starts = state.get(rosterStarts, SINGLETON_KEY) ?? []
  let dropped = 0
  for (const [place, start] of starts.slice(0, ROSTER_DROPS_PER_BLOCK).entries()) {
    const isOver = (starts[place + 1] ?? Number.POSITIVE_INFINITY) <= height + 1
    // More changes than are stored: evidence of the oldest heights can no longer be validated.
    const isBeyond = starts.length - place > ROSTER_STARTS_MAX - 2
    if (!isOver && !isBeyond) break
    state.delete(rosters, start)
    dropped += 1
  }
  if (dropped > 0) state.set(rosterStarts, SINGLETON_KEY, starts.slice(dropped))
}
