/** Owns how many seats a call has. */
import { type Rejection, reject } from '../../../executor/contract.js'
import { parameterOf } from '../../../executor/parameters.js'
import type { StateReader } from '../../../state/index.js'
import { CONFERENCE_MAX_RING } from '../schema/parameters.js'
import { type Call, MEMBERS_MAX } from '../schema/records.js'
import { isPrivate } from './common.js'

/** Seats of a call of this mode at most, the host aside. */
export const capacityOf = (ctx: StateReader, call: Pick<Call, 'privacyMode'>): number =>
  isPrivate(call) ? parameterOf(ctx, CONFERENCE_MAX_RING) : MEMBERS_MAX

/** Why no more seats are free. */
export function fullFault(ctx: StateReader, call: Call): Rejection | undefined {
  const most = Math.min(call.maxParticipants ?? Number.MAX_SAFE_INTEGER, capacityOf(ctx, call))
  return call.memberCount >= most ? reject('conference_full', `the call has ${most} participants`) : undefined
}
