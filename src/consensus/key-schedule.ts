/** Owns the two names of a peer: it is registered under one key for good, and votes with the key that acts at a height. */
import type { ValidatorKey } from '../model/index.js'

/** Keys of the members of one height. */
export interface KeySchedule {
  readonly roster: readonly ValidatorKey[]
  /** Peer of each key of the roster that is not the one it was registered with. */
  readonly rotated: ReadonlyMap<ValidatorKey, ValidatorKey>
}

/** What names peers at a committed height: the schedules of the two heights after it. */
export interface KeySchedules {
  /** Height of the last committed block. */
  readonly height: number
  readonly schedule: KeySchedule
  readonly nextSchedule: KeySchedule
}

const keyIn = (schedule: KeySchedule, peer: ValidatorKey): ValidatorKey => {
  for (const [key, owner] of schedule.rotated) if (owner === peer) return key
  return peer
}

/** Peer of a consensus key of this height or the next one. */
export const peerOf = (tip: KeySchedules, key: ValidatorKey): ValidatorKey =>
  tip.schedule.rotated.get(key) ?? tip.nextSchedule.rotated.get(key) ?? key

/** Consensus key of a peer at the height that a message is about. */
export const keyAt = (tip: KeySchedules, peer: ValidatorKey, height: number): ValidatorKey =>
  keyIn(height > tip.height + 1 ? tip.nextSchedule : tip.schedule, peer)

/** Which of our keys acts at the height after the tip; the first one when none does. */
export const ownKeyAt = (tip: KeySchedules, own: readonly ValidatorKey[]): ValidatorKey =>
  own.find((key) => tip.schedule.roster.includes(key)) ?? (own[0] as ValidatorKey)
