/**
 * Owns the rules for lists of the governance account: whatever starts a list, it leaves the chain and its governance able
 * to continue.
 */
import {
  type ExecContext,
  type ExecInstruction,
  type OutcomeCheck,
  type Rejection,
  reject,
} from '../../../executor/contract.js'
import { rosterFor } from '../../../executor/rosters.js'
import { GOV_ACCOUNT, governs, knownState, stateOf } from './account.js'
import { type FloorState, floorChange, floorState } from './floor.js'
import { forceFault } from './lists.js'
import { unsoundTracks } from './tracks.js'

/** Roster size below which no decision may reduce it. */
const ROSTER_FLOOR = 4
/** Number of heights until roster changes take effect. */
const ROSTER_LEAD_HEIGHTS = 2

/** State of the chain, as far as its continuation depends on it. */
interface Outcome {
  readonly floor: FloorState
  /** Number of validators after the pending changes. */
  readonly roster: number
  /** Tracks on which nothing can be decided, with the reasons. */
  readonly unsound: ReadonlyMap<number, string>
  readonly governs: boolean
}

function rosterSize(ctx: ExecContext): number {
  const height = ctx.env.height + ROSTER_LEAD_HEIGHTS
  return (ctx.abi.policies.election?.rosterAt(ctx, height) ?? rosterFor(ctx, height)).roster.length
}

function outcomeOf(ctx: ExecContext): Outcome {
  const state = knownState(ctx)
  return {
    floor: floorState(ctx, state),
    roster: rosterSize(ctx),
    unsound: unsoundTracks(ctx, state),
    governs: governs(ctx),
  }
}

/** Rejection of an outcome that is worse than the state before it. */
function outcomeFault(before: Outcome, after: Outcome): Rejection | undefined {
  const floor = floorChange(before.floor, after.floor)
  if (floor) return floor
  if (after.roster < Math.min(before.roster, ROSTER_FLOOR))
    return reject('below_floor', `cannot leave fewer than ${ROSTER_FLOOR} validators in the roster`)
  for (const [track, why] of after.unsound)
    if (!before.unsound.has(track)) return reject('below_floor', `track ${track} would be unsound: ${why}`)
  return before.governs && !after.governs
    ? reject('below_floor', 'the governance account must keep CanManageGovernance')
    : undefined
}

/**
 * Policy of lists: a list of the governance account is refused if it makes the state worse than it was. Changes of other
 * accounts before it do not count.
 */
export function listOutcome(ctx: ExecContext, list: readonly ExecInstruction[]): Rejection | OutcomeCheck | undefined {
  if (ctx.authority !== GOV_ACCOUNT || stateOf(ctx) === undefined) return undefined
  const forced = forceFault(
    ctx,
    list.map(({ def, value }) => ({ kind: def.kind, value })),
  )
  if (forced) return forced
  const before = outcomeOf(ctx)
  return () => outcomeFault(before, outcomeOf(ctx))
}
