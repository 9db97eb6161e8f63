/** Owns the spacing of blocks: how long a proposer waits after a block, by the processor time that blocks cost this node (docs/design/consensus.md 6). */
import { PACE_COST_FACTOR, PACE_T0_SHARE } from './limits.js'
import { baseTimeoutMs } from './pacemaker.js'
import type { ConsensusState } from './state.js'

/** Longest wait of any proposer in ms, by the timeouts of this node. */
const waitMaxMs = ({ pacemaker, context }: ConsensusState): number =>
  baseTimeoutMs(pacemaker, context.parameters) * PACE_T0_SHARE

/** Time in ms that this node lets pass as a proposer between the proposal of the last block and its own. */
export const proposerWaitMs = (state: ConsensusState): number =>
  Math.max(
    state.context.parameters.blockTimeMs,
    Math.min(PACE_COST_FACTOR * state.blockCosts.medianMs, waitMaxMs(state)),
  )

/** When this node proposes in view 0, unless a whole block waits. */
export const proposalDueAtMs = (state: ConsensusState): number => state.proposalSeenAtMs + proposerWaitMs(state)

/** The first proposal of another member in this view is here. */
export function noteProposalSeen(state: ConsensusState): void {
  // A node cannot know how long another proposer waited: what is within the longest wait counts as one.
  if (state.view === 0 && state.current === undefined) excludeWait(state, state.proposalSeenAtMs + waitMaxMs(state))
  state.proposalSeenAtMs = state.nowMs
}

/**
 * Takes the time from the end of `block_time_ms` until now, or until `endMs`, out of the height time: a wait that counted would
 * raise T0, and T0 the longest wait.
 */
export function excludeWait(state: ConsensusState, endMs: number): void {
  const { viewStartedAtMs, proposalSeenAtMs, context, nowMs } = state
  if (viewStartedAtMs === undefined) return
  const begunMs = Math.max(viewStartedAtMs, proposalSeenAtMs + context.parameters.blockTimeMs)
  state.waitedMs = Math.max(state.waitedMs, Math.min(nowMs, endMs) - begunMs)
}
