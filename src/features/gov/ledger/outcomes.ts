/** Owns the outcomes of votes. Only they hold amounts of closed votes, until no conviction holds an amount any more. */
import type { ExecContext } from '../../../executor/contract.js'
import { CONVICTION_MAX } from '../schema/records.js'
import { knownState, writeState } from './account.js'
import { type Outcome, outcomes, referenda } from './tables.js'

/**
 * Number of outcomes checked per closed proposal: more than one, so that removal keeps up with any rate of proposals.
 */
const DROPS_PER_CLOSING = 4

/** Time until which a ballot of the winning side holds its amount, in ms. */
export const heldUntilMs = ({ endMs, stepMs }: Outcome, conviction: number): number =>
  conviction === 0 ? endMs : endMs + stepMs * 2 ** (conviction - 1)

/** True if a proposal may still get an outcome, or has one that holds amounts. */
function isNeeded(ctx: ExecContext, number: number): boolean {
  const outcome = ctx.get(outcomes, number)
  if (outcome !== undefined) return ctx.env.timeMs < heldUntilMs(outcome, CONVICTION_MAX)
  const row = ctx.get(referenda, number)
  return row !== undefined && row.closedMs === undefined
}

/** Remove the oldest outcomes that hold nothing. */
export function dropOutcomes(ctx: ExecContext): void {
  const state = knownState(ctx)
  let from = state.outcomesFrom
  for (let looked = 0; looked < DROPS_PER_CLOSING && from < state.next; looked += 1) {
    if (isNeeded(ctx, from)) break
    if (ctx.has(outcomes, from)) ctx.delete(outcomes, from)
    from += 1
  }
  if (from > state.outcomesFrom) writeState(ctx, { ...state, outcomesFrom: from })
}
