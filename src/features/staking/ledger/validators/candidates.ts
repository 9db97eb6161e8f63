/**
 * Owns the list of candidates, and the rule that a validator is a peer while it is one: from its listing until it is
 * displaced, chilled or removed, and then until no seat and no election depends on it. A peer that votes without a
 * stake stays one.
 */

import { type Rejection, reject } from '../../../../executor/contract.js'
import {
  addPeer,
  hasNetworkKey,
  hasPeerRoom,
  peerRoom,
  readmitPeer,
  withdrawPeer,
} from '../../../../executor/membership.js'
import { parameterOf } from '../../../../executor/parameters.js'
import { consensusKeys, PEERS_MAX, peerKeys, peerList, peers, SINGLETON_KEY } from '../../../../executor/tables.js'
import type { AccountId, Peer, ValidatorKey } from '../../../../model/index.js'
import type { StateReader, StateWriter } from '../../../../state/index.js'
import { MAX_VALIDATORS, MIN_PEER_BOND } from '../../schema/parameters.js'
import type { Validator } from '../../schema/records.js'
import { snapshotCandidates } from '../elections/tables.js'
import { calendars } from '../epochs/tables.js'
import { heldUnits, knownPool, parameterUnits } from '../stake/pool.js'
import { stakes } from '../stake/tables.js'
import { ONLY } from '../table.js'
import { hasCandidatePlace, listCandidate, unlistCandidate } from './lists.js'
import { hasSeat, isElected, isInSnapshot } from './removal.js'
import { type CandidateEntry, peerValidators, validators } from './tables.js'

const NO_ROOM = `at most ${PEERS_MAX} peers are registered`

/**
 * True for the peer of a registered validator, which votes without a stake and remains a peer regardless of its stake.
 */
const isPermissioned = (state: StateReader, peer: ValidatorKey): boolean => state.get(peers, peer)?.role === 'validator'

/** Minimum bond of a validator that is a peer, in units of the stake. */
function peerFloor(state: StateReader): bigint {
  const pool = knownPool(state)
  return pool === undefined ? 0n : parameterUnits(parameterOf(state, MIN_PEER_BOND), pool)
}

/** True for a bond below the minimum that a peer requires. */
export function isBelowPeerFloor(state: StateReader, { peer }: Pick<Validator, 'peer'>, units: bigint): boolean {
  return !isPermissioned(state, peer) && units < peerFloor(state)
}

/**
 * True while a candidate can be added without removing another. Slots are reserved for members of two epochs: a
 * displaced one keeps its slot until its seat ends, so that a larger bond never waits for it.
 */
const mayGrow = (state: StateReader): boolean => peerRoom(state) > 2 * parameterOf(state, MAX_VALIDATORS)

/** List a validator; `admit` makes it a peer if it is not one. Changes nothing if it cannot be listed. */
function enlist(
  state: StateWriter,
  entry: CandidateEntry,
  row: Pick<Validator, 'peer'>,
  admit: () => void,
): Rejection | undefined {
  const pool = knownPool(state)
  if (pool === undefined) throw new Error('a candidate without anything staked')
  if (isBelowPeerFloor(state, row, heldUnits(entry.bonded, pool))) {
    return reject(
      'stake_too_small',
      'a validator whose node is not a registered validator must bond min_peer_bond first',
    )
  }
  const isPeer = state.has(peers, row.peer)
  const grows = isPeer || mayGrow(state)
  if (!hasCandidatePlace(state, entry, grows)) {
    return reject('stake_too_small', 'the list of candidates is full of larger stakes')
  }
  if (!isPeer && !makeRoom(state)) return reject('membership_cap', NO_ROOM)
  const displaced = listCandidate(state, entry, grows)
  if (displaced !== undefined) releasePeer(state, displaced.account)
  if (!isPeer) admit()
  return undefined
}

