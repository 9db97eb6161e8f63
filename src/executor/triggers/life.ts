/**
 * Owns the lifecycle of triggers: registration, run counts, enabling and disabling, removal (docs/design/lanes.md 2).
 */
import type { Incarnation, Instruction, Metadata, TimeFilter, TriggerFilter } from '../../model/index.js'
import { dropPages, type StateWriter, writePages } from '../../state/index.js'
import { accounts, accountUse, countUse } from '../accounts.js'
import { unknownAccount } from '../addresses.js'
import { type ExecContext, type Rejection, reject } from '../contract.js'
import { jsonUnits, RUN_TEU } from '../costs.js'
import { dropMetadata, writeMetadata } from '../metadata.js'
import { parameterOf } from '../parameters.js'
import { preCommitTeu } from '../shares.js'
import { listToStore, placeOfList } from '../stored-lists.js'
import { MAX_TEU_PER_TX } from '../system-parameters.js'
import { addDue, hasRoom, removeDue } from './calendar.js'
import { delist, enlist, watchedAccount } from './lists.js'
import { type Due, TIMERS_PER_ACCOUNT_MAX, type Trigger, triggerPages, triggers } from './tables.js'

/** First point of a schedule after a time; undefined if there is none. */
export function nextPoint({ startMs, periodMs }: TimeFilter, afterMs: number): number | undefined {
  if (startMs > afterMs) return startMs
  return periodMs === undefined ? undefined : startMs + (Math.floor((afterMs - startMs) / periodMs) + 1) * periodMs
}

/** Reason why a filter is invalid, by itself or in the current state. */
function filterFault(ctx: ExecContext, filter: TriggerFilter, repeats: number | undefined): Rejection | undefined {
  if (filter.kind === 'data') {
    const { events, scope } = filter.value
    const wanted = wantedBy(ctx, filter)
    if ('code' in wanted) return wanted
    if (new Set(events).size < events.length) return reject('bad_trigger', 'an event is listed twice')
    const watched = watchedAccount(scope)
    if (watched !== undefined && !ctx.has(accounts, watched)) {
      return unknownAccount(ctx, watched, 'watched account')
    }
  }
  if (filter.kind === 'time') {
    const { startMs, periodMs } = filter.value
    if (startMs < ctx.env.timeMs) return reject('bad_trigger', 'the start is in the past')
    if (periodMs === 0) return reject('bad_trigger', 'the period must be positive')
    if (periodMs === undefined && repeats !== 1) {
      return reject('bad_trigger', 'a trigger without a period runs once: repeats must be 1')
    }
    if (!Number.isSafeInteger(startMs + (periodMs ?? 0)))
      return reject('bad_trigger', 'the time is too far in the future')
  }
  return undefined
}

/**
 * Reason why the stored instructions cost too much: a trigger that no run could pay for is rejected at registration.
 */
function costFault(ctx: ExecContext, filter: TriggerFilter, teu: number): Rejection | undefined {
  const limit = filter.kind === 'preCommit' ? preCommitTeu(ctx) : parameterOf(ctx, MAX_TEU_PER_TX)
  return teu > limit
    ? reject('teu_exhausted', `one run costs ${teu} units, exceeding the limit of ${limit}`)
    : undefined
}

/** Add a trigger to its lists; returns a rejection if one is full. */
function arm(ctx: ExecContext, id: string, row: Trigger): Rejection | undefined {
  const wanted = wantedBy(ctx, row.filter)
  if ('code' in wanted) return wanted
  if (!enlist(ctx, id, row, wanted)) return reject('too_many_triggers', 'the list of triggers of this event is full')
  return row.dueMs === undefined ? undefined : schedule(ctx, { dueMs: row.dueMs, id })
}

/** Numbers of the events that a filter names; a rejection if the active ABI does not have a name. */
function wantedBy(ctx: ExecContext, filter: TriggerFilter): readonly number[] | Rejection {
  if (filter.kind !== 'data') return []
  const { subject, events } = filter.value
  const kinds = ctx.abi.eventSubjects.get(subject)
  if (kinds === undefined) return reject('bad_trigger', `unknown subject of events ${subject}`)
  const unknown = events.find((kind) => !kinds.has(kind))
  if (unknown !== undefined) return reject('bad_trigger', `the subject ${subject} has no event ${unknown}`)
  return events.map((kind) => kinds.get(kind) ?? 0)
}

/** Remove a trigger from its lists, so that a disabled trigger has no effect on events or blocks. */
export function disarm(state: StateWriter, id: string, row: Trigger): void {
  if (!row.enabled) return
  delist(state, id, row.filter, row.watched)
  if (row.dueMs !== undefined) removeDue(state, { dueMs: row.dueMs, id })
}

/** Add a due time to the calendar; a rejection if it is full. */
function schedule(state: StateWriter, due: Due): Rejection | undefined {
  if (!hasRoom(state)) return reject('too_many_triggers', 'the calendar is full')
  addDue(state, due)
  return undefined
}

