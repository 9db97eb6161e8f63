/** Owns how much a proven fault takes: little alone, much with others of the same term. */
import type { FaultKind } from '../evidence/index.js'

/** What each kind takes by itself, in bps of the stake behind the offender. */
export const BASE_BPS: Readonly<Record<FaultKind, number>> = {
  double_proposal: 100,
  double_prepare: 200,
  double_timeout: 200,
  double_commit: 500,
  lock_amnesia: 500,
  conflicting_commits: 500,
}

/** Weight of many offenders at once, in bps: with a third of the members it is all of the stake. */
const CORRELATION_BPS = 90_000

/** Share that is taken, in bps: of `members` seats of the term `offenders` proved faulty. */
export function slashBps(base: number, offenders: number, members: number, maxBps: number): number {
  const together = Math.floor((CORRELATION_BPS * (offenders - 1) ** 2) / members ** 2)
  return Math.min(maxBps, Math.max(base, together))
}
