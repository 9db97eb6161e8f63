/**
 * Owns the snapshot of an election: candidates with their keys and bonds; voters stay in their lists, and changed pages
 * are copied.
 */

import { accounts } from '../../../../executor/accounts.js'
import { keyOfPeer } from '../../../../executor/consensus-keys.js'
import { parameterOf } from '../../../../executor/parameters.js'
import { MEMBERSHIP_SEEN_WINDOW } from '../../../../executor/system-parameters.js'
import { consensusKeys, lastSigned, peers, SINGLETON_KEY } from '../../../../executor/tables.js'
import type { AccountId, ValidatorKey } from '../../../../model/index.js'
import type { StateReader, StateWriter } from '../../../../state/index.js'
import {
  MAX_ENTITY_BPS,
  MAX_NOMINATOR_BPS,
  MAX_VALIDATORS,
  MIN_SECURITY_BPS,
  MIN_SELF_BOND,
  MIN_VALIDATORS,
} from '../../schema/parameters.js'
import { PAGE_ENTRIES, type RefusalReason, type Validator } from '../../schema/records.js'
import { seatsOf, windowsOf } from '../epochs/calendar.js'
import { type Calendar, uptimes } from '../epochs/tables.js'
import { heldUnits, knownPool, parameterUnits } from '../stake/pool.js'
import type { Pool } from '../stake/tables.js'
import { ONLY } from '../table.js'
import { listedCandidates } from '../validators/lists.js'
import { type CandidateEntry, type VoterEntry, validators, voterPages } from '../validators/tables.js'
import { type Snapshot, type SnapshotCandidate, snapshotCandidates, snapshotVoters } from './tables.js'

/** Accounts and peers that proved to be in sync. */
export type InSync = (account: AccountId, row: Validator) => boolean

/** True for an action at this height or later; an absent action counts as older. */
const isSince = (done: number | undefined, height: number): boolean => done !== undefined && done >= height

/**
 * Predicate for members seen in the previous or current slot, and validators that attested a root in this epoch. The
 * open epoch of registered validators may last for years, so in it both count only within the window in which a
 * signature counts as recent.
 */
export function inSyncOf(state: StateReader, calendar: Calendar, height: number): InSync {
  if (!calendar.isElected) {
    const signed = state.get(lastSigned, SINGLETON_KEY) ?? new Map<ValidatorKey, number>()
    const since = height - parameterOf(state, MEMBERSHIP_SEEN_WINDOW)
    return (_, { peer, readyHeight }) => isSince(readyHeight, since) || isSince(signed.get(peer), since)
  }
  const uptime = state.get(uptimes, ONLY)
  const seen = new Set(
    seatsOf(state, calendar).flatMap(({ validator }, seat) => {
      const one = uptime?.seats[seat]
      return one?.isSeen === true || one?.wasSeen === true ? [validator] : []
    }),
  )
  return (account, { readyHeight }) => isSince(readyHeight, calendar.start) || seen.has(account)
}

/**
 * Pending key of the next epoch; undefined if it was disabled or its peer left, after which it cannot become active.
 */
export function waitingKeyOf(state: StateReader, { peer, nextKey }: Validator): Validator['nextKey'] {
  if (nextKey === undefined || !state.has(peers, peer)) return undefined
  return state.get(consensusKeys, nextKey.key)?.disabledFrom === undefined ? nextKey : undefined
}

/** Key with which a validator would vote: the pending key, otherwise the active one. */
const keyFor = (state: StateReader, row: Validator, height: number): ValidatorKey | undefined =>
  waitingKeyOf(state, row)?.key ?? keyOfPeer(state, row.peer, height)

function domainOf(state: StateReader, account: AccountId): string {
  const domain = state.get(accounts, account)?.domain
  if (domain === undefined) throw new Error('a candidate without an account')
  return domain
}

function candidateOf(
  state: StateReader,
  { account, bonded }: CandidateEntry,
  row: Validator,
  { isInSync, height, pool }: { readonly isInSync: InSync; readonly height: number; readonly pool: Pool },
): SnapshotCandidate {
  const key = keyFor(state, row, height)
  const refusals: readonly (readonly [RefusalReason, boolean])[] = [
    ['jailed', row.status.kind === 'jailed'],
    ['tooSmall', heldUnits(bonded, pool) < parameterUnits(parameterOf(state, MIN_SELF_BOND), pool)],
    ['keyDisabled', key === undefined],
    ['notInSync', !isInSync(account, row)],
  ]
  return {
    account,
    bonded,
    registeredHeight: row.registeredHeight,
    domain: domainOf(state, account),
    entity: row.entity,
    key: key ?? row.key,
    peer: row.peer,
    commissionBps: row.commissionBps,
    refused: refusals.find(([, applies]) => applies)?.[0],
  }
}

/** Candidates in the current state. */
export function candidatesNow(state: StateReader, height: number, isInSync: InSync): SnapshotCandidate[] {
  const pool = knownPool(state)
  if (pool === undefined) return []
  return [...listedCandidates(state)].flatMap(([, entry]) => {
    const row = state.get(validators, entry.account)
    return row === undefined ? [] : [candidateOf(state, entry, row, { isInSync, height, pool })]
  })
}

/** Election parameters in the current state. */
export const rulesNow = (state: StateReader): Snapshot['rules'] => ({
  maxValidators: parameterOf(state, MAX_VALIDATORS),
  minValidators: parameterOf(state, MIN_VALIDATORS),
  minSecurityBps: parameterOf(state, MIN_SECURITY_BPS),
  maxNominatorBps: parameterOf(state, MAX_NOMINATOR_BPS),
  maxEntityBps: parameterOf(state, MAX_ENTITY_BPS),
})

/** Create the snapshot; later changes do not affect the election. */
export function takeSnapshot(state: StateWriter, height: number, isInSync: InSync): Snapshot {
  const candidates = candidatesNow(state, height, isInSync)
  const pages = Math.ceil(candidates.length / PAGE_ENTRIES)
  for (let page = 0; page < pages; page += 1) {
    state.set(snapshotCandidates, page, candidates.slice(page * PAGE_ENTRIES, (page + 1) * PAGE_ENTRIES))
  }
  return {
    height,
    candidatePages: pages,
    voterPages: Math.ceil((knownPool(state)?.voters ?? 0) / PAGE_ENTRIES),
    rules: rulesNow(state),
    windows: windowsOf(state),
    isDecided: false,
    isKept: false,
    seatsWritten: 0,
    pagesWritten: 0,
    isWritten: false,
  }
}

/** Candidates of a snapshot, in the order of their list. */
export function snapshotCandidatesOf(state: StateReader, { candidatePages: pages }: Snapshot): SnapshotCandidate[] {
  return Array.from({ length: pages }, (_, page) => state.get(snapshotCandidates, page) ?? []).flat()
}

/** Voters of a snapshot; for pages that changed later, their earlier content. */
export function snapshotVotersOf(state: StateReader, { voterPages: pages }: Snapshot): VoterEntry[] {
  return Array.from(
    { length: pages },
    (_, page) => state.get(snapshotVoters, page) ?? state.get(voterPages, page) ?? [],
  ).flat()
}

/** Remove the pages of voters that were kept for the election. */
export function dropVoterCopies(state: StateWriter, { voterPages: pages }: Snapshot): void {
  for (let page = 0; page < pages; page += 1) {
    if (state.has(snapshotVoters, page)) state.delete(snapshotVoters, page)
  }
}
export function dropCandidateCopies(state: StateWriter, { candidatePages: pages }: Snapshot): void {
  for (let page = 0; page < pages; page += 1) state.delete(snapshotCandidates, page)
}
