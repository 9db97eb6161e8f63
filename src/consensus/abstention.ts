/** Owns what an abstaining node waits for; the rules stand in abstain.ts. */
import type { ValidatorKey } from '../model/index.js'

/** What an abstaining node waits for. */
export interface Abstention {
  /** Committed height that each member showed first since we came back; at most a committee and its successors. */
  readonly shown: Map<ValidatorKey, number>
  /** First height at which we vote again, once we have committed what a quorum showed. */
  resumeAt: number | undefined
  /** The vote log is being freed of the mark: voting starts when that is durable. */
  ending: boolean
}

export const newAbstention = (): Abstention => ({ shown: new Map(), resumeAt: undefined, ending: false })
