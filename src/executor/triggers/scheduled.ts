/** Owns the runs that a block itself makes after its transactions: time triggers that are due, then pre-commit triggers. */
import { limitAtView } from '../../consensus/index.js'
import {
  type DataEvent,
  type EntryOutcome,
  type Incarnation,
  sameIncarnation,
  triggerRunId,
} from '../../model/index.js'
import type { Overlay } from '../../state/index.js'
import { orRejected } from '../boundary.js'
import { type BlockEnv, type OpenFees, type Rejection, reject } from '../contract.js'
import { maxTeuOf } from '../fee-options.js'
import { parameterOf } from '../parameters.js'
import type { Abi } from '../registry.js'
import { executable, ranEvent } from '../run.js'
import { MAX_TEU_PER_TX } from '../system-parameters.js'
import { rejectedRun, runInstructions, type TransactionRun } from '../transaction.js'
import { addDue, earliestDue, removeDue } from './calendar.js'
import { consumeRun, disarm, nextPoint, preCommitTeu, scheduledTeu, TRIGGER_EVENTS } from './life.js'
import { preCommitTriggers } from './lists.js'
import { pauseAfter, postpone, putOff } from './pauses.js'
import { type Program, programOf } from './program.js'
import { type Due, type Trigger, triggers } from './tables.js'

/** Runs of time triggers in one block; the rest is due in the next one. */
export const RUNS_PER_BLOCK_MAX = 64
/** Failures in a row after which a trigger is switched off. */
const FAILURES_MAX = 3
/** From this view on what is due is put off: one of it may be what the views before failed at. */
const PUT_OFF_FROM_VIEW = 3

/** One run: an entry of the block's results. */
export interface ScheduledRun {
  readonly id: Uint8Array
  readonly trigger: string
  readonly outcome: EntryOutcome
  readonly rejection: TransactionRun['rejection']
  readonly teu: number
  readonly events: readonly DataEvent[]
}

/** What runs are made with. */
export interface SchedulePlace {
  readonly abi: Abi
  readonly env: BlockEnv
  /** View that the block was made in: what runs may take goes down with it. */
  readonly originView: number
  /** What the block charges; undefined while nothing costs anything. */
  readonly fees: OpenFees | undefined
  readonly nextIncarnation: () => Incarnation
}

/**
 * Makes the runs of a block. A run that was put off is the only one of its block, so that the next late view knows whom
 * it is about; nothing that a view leaves out fails, costs or is told.
 */
export function runScheduled(place: SchedulePlace, overlay: Overlay): ScheduledRun[] {
  const ready = readyPreCommit(place, overlay)
  if (place.originView >= PUT_OFF_FROM_VIEW) {
    putOffAll(overlay, place.env.timeMs, ready)
    return []
  }
  const paused = ready.find(({ row }) => row.pause !== undefined)
  if (paused !== undefined) return preCommitRun(place, overlay, paused.id)
  const { runs, isAlone } = runTimeTriggers(place, overlay)
  return isAlone ? runs : [...runs, ...ready.flatMap(({ id }) => preCommitRun(place, overlay, id))]
}

/** What a step came to on a fork of its own, which stays unless it was rejected or came to nothing. */
function onFork<T extends object>(
  overlay: Overlay,
  what: string,
  step: (fork: Overlay) => T | undefined,
): T | Rejection | undefined {
  const fork = overlay.fork()
  const done = orRejected(what, () => step(fork))
  if (done === undefined || 'code' in done) fork.discard()
  else fork.merge()
  return done
}

function putOffAll(overlay: Overlay, timeMs: number, ready: readonly ReadyTrigger[]): void {
  onFork(overlay, 'the calendar', (fork) => {
    putOff(fork, timeMs, RUNS_PER_BLOCK_MAX)
    return fork
  })
  for (const { id, row } of ready) overlay.set(triggers, id, { ...row, pause: pauseAfter(row, timeMs, timeMs) })
}

/** Runs the time triggers that are due, oldest first, within the share of the block that is theirs. */
function runTimeTriggers(place: SchedulePlace, overlay: Overlay): { runs: ScheduledRun[]; isAlone: boolean } {
  const runs: ScheduledRun[] = []
  let left = limitAtView(scheduledTeu(overlay), place.originView)
  for (let looked = 0; looked < RUNS_PER_BLOCK_MAX && left > 0; looked += 1) {
    const due = earliestDue(overlay)
    if (due === undefined || due.dueMs > place.env.timeMs) break
    const isFirst = runs.length === 0
    const step = onFork(overlay, due.id, (fork) => dueStep(place, fork, due, { left, isFirst }))
    if (step === undefined) break
    if ('code' in step) {
      // It stays due, and what comes after it waits with it: without its place in the calendar there is no order.
      runs.push(brokenRun(place, due.id, 'time', step))
      break
    }
    if (step.run === undefined) continue
    left -= step.run.teu
    runs.push(step.run)
    if (step.isAlone) return { runs, isAlone: true }
  }
  return { runs, isAlone: false }
}

