/**
 * Owns the liveness bounds: the maximum time of a network, from the state of its pacemakers (docs/design/consensus.md
 * 12, invariant 16).
 */
import { type newPacemaker, TIMER_JITTER, viewTimeoutMs } from '../consensus/index.js'
import type { ConsensusParameters } from '../model/index.js'

/**
 * Views after the heal until one must succeed, in addition to the fault budget f: the view that is broken when the
 * network heals, and one that spreads the highest certificate and brings every member into one view. Then at most f
 * proposers in a row are faulty.
 */
const EXTRA_VIEWS = 2
/**
 * Recovery time that timeouts do not cover, in ms: a Status goes to one peer a second in turn, a missing range of
 * blocks is given up after two, and a payload is requested from one member after another. Doubled for unlucky draws of
 * peers.
 */
const RECOVERY_MS = 6_000

/** State of the slowest pacemaker. */
export interface PaceAtHeal {
  readonly pacemaker: ReturnType<typeof newPacemaker>
  readonly view: number
}

const sumOfViews = (pace: PaceAtHeal, parameters: ConsensusParameters, views: number): number => {
  let sum = 0
  for (let step = 0; step < views; step++) {
    sum += viewTimeoutMs(pace.pacemaker, parameters, pace.view + step) * (1 + TIMER_JITTER)
  }
  return sum
}

/** Maximum virtual time from the heal to the next commit of an outstanding transaction, in ms. */
export const firstCommitBoundMs = (pace: PaceAtHeal, parameters: ConsensusParameters, faults: number): number =>
  sumOfViews(pace, parameters, faults + EXTRA_VIEWS) + RECOVERY_MS

/**
 * Maximum virtual time from the heal until all nodes have all blocks, in ms: every further height starts with shorter
 * timeouts than the one before and has at most f faulty proposers.
 */
export const settleBoundMs = (
  pace: PaceAtHeal,
  parameters: ConsensusParameters,
  faults: number,
  heights: number,
): number => firstCommitBoundMs(pace, parameters, faults) * (1 + heights)
