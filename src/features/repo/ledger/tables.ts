/** Owns the tables of repos, and the lookup of agreements. */
import { hash32 } from '../../../codec/index.js'
import { type Rejection, reject } from '../../../executor/contract.js'
import { name } from '../../../model/index.js'
import type { StateReader, TableDef } from '../../../state/index.js'
import {
  type CalendarRow,
  calendarRow,
  type LiveRepo,
  type PriceKey,
  type PriceRow,
  priceKey,
  priceRow,
  REPO_TABLES,
  type RepoRow,
  repoRow,
} from '../schema/records.js'

export const agreements: TableDef<Uint8Array, RepoRow> = {
  id: REPO_TABLES.agreements,
  name: 'repo',
  bound: {
    holds: 'one agreement: 8 collaterals, 16 eligible definitions, 16 items',
    filledBy: 'ProposeRepo',
    atBound: '`bad_terms`; a closed one keeps its parties, its hash, and the cash that was paid',
  },
  key: hash32,
  value: repoRow,
}

export const prices: TableDef<PriceKey, PriceRow> = {
  id: REPO_TABLES.prices,
  name: 'repo_price',
  bound: { holds: 'a price', filledBy: 'PostRepoPrice', atBound: 'one for each poster, definition and cash' },
  key: priceKey,
  value: priceRow,
}

export const calendars: TableDef<string, CalendarRow> = {
  id: REPO_TABLES.calendars,
  name: 'repo_calendar',
  bound: { holds: '1,024 holidays', filledBy: 'SetBusinessCalendar', atBound: 'the decoder refuses more; stays' },
  key: name,
  value: calendarRow,
}

export const REPO_TABLE_LIST = [agreements, prices, calendars]

/** Open agreement with its id. */
export interface FoundRepo {
  readonly id: Uint8Array
  readonly repo: LiveRepo
}

/** Agreement with an id, if its status is one of the given ones; otherwise `absent` or `repo_state`. */
export function repoIn(
  state: StateReader,
  id: Uint8Array,
  ...statuses: readonly LiveRepo['status'][]
): FoundRepo | Rejection {
  const row = state.get(agreements, id)
  if (row === undefined) return reject('absent', 'the agreement does not exist')
  if (row.kind === 'closed') return reject('repo_state', 'the agreement is closed')
  const repo = row.value
  if (statuses.includes(repo.status)) return { id, repo }
  return reject('repo_state', `the agreement is ${repo.status}, not ${statuses.join(' or ')}`)
}
