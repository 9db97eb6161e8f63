/** Owns the trigger runs of a block after its transactions: due time triggers, then pre-commit triggers. */
import { limitAtView } from '../../consensus/index.js'
import { type DataEvent, event, sameIncarnation, triggerEvents, triggerRunId } from '../../model/index.js'
import type { Overlay } from '../../state/index.js'
import { orRejected } from '../boundary.js'
import { type Rejection, reject } from '../contract.js'
import { EXECUTIONS } from '../executions.js'
import { maxTeuOf } from '../fee-options.js'
import { brokenRun, type OwnRun, onFork, PUT_OFF_FROM_VIEW, type RunContext } from '../own-run.js'
import { parameterOf } from '../parameters.js'
import { executable, ranEvent } from '../run.js'
import { preCommitTeu, timedTeu } from '../shares.js'
import { MAX_TEU_PER_TX } from '../system-parameters.js'
import { rejectedRun, runInstructions } from '../transaction.js'
import { addDue, earliestDue, removeDue } from './calendar.js'
import { consumeRun, disarm, nextPoint } from './life.js'
import { preCommitTriggers } from './lists.js'
import { pauseAfter, postpone, putOff } from './pauses.js'
import { type Program, programOf } from './program.js'
import { type Due, type Trigger, triggers } from './tables.js'

/** Maximum time trigger runs per block; the remaining runs are due in the next block. */
export const RUNS_PER_BLOCK_MAX = 64
/** Consecutive failures after which a trigger is disabled. */
const FAILURES_MAX = 3
/** Run of a trigger. */
export interface TriggerRun extends OwnRun {
  readonly trigger: string
}

/**
 * Execute the triggers of a block, after due runs that used `spent` units. A postponed run is the only run of its
 * block, so that the next late view identifies it. Runs left out by a view do not fail, have no cost and emit no
 * events.
 */
export function runTriggers(place: RunContext, overlay: Overlay, spent: number): TriggerRun[] {
  const ready = readyPreCommit(place, overlay)
  if (place.originView >= PUT_OFF_FROM_VIEW) {
    putOffAll(overlay, place.env.timeMs, ready)
    return []
  }
  const paused = ready.find(({ row }) => row.pause !== undefined)
  if (paused !== undefined) return preCommitRun(place, overlay, paused.id)
  const { runs, isAlone } = runTimeTriggers(place, overlay, spent)
  return isAlone ? runs : [...runs, ...ready.flatMap(({ id }) => preCommitRun(place, overlay, id))]
}

function putOffAll(overlay: Overlay, timeMs: number, ready: readonly ReadyTrigger[]): void {
  onFork(overlay, 'the calendar', (fork) => {
    putOff(fork, timeMs, RUNS_PER_BLOCK_MAX)
    return fork
  })
  for (const { id, row } of ready) overlay.set(triggers, id, { ...row, pause: pauseAfter(row, timeMs, timeMs) })
}

/** Run the due time triggers, oldest first, within their share of the block. */
function runTimeTriggers(place: RunContext, overlay: Overlay, spent: number): { runs: TriggerRun[]; isAlone: boolean } {
  const runs: TriggerRun[] = []
  let left = limitAtView(timedTeu(overlay), place.originView) - spent
  for (let looked = 0; looked < RUNS_PER_BLOCK_MAX && left > 0; looked += 1) {
    const due = earliestDue(overlay)
    if (due === undefined || due.dueMs > place.env.timeMs) break
    const isFirst = runs.length === 0
    const step = onFork(overlay, due.id, (fork) => dueStep(place, fork, due, { left, isFirst }))
    if (step === undefined) break
    if ('code' in step) {
      // It stays due, and later ones wait too: without its calendar entry the order is lost.
      runs.push(brokenTrigger(place, due.id, 'time', step))
      break
    }
    if (step.run === undefined) continue
    left -= step.run.teu
    runs.push(step.run)
    if (step.isAlone) return { runs, isAlone: true }
  }
  return { runs, isAlone: false }
}

