/** Owns the state of an abstaining node; the rules are in abstain.ts. */
import type { ValidatorKey } from '../model/index.js'

/** Why a node abstains: its votes may be lost, or it may never have voted and cannot tell yet. */
export type AbstentionCause = 'amnesia' | 'firstStart'

/** What an abstaining node waits for. */
export interface Abstention {
  readonly cause: AbstentionCause
  /** Peers of the roster that `shown` counts, in its order; another roster starts the count anew. */
  roster: readonly ValidatorKey[]
  /** Committed height that each peer of the roster showed first since the count began, by the name of the peer. */
  readonly shown: Map<ValidatorKey, number>
  /** First height at which we vote again, once enough peers showed nothing above what we have committed. */
  resumeAt: number | undefined
  /** The vote log is being freed of the mark: voting starts when that is durable. */
  ending: boolean
}

export const newAbstention = (cause: AbstentionCause): Abstention => ({
  cause,
  roster: [],
  shown: new Map(),
  resumeAt: undefined,
  ending: false,
})
