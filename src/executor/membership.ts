/** Owns the registered peers and the resulting schedule of committees (docs/design/consensus.md 1 and 2). */
import {
  DEMOTION_HEIGHTS,
  demotedAt,
  faultBudget,
  type ParentRecord,
  proposerOrder,
  quorumOf,
  selectCommittee,
  setPositions,
} from '../consensus/index.js'
import {
  assertInvariant,
  type BlockHeader,
  type Peer,
  type QuorumCertificate,
  ROSTER_MAX,
  type ValidatorKey,
} from '../model/index.js'
import type { StateReader, StateWriter } from '../state/index.js'
import { addKey, disableKey } from './consensus-keys.js'
import type { RosterSource } from './election.js'
import { parameterOf } from './parameters.js'
import { dropRosters, fixRoster, peerOfKey, rosterAt, rosterFor } from './rosters.js'
import { EVIDENCE_HORIZON_BLOCKS, MEMBERSHIP_SEEN_WINDOW } from './system-parameters.js'
import {
  failures,
  lastSigned,
  membership,
  PEERS_MAX,
  peerKeys,
  peerList,
  peers,
  type RosterRow,
  type ScheduleRow,
  SINGLETON_KEY,
  schedule,
} from './tables.js'

/** Number of times that the record of a signer is renewed within the membership window. */
export const SEEN_RENEWALS_PER_WINDOW = 8

/** All registered peers, in order of registration. */
export function registeredPeers(state: StateReader): Peer[] {
  return (state.get(peerList, SINGLETON_KEY) ?? []).map((key) => {
    const found = state.get(peers, key)
    if (found === undefined) throw new Error('a listed peer has no record')
    return found
  })
}

/** True if a peer has this network key: keys must be unique, since links identify peers by them. */
export const hasNetworkKey = (state: StateReader, networkKey: Peer['networkKey']): boolean =>
  registeredPeers(state).some((peer) => peer.networkKey === networkKey)

const validatorCount = (state: StateReader): number =>
  (state.get(peerList, SINGLETON_KEY) ?? []).filter((key) => state.get(peers, key)?.role === 'validator').length

/** Number of peers that can still be registered. */
export const peerRoom = (state: StateReader): number => PEERS_MAX - (state.get(peerList, SINGLETON_KEY)?.length ?? 0)

/** True while another peer can be registered. */
export const hasPeerRoom = (state: StateReader): boolean => peerRoom(state) > 0

/** Register a peer, for which there must be room: its record, its list entry, its first consensus key. */
export function addPeer(state: StateWriter, added: Peer, height: number, activeFrom: number): void {
  readmitPeer(state, added)
  addKey(state, { key: added.key, peer: added.key, pop: added.pop }, activeFrom, height)
}

/** Restore the record and the list entry of a withdrawn peer, for which there must be room. */
export function readmitPeer(state: StateWriter, added: Peer): void {
  assertInvariant(state.get(peers, added.key) === undefined, 'a peer is registered once')
  state.set(peers, added.key, added)
  state.set(peerList, SINGLETON_KEY, [...(state.get(peerList, SINGLETON_KEY) ?? []), added.key])
}

/** Remove a peer; its keys are disabled and never used again. */
export function removePeer(state: StateWriter, removed: ValidatorKey, fromHeight: number): void {
  for (const key of state.get(peerKeys, removed) ?? []) disableKey(state, key, fromHeight)
  state.delete(peerKeys, removed)
  withdrawPeer(state, removed)
}

/**
 * Remove a peer from the list, so that it has no links. It keeps its keys, which become active again when it is
 * readmitted.
 */
export function withdrawPeer(state: StateWriter, withdrawn: ValidatorKey): void {
  state.delete(peers, withdrawn)
  state.set(
    peerList,
    SINGLETON_KEY,
    (state.get(peerList, SINGLETON_KEY) ?? []).filter((key) => key !== withdrawn),
  )
  for (const table of [lastSigned, failures]) {
    const noted = new Map(state.get(table, SINGLETON_KEY) ?? [])
    if (noted.delete(withdrawn)) state.set(table, SINGLETON_KEY, noted)
  }
}

/** Roster of a height, and its demoted proposers. */
export type ScheduleView = RosterRow & ScheduleRow

/** Schedule of a height, which must be known. */
export function scheduleOf(state: StateReader, height: number): ScheduleView {
  const row = state.get(schedule, height)
  const roster = rosterAt(state, height)
  if (row === undefined || roster === undefined) throw new Error(`no schedule for height ${height} in the state`)
  return { ...roster, ...row }
}

/** Write the schedule of `height` from the current state. */
export function scheduleHeight(state: StateWriter, height: number, source?: RosterSource): void {
  fixRoster(state, height, source)
  const row = rosterAt(state, height)
  const noted = state.get(failures, SINGLETON_KEY) ?? new Map<ValidatorKey, number>()
  const failed = (row?.roster ?? []).flatMap((key) => {
    const at = row === undefined ? undefined : noted.get(peerOfKey(row, key))
    return at === undefined ? [] : [[key, at] as const]
  })
  state.set(schedule, height, { demoted: demotedAt(row?.roster ?? [], new Map(failed), height) })
}

/** Committee and proposer order of a scheduled height. */
export function committeeAt(
  row: Pick<ScheduleView, 'roster' | 'seed' | 'demoted'>,
  chainHash: Uint8Array,
  height: number,
) {
  const committee = selectCommittee(row.roster, chainHash, row.seed, height)
  return { committee, order: proposerOrder(committee, row.demoted) }
}