/** Outcome of the first due time: postponed until its pause ends, or executed. */
interface DueStep {
  readonly run: TriggerRun | undefined
  /** True if the run was postponed before; it is then the only run of its block. */
  readonly isAlone: boolean
}

/** Execute the due run; undefined if not in this block. */
function dueStep(
  place: RunContext,
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
  // At odd heights the first time trigger may use the limit of a transaction, at even ones the first due run: see
  // shares.ts.
  const mayExceed = isFirst && place.originView === 0 && place.env.height % 2 === 1
  const room = mayExceed ? Math.max(left, ownMax) : left
  const run = runDue(place, overlay, { due, row, ownMax, room })
  return run === undefined ? undefined : { run, isAlone: pause !== undefined }
}

function timeTrigger(overlay: Overlay, { id }: Due): Trigger {
  const row = overlay.get(triggers, id)
  if (row === undefined || row.filter.kind !== 'time') throw new Error(`${id} is due but is not a time trigger`)
  return row
}

/** Pre-commit trigger ready to run. */
interface ReadyTrigger {
  readonly id: string
  readonly row: Trigger
  /** Rejection if its permission could not be checked; the run fails with it. */
  readonly fault: Rejection | undefined
}

/** Pre-commit triggers that may run now, in the byte order of their ids. */
function readyPreCommit(place: RunContext, overlay: Overlay): ReadyTrigger[] {
  const { abi, env } = place
  return preCommitTriggers(overlay).flatMap((id) => {
    const row = overlay.get(triggers, id)
    if (row?.enabled !== true || (row.pause !== undefined && row.pause.untilMs > env.timeMs)) return []
    // Its authority may have lost the permission for the end of blocks.
    const right = orRejected(id, () => ({ of: abi.policies.triggerAuthority?.(place, overlay, row, row.authority) }))
    const fault = 'code' in right ? right : undefined
    return 'of' in right && right.of === 'none' ? [] : [{ id, row, fault }]
  })
}

/** Run a pre-commit trigger, unless an earlier one removed it or the view leaves too few units. */
function preCommitRun(place: RunContext, overlay: Overlay, id: string): TriggerRun[] {
  const ready = readyPreCommit(place, overlay).find((one) => one.id === id)
  if (ready === undefined) return []
  const { row, fault } = ready
  const run = onFork(overlay, id, (fork) => {
    const ownMax = preCommitTeu(fork)
    const room = limitAtView(ownMax, place.originView)
    const read = programOf(fork, place.abi, id, row)
    const program = fault === undefined ? read : { ...read, instructions: fault }
    const consumed = afterConsuming(fork, id, row)
    const rest = fork.get(triggers, id)
    if (rest?.pause !== undefined) fork.set(triggers, id, { ...rest, pause: undefined })
    return runOne(place, fork, { id, row, program, cause: 'preCommit', ownMax, room, consumed })
  })
  if (run === undefined) return []
  return ['code' in run ? brokenTrigger(place, id, 'preCommit', run) : run]
}

/** Result of a trigger run whose own record could not be stored. */
const brokenTrigger = (place: RunContext, id: string, cause: RunCause, fault: Rejection): TriggerRun => ({
  ...brokenRun(place, triggerRunId(place.env.height, id, cause), fault),
  trigger: id,
})

/** Count a run, and emit an event if it was the last of the trigger. */
const afterConsuming = (overlay: Overlay, id: string, row: Trigger): DataEvent[] =>
  consumeRun(overlay, id, row) ? [event(triggerEvents.triggerDeleted, { trigger: id, authority: row.authority })] : []

interface DueRun {
  readonly due: Due
  readonly row: Trigger
  readonly ownMax: number
  readonly room: number
}