/** What became of the first due time: put off until its pause ends, or run. */
interface DueStep {
  readonly run: ScheduledRun | undefined
  /** It was put off before: it is the only run of its block. */
  readonly isAlone: boolean
}

/** Makes the run that is due; undefined: not in this block. */
function dueStep(
  place: SchedulePlace,
  overlay: Overlay,
  due: Due,
  { left, isFirst }: { readonly left: number; readonly isFirst: boolean },
): DueStep | undefined {
  const row = timeTrigger(overlay, due)
  const { pause } = row
  if (pause !== undefined && pause.untilMs > place.env.timeMs) {
    postpone(overlay, due, row, pause)
    return { run: undefined, isAlone: false }
  }
  if (pause !== undefined && !isFirst) return undefined
  const ownMax = parameterOf(overlay, MAX_TEU_PER_TX)
  // In the first view the first may take what a transaction may, or one that needs more than the share would wait for ever.
  const room = place.originView === 0 && isFirst ? Math.max(left, ownMax) : left
  const run = runDue(place, overlay, { due, row, ownMax, room })
  return run === undefined ? undefined : { run, isAlone: pause !== undefined }
}

function timeTrigger(overlay: Overlay, { id }: Due): Trigger {
  const row = overlay.get(triggers, id)
  if (row === undefined || row.filter.kind !== 'time') throw new Error(`${id} is due and no time trigger`)
  return row
}

/** A pre-commit trigger that may run. */
interface ReadyTrigger {
  readonly id: string
  readonly row: Trigger
  /** Why its right could not be judged: it fails with that. */
  readonly fault: Rejection | undefined
}

/** Pre-commit triggers that may run now, in the byte order of their ids. */
function readyPreCommit({ abi, env }: SchedulePlace, overlay: Overlay): ReadyTrigger[] {
  return preCommitTriggers(overlay).flatMap((id) => {
    const row = overlay.get(triggers, id)
    if (row?.enabled !== true || (row.pause !== undefined && row.pause.untilMs > env.timeMs)) return []
    // Its authority may have lost the right to the end of every block.
    const right = orRejected(id, () => ({ of: abi.policies.triggerAuthority?.(overlay, row, row.authority) }))
    const fault = 'code' in right ? right : undefined
    return 'of' in right && right.of === 'none' ? [] : [{ id, row, fault }]
  })
}

/** Runs a pre-commit trigger, unless one before it took it away or the view leaves too little for it. */
function preCommitRun(place: SchedulePlace, overlay: Overlay, id: string): ScheduledRun[] {
  const ready = readyPreCommit(place, overlay).find((one) => one.id === id)
  if (ready === undefined) return []
  const { row, fault } = ready
  const run = onFork(overlay, id, (fork) => {
    const ownMax = preCommitTeu(fork)
    const room = limitAtView(ownMax, place.originView)
    const read = programOf(fork, place.abi, id, row)
    const program = fault === undefined ? read : { ...read, instructions: fault }
    const told = afterConsuming(fork, id, row)
    const rest = fork.get(triggers, id)
    if (rest?.pause !== undefined) fork.set(triggers, id, { ...rest, pause: undefined })
    return runOne(place, fork, { id, row, program, cause: 'preCommit', ownMax, room, told })
  })
  if (run === undefined) return []
  return ['code' in run ? brokenRun(place, id, 'preCommit', run) : run]
}

/** A run whose own record could not be kept: an entry that says so, and no trace in the state. */
function brokenRun({ abi, env }: SchedulePlace, id: string, cause: RunCause, fault: Rejection): ScheduledRun {
  const { outcome, rejection, events } = rejectedRun(abi, fault, undefined)
  return { id: triggerRunId(env.height, id, cause), trigger: id, outcome, rejection, events, teu: 0 }
}

/** Counts a run; tells of a trigger that made its last one. */
const afterConsuming = (overlay: Overlay, id: string, row: Trigger): DataEvent[] =>
  consumeRun(overlay, id, row)
    ? [{ kind: TRIGGER_EVENTS.deleted, value: { trigger: id, authority: row.authority } }]
    : []

interface DueRun {
  readonly due: Due
  readonly row: Trigger
  readonly ownMax: number
  readonly room: number
}

