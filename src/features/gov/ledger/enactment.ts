/** Owns the enactment of a list: as the governance account, all or nothing, and above the floor. */
import { addressPrefixOf } from '../../../executor/addresses.js'
import { type ExecContext, type Rejection, reject } from '../../../executor/contract.js'
import { rosterFor } from '../../../executor/rosters.js'
import { storedList } from '../../../executor/stored-lists.js'
import type { Instruction } from '../../../model/index.js'
import { GOV_ACCOUNT, governs, knownState } from './account.js'
import { closeProposal } from './due.js'
import { parameterFloor } from './floor.js'
import { forceFault, listTeu } from './lists.js'
import { contentPages, contents, type Referendum } from './tables.js'
import { soundnessFault } from './tracks.js'

/** Units reserved for the record of an attempt. */
const RECORD_TEU = 1_000
/** Roster size below which no decision may reduce it. */
const ROSTER_FLOOR = 4
/** Number of heights until roster changes take effect. */
const ROSTER_LEAD_HEIGHTS = 2

/** Failed attempt: its rejection, and the recorded error. */
export interface FailedEnactment {
  readonly rejection: Rejection
  readonly error: NonNullable<Referendum['error']>
}

/** Number of validators after the pending changes in the state. */
function rosterSize(ctx: ExecContext): number {
  const height = ctx.env.height + ROSTER_LEAD_HEIGHTS
  return (ctx.abi.policies.election?.rosterAt(ctx, height) ?? rosterFor(ctx, height)).roster.length
}

/** Rejection of an enacted list that would leave the chain or its governance unable to continue. */
function outcomeFault(ctx: ExecContext, sizeBefore: number): Rejection | undefined {
  const floor = parameterFloor(ctx)
  if (floor) return floor
  if (rosterSize(ctx) < Math.min(sizeBefore, ROSTER_FLOOR))
    return reject('below_floor', `cannot leave fewer than ${ROSTER_FLOOR} validators in the roster`)
  const unsound = soundnessFault(ctx, knownState(ctx))
  if (unsound) return reject('below_floor', `a track would be unsound: ${unsound.message}`)
  return governs(ctx) ? undefined : reject('below_floor', 'the governance account must keep CanManageGovernance')
}

/** Instructions of a proposal; reading them is metered. */
function contentOf(ctx: ExecContext, number: number): readonly Instruction[] | Rejection {
  const row = ctx.get(contents, number)
  if (row === undefined) throw new Error(`proposal ${number} has no content`)
  const codec = ctx.abi.codec(addressPrefixOf(ctx))
  return storedList(ctx, { pages: contentPages, of: number, row, codec, purse: ctx })
}

/** Run a list as the governance account and check its outcome. `onRejected` gets the position of a failed instruction. */
export function runList(
  ctx: ExecContext,
  instructions: readonly Instruction[],
  onRejected: (position: number) => void,
): Rejection | undefined {
  const before = rosterSize(ctx)
  return (
    forceFault(ctx, instructions) ??
    ctx.runStored({ authority: GOV_ACCOUNT, instructions, by: 'proposal', onRejected }) ??
    outcomeFault(ctx, before)
  )
}

/**
 * Enact the list of an approved proposal; a failed attempt has no effects. The proposal already has the status
 * `enacted` while the list runs.
 */
export function attemptEnactment(ctx: ExecContext, number: number, row: Referendum): FailedEnactment | undefined {
  const list = contentOf(ctx, number)
  if ('code' in list) return failedBy(ctx, list, undefined)
  let position: number | undefined
  const rejection = ctx.forkWithin({ max: listTeu(ctx), kept: RECORD_TEU }, (part) => {
    closeProposal(part, number, row, 'enacted')
    return runList(part, list, (at) => {
      position = at
    })
  })
  return rejection && failedBy(ctx, rejection, position)
}

const failedBy = (ctx: ExecContext, rejection: Rejection, position: number | undefined): FailedEnactment => ({
  rejection,
  error: { code: ctx.abi.errorNumbers.get(rejection.code) ?? 0, position },
})
