/**
 * Owns the lists of enabled data triggers: those that match an event are found by its subject and object
 * (docs/design/lanes.md 2).
 */
import {
  type AccountId,
  type DataEvent,
  type DataFilter,
  type EventDef,
  type EventParty,
  type Incarnation,
  keyBytes,
  sameIncarnation,
  type TriggerFilter,
  type TriggerScope,
} from '../../model/index.js'
import type { StateReader, StateWriter } from '../../state/index.js'
import { accounts } from '../accounts.js'
import { PRE_COMMIT_MAX, TRIGGERS_PER_LIST_MAX, type Trigger, triggerLists, triggers, type Wanted } from './tables.js'

/** List of the pre-commit triggers. No subject has this name, because event kinds consist of letters. */
const PRE_COMMIT_LIST = '*'
const hexOf = (account: AccountId): string => keyBytes(account).toString('hex')

const anyKey = (subject: string): string => `${subject} *`
const objectKey = (subject: string, object: string): string => `${subject} o ${object}`
/**
 * Key of lists about an account, with its incarnation: an account registered again under the id starts without
 * watchers.
 */
function partyKey(subject: string, party: EventParty, { height, index }: Incarnation): string {
  const of = party.kind === 'account' ? hexOf(party.value) : `${party.value.definition}#${hexOf(party.value.account)}`
  return `${subject} ${party.kind === 'account' ? 'a' : 'b'} ${of} ${height}.${index}`
}

/** Account that a scope watches. */
export const watchedAccount = (scope: TriggerScope): AccountId | undefined =>
  scope.kind === 'account' ? scope.value : scope.kind === 'asset' ? scope.value.account : undefined

function keyOf({ subject, scope }: DataFilter, watched: Incarnation | undefined): string {
  if (scope.kind === 'any') return anyKey(subject)
  if (scope.kind === 'object') return objectKey(subject, scope.value)
  if (watched === undefined) throw new Error('a trigger on an account must name its registration')
  return partyKey(subject, scope, watched)
}

/** List key of a trigger and the capacity of the list; undefined for triggers without a list. */
function listOf(filter: TriggerFilter, watched: Incarnation | undefined) {
  if (filter.kind === 'preCommit') return { key: PRE_COMMIT_LIST, limit: PRE_COMMIT_MAX }
  if (filter.kind !== 'data') return undefined
  return { key: keyOf(filter.value, watched), limit: TRIGGERS_PER_LIST_MAX }
}

/** Add a trigger to its list; false if the list is full. `wanted`: numbers of the events in its filter. */
export function enlist(
  state: StateWriter,
  id: string,
  { filter, watched }: Pick<Trigger, 'filter' | 'watched'>,
  wanted: readonly number[],
): boolean {
  const list = listOf(filter, watched)
  if (list === undefined) return true
  const before = state.get(triggerLists, list.key)
  if (before !== undefined && before.size >= list.limit) return false
  state.set(triggerLists, list.key, new Map([...(before ?? []), [id, wanted]]))
  if (filter.kind === 'data') countWatcher(state, filter.value.scope, watched, 1)
  return true
}

/** Remove a trigger from its list. */
export function delist(state: StateWriter, id: string, filter: TriggerFilter, watched: Incarnation | undefined): void {
  const list = listOf(filter, watched)
  if (list === undefined) return
  const rest = new Map(state.get(triggerLists, list.key) ?? [])
  rest.delete(id)
  if (rest.size === 0) state.delete(triggerLists, list.key)
  else state.set(triggerLists, list.key, rest)
  if (filter.kind === 'data') countWatcher(state, filter.value.scope, watched, -1)
}

/** Count the watchers in the account's record: events about unwatched accounts cost no extra read. */
function countWatcher(state: StateWriter, scope: TriggerScope, watched: Incarnation | undefined, by: 1 | -1): void {
  const id = watchedAccount(scope)
  const row = id === undefined ? undefined : state.get(accounts, id)
  if (id === undefined || row === undefined || !sameIncarnation(row.incarnation, watched)) return
  state.set(accounts, id, { ...row, watchers: row.watchers + by })
}

