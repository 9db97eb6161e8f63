/** Owns the division of amounts: always floored, so that parts never exceed the whole. */
import { BPS } from './election.js'

/** Part of an amount, floored. */
export const partOf = (amount: bigint, bps: number): bigint => (amount * BigInt(bps)) / BPS

/** What one seat earned of a reward that all seats share equally, by the slots that it was seen in. */
export const earnedBy = (reward: bigint, seats: number, seen: number, slots: number): bigint =>
  seats === 0 || slots === 0 ? 0n : ((reward / BigInt(seats)) * BigInt(Math.min(seen, slots))) / BigInt(slots)

/** Share of a stake in what is left of a reward after the commission. */
export const shareOf = (rest: bigint, amount: bigint, total: bigint): bigint => (rest * amount) / (total || 1n)
