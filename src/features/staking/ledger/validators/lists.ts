/**
 * Owns the lists of candidates and of voters: dense pages, so that an election reads all of them with few rows. Pages
 * of voters that change after a snapshot are kept unchanged until its exposures are written. The smallest bond of each
 * page is stored beside the list, so that an application for a full one reads only the page of the displaced entry.
 */

import type { Numeric } from '../../../../codec/index.js'
import { parameterOf } from '../../../../executor/parameters.js'
import type { AccountId, ParameterDef } from '../../../../model/index.js'
import type { StateReader, StateWriter, TableDef } from '../../../../state/index.js'
import { MAX_CANDIDATES, MAX_VOTERS } from '../../schema/parameters.js'
import { PAGE_ENTRIES } from '../../schema/records.js'
import { snapshotVoters } from '../elections/tables.js'
import { calendars } from '../epochs/tables.js'
import { heldUnits } from '../stake/pool.js'
import { type Pool, pools, stakes } from '../stake/tables.js'
import { ONLY } from '../table.js'
import {
  type CandidateEntry,
  candidatePages,
  type ListFloor,
  listFloors,
  type VoterEntry,
  voterPages,
} from './tables.js'

interface Entry {
  readonly account: AccountId
  readonly bonded: Numeric
}

interface Listing<E> {
  readonly pages: TableDef<number, readonly E[]>
  readonly count: 'candidates' | 'voters'
  readonly max: ParameterDef<number>
}
const CANDIDATES: Listing<CandidateEntry> = { pages: candidatePages, count: 'candidates', max: MAX_CANDIDATES }
const VOTERS: Listing<VoterEntry> = { pages: voterPages, count: 'voters', max: MAX_VOTERS }

const pageOf = (slot: number): number => Math.floor(slot / PAGE_ENTRIES)

/** Write a page; a page that a snapshot needs is copied first. */
function setPage<E extends Entry>(
  state: StateWriter,
  { pages, count }: Listing<E>,
  page: number,
  entries: readonly E[],
): void {
  if (count === 'voters') {
    const snapshot = state.get(calendars, ONLY)?.snapshot
    const isNeeded = snapshot !== undefined && !snapshot.isWritten && page < snapshot.voterPages
    if (isNeeded && !state.has(snapshotVoters, page)) state.set(snapshotVoters, page, state.get(voterPages, page) ?? [])
  }
  if (entries.length === 0) state.delete(pages, page)
  else state.set(pages, page, entries)
  setFloor(state, count, page, entries)
}

/** Smallest entry of a page, the last one of equals; undefined if the page is empty. */
function floorOf(entries: readonly Entry[], pool: Pool): ListFloor | undefined {
  let floor: ListFloor | undefined
  for (const [place, { bonded }] of entries.entries()) {
    if (floor === undefined || heldUnits(bonded, pool) <= heldUnits(floor.bonded, pool)) floor = { bonded, place }
  }
  return floor
}

