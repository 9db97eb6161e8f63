/** Owns abstaining: a node that may have forgotten votes follows, and votes again well above what it may have signed (design/consensus.md 8). */
import type { ValidatorKey } from '../model/index.js'
import { ABSTAIN_HEIGHTS } from './limits.js'
import type { Turn } from './turn.js'

/** A member shows the height that it decides; the first word since we came back counts. */
export function noteShownHeight(turn: Turn, from: ValidatorKey, deciding: number): void {
  const { abstention, context } = turn.state
  if (abstention === undefined || abstention.shown.has(from) || !context.committee.indexOf.has(from)) return
  abstention.shown.set(from, deciding - 1)
}

/**
 * Before the loss we voted at most two heights above what some correct member had committed: our last height needed
 * the votes of f + 1 correct ones. Among a quorum of the others one such member is. So once we have committed what a
 * quorum of them showed, nothing of ours stands three heights further on. This asks no more than progress does: without
 * us the chain moves by a quorum of the others alone.
 */
function fixResumption(turn: Turn): void {
  const { abstention, context } = turn.state
  if (abstention === undefined || abstention.resumeAt !== undefined) return
  const committed = context.height - 1
  const reached = [...abstention.shown.values()].filter((height) => height <= committed).length
  if (reached >= context.committee.quorum) abstention.resumeAt = committed + ABSTAIN_HEIGHTS
}

/** Asks for the mark to be removed once our height is there. */
export function tryEndAbstention(turn: Turn): void {
  fixResumption(turn)
  const { abstention, context } = turn.state
  if (abstention?.resumeAt === undefined || abstention.ending || context.height < abstention.resumeAt) return
  abstention.ending = true
  turn.effects.push({ type: 'endAbstention' })
}

/** The mark is gone from the disk: we are a member again. */
export function onAbstentionEnded(turn: Turn): void {
  const { state } = turn
  state.abstention = undefined
  state.index = state.context.committee.indexOf.get(state.self)
}