/** List a new validator, with an existing or new peer. */
export function enlistNew(
  state: StateWriter,
  entry: CandidateEntry,
  peer: Peer,
  { height, activeFrom }: { readonly height: number; readonly activeFrom: number },
): Rejection | undefined {
  return enlist(state, entry, { peer: peer.key }, () => addPeer(state, peer, height, activeFrom))
}

/** List a validator again, and restore its withdrawn peer. */
export function enlistAgain(state: StateWriter, entry: CandidateEntry): Rejection | undefined {
  const row = state.get(validators, entry.account)
  if (row === undefined) throw new Error('a candidate without a record')
  if (!state.has(peers, row.peer)) {
    if ((state.get(peerKeys, row.peer) ?? []).length === 0) {
      return reject('absent', 'the peer of the validator was removed: unbond all, and register with keys of a new node')
    }
    if (hasNetworkKey(state, row.networkKey)) return reject('exists', 'the network key belongs to another peer')
  }
  return enlist(state, entry, row, () => readmitPeer(state, peerOf(state, row)))
}

/** Record of the former peer of a validator. */
const peerOf = (state: StateReader, row: Validator): Peer => ({
  key: row.peer,
  // Proof of the key that names the peer; the validator has the proof of the active key.
  pop: state.get(consensusKeys, row.peer)?.pop ?? row.pop,
  networkKey: row.networkKey,
  addresses: row.addresses,
  role: 'observer',
})

/** Remove a validator from the list; its peer is withdrawn once it is no longer needed. */
export function delist(state: StateWriter, account: AccountId): void {
  unlistCandidate(state, account)
  releasePeer(state, account)
}

/** Withdraw the peer of a validator that is not a candidate, has no seat and is in no election. */
function releasePeer(state: StateWriter, account: AccountId): void {
  const row = state.get(validators, account)
  if (row === undefined || !state.has(peers, row.peer) || isPermissioned(state, row.peer)) return
  const isListed = state.get(stakes, account)?.slot !== undefined
  if (isListed || hasSeat(state, account) || isInSnapshot(state, account)) return
  withdrawPeer(state, row.peer)
}

/**
 * Withdraw the peers that are no longer needed when an epoch begins or an election is cancelled; candidates below the
 * minimum leave the list.
 */
export function releasePeers(state: StateWriter): void {
  const pool = knownPool(state)
  if (pool === undefined) return
  for (const peer of state.get(peerList, SINGLETON_KEY) ?? []) {
    const account = state.get(peerValidators, peer)
    const stake = account === undefined ? undefined : state.get(stakes, account)
    if (account === undefined || stake === undefined) continue
    const isTooSmall = stake.slot !== undefined && isBelowPeerFloor(state, { peer }, heldUnits(stake.bonded, pool))
    if (isTooSmall) unlistCandidate(state, account)
    releasePeer(state, account)
  }
}

/**
 * Free a slot for a peer: if no slot is free, withdraw the peer of the validator with the smallest bond that is neither
 * a candidate nor elected.
 */
function makeRoom(state: StateWriter): boolean {
  if (hasPeerRoom(state)) return true
  const pool = knownPool(state)
  const pages = state.get(calendars, ONLY)?.snapshot?.candidatePages ?? 0
  let smallest: { readonly peer: ValidatorKey; readonly units: bigint } | undefined
  for (let page = 0; page < pages; page += 1) {
    for (const { account, peer } of state.get(snapshotCandidates, page) ?? []) {
      const stake = state.get(stakes, account)
      if (pool === undefined || stake === undefined || stake.slot !== undefined) continue
      if (state.get(peerValidators, peer) !== account || !state.has(peers, peer) || isPermissioned(state, peer))
        continue
      const units = heldUnits(stake.bonded, pool)
      if (smallest !== undefined && smallest.units <= units) continue
      if (!hasSeat(state, account) && !isElected(state, account)) smallest = { peer, units }
    }
  }
  if (smallest === undefined) return false
  withdrawPeer(state, smallest.peer)
  return true
}
