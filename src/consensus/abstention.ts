/** Owns the state of an abstaining node; the rules are in abstain.ts. */
import type { ValidatorKey } from '../model/index.js'

/** Cause of abstention: votes may be lost, or it is not known yet whether the node ever voted. */
export type AbstentionCause = 'amnesia' | 'firstStart'

/** Progress of an abstaining node towards voting. */
export interface Abstention {
  readonly cause: AbstentionCause
  /** Peers of the roster that `shown` refers to, in order; a different roster restarts the count. */
  roster: readonly ValidatorKey[]
  /** First committed height that each peer reported since the count began, by peer name. */
  readonly shown: Map<ValidatorKey, number>
  /** First height at which this node votes again; set once enough peers reported no height above its own. */
  resumeAt: number | undefined
  /** True while the mark is being removed from the vote log; voting starts once that is durable. */
  ending: boolean
}

export const newAbstention = (cause: AbstentionCause): Abstention => ({
  cause,
  roster: [],
  shown: new Map(),
  resumeAt: undefined,
  ending: false,
})
