/**
 * Owns postponed runs. A due run may have caused the views of a height to fail, so it is delayed, longer each time, and
 * then executed alone (docs/design/hardening.md 4, "A view defers").
 */
import type { StateWriter } from '../../state/index.js'
import { addDue, earliestDue, removeDue } from './calendar.js'
import { type Due, type Trigger, type TriggerPause, triggers } from './tables.js'

/** Base of a pause, in ms, and the maximum number of times that it is doubled (68 minutes). */
const PAUSE_MS = 1_000
const DOUBLINGS_MAX = 12
/** Maximum strikes that a row counts. */
const STRIKES_MAX = 255

/** Pause of a run that is postponed at a header time; `dueMs`: its original due time. */
export function pauseAfter({ pause }: Pick<Trigger, 'pause'>, timeMs: number, dueMs: number): TriggerPause {
  const strikes = Math.min((pause?.strikes ?? 0) + 1, STRIKES_MAX)
  const untilMs = timeMs + PAUSE_MS * 2 ** Math.min(strikes, DOUBLINGS_MAX)
  return { strikes, untilMs, sinceMs: pause?.sinceMs ?? dueMs }
}

/** Move a due time to the end of its pause. */
export function postpone(state: StateWriter, due: Due, row: Trigger, pause: TriggerPause): void {
  removeDue(state, due)
  addDue(state, { dueMs: pause.untilMs, id: due.id })
  state.set(triggers, due.id, { ...row, dueMs: pause.untilMs, pause })
}

/** Postpone the first due time triggers. */
export function putOff(state: StateWriter, timeMs: number, count: number): void {
  for (let moved = 0; moved < count; moved += 1) {
    const due = earliestDue(state)
    const row = due && state.get(triggers, due.id)
    if (due === undefined || row === undefined || due.dueMs > timeMs) return
    const isWaiting = row.pause !== undefined && row.pause.untilMs > timeMs
    postpone(state, due, row, isWaiting ? row.pause : pauseAfter(row, timeMs, due.dueMs))
  }
}
