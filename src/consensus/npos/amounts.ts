/** Owns the division of amounts: shares of rewards, rounded down, and the penalty of a proven fault, which grows with the number of offenders. */
import type { FaultKind } from '../evidence/proof.js'
import { BPS } from './election.js'

/** Share of an amount, rounded down. */
export const partOf = (amount: bigint, bps: number): bigint => (amount * BigInt(bps)) / BPS

/**
 * Share of one seat in a reward that is divided equally among all seats, weighted by the slots in which the seat was
 * seen.
 */
export const earnedBy = (reward: bigint, seats: number, seen: number, slots: number): bigint =>
  seats === 0 || slots === 0 ? 0n : ((reward / BigInt(seats)) * BigInt(Math.min(seen, slots))) / BigInt(slots)

/** Share of a stake in a reward after the commission. */
export const shareOf = (rest: bigint, amount: bigint, total: bigint): bigint => (rest * amount) / (total || 1n)

/** Penalty of each kind for a single offender, in bps of the stake behind the offender. */
export const BASE_BPS: Readonly<Record<FaultKind, number>> = {
  double_proposal: 100,
  double_prepare: 200,
  double_timeout: 200,
  double_commit: 500,
  lock_amnesia: 500,
  conflicting_commits: 500,
}

/** Weight of simultaneous offenders, in bps: for a third of the members, the penalty is the whole stake. */
const CORRELATION_BPS = 90_000

/** Penalty in bps if `offenders` of the `members` seats of a term were proven faulty. */
export function slashBps(base: number, offenders: number, members: number, maxBps: number): number {
  const together = Math.floor((CORRELATION_BPS * (offenders - 1) ** 2) / members ** 2)
  return Math.min(maxBps, Math.max(base, together))
}
