/** Owns the election of a snapshot: computed once, in idle time if possible, and written page by page. */

import { type Elected, elect } from '../../../../consensus/npos/index.js'
import { GenerationCache, hash } from '../../../../crypto/index.js'
import type { AccountId } from '../../../../model/index.js'
import type { StateReader, StateWriter } from '../../../../state/index.js'
import { type Election, PAGE_ENTRIES, REFUSED_MAX } from '../../schema/records.js'
import { amountOf, heldUnits, knownPool } from '../stake/pool.js'
import type { Pool } from '../stake/tables.js'
import { type VoterEntry, voterPages } from '../validators/tables.js'
import { dropVoterCopies, snapshotCandidatesOf, snapshotVotersOf } from './snapshot.js'
import {
  electionRules,
  elections,
  exposurePages,
  exposures,
  type Snapshot,
  type SnapshotCandidate,
  snapshotCandidates,
} from './tables.js'

/** Number of cached elections, for the node's own block and for blocks of other proposers. */
const CACHED_MAX = 4
/** Maximum pages of exposures written by one block. */
const PAGES_PER_BLOCK = 32

const made = new GenerationCache<{ readonly elected: Elected | undefined }>(CACHED_MAX)

/** Elect among candidates and voters. Pure, so that the result for the same input can be reused. */
export function electAmong(
  pool: Pool,
  candidates: readonly SnapshotCandidate[],
  voters: readonly VoterEntry[],
  rules: Snapshot['rules'],
): Elected | undefined {
  const standing = candidates.filter(({ refused }) => refused === undefined)
  const registered = new Map(standing.map(({ account, registeredHeight }) => [account, registeredHeight]))
  /**
   * True if a target was registered before the nomination. A validator that left and registered again has a new
   * commission, entity and keys.
   */
  const isNamed = (target: AccountId, height: number): boolean =>
    (registered.get(target) ?? Number.POSITIVE_INFINITY) <= height
  return elect(
    standing.map(({ account, bonded, registeredHeight, domain, entity }) => ({
      id: account,
      bonded: heldUnits(bonded, pool),
      registeredHeight,
      // A validator declares its entity itself: in another domain the same name is another entity, whose seats it
      // cannot take.
      entity: entity === undefined ? undefined : `${entity}@${domain}`,
    })),
    voters.map(({ account, bonded, targets, nominatedHeight }) => ({
      id: account,
      bonded: heldUnits(bonded, pool),
      targets: targets.filter((target) => isNamed(target, nominatedHeight)),
    })),
    rules,
  )
}

/** Election of a snapshot. */
export function electionOf(state: StateReader, snapshot: Snapshot): Elected | undefined {
  const pool = knownPool(state)
  if (pool === undefined) return undefined
  const candidates = snapshotCandidatesOf(state, snapshot)
  const voters = snapshotVotersOf(state, snapshot)
  const digest = hash(
    'staking-election',
    Buffer.from([pool.scale]),
    electionRules.encode(snapshot.rules),
    ...chunked(candidates).map((page) => snapshotCandidates.value.encode(page)),
    Buffer.from('voters'),
    ...chunked(voters).map((page) => voterPages.value.encode(page)),
  )
  const id = digest.toString('latin1')
  const known = made.get(id)
  if (known !== undefined) return known.elected
  const elected = electAmong(pool, candidates, voters, snapshot.rules)
  made.set(id, { elected })
  return elected
}

const chunked = <T>(all: readonly T[]): T[][] =>
  Array.from({ length: Math.ceil(all.length / PAGE_ENTRIES) }, (_, page) =>
    all.slice(page * PAGE_ENTRIES, (page + 1) * PAGE_ENTRIES),
  )

/** Reason why the election of a snapshot keeps the current roster. */
export function keptReason(state: StateReader, snapshot: Snapshot): 'tooFewCandidates' | 'tooFewSeats' {
  const standing = snapshotCandidatesOf(state, snapshot).filter(({ refused }) => refused === undefined)
  return standing.length < snapshot.rules.minValidators ? 'tooFewCandidates' : 'tooFewSeats'
}

/** Write the record of an election. */
export function writeElection(
  state: StateWriter,
  snapshot: Snapshot,
  elected: Elected,
  place: { readonly epoch: number; readonly term: number },
): Election {
  const pool = knownPool(state)
  if (pool === undefined) throw new Error('an election without stake')
  const candidates = snapshotCandidatesOf(state, snapshot)
  const seats = new Set(elected.seats.map(({ id }) => id))
  const record: Election = {
    ...place,
    snapshotHeight: snapshot.height,
    eligible: candidates.filter(({ refused }) => refused === undefined).length,
    counted: amountOf(elected.counted, pool),
    seats: elected.seats.length,
    securityBps: elected.securityBps,
    weak: elected.weak ? 'weak' : 'strong',
    elected: elected.seats.map(({ id, support }) => ({ validator: id, support: amountOf(support, pool) })),
    refused: candidates
      .filter(({ account }) => !seats.has(account))
      .map(({ account, refused }) => ({ validator: account, reason: refused ?? ('notElected' as const) }))
      .slice(0, REFUSED_MAX),
  }
  state.set(elections, place.epoch, record)
  return record
}

/** Write the next pages of exposures, at most `limit`; returns the snapshot with its progress. */
export function writeExposures(
  state: StateWriter,
  snapshot: Snapshot,
  term: number,
  limit: number = PAGES_PER_BLOCK,
): Snapshot {
  const pool = knownPool(state)
  const elected = electionOf(state, snapshot)
  if (pool === undefined || elected === undefined)
    throw new Error('exposures of an election without elected candidates')
  const commissions = new Map(snapshotCandidatesOf(state, snapshot).map((one) => [one.account, one.commissionBps]))
  let { seatsWritten, pagesWritten } = snapshot
  for (let written = 0; seatsWritten < elected.seats.length && written < limit; written += 1) {
    const seat = elected.seats[seatsWritten]
    if (seat === undefined) break
    const { id: validator, nominators } = seat
    const pages = Math.ceil(nominators.length / PAGE_ENTRIES)
    if (pagesWritten === 0) {
      const [own, total] = [amountOf(seat.own, pool), amountOf(seat.support, pool)]
      state.set(exposures, { term, validator }, { own, total, commissionBps: commissions.get(validator) ?? 0, pages })
    }
    if (pagesWritten < pages) {
      const entries = nominators.slice(pagesWritten * PAGE_ENTRIES, (pagesWritten + 1) * PAGE_ENTRIES)
      const page = entries.map(({ id, amount }) => ({ nominator: id, amount: amountOf(amount, pool) }))
      state.set(exposurePages, { term, validator, page: pagesWritten }, page)
      pagesWritten += 1
    }
    if (pagesWritten >= pages) {
      seatsWritten += 1
      pagesWritten = 0
    }
  }
  const isWritten = seatsWritten >= elected.seats.length
  if (isWritten) dropVoterCopies(state, snapshot)
  return { ...snapshot, seatsWritten, pagesWritten, isWritten }
}