/** Store the smallest bond of a page; pages are dense, so that only the last one can be empty. */
function setFloor(state: StateWriter, list: Listing<Entry>['count'], page: number, entries: readonly Entry[]): void {
  const pool = poolRow(state)
  const floors = state.get(listFloors, list) ?? []
  const before = floors[page]
  const next = floorOf(entries, pool)
  if (next === undefined) return state.set(listFloors, list, floors.slice(0, page))
  const isSame = before?.place === next.place && heldUnits(before.bonded, pool) === heldUnits(next.bonded, pool)
  if (!isSame) state.set(listFloors, list, [...floors.slice(0, page), next, ...floors.slice(page + 1)])
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

/** All entries of a list, in slot order. */
function* entriesOf<E>(state: StateReader, { pages, count }: Listing<E>): Generator<readonly [slot: number, entry: E]> {
  const size = state.get(pools, ONLY)?.[count] ?? 0
  for (let page = 0; page * PAGE_ENTRIES < size; page += 1) {
    for (const [place, entry] of (state.get(pages, page) ?? []).entries()) yield [page * PAGE_ENTRIES + place, entry]
  }
}

/**
 * Append an entry, or replace the smallest one of a full list if that is smaller; undefined if neither is possible.
 * Returns the displaced entry.
 */
function addEntry<E extends Entry>(
  state: StateWriter,
  listing: Listing<E>,
  entry: E,
  mayGrow = true,
): { readonly displaced: E | undefined } | undefined {
  const pool = poolRow(state)
  const size = pool[listing.count]
  if (mayGrow && size < parameterOf(state, listing.max)) {
    const page = pageOf(size)
    setPage(state, listing, page, [...(state.get(listing.pages, page) ?? []), entry])
    state.set(pools, ONLY, { ...pool, [listing.count]: size + 1 })
    setSlot(state, entry.account, size)
    return { displaced: undefined }
  }
  const slot = smallestSlot(state, listing.count, heldUnits(entry.bonded, pool))
  const displaced = slot === undefined ? undefined : state.get(listing.pages, pageOf(slot))?.[slot % PAGE_ENTRIES]
  if (slot === undefined || displaced === undefined) return undefined
  setSlot(state, displaced.account, undefined)
  putEntry(state, listing, slot, entry)
  setSlot(state, entry.account, slot)
  return { displaced }
}

/** Slot of the smallest entry of a list, the last one of equals; undefined if none is below the given units. */
function smallestSlot(state: StateReader, list: Listing<Entry>['count'], units: bigint): number | undefined {
  const pool = poolRow(state)
  let least = units
  let slot: number | undefined
  for (const [page, { bonded, place }] of (state.get(listFloors, list) ?? []).entries()) {
    const held = heldUnits(bonded, pool)
    if (held > least || (slot === undefined && held === least)) continue
    least = held
    slot = page * PAGE_ENTRIES + place
  }
  return slot
}

function putEntry<E extends Entry>(state: StateWriter, listing: Listing<E>, slot: number, entry: E): void {
  const entries = [...(state.get(listing.pages, pageOf(slot)) ?? [])]
  entries[slot % PAGE_ENTRIES] = entry
  setPage(state, listing, pageOf(slot), entries)
}

/** Remove an entry; the last entry of the list moves into its slot. */
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

/** True if a candidate can be listed: at the end of a list that is not full, or in place of a smaller candidate. */
export function hasCandidatePlace(state: StateReader, { bonded }: CandidateEntry, mayGrow: boolean): boolean {
  const pool = poolRow(state)
  if (mayGrow && pool.candidates < parameterOf(state, CANDIDATES.max)) return true
  return smallestSlot(state, CANDIDATES.count, heldUnits(bonded, pool)) !== undefined
}

/** List a candidate, which must fit; returns the displaced one. */
export function listCandidate(state: StateWriter, entry: CandidateEntry, mayGrow: boolean): CandidateEntry | undefined {
  const added = addEntry(state, CANDIDATES, entry, mayGrow)
  if (added === undefined) throw new Error('a candidate is listed without a place')
  return added.displaced
}
export const listVoter = (state: StateWriter, entry: VoterEntry) => addEntry(state, VOTERS, entry)
export const unlistCandidate = (state: StateWriter, account: AccountId): void => removeEntry(state, CANDIDATES, account)
export const unlistVoter = (state: StateWriter, account: AccountId): void => removeEntry(state, VOTERS, account)
export const listedCandidates = (state: StateReader) => entriesOf(state, CANDIDATES)
export const listedVoters = (state: StateReader) => entriesOf(state, VOTERS)

/** Entry of a listed voter. */
export const voterAt = (state: StateReader, slot: number): VoterEntry | undefined =>
  state.get(voterPages, pageOf(slot))?.[slot % PAGE_ENTRIES]

/** Write the bond of a listed account. */
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
export function setListedTargets(
  state: StateWriter,
  slot: number,
  nomination: Pick<VoterEntry, 'targets' | 'nominatedHeight'>,
): void {
  const entry = voterAt(state, slot)
  if (entry !== undefined) putEntry(state, VOTERS, slot, { ...entry, ...nomination })
}