function runDue(place: SchedulePlace, overlay: Overlay, { due, row, ownMax, room }: DueRun): ScheduledRun | undefined {
  const { id } = due
  if (row.filter.kind !== 'time') throw new Error(`${id} is due and no time trigger`)
  const { value: filter } = row.filter
  const { timeMs } = place.env
  const nextMs = nextPoint(filter, timeMs)
  const dueMs = row.pause?.sinceMs ?? due.dueMs
  // Points that passed unseen are made up for by one run, which says how many they were.
  const missed = filter.periodMs === undefined ? 0 : Math.floor((timeMs - dueMs) / filter.periodMs)
  const program = programOf(overlay, place.abi, id, row)
  const told = afterConsuming(overlay, id, row)
  const rest = overlay.get(triggers, id)
  if (rest !== undefined) {
    if (nextMs === undefined) throw new Error(`${id} runs once and has runs left`)
    removeDue(overlay, due)
    addDue(overlay, { dueMs: nextMs, id })
    overlay.set(triggers, id, { ...rest, dueMs: nextMs, pause: undefined })
  }
  return runOne(place, overlay, { id, row, program, cause: 'time', ownMax, room, told, dueMs, missed })
}

type RunCause = 'time' | 'preCommit'

interface OneRun {
  readonly id: string
  readonly row: Trigger
  readonly program: Program
  readonly cause: RunCause
  /** Most units that such a run may ever take, and those that this block has left for it. */
  readonly ownMax: number
  readonly room: number
  /** Events that come with the run, whatever becomes of it. */
  readonly told: readonly DataEvent[]
  readonly dueMs?: number
  readonly missed?: number
}

/** One run with its record: an event that says what became of it, and its failures counted; undefined: no room for it here. */
function runOne(place: SchedulePlace, overlay: Overlay, one: OneRun): ScheduledRun | undefined {
  const { id, row, cause, told } = one
  const runId = triggerRunId(place.env.height, id, cause)
  const made = onFork(overlay, id, (fork) => paidRun(place, fork, runId, one))
  if (made === undefined) return undefined
  // Nobody knows what one that threw has taken: it counts all that it might have.
  const paid =
    'code' in made ? { ...rejectedRun(place.abi, made, undefined), teu: Math.min(one.ownMax, one.room) } : made
  const { outcome, rejection, events, teu } = paid
  const ran = ranEvent(id, cause, { ...one, ...(rejection === undefined ? {} : { error: rejection.code }) })
  return {
    id: runId,
    trigger: id,
    outcome,
    rejection,
    teu,
    events: [ran, ...told, ...events, ...noteFailure(overlay, id, row, rejection !== undefined)],
  }
}

/** What a trigger does at the cost of its account, or of the sponsor in its metadata: who cannot pay does not run. */
function paidRun(place: SchedulePlace, overlay: Overlay, id: Uint8Array, { row, program, ownMax, room }: OneRun) {
  const { abi, env, fees, nextIncarnation } = place
  const { authority } = row
  const { instructions, feeOptions, teu: cost } = program
  if ('code' in instructions) return { ...rejectedRun(abi, instructions, undefined), teu: cost }
  if (cost > ownMax) {
    const exhausted = reject('teu_exhausted', `the run costs ${cost} units, at most ${ownMax} are allowed`)
    return { ...rejectedRun(abi, exhausted, undefined), teu: Math.min(ownMax, room) }
  }
  if (cost > room) return undefined
  const own = maxTeuOf(feeOptions, cost, ownMax)
  const reserved = fees?.reserve(overlay, { authority, sponsor: feeOptions.sponsor, maxTeu: own })
  if (reserved !== undefined && 'code' in reserved) return { ...rejectedRun(abi, reserved, undefined), teu: cost }
  const run = runInstructions(abi, env, overlay, {
    authority,
    id,
    payload: undefined,
    instructions: executable(abi, instructions),
    content: { own: own - cost, pool: room - cost },
    nextIncarnation,
  })
  if (run.isExhausted && room < own) return undefined
  const teu = cost + run.contentTeu
  return { ...run, teu, events: [...run.events, ...(reserved?.settle(teu) ?? [])] }
}

/** Counts failures in a row; the third one switches the trigger off. */
function noteFailure(overlay: Overlay, id: string, before: Trigger, hasFailed: boolean): DataEvent[] {
  const row = overlay.get(triggers, id)
  if (row === undefined || !sameIncarnation(before.incarnation, row.incarnation)) return []
  const failures = hasFailed ? row.failures + 1 : 0
  if (failures < FAILURES_MAX) {
    if (failures !== row.failures) overlay.set(triggers, id, { ...row, failures })
    return []
  }
  disarm(overlay, id, row)
  overlay.set(triggers, id, { ...row, failures, enabled: false, dueMs: undefined })
  return [{ kind: TRIGGER_EVENTS.changed, value: { trigger: id, repeats: row.repeats, enabled: false } }]
}
