/** Owns the runs that a block itself makes after its transactions: time triggers that are due, then pre-commit triggers. */
import {
  type DataEvent,
  type EntryOutcome,
  type Incarnation,
  type Instruction,
  sameIncarnation,
  triggerRunId,
} from '../../model/index.js'
import type { Overlay } from '../../state/index.js'
import { type BlockEnv, type OpenFees, type Rejection, reject } from '../contract.js'
import { metadataValueOf } from '../metadata.js'
import { parameterOf } from '../parameters.js'
import type { Abi } from '../registry.js'
import { executable, ranEvent } from '../run.js'
import { MAX_TEU_PER_TX } from '../system-parameters.js'
import {
  type FeeWishes,
  feeWishesOf,
  maxTeuOf,
  rejectedRun,
  runInstructions,
  type TransactionRun,
} from '../transaction.js'
import { addDue, earliestDue, removeDue } from './calendar.js'
import { consumeRun, disarm, nextPoint, preCommitTeu, scheduledTeu, TRIGGER_EVENTS } from './life.js'
import { preCommitTriggers } from './lists.js'
import { instructionsOf } from './program.js'
import { type Due, type Trigger, triggers } from './tables.js'

/** Runs of time triggers in one block; the rest is due in the next one. */
const RUNS_PER_BLOCK_MAX = 64
/** Failures in a row after which a trigger is switched off. */
const FAILURES_MAX = 3

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
  /** What the block charges; undefined while nothing costs anything. */
  readonly fees: OpenFees | undefined
  readonly nextIncarnation: () => Incarnation
}

/** Runs the time triggers that are due, oldest first, within the share of the block that is theirs. */
export function runTimeTriggers(place: SchedulePlace, overlay: Overlay): ScheduledRun[] {
  const runs: ScheduledRun[] = []
  let left = scheduledTeu(overlay)
  while (runs.length < RUNS_PER_BLOCK_MAX && left > 0) {
    const due = earliestDue(overlay)
    if (due === undefined || due.dueMs > place.env.timeMs) break
    const isFirst = runs.length === 0
    const attempt = overlay.fork()
    // The first may always take what a transaction may, or one that needs more than the share would wait for ever.
    const limit = isFirst ? Math.max(left, parameterOf(overlay, MAX_TEU_PER_TX)) : left
    const run = runDue(place, attempt, due, limit)
    if (!isFirst && run.rejection?.code === 'teu_exhausted') {
      attempt.discard()
      break
    }
    attempt.merge()
    left -= run.teu
    runs.push(run)
  }
  return runs
}

/** Runs every enabled pre-commit trigger once, in the byte order of their ids. */
export function runPreCommit(place: SchedulePlace, overlay: Overlay): ScheduledRun[] {
  const limit = preCommitTeu(overlay)
  return preCommitTriggers(overlay).flatMap((id) => {
    const row = overlay.get(triggers, id)
    // One before it may have removed it, and its authority may have lost the right to the end of every block.
    if (row === undefined || !row.enabled) return []
    if (place.abi.watchRule?.(overlay, row, row.authority) === 'none') return []
    const program = programOf(place, overlay, id, row)
    const told = afterConsuming(overlay, id, row)
    return [runOne(place, overlay, { id, row, program, cause: 'preCommit', limit, told })]
  })
}

/** Counts a run; tells of a trigger that made its last one. */
const afterConsuming = (overlay: Overlay, id: string, row: Trigger): DataEvent[] =>
  consumeRun(overlay, id, row)
    ? [{ kind: TRIGGER_EVENTS.deleted, value: { trigger: id, authority: row.authority } }]
    : []

function runDue(place: SchedulePlace, overlay: Overlay, due: Due, limit: number): ScheduledRun {
  const row = overlay.get(triggers, due.id)
  if (row === undefined || row.filter.kind !== 'time') throw new Error(`${due.id} is due and no time trigger`)
  const { value: filter } = row.filter
  const nextMs = nextPoint(filter, place.env.timeMs)
  // Points that passed unseen are made up for by one run, which says how many they were.
  const missed = filter.periodMs === undefined ? 0 : Math.floor((place.env.timeMs - due.dueMs) / filter.periodMs)
  const program = programOf(place, overlay, due.id, row)
  const told = afterConsuming(overlay, due.id, row)
  const rest = overlay.get(triggers, due.id)
  if (rest !== undefined) {
    if (nextMs === undefined) throw new Error(`${due.id} runs once and has runs left`)
    removeDue(overlay, due)
    addDue(overlay, { dueMs: nextMs, id: due.id })
    overlay.set(triggers, due.id, { ...rest, dueMs: nextMs })
  }
  return runOne(place, overlay, { id: due.id, row, program, cause: 'time', limit, told, dueMs: due.dueMs, missed })
}

/** What a run does and what its trigger says about fees, read before the last run removes it. */
interface Program {
  readonly instructions: readonly Instruction[] | Rejection
  readonly wishes: FeeWishes
}

function programOf({ abi }: SchedulePlace, overlay: Overlay, id: string, row: Trigger): Program {
  const object = { kind: 'trigger', value: id } as const
  const metadata = { get: (key: string) => metadataValueOf(overlay, object, key) }
  return { instructions: instructionsOf(overlay, abi, id, row), wishes: feeWishesOf({ metadata }) }
}

interface OneRun {
  readonly id: string
  readonly row: Trigger
  readonly program: Program
  readonly cause: 'time' | 'preCommit'
  readonly limit: number
  /** Events that come with the run, whatever becomes of it. */
  readonly told: readonly DataEvent[]
  readonly dueMs?: number
  readonly missed?: number
}

/** One run with its record: an event that says what became of it, and its failures counted. */
function runOne(place: SchedulePlace, overlay: Overlay, one: OneRun): ScheduledRun {
  const { id, row, cause, told } = one
  const runId = triggerRunId(place.env.height, id, cause)
  const { outcome, rejection, events, teu } = paidRun(place, overlay, runId, one)
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
function paidRun(place: SchedulePlace, overlay: Overlay, id: Uint8Array, { row, program, limit }: OneRun) {
  const { abi, env, fees, nextIncarnation } = place
  const { authority } = row
  const { instructions, wishes } = program
  if ('code' in instructions) return { ...rejectedRun(abi, instructions, undefined), teu: 0 }
  const cost = abi.costOf(instructions)
  if (cost > limit) {
    const exhausted = reject('teu_exhausted', `the run costs ${cost} units, ${limit} are left in this block`)
    return { ...rejectedRun(abi, exhausted, undefined), teu: 0 }
  }
  const maxTeu = maxTeuOf(wishes, cost, limit)
  const reserved = fees?.reserve(overlay, { authority, sponsor: wishes.sponsor, maxTeu })
  if (reserved !== undefined && 'code' in reserved) return { ...rejectedRun(abi, reserved, undefined), teu: 0 }
  const run = runInstructions(abi, env, overlay, {
    authority,
    id,
    payload: undefined,
    instructions: executable(abi, instructions),
    contentTeu: maxTeu - cost,
    nextIncarnation,
  })
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
