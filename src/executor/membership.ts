/** Owns the registered peers and the schedule of committees that follows from them (design/consensus.md 1 and 2). */
import { demotedAt, proposerOrder, selectCommittee, sortRoster } from '../consensus/index.js'
import {
  assertInvariant,
  type BlockHeader,
  type Peer,
  type QuorumCertificate,
  type ValidatorKey,
} from '../model/index.js'
import type { StateReader, StateWriter } from '../state/index.js'
import { failures, ONLY, peerList, peers, type ScheduleRow, schedule } from './tables.js'

/** All registered peers, in the order of their registration. */
export function registeredPeers(state: StateReader): Peer[] {
  return (state.get(peerList, ONLY) ?? []).map((key) => {
    const found = state.get(peers, key)
    if (found === undefined) throw new Error('a listed peer has no record')
    return found
  })
}

/** Adds a peer record and lists it. */
export function addPeer(state: StateWriter, added: Peer): void {
  assertInvariant(state.get(peers, added.key) === undefined, 'a peer is registered once')
  state.set(peers, added.key, added)
  state.set(peerList, ONLY, [...(state.get(peerList, ONLY) ?? []), added.key])
}

/** Roster in the given state: the registered validators by key bytes. */
export const rosterOf = (state: StateReader): ValidatorKey[] =>
  sortRoster(
    registeredPeers(state)
      .filter((one) => one.role === 'validator')
      .map((one) => one.key),
  )

/** Schedule of a height, which must be known. */
export function scheduleOf(state: StateReader, height: number): ScheduleRow {
  const row = state.get(schedule, height)
  if (row === undefined) throw new Error(`no schedule for height ${height} in the state`)
  return row
}

/** Writes the schedule of `height` from the state as it is now. */
export function scheduleHeight(state: StateWriter, height: number, seed: Uint8Array): void {
  const roster = rosterOf(state)
  const demoted = demotedAt(roster, state.get(failures, ONLY) ?? new Map(), height)
  state.set(schedule, height, { epoch: 0, seed, roster, demoted })
}

/** Committee and proposer order of a scheduled height. */
export function committeeAt(row: ScheduleRow, chainHash: Uint8Array, height: number) {
  const committee = selectCommittee(row.roster, chainHash, row.seed, height)
  return { committee, order: proposerOrder(committee, row.demoted) }
}

/** Notes the members that let a view fail: of the parent by its embedded certificate, of this height by its origin view. */
export function recordFailures(
  state: StateWriter,
  header: Pick<BlockHeader, 'height' | 'originView'>,
  parentCertificate: QuorumCertificate | undefined,
  chainHash: Uint8Array,
): void {
  const noted = new Map(state.get(failures, ONLY) ?? [])
  let changed = false
  const note = (height: number, failedViews: number): void => {
    if (failedViews === 0) return
    const { order } = committeeAt(scheduleOf(state, height), chainHash, height)
    for (const key of order.slice(0, failedViews)) {
      if (noted.get(key) === height) continue
      noted.set(key, height)
      changed = true
    }
  }
  if (parentCertificate !== undefined) note(header.height - 1, parentCertificate.view)
  note(header.height, header.originView)
  if (changed) state.set(failures, ONLY, noted)
}

/** End of a block: the schedule two heights on, and the one that nothing reads any more is dropped. */
export function advanceSchedule(state: StateWriter, height: number): void {
  const { seed } = scheduleOf(state, height)
  scheduleHeight(state, height + 2, seed)
  if (state.get(schedule, height - 1) !== undefined) state.delete(schedule, height - 1)
}
