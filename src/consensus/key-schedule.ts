/** Owns the mapping between the permanent name of a peer (its first key) and the key that it signs with at a height. */
import type { ValidatorKey } from '../model/index.js'

/** Keys of the members of one height. */
export interface KeySchedule {
  readonly roster: readonly ValidatorKey[]
  /** Peer of each key of the roster that differs from its first key. */
  readonly rotated: ReadonlyMap<ValidatorKey, ValidatorKey>
}

/** Key schedules of the two heights after a committed height. */
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

/** Own key that is active at the height after the tip; the first key if none is active. */
export const ownKeyAt = (tip: KeySchedules, own: readonly ValidatorKey[]): ValidatorKey =>
  own.find((key) => tip.schedule.roster.includes(key)) ?? (own[0] as ValidatorKey)