/** Inputs for verifying the embedded certificate of a child, from the schedule and header of its parent. */
export function parentRecordOf(
  row: ScheduleView,
  chainHash: Uint8Array,
  { height, originView }: Pick<BlockHeader, 'height' | 'originView'>,
): ParentRecord {
  const { committee } = committeeAt(row, chainHash, height)
  return { originView, committee, domain: { chainHash, committeeHash: committee.hash, epoch: row.epoch, height } }
}

/**
 * Record the members whose view failed: of the parent by its embedded certificate, of this height by its origin view.
 */
export function recordFailures(
  state: StateWriter,
  header: Pick<BlockHeader, 'height' | 'originView'>,
  parentCertificate: QuorumCertificate | undefined,
  chainHash: Uint8Array,
): void {
  const noted = new Map(state.get(failures, SINGLETON_KEY) ?? [])
  let changed = false
  const note = (height: number, failedViews: number): void => {
    if (failedViews === 0) return
    const row = scheduleOf(state, height)
    const { order } = committeeAt(row, chainHash, height)
    for (const key of order.slice(0, failedViews)) {
      const peer = peerOfKey(row, key)
      // A peer that was removed meanwhile never proposes again.
      if (noted.get(peer) === height || state.get(peers, peer) === undefined) continue
      noted.set(peer, height)
      changed = true
    }
  }
  if (parentCertificate !== undefined) note(header.height - 1, parentCertificate.view)
  note(header.height, header.originView)
  if (!changed) return
  // The next schedule is of two heights later: failures that do not demote a peer there never will.
  const mattering = [...noted].filter(([, failedAt]) => failedAt + DEMOTION_HEIGHTS >= header.height + 2)
  state.set(failures, SINGLETON_KEY, new Map(mattering))
}

/** End a block: write the schedule of two heights later, and remove the schedule that is no longer read. */
export function advanceSchedule(state: StateWriter, height: number, source?: RosterSource): void {
  scheduleHeight(state, height + 2, source)
  if (state.get(schedule, height - 1) !== undefined) state.delete(schedule, height - 1)
  dropRosters(state, height - parameterOf(state, EVIDENCE_HORIZON_BLOCKS) - 1)
}

/** Record the signers of the embedded certificate. Rows are renewed rarely, because an unchanged row has no cost. */
export function recordSigners(state: StateWriter, certificate: QuorumCertificate, chainHash: Uint8Array): void {
  const { height, bitmap } = certificate
  const row = scheduleOf(state, height)
  const renewAfter = Math.ceil(parameterOf(state, MEMBERSHIP_SEEN_WINDOW) / SEEN_RENEWALS_PER_WINDOW)
  const before = state.get(lastSigned, SINGLETON_KEY) ?? new Map<ValidatorKey, number>()
  // Usually all records are recent, and the committee need not be drawn.
  if (row.roster.every((key) => (before.get(peerOfKey(row, key)) ?? -renewAfter) + renewAfter > height)) return
  const { committee } = committeeAt(row, chainHash, height)
  const due = setPositions(bitmap)
    .map((position) => peerOfKey(row, committee.keys[position] ?? ''))
    .filter((peer) => state.get(peers, peer) !== undefined && (before.get(peer) ?? -renewAfter) + renewAfter <= height)
  if (due.length > 0)
    state.set(lastSigned, SINGLETON_KEY, new Map([...before, ...due.map((peer) => [peer, height] as const)]))
}

/** Members that changed in this block so far. */
const changesAt = (state: StateReader, height: number): number => {
  const row = state.get(membership, SINGLETON_KEY)
  return row?.height === height ? row.changes : 0
}

/**
 * Reason against a roster change: too many in the block, or too few participating members (docs/design/consensus.md 1).
 */
export type MembershipFault = 'membership_cap' | 'quorum_not_seen' | 'last_validator'

/**
 * True if a quorum of a roster signed recently, according to blocks up to `height`; members that never signed count as
 * absent.
 */
export function isQuorumSeen(state: StateReader, row: Pick<RosterRow, 'roster' | 'rotated'>, height: number): boolean {
  const signed = state.get(lastSigned, SINGLETON_KEY) ?? new Map<ValidatorKey, number>()
  const since = height - parameterOf(state, MEMBERSHIP_SEEN_WINDOW)
  const seen = row.roster.filter((key) => (signed.get(peerOfKey(row, key)) ?? Number.NEGATIVE_INFINITY) >= since)
  return seen.length >= quorumOf(row.roster.length)
}

/**
 * Validate and count a roster change in the block of `height`: at most max(1, f) members per block, and unless forced a
 * quorum of the new roster must have signed recently, because the chain could otherwise stall.
 */
export function changeRoster(
  state: StateWriter,
  height: number,
  change: () => void,
  options: { readonly force: boolean; readonly source?: RosterSource | undefined },
): MembershipFault | undefined {
  const rosterNow = () => options.source?.(state, height + 2) ?? rosterFor(state, height + 2)
  const { roster: before } = rosterNow()
  const changes = changesAt(state, height) + 1
  if (changes > Math.max(1, faultBudget(before.length))) return 'membership_cap'
  change()
  const after = rosterNow()
  if (after.roster.length === 0) return 'last_validator'
  // Includes peers without a key at present: a pending or a new key brings them back without a check.
  if (validatorCount(state) > ROSTER_MAX) return 'membership_cap'
  if (!options.force && !isQuorumSeen(state, after, height)) return 'quorum_not_seen'
  state.set(membership, SINGLETON_KEY, { height, changes })
  return undefined
}
