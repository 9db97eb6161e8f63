/** Owns the writes for elections in each block: the due steps of the calendar, in order, including late ones. */

import { placeOf, STEPS } from '../../../../consensus/npos/index.js'
import type { BlockEnv } from '../../../../executor/contract.js'
import { chainInfo, SINGLETON_KEY } from '../../../../executor/tables.js'
import { type DataEvent, event } from '../../../../model/index.js'
import type { StateReader, StateWriter } from '../../../../state/index.js'
import { events } from '../../schema/events.js'
import { refuseWithoutKey } from '../elections/elected-seats.js'
import { electionOf, keptReason, writeElection, writeExposures } from '../elections/elections.js'
import { dropVoterCopies, inSyncOf, takeSnapshot } from '../elections/snapshot.js'
import { earnRewards, PAYOUT_EPOCHS, sweepRewards } from '../rewards/rewards.js'
import { openedEvents } from '../slashing/slashes.js'
import { ONLY } from '../table.js'
import { releasePeers } from '../validators/candidates.js'
import { calendarOf } from './calendar.js'
import { beginEpoch, RECORD_LEAD, seedAfter, writeNextEpoch } from './epochs.js'
import { isClosing, modeIn, stepMode } from './mode.js'
import { pruneEpochs } from './prune.js'
import { type Calendar, calendars, HEADERS_KEPT, headers, stagedModes } from './tables.js'
import { jailAbsent, noteUptime } from './uptime.js'

/** Store the header of the parent block, which validators can attest. */
function keepHeader(state: StateWriter, { height, consensus }: BlockEnv): void {
  const parent = consensus?.parent
  if (parent === undefined) return
  state.set(headers, (height - 1) % HEADERS_KEPT, { height: height - 1, stateRoot: parent.stateRoot })
}

/** First block of an epoch; from here on, the mode is the mode of its validators. */
function begin(state: StateWriter, calendar: Calendar, emitted: DataEvent[]): Calendar {
  const next = beginEpoch(state, calendar)
  const mode = next.isElected ? 'npos' : 'permissioned'
  const info = state.get(chainInfo, SINGLETON_KEY)
  if (info !== undefined && modeIn(state) !== mode) {
    state.set(chainInfo, SINGLETON_KEY, { ...info, consensusMode: mode })
    state.delete(stagedModes, ONLY)
    emitted.push(event(events.stakingModeSwitched, { mode, epoch: next.epoch }))
  }
  sweepRewards(state, next.epoch - PAYOUT_EPOCHS - 1)
  releasePeers(state)
  return next
}

/** Outcome of the election: its record is written, or the roster is kept. */
function decide(state: StateWriter, calendar: Calendar, height: number, emitted: DataEvent[]): Calendar {
  const { snapshot } = calendar
  if (snapshot === undefined) return calendar
  refuseWithoutKey(state, snapshot, height + RECORD_LEAD)
  const elected = electionOf(state, snapshot)
  const [epoch, term] = [calendar.epoch + 1, calendar.term + 1]
  if (elected === undefined) {
    dropVoterCopies(state, snapshot)
    const reason = keptReason(state, snapshot)
    emitted.push(event(events.stakingElectionKept, { epoch, reason }))
    return { ...calendar, snapshot: { ...snapshot, isDecided: true, isKept: true, isWritten: true } }
  }
  const { seats, eligible, securityBps } = writeElection(state, snapshot, elected, { epoch, term })
  emitted.push(event(events.stakingElected, { epoch, term, seats, eligible, securityBps }))
  return { ...calendar, snapshot: writeExposures(state, { ...snapshot, isDecided: true }, term) }
}

/** Due step of an elected epoch: one per block. */
function stepCalendar(state: StateWriter, calendar: Calendar, height: number, emitted: DataEvent[]): Calendar {
  if (calendar.nextStart !== undefined) return calendar
  const { windows, start, snapshot, nextSeed } = calendar
  const q = placeOf(height, start, windows)
  if (snapshot === undefined) {
    if (!STEPS.isSnapshotDue(q, windows)) return calendar
    emitted.push(...jailAbsent(state, calendar, height))
    return { ...calendar, snapshot: takeSnapshot(state, height, inSyncOf(state, calendar, height)) }
  }
  if (!snapshot.isDecided) return STEPS.isOutcomeDue(q, windows) ? decide(state, calendar, height, emitted) : calendar
  if (!snapshot.isWritten) return { ...calendar, snapshot: writeExposures(state, snapshot, calendar.term + 1) }
  if (nextSeed === undefined) {
    return STEPS.isSeedDue(q, windows) ? { ...calendar, nextSeed: seedAfter(state, calendar) } : calendar
  }
  if (!STEPS.isRecordDue(q, windows) || isClosing(state, height)) return calendar
  const written = writeNextEpoch(state, calendar, height)
  emitted.push(...written.events)
  return written.calendar
}

/** Consensus writes of a block after all its runs. */
export function settleEpochs(state: StateWriter, env: BlockEnv): readonly DataEvent[] {
  const before = calendarOf(state)
  if (before === undefined) return []
  const { height } = env
  const emitted: DataEvent[] = []
  keepHeader(state, env)
  let calendar = before.nextStart !== undefined && height >= before.nextStart ? begin(state, before, emitted) : before
  const switched = stepMode(state, calendar, height)
  emitted.push(...switched.events)
  calendar = calendar.isElected ? stepCalendar(state, switched.calendar, height, emitted) : switched.calendar
  if (calendar.isElected) {
    noteUptime(state, env, calendar)
    if (calendar.nextStart === height + 1) emitted.push(...earnRewards(state, calendar))
  }
  const opened = openedEvents(state, calendar.nextTold)
  emitted.push(...opened.events)
  if (opened.next !== calendar.nextTold) calendar = { ...calendar, nextTold: opened.next }
  calendar = pruneEpochs(state, calendar, height)
  // Most blocks do not change it.
  if (calendar !== before) state.set(calendars, ONLY, calendar)
  return emitted
}

/** Compute the election of a later block in advance. */
export function prepareElection(state: StateReader): void {
  const snapshot = calendarOf(state)?.snapshot
  if (snapshot !== undefined && !snapshot.isWritten) electionOf(state, snapshot)
}
