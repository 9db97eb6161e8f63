/** Owns the division of amounts: shares of rewards, always floored, and how much a proven fault takes, little alone and much with others. */
import type { FaultKind } from '../evidence/proof.js'
import { BPS } from './election.js'

/** Part of an amount, floored. */
export const partOf = (amount: bigint, bps: number): bigint => (amount * BigInt(bps)) / BPS

/** What one seat earned of a reward that all seats share equally, by the slots that it was seen in. */
export const earnedBy = (reward: bigint, seats: number, seen: number, slots: number): bigint =>
  seats === 0 || slots === 0 ? 0n : ((reward / BigInt(seats)) * BigInt(Math.min(seen, slots))) / BigInt(slots)

/** Share of a stake in what is left of a reward after the commission. */
export const shareOf = (rest: bigint, amount: bigint, total: bigint): bigint => (rest * amount) / (total || 1n)

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
