/** Owns the two names of a peer: its links know it by the key that it registered with, consensus by the key that acts at a height. */
import type { ScheduleView } from '../executor/index.js'
import type { ValidatorKey } from '../model/index.js'
import type { Tip } from './ledger/protocol.js'
import type { LinkStates } from './link-states.js'

/** The part of the tip that names peers. */
type Schedules = Pick<Tip, 'height' | 'schedule' | 'nextSchedule'>

const keyIn = (schedule: ScheduleView, peer: ValidatorKey): ValidatorKey => {
  for (const [key, owner] of schedule.rotated) if (owner === peer) return key
  return peer
}

/** Peer of a consensus key of this height or the next one. */
export const peerOf = (tip: Schedules, key: ValidatorKey): ValidatorKey =>
  tip.schedule.rotated.get(key) ?? tip.nextSchedule.rotated.get(key) ?? key

/** Consensus key of a peer at the height that a message is about. */
export const keyAt = (tip: Schedules, peer: ValidatorKey, height: number): ValidatorKey =>
  keyIn(height > tip.height + 1 ? tip.nextSchedule : tip.schedule, peer)

/** States of links by the consensus keys of this height. */
export const linksByKey = (links: LinkStates, tip: () => Schedules): LinkStates => ({
  isConnected: (key) => links.isConnected(peerOf(tip(), key)),
  lastError: (key) => links.lastError(peerOf(tip(), key)),
  connected: () => links.connected().map((peer) => keyAt(tip(), peer, 0)),
})

/** Which of our keys acts at the height after the tip; the first one when none does. */
export const ownKeyAt = (tip: Schedules, own: readonly ValidatorKey[]): ValidatorKey =>
  own.find((key) => tip.schedule.roster.includes(key)) ?? (own[0] as ValidatorKey)
