/** Owns the switch between permissioned and elected validators, both ways, at a height that is known in advance. */

import { nextSeed } from '../../../../consensus/npos/index.js'
import { type ExecContext, type Rejection, reject } from '../../../../executor/contract.js'
import type { Executions } from '../../../../executor/feature.js'
import { isQuorumSeen } from '../../../../executor/membership.js'
import { parameterOf } from '../../../../executor/parameters.js'
import { rosterFor } from '../../../../executor/rosters.js'
import { chainInfo, SINGLETON_KEY } from '../../../../executor/tables.js'
import { requirePermission } from '../../../../ledger/permissions.js'
import { type DataEvent, event } from '../../../../model/index.js'
import type { StateReader, StateWriter } from '../../../../state/index.js'
import { events as stakingEvents } from '../../schema/events.js'
import type { instructions } from '../../schema/instructions.js'
import { STAKING_ELECTION_BLOCKS } from '../../schema/parameters.js'
import { refuseWithoutKey } from '../elections/elected-seats.js'
import { electionOf, keptReason, writeElection, writeExposures } from '../elections/elections.js'
import { dropCandidateCopies, dropVoterCopies, inSyncOf, takeSnapshot } from '../elections/snapshot.js'
import { poolOf } from '../stake/pool.js'
import { ONLY } from '../table.js'
import { releasePeers } from '../validators/candidates.js'
import { calendarOf, epochOf, firstCalendar } from './calendar.js'
import { chainHashIn } from './duties.js'
import { openEpoch, RECORD_LEAD, seedAfter, writeNextEpoch } from './epochs.js'
import { type Calendar, calendars, cancelledModes, type StagedMode, stagedModes } from './tables.js'

/** Number of blocks before a switch at which it is decided, in addition to the blocks of its election. */
const STAGING_BLOCKS = 4
/** Maximum distance of a switch, in blocks from now: weeks at full speed. */
const STAGED_WITHIN_BLOCKS = 10_000_000
const NO_LIMIT = Number.MAX_SAFE_INTEGER

export const modeIn = (state: StateReader): string => state.get(chainInfo, SINGLETON_KEY)?.consensusMode ?? ''

function permissionFault(ctx: ExecContext): Rejection | undefined {
  const permission = ctx.abi.permissions.get('CanSetParameters')
  if (permission === undefined) throw new Error('this ABI has no permission to set parameters')
  return requirePermission(ctx, 'a change of the consensus mode', undefined, [permission, undefined])
}

type AwayReason = 'noValidator' | 'quorumNotSeen'

/**
 * Reason why the registered validators could not continue at the height of a switch, as far as a block can determine.
 */
function awayReason(state: StateReader, staged: StagedMode, height: number): AwayReason | undefined {
  const after = rosterFor(state, staged.height)
  if (after.roster.length === 0) return 'noValidator'
  return staged.force || isQuorumSeen(state, after, height) ? undefined : 'quorumNotSeen'
}

function awayFault(ctx: ExecContext, staged: StagedMode): Rejection | undefined {
  const reason = awayReason(ctx, staged, ctx.env.height)
  if (reason === undefined) return undefined
  return reason === 'noValidator'
    ? reject('last_validator', 'no validator is registered')
    : reject('quorum_not_seen', 'fewer than the quorum of the registered validators signed recently')
}

/** First height at which a staged switch begins. */
const beginsAt = (state: StateReader, { mode, height }: StagedMode): number =>
  height - RECORD_LEAD - (mode === 'npos' ? parameterOf(state, STAKING_ELECTION_BLOCKS) : 0)

function assetFault(ctx: ExecContext): Rejection | undefined {
  const pool = poolOf(ctx)
  return 'code' in pool ? pool : undefined
}

/**
 * True once a switch has begun. The snapshot is checked in addition to the height: if `staking_election_blocks` was
 * reduced in the meantime, a snapshot without an election would remain, and all stake would stay locked, because stake
 * is locked while a snapshot may count it.
 */
const isBegun = (ctx: ExecContext, { mode, height }: StagedMode): boolean =>
  (mode === 'npos' && calendarOf(ctx)?.snapshot !== undefined) ||
  ctx.env.height >= height - RECORD_LEAD - parameterOf(ctx, STAKING_ELECTION_BLOCKS)