/** Trigger to register. */
export interface NewTrigger extends Pick<Trigger, 'authority' | 'filter' | 'repeats'> {
  readonly instructions: readonly Instruction[]
  readonly metadata: Metadata
}

/** Register a trigger with the consent of its authority. */
export function addTrigger(ctx: ExecContext, id: string, asked: NewTrigger): Rejection | undefined {
  const { authority, filter, repeats } = asked
  if (ctx.has(triggers, id)) return reject('exists', `trigger ${id} already exists`)
  if (asked.instructions.length === 0) return reject('bad_trigger', 'a trigger must have at least one instruction')
  if (repeats === 0) return reject('bad_trigger', 'a trigger must run at least once')
  if (ctx.abi.proofWorkOf(asked.instructions) > 0) return reject('bad_trigger', 'a trigger must not contain proofs')
  const list = listToStore(ctx.abi.codec(''), asked.instructions)
  if ('code' in list) return list
  const runTeu = RUN_TEU + ctx.abi.costOf(asked.instructions, 'stored') + jsonUnits(list.jsonWeight)
  const fault = filterFault(ctx, filter, repeats) ?? costFault(ctx, filter, runTeu)
  if (fault !== undefined) return fault
  const watched = filter.kind === 'data' ? watchedAccount(filter.value.scope) : undefined
  const row: Trigger = {
    authority,
    filter,
    ...placeOfList(list),
    repeats,
    enabled: true,
    failures: 0,
    dueMs: filter.kind === 'time' ? filter.value.startMs : undefined,
    pause: undefined,
    watched: watched === undefined ? undefined : (ctx.get(accounts, watched)?.incarnation as Incarnation),
    incarnation: ctx.incarnation(),
  }
  const refused =
    timerFault(ctx, row) ?? arm(ctx, id, row) ?? writeMetadata(ctx, { kind: 'trigger', value: id }, asked.metadata)
  if (refused !== undefined) return refused
  ctx.set(triggers, id, row)
  writePages(ctx, triggerPages, id, list.bytes)
  countTrigger(ctx, row, 1)
  return undefined
}

/** Reason why an account cannot have more calendar entries, or undefined. */
function timerFault(ctx: ExecContext, { authority, filter }: Trigger): Rejection | undefined {
  if (filter.kind !== 'time' || ctx.env.genesis) return undefined
  return (ctx.get(accountUse, authority)?.timers ?? 0) < TIMERS_PER_ACCOUNT_MAX
    ? undefined
    : reject('too_many_triggers', `an account can have at most ${TIMERS_PER_ACCOUNT_MAX} time triggers`)
}

/** Count a trigger of an account, which cannot be removed while it has any. */
function countTrigger(state: StateWriter, { authority, filter }: Trigger, by: 1 | -1): void {
  countUse(state, authority, 'objects', by)
  if (filter.kind === 'time') countUse(state, authority, 'timers', by)
}

/** Remove a trigger from its lists and tables. */
export function removeTrigger(state: StateWriter, id: string, row: Trigger): void {
  disarm(state, id, row)
  state.delete(triggers, id)
  dropPages(state, triggerPages, id, row.instructionBytes)
  dropMetadata(state, { kind: 'trigger', value: id })
  countTrigger(state, row, -1)
}

/** Set the remaining runs of a trigger, and enable or disable it; enabling resets its failures. */
export function changeTrigger(
  ctx: ExecContext,
  id: string,
  row: Trigger,
  next: Pick<Trigger, 'repeats' | 'enabled'>,
): Rejection | undefined {
  const { repeats, enabled } = next
  const isOnce = row.filter.kind === 'time' && row.filter.value.periodMs === undefined
  if (repeats === 0 || (isOnce && repeats !== 1)) {
    return reject('bad_trigger', isOnce ? 'a trigger without a period runs once' : 'a trigger must run at least once')
  }
  const { filter } = row
  const dueMs = enabled && filter.kind === 'time' ? (row.dueMs ?? nextPoint(filter.value, ctx.env.timeMs)) : undefined
  if (enabled && filter.kind === 'time' && dueMs === undefined)
    return reject('bad_trigger', 'the time of the trigger has passed')
  const changed = { ...row, repeats, enabled, dueMs, failures: enabled ? 0 : row.failures }
  if (!enabled) disarm(ctx, id, row)
  const refused = enabled && !row.enabled ? arm(ctx, id, changed) : undefined
  if (refused !== undefined) return refused
  ctx.set(triggers, id, changed)
  return undefined
}

/** Count one run; true if it was the last and the trigger was removed. */
export function consumeRun(state: StateWriter, id: string, row: Trigger): boolean {
  if (row.repeats === undefined) return false
  if (row.repeats === 1) {
    removeTrigger(state, id, row)
    return true
  }
  state.set(triggers, id, { ...row, repeats: row.repeats - 1 })
  return false
}