/** Trigger matched by an event, as registered at that time. */
export interface Match {
  readonly id: string
  readonly incarnation: Incarnation
}

const NO_MATCHES: readonly Match[] = []
const byId = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0)

/**
 * Cache of the last event of a run and of the list lookups per kind of event. One instruction may emit hundreds of
 * events about the same balances, and rows are charged only once, so lookups are not repeated. A list must be rewritten
 * before it can contain a different trigger under the same id.
 */
export interface MatchMemory {
  last?: { readonly number: number; readonly lists: readonly Wanted[]; readonly found: readonly Match[] }
  readonly byList: WeakMap<Wanted, Map<number, readonly Match[]>>
}
export const newMatchMemory = (): MatchMemory => ({ byList: new WeakMap() })

const isSame = (one: readonly Wanted[], other: readonly Wanted[]): boolean =>
  one.length === other.length && one.every((list, at) => list === other[at])

/** Triggers that match an event, in the byte order of their ids. */
export function matchesOf(
  state: StateReader,
  def: EventDef<unknown> | undefined,
  event: DataEvent,
  memory: MatchMemory,
): readonly Match[] {
  if (def?.subject === undefined) return NO_MATCHES
  const { id: number, subject, about } = def
  const lists: Wanted[] = []
  const look = (key: string): void => {
    const list = state.get(triggerLists, key)
    if (list !== undefined) lists.push(list)
  }
  look(anyKey(subject))
  if (about !== undefined) {
    const { objects, parties } = about(event.value as never)
    for (const object of objects) look(objectKey(subject, object))
    for (const party of parties) lookParty(state, subject, party, look)
  }
  if (lists.length === 0) return NO_MATCHES
  const { last } = memory
  if (last?.number === number && isSame(last.lists, lists)) return last.found
  const found = foundIn(state, [...new Set(lists)], number, memory)
  memory.last = { number, lists, found }
  return found
}

/** Triggers of lists that want a kind of events, in the byte order of their ids. Each trigger is in one list. */
function foundIn(
  state: StateReader,
  lists: readonly Wanted[],
  number: number,
  { byList }: MatchMemory,
): readonly Match[] {
  const fresh = lists.filter((list) => byList.get(list)?.has(number) !== true)
  const looked = wantedIn(fresh, number).flatMap((id) => {
    const row = state.get(triggers, id)
    return row === undefined ? [] : [{ id, incarnation: row.incarnation }]
  })
  for (const list of fresh) {
    const known = byList.get(list) ?? new Map<number, readonly Match[]>()
    const own = looked.filter(({ id }) => list.has(id))
    byList.set(list, known.set(number, own))
  }
  if (fresh.length === lists.length) return looked
  const found = lists.map((list) => byList.get(list)?.get(number) ?? NO_MATCHES).filter(({ length }) => length > 0)
  return found.length > 1 ? found.flat().sort((one, other) => byId(one.id, other.id)) : (found[0] ?? NO_MATCHES)
}

/** Ids of the triggers in these lists that match a kind of event, in byte order. */
function wantedIn(lists: readonly Wanted[], number: number): string[] {
  const found = new Set<string>()
  for (const list of lists) {
    for (const [id, wanted] of list) if (wanted.length === 0 || wanted.includes(number)) found.add(id)
  }
  return [...found].sort(byId)
}

function lookParty(state: StateReader, subject: string, party: EventParty, look: (key: string) => void): void {
  const account = party.kind === 'account' ? party.value : party.value.account
  const row = state.get(accounts, account)
  if (row === undefined || row.watchers === 0) return
  look(partyKey(subject, { kind: 'account', value: account }, row.incarnation))
  if (party.kind === 'asset') look(partyKey(subject, party, row.incarnation))
}

/** Ids of the pre-commit triggers, in byte order. */
export const preCommitTriggers = (state: StateReader): string[] =>
  [...(state.get(triggerLists, PRE_COMMIT_LIST)?.keys() ?? [])].sort(byId)