function runDue(place: RunContext, overlay: Overlay, { due, row, ownMax, room }: DueRun): TriggerRun | undefined {
  const { id } = due
  if (row.filter.kind !== 'time') throw new Error(`${id} is due but is not a time trigger`)
  const { value: filter } = row.filter
  const { timeMs } = place.env
  const nextMs = nextPoint(filter, timeMs)
  const dueMs = row.pause?.sinceMs ?? due.dueMs
  // One run replaces all points that were missed, and reports their number.
  const missed = filter.periodMs === undefined ? 0 : Math.floor((timeMs - dueMs) / filter.periodMs)
  const program = programOf(overlay, place.abi, id, row)
  const consumed = afterConsuming(overlay, id, row)
  const rest = overlay.get(triggers, id)
  if (rest !== undefined) {
    if (nextMs === undefined) throw new Error(`${id} runs once but has runs left`)
    removeDue(overlay, due)
    addDue(overlay, { dueMs: nextMs, id })
    overlay.set(triggers, id, { ...rest, dueMs: nextMs, pause: undefined })
  }
  return runOne(place, overlay, { id, row, program, cause: 'time', ownMax, room, consumed, dueMs, missed })
}

type RunCause = 'time' | 'preCommit'

interface OneRun {
  readonly id: string
  readonly row: Trigger
  readonly program: Program
  readonly cause: RunCause
  /** Maximum units of such a run in any block, and the units left in this block. */
  readonly ownMax: number
  readonly room: number
  /** Events of the run that are kept even if it fails. */
  readonly consumed: readonly DataEvent[]
  readonly dueMs?: number | undefined
  readonly missed?: number | undefined
}

/** Execute one run, emit an event with its result, and count its failures; undefined if the block has no capacity. */
function runOne(place: RunContext, overlay: Overlay, one: OneRun): TriggerRun | undefined {
  const { id, row, cause, consumed } = one
  const runId = triggerRunId(place.env.height, id, cause)
  const made = onFork(overlay, id, (fork) => paidRun(place, fork, runId, one))
  if (made === undefined) return undefined
  // The use of a run that threw is unknown: its maximum is counted.
  const paid =
    'code' in made ? { ...rejectedRun(place.abi, made, undefined), teu: Math.min(one.ownMax, one.room) } : made
  const { outcome, rejection, events, teu } = paid
  const ran = ranEvent(id, cause, { ...one, error: rejection?.code })
  return {
    id: runId,
    trigger: id,
    outcome,
    rejection,
    teu,
    events: [ran, ...consumed, ...events, ...noteFailure(overlay, id, row, rejection !== undefined)],
  }
}

/**
 * Run a trigger at the cost of its account, or of the sponsor in its metadata; it does not run if the payer cannot pay.
 */
function paidRun(place: RunContext, overlay: Overlay, id: Uint8Array, { row, program, ownMax, room }: OneRun) {
  const { abi, env, fees, nextIncarnation } = place
  const { authority } = row
  const { instructions, feeOptions, teu: cost } = program
  if ('code' in instructions) return { ...rejectedRun(abi, instructions, undefined), teu: cost }
  if (cost > ownMax) {
    const exhausted = reject('teu_exhausted', `the run costs ${cost} units, exceeding the limit of ${ownMax}`)
    return { ...rejectedRun(abi, exhausted, undefined), teu: Math.min(ownMax, room) }
  }
  if (cost > room) return undefined
  const own = maxTeuOf(feeOptions, cost, ownMax)
  const reserved = fees?.reserve(overlay, { authority, sponsor: feeOptions.sponsor, maxTeu: own })
  if (reserved !== undefined && 'code' in reserved) return { ...rejectedRun(abi, reserved, undefined), teu: cost }
  const run = runInstructions(EXECUTIONS.trigger, abi, env, overlay, {
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

/** Count consecutive failures; the third one disables the trigger. */
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
  return [event(triggerEvents.triggerChanged, { trigger: id, repeats: row.repeats, enabled: false })]
}
