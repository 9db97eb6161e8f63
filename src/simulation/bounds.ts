/**
 * Owns the liveness bounds: the maximum recovery time of a network, from the state of its pacemakers
 * (docs/design/consensus.md 12, invariant 16).
 */
import { type newPacemaker, TIMER_JITTER, viewTimeoutMs } from '../consensus/index.js'
import type { ConsensusParameters } from '../model/index.js'

/**
 * Views after the heal within which one must succeed, in addition to the fault budget f: the view that is interrupted
 * by the heal, and a view that distributes the highest certificate and brings every member into one view. Afterwards at
 * most f proposers in a row are faulty.
 */
const EXTRA_VIEWS = 2
/**
 * Recovery time not covered by timeouts, in ms: each Status goes to one peer per second in turn, a request for a
 * missing range of blocks is abandoned after two seconds, and a payload is requested from one member after another.
 * Doubled for unlucky draws of peers.
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
 * Maximum virtual time from the heal until all nodes have all blocks, in ms. Every further height starts with shorter
 * timeouts than the previous one and has at most f faulty proposers.
 */
export const settleBoundMs = (
  pace: PaceAtHeal,
  parameters: ConsensusParameters,
  faults: number,
  heights: number,
): number => firstCommitBoundMs(pace, parameters, faults) * (1 + heights)