export const execute = {
  stageMode: {
    cost: { base: 96 },
    execute(ctx, { nextMode, modeActivationHeight, force }) {
      const denied = permissionFault(ctx)
      if (denied) return denied
      const { height } = ctx.env
      const earliest = height + parameterOf(ctx, STAKING_ELECTION_BLOCKS) + STAGING_BLOCKS
      if (modeActivationHeight < earliest || modeActivationHeight > height + STAGED_WITHIN_BLOCKS) {
        return reject('bad_activation', `a mode can change from ${earliest} to ${height + STAGED_WITHIN_BLOCKS}`)
      }
      if (ctx.has(stagedModes, ONLY)) return reject('exists', 'another change of the mode is pending')
      if (modeIn(ctx) === nextMode) return reject('exists', `the mode is already ${nextMode}`)
      const staged: StagedMode = { mode: nextMode, height: modeActivationHeight, force }
      const fault = nextMode === 'permissioned' ? awayFault(ctx, staged) : assetFault(ctx)
      if (fault) return fault
      ctx.set(stagedModes, ONLY, staged)
      ctx.delete(cancelledModes, ONLY)
      if (calendarOf(ctx) === undefined) {
        // Initial calendar of a network without elections so far: one open epoch since genesis.
        ctx.set(calendars, ONLY, firstCalendar(ctx, { term: 0, isElected: false }))
      }
      ctx.emit(stakingEvents.stakingModeStaged, { mode: nextMode, height: modeActivationHeight })
      return undefined
    },
  },

  cancelMode: {
    cost: { base: 96 },
    execute(ctx) {
      const denied = permissionFault(ctx)
      if (denied) return denied
      const staged = ctx.get(stagedModes, ONLY)
      if (staged === undefined) return reject('absent', 'no change of the mode is pending')
      if (isBegun(ctx, staged)) return reject('bad_activation', 'the change is already in progress')
      ctx.delete(stagedModes, ONLY)
      ctx.emit(stakingEvents.stakingModeSwitchCancelled, { mode: staged.mode, reason: 'asked' })
      return undefined
    },
  },
} satisfies Partial<Executions<typeof instructions>>

/** Result of a step of a switch: the calendar, and its events. */
interface Step {
  readonly calendar: Calendar
  readonly events: readonly DataEvent[]
}

type CancelReason = 'tooFewCandidates' | 'tooFewSeats' | 'late' | AwayReason

/** Cancel a switch that is impossible; it then has no effect. */
function cancelled(state: StateWriter, calendar: Calendar, { mode, height }: StagedMode, reason: CancelReason): Step {
  state.delete(stagedModes, ONLY)
  state.set(cancelledModes, ONLY, { mode, height, reason })
  const { snapshot } = calendar
  if (snapshot !== undefined && mode === 'npos') {
    dropVoterCopies(state, snapshot)
    dropCandidateCopies(state, snapshot)
    releasePeers(state)
  }
  const events = [event(stakingEvents.stakingModeSwitchCancelled, { mode, reason })]
  return { calendar: mode === 'npos' ? { ...calendar, snapshot: undefined } : calendar, events }
}

/** Elect for the first epoch of elected validators, and write all its records. */
function electNow(state: StateWriter, calendar: Calendar, height: number): Calendar | CancelReason {
  const { snapshot } = calendar
  if (snapshot === undefined) return 'late'
  refuseWithoutKey(state, snapshot, height + RECORD_LEAD)
  const elected = electionOf(state, snapshot)
  if (elected === undefined) return keptReason(state, snapshot)
  const term = calendar.term + 1
  writeElection(state, snapshot, elected, { epoch: calendar.epoch + 1, term })
  const written = writeExposures(state, { ...snapshot, isDecided: true }, term, NO_LIMIT)
  const seed = seedAfter(state, calendar)
  return { ...calendar, snapshot: written, nextSeed: seed }
}

/** Process a pending switch in a block; returns the calendar unchanged if it is too early. */
export function stepMode(state: StateWriter, calendar: Calendar, height: number): Step {
  const staged = state.get(stagedModes, ONLY)
  const same: Step = { calendar, events: [] }
  if (staged === undefined || calendar.nextStart !== undefined || height < beginsAt(state, staged)) return same
  const { mode, height: activation } = staged
  if (height > activation - RECORD_LEAD) return cancelled(state, calendar, staged, 'late')
  if (mode === 'npos' && calendar.snapshot === undefined) {
    if (height === activation - RECORD_LEAD) return cancelled(state, calendar, staged, 'late')
    return {
      calendar: { ...calendar, snapshot: takeSnapshot(state, height, inSyncOf(state, calendar, height)) },
      events: [],
    }
  }
  if (height < activation - RECORD_LEAD) return same
  if (mode === 'permissioned') {
    // Peers and keys may have left since it was staged, and during elected mode nothing keeps the last of them.
    const away = awayReason(state, staged, height)
    return away === undefined ? openPermissioned(state, calendar, activation) : cancelled(state, calendar, staged, away)
  }
  const made = electNow(state, calendar, height)
  return typeof made === 'string' ? cancelled(state, calendar, staged, made) : writeNextEpoch(state, made, height)
}

/** Open epoch of the registered validators. */
function openPermissioned(state: StateWriter, calendar: Calendar, start: number): Step {
  const before = epochOf(state, calendar)
  if (before === undefined) throw new Error('elected validators without an epoch')
  const number = calendar.epoch + 1
  const seed = nextSeed(chainHashIn(state), number, before.seed, [])
  const { rosterHash, windows, strongSeed } = before
  const record = { number, term: calendar.term, start, windows, seed, strongSeed, rosterHash, seats: [] }
  return openEpoch(state, calendar, { ...record, weak: 'weak' }, 0)
}

/** True if no epoch of elected validators may begin before a switch to permissioned. */
export function isClosing(state: StateReader, height: number): boolean {
  const staged = state.get(stagedModes, ONLY)
  return staged?.mode === 'permissioned' && height + RECORD_LEAD >= staged.height - RECORD_LEAD
}
