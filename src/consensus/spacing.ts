/**
 * Owns the spacing of blocks: the wait of a proposer after a block, derived from the processor time that blocks cost
 * this node (docs/design/consensus.md 6).
 */
import { PACE_COST_FACTOR, PACE_T0_SHARE } from './limits.js'
import { baseTimeoutMs } from './pacemaker.js'
import type { ConsensusState } from './state.js'

/** Longest wait of any proposer in ms, by the timeouts of this node. */
const waitMaxMs = ({ pacemaker, context }: ConsensusState): number =>
  baseTimeoutMs(pacemaker, context.parameters) * PACE_T0_SHARE

/** Time in ms between the last proposal and a proposal of this node. */
export const proposerWaitMs = (state: ConsensusState): number =>
  Math.max(
    state.context.parameters.blockTimeMs,
    Math.min(PACE_COST_FACTOR * state.blockCosts.medianMs, waitMaxMs(state)),
  )

/** Time at which this node proposes in view 0, unless a full block is waiting. */
export const proposalDueAtMs = (state: ConsensusState): number => state.proposalSeenAtMs + proposerWaitMs(state)

/** Record the first proposal of another member in this view. */
export function noteProposalSeen(state: ConsensusState): void {
  // The wait of another proposer is unknown: time up to the longest wait counts as one.
  if (state.view === 0 && state.current === undefined) excludeWait(state, state.proposalSeenAtMs + waitMaxMs(state))
  state.proposalSeenAtMs = state.nowMs
}

/**
 * Exclude the time from the end of `block_time_ms` until now, or until `endMs`, from the height time. Otherwise a wait
 * would raise T0, and a higher T0 would raise the longest wait.
 */
export function excludeWait(state: ConsensusState, endMs: number): void {
  const { viewStartedAtMs, proposalSeenAtMs, context, nowMs } = state
  if (viewStartedAtMs === undefined) return
  const begunMs = Math.max(viewStartedAtMs, proposalSeenAtMs + context.parameters.blockTimeMs)
  state.waitedMs = Math.max(state.waitedMs, Math.min(nowMs, endMs) - begunMs)
}
