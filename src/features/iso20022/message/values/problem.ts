/** Owns the outcome of a value check: undefined, or the problem with the value. */
import type { ReasonCode } from '../reasons.js'

/** Problem of one value. */
export interface ValueProblem {
  readonly code: string
  readonly expected: string
  readonly reasonCode: ReasonCode
  readonly hint?: string | undefined
}

/** Check of one value; pure, never throws. */
export type ValueCheck = (value: string) => ValueProblem | undefined
