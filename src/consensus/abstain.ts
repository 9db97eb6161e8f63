/**
 * Owns abstaining: a node that may have forgotten votes follows, and votes again only well above the heights that it
 * may have signed (docs/design/consensus.md 8, docs/design/hardening.md 6, docs/decisions/0010).
 */
import { FIRST_VOTED_HEIGHT, type ValidatorKey } from '../model/index.js'
import type { Abstention } from './abstention.js'
import { ABSTAIN_HEIGHTS } from './limits.js'
import { armViewTimer } from './pacing.js'
import { faultBudget } from './roster.js'
import type { ConsensusState } from './state.js'
import type { StepContext } from './step-context.js'

/** Record the height that a peer of the roster reports; only its first report since the count began counts. */
export function noteShownHeight(ctx: StepContext, from: ValidatorKey, deciding: number): void {
  const { abstention, context, self } = ctx.state
  if (abstention === undefined || from === self) return
  followRoster(context.rosterPeers, abstention)
  const peer = context.peerOf(from)
  if (!abstention.roster.includes(peer) || abstention.shown.has(peer)) return
  abstention.shown.set(peer, deciding - 1)
}

/**
 * Restart the count with a changed roster, even if the height of resumption was fixed: reports of removed peers do not
 * bound the heights that the new peers decided with our votes. A key rotation keeps the peer.
 */
function followRoster(roster: readonly ValidatorKey[], abstention: Abstention): void {
  const known = abstention.roster
  if (known.length === roster.length && roster.every((peer) => known.includes(peer))) return
  abstention.roster = roster
  abstention.shown.clear()
  abstention.resumeAt = undefined
}

/**
 * Before the loss we voted at most two heights above a height that some correct peer had committed. If our last vote
 * was at H, 2f + 1 members had signed H - 1; without us and f faulty members, f correct others had committed H - 2. Any
 * n - f of the n - 1 others leave out f - 1, so at least one of these f is among them. Once we have committed the
 * heights that n - f others reported, no vote of ours is valid three heights later. While a peer serves verified blocks
 * above ours, we have not committed these heights.
 */
function fixResumption(state: ConsensusState, abstention: Abstention): void {
  if (abstention.resumeAt !== undefined || hasVerifiedBlocks(state)) return
  const { context } = state
  const committed = context.height - 1
  const n = abstention.roster.length
  const reached = [...abstention.shown.values()].filter((height) => height <= committed).length
  if (reached >= n - faultBudget(n)) abstention.resumeAt = committed + ABSTAIN_HEIGHTS
}

const hasVerifiedBlocks = ({ sync, context }: ConsensusState): boolean => {
  for (const [height, { status }] of sync.blocks) if (height > context.height && status === 'verified') return true
  return false
}

/**
 * True if a node that never voted may begin at the first voted height: a quorum, including this node, is at that
 * height, and no message shows a higher chain. A new network starts this way; for a member that lost its disk, the
 * other members are higher.
 */
function mayBegin(state: ConsensusState, abstention: Abstention): boolean {
  const { context, decided } = state
  if (abstention.cause !== 'firstStart' || context.height !== FIRST_VOTED_HEIGHT || decided !== undefined) return false
  if (state.sync.blocks.size > 0) return false
  let others = 0
  for (const key of context.committee.keys) {
    if (key !== state.self && abstention.shown.get(context.peerOf(key)) === FIRST_VOTED_HEIGHT - 1) others += 1
  }
  return others >= context.committee.quorum - 1
}

/** Request the removal of the abstention mark once our height reaches the first height of voting. */
export function tryEndAbstention(ctx: StepContext): void {
  const { abstention, context } = ctx.state
  if (abstention === undefined || abstention.ending) return
  followRoster(context.rosterPeers, abstention)
  fixResumption(ctx.state, abstention)
  const isThere = abstention.resumeAt !== undefined && context.height >= abstention.resumeAt
  if (!isThere && !mayBegin(ctx.state, abstention)) return
  abstention.ending = true
  ctx.effects.push({ type: 'endAbstention' })
}

/** Rejoin the committee after the mark was removed from the disk. */
export function onAbstentionEnded(ctx: StepContext): void {
  const { state } = ctx
  state.abstention = undefined
  state.index = state.context.committee.indexOf.get(state.self)
  // Work may have been known before; an observer has no view timer.
  armViewTimer(ctx)
}
