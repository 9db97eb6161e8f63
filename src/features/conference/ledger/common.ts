/** Owns the initial checks that all call instructions make in the same order, and their summary events. */

import { type ExecContext, type ProofContext, type Rejection, reject } from '../../../executor/contract.js'
import { parameterOf } from '../../../executor/parameters.js'
import type { StateReader } from '../../../state/index.js'
import { events } from '../schema/events.js'
import { CONFERENCE_MAX_RING } from '../schema/parameters.js'
import { type Call, MEMBERS_MAX, splitConferenceId } from '../schema/records.js'
import { calls } from './tables.js'

/** Domain of the call of an instruction. */
export const domainOfCall = ({ call }: { readonly call: string }): string => splitConferenceId(call).domain

/** Active call; writes to an ended call are refused. */
export function activeCall(ctx: StateReader, id: string): Call | Rejection {
  const call = ctx.get(calls, id)
  if (call === undefined) return reject('conference_not_found', `call ${id} does not exist`)
  return call.status === 'ended' ? reject('conference_ended', `the call ${id} has ended`) : call
}

/** Reason why the authority is not the host. */
export const hostFault = (ctx: Pick<ProofContext, 'authority'>, call: Call): Rejection | undefined =>
  call.host === ctx.authority ? undefined : reject('conference_not_host', 'only the host of the call can do this')

export const isPrivate = (call: Pick<Call, 'privacyMode'>): boolean => call.privacyMode === 'zkRosterV1'

/** Fields of instructions that belong to one mode. */
type Artefacts = Readonly<Record<string, unknown>>

/** Rejection if the fields do not match the mode of a call: all of `required` must be present, none of `forbidden`. */
export function artefactFault(forbidden: Artefacts, required: Artefacts): Rejection | undefined {
  for (const [name, value] of Object.entries(forbidden)) {
    if (value !== undefined)
      return reject('conference_artefacts_forbidden', `${name} is not allowed in the mode of the call`)
  }
  for (const [name, value] of Object.entries(required)) {
    if (value === undefined)
      return reject('conference_artefacts_required', `${name} is required in the mode of the call`)
  }
  return undefined
}

/** Emit the participants of a call: their number or, for a private call, the roots. */
export function emitRoster(ctx: ExecContext, id: string, call: Call): void {
  const { privacyMode, memberCount, nullifierCount, rosterRoot } = call
  const hidden = isPrivate(call)
  ctx.emit(events.conferenceRosterSummary, {
    call: id,
    privacyMode,
    participantCount: hidden ? undefined : memberCount,
    commitmentCount: hidden ? memberCount : 0,
    nullifierCount,
    rosterRoot,
  })
}

/** Emit the usage of a call. */
export function emitUsage(ctx: ExecContext, id: string, { totalDurationMs, totalBilledGas, segments }: Call): void {
  ctx.emit(events.conferenceUsageSummary, { call: id, totalDurationMs, totalBilledGas, segments })
}

/** Maximum seats of a call of this mode, without the host. */
export const capacityOf = (ctx: StateReader, call: Pick<Call, 'privacyMode'>): number =>
  isPrivate(call) ? parameterOf(ctx, CONFERENCE_MAX_RING) : MEMBERS_MAX

/** Reason why no more seats are free. */
export function fullFault(ctx: StateReader, call: Call): Rejection | undefined {
  const most = Math.min(call.maxParticipants ?? Number.MAX_SAFE_INTEGER, capacityOf(ctx, call))
  return call.memberCount >= most ? reject('conference_full', `the call is full with ${most} participants`) : undefined
}
