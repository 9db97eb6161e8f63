/**
 * Owns the lists of candidates and of voters: dense pages, so that an election reads all of them with few rows. Pages of
 * voters that change after a snapshot are kept as they were until its exposures are written.
 */

import type { Numeric } from '../../../codec/index.js'
import { parameterOf } from '../../../executor/parameters.js'
import type { AccountId, ParameterDef } from '../../../model/index.js'
import type { StateReader, StateWriter, TableDef } from '../../../state/index.js'
import { MAX_CANDIDATES, MAX_VOTERS } from '../schema/parameters.js'
import { PAGE_ENTRIES } from '../schema/records.js'
import { heldUnits } from './pool.js'
import {
  type CandidateEntry,
  calendars,
  candidatePages,
  ONLY,
  type Pool,
  pools,
  snapshotVoters,
  stakes,
  type VoterEntry,
  voterPages,
} from './tables.js'

interface Listing<E> {
  readonly pages: TableDef<number, readonly E[]>
  readonly count: 'candidates' | 'voters'
  readonly max: ParameterDef<number>
}
const CANDIDATES: Listing<CandidateEntry> = { pages: candidatePages, count: 'candidates', max: MAX_CANDIDATES }
const VOTERS: Listing<VoterEntry> = { pages: voterPages, count: 'voters', max: MAX_VOTERS }

const pageOf = (slot: number): number => Math.floor(slot / PAGE_ENTRIES)

/** Writes a page; one that a snapshot needs is kept as it was. */
function setPage<E>(state: StateWriter, { pages, count }: Listing<E>, page: number, entries: readonly E[]): void {
  if (count === 'voters') {
    const snapshot = state.get(calendars, ONLY)?.snapshot
    const isNeeded = snapshot !== undefined && !snapshot.isWritten && page < snapshot.voterPages
    if (isNeeded && !state.has(snapshotVoters, page)) state.set(snapshotVoters, page, state.get(voterPages, page) ?? [])
  }
  if (entries.length === 0) state.delete(pages, page)
  else state.set(pages, page, entries)
}

const poolRow = (state: StateReader): Pool => {
  const pool = state.get(pools, ONLY)
  if (pool === undefined) throw new Error('a list without anything staked')
  return pool
}

function setSlot(state: StateWriter, account: AccountId, slot: number | undefined): void {
  const row = state.get(stakes, account)
  if (row !== undefined) state.set(stakes, account, { ...row, slot })
}

interface Entry {
  readonly account: AccountId
  readonly bonded: Numeric
}

/** All entries of a list, in the order of their places. */
function* entriesOf<E>(state: StateReader, { pages, count }: Listing<E>): Generator<readonly [slot: number, entry: E]> {
  const size = state.get(pools, ONLY)?.[count] ?? 0
  for (let page = 0; page * PAGE_ENTRIES < size; page += 1) {
    for (const [place, entry] of (state.get(pages, page) ?? []).entries()) yield [page * PAGE_ENTRIES + place, entry]
  }
}

/**
 * Adds to the end, or in the place of the smallest where the list is full and that is smaller; undefined: no room. Gives who
 * was displaced.
 */
function addEntry<E extends Entry>(
  state: StateWriter,
  listing: Listing<E>,
  entry: E,
): { readonly displaced: E | undefined } | undefined {
  const pool = poolRow(state)
  const size = pool[listing.count]
  if (size < parameterOf(state, listing.max)) {
    const page = pageOf(size)
    setPage(state, listing, page, [...(state.get(listing.pages, page) ?? []), entry])
    state.set(pools, ONLY, { ...pool, [listing.count]: size + 1 })
    setSlot(state, entry.account, size)
    return { displaced: undefined }
  }
  let smallest: readonly [slot: number, entry: E] | undefined
  for (const one of entriesOf(state, listing)) {
    if (smallest === undefined || heldUnits(one[1].bonded, pool) <= heldUnits(smallest[1].bonded, pool)) smallest = one
  }
  if (smallest === undefined || heldUnits(entry.bonded, pool) <= heldUnits(smallest[1].bonded, pool)) {
    return undefined
  }
  setSlot(state, smallest[1].account, undefined)
  putEntry(state, listing, smallest[0], entry)
  setSlot(state, entry.account, smallest[0])
  return { displaced: smallest[1] }
}

function putEntry<E>(state: StateWriter, listing: Listing<E>, slot: number, entry: E): void {
  const entries = [...(state.get(listing.pages, pageOf(slot)) ?? [])]
  entries[slot % PAGE_ENTRIES] = entry
  setPage(state, listing, pageOf(slot), entries)
}

/** Removes an entry; the last one takes its place. */
function removeEntry<E extends Entry>(state: StateWriter, listing: Listing<E>, account: AccountId): void {
  const slot = state.get(stakes, account)?.slot
  if (slot === undefined) return
  const pool = poolRow(state)
  const lastSlot = pool[listing.count] - 1
  const lastPage = state.get(listing.pages, pageOf(lastSlot)) ?? []
  const last = lastPage.at(-1)
  if (last === undefined) throw new Error('a list is shorter than its count')
  setPage(state, listing, pageOf(lastSlot), lastPage.slice(0, -1))
  if (slot !== lastSlot) {
    putEntry(state, listing, slot, last)
    setSlot(state, last.account, slot)
  }
  state.set(pools, ONLY, { ...pool, [listing.count]: lastSlot })
  setSlot(state, account, undefined)
}

export const listCandidate = (state: StateWriter, entry: CandidateEntry): boolean =>
  addEntry(state, CANDIDATES, entry) !== undefined
export const listVoter = (state: StateWriter, entry: VoterEntry) => addEntry(state, VOTERS, entry)
export const unlistCandidate = (state: StateWriter, account: AccountId): void => removeEntry(state, CANDIDATES, account)
export const unlistVoter = (state: StateWriter, account: AccountId): void => removeEntry(state, VOTERS, account)
export const listedCandidates = (state: StateReader) => entriesOf(state, CANDIDATES)
export const listedVoters = (state: StateReader) => entriesOf(state, VOTERS)

/** The entry of a listed voter. */
export const voterAt = (state: StateReader, slot: number): VoterEntry | undefined =>
  state.get(voterPages, pageOf(slot))?.[slot % PAGE_ENTRIES]

/** Writes the bond of a listed account. */
export function setListedBond(
  state: StateWriter,
  role: 'validator' | 'nominator',
  slot: number,
  bonded: Numeric,
): void {
  if (role === 'validator') {
    const entry = state.get(candidatePages, pageOf(slot))?.[slot % PAGE_ENTRIES]
    if (entry !== undefined) putEntry(state, CANDIDATES, slot, { ...entry, bonded })
  } else {
    const entry = voterAt(state, slot)
    if (entry !== undefined) putEntry(state, VOTERS, slot, { ...entry, bonded })
  }
}
export const setListedTargets = (state: StateWriter, slot: number, targets: readonly AccountId[]): void => {
  const entry = voterAt(state, slot)
  if (entry !== undefined) putEntry(state, VOTERS, slot, { ...entry, targets })
}
