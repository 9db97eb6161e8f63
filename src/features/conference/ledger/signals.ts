/** Owns signals: short public messages about a call, in order. */

import { type ProofContext, type Rejection, reject } from '../../../executor/contract.js'
import type { Executions } from '../../../executor/feature.js'
import { events } from '../schema/events.js'
import { signalHash } from '../schema/hashes.js'
import type * as schema from '../schema/instructions.js'
import type { instructions } from '../schema/instructions.js'
import { type Call, COUNT_MAX, SIGNALS_MAX } from '../schema/records.js'
import { activeCall, artefactFault, domainOfCall, hostFault, isPrivate } from './common.js'
import { seatOf } from './private-members.js'
import { earlyProof, keyFault, proofCost, proofFault, proofWork, type Question, questionOf } from './proofs.js'
import { calls, participants, rosters, signals } from './tables.js'

const limitFault = (call: Call): Rejection | undefined =>
  call.signalCount >= COUNT_MAX
    ? reject('conference_signal_limit', `a call can have at most ${COUNT_MAX} signals`)
    : undefined

/** Claim of a member's proof, or the reason why the signal is not permitted; undefined: the host needs no proof. */
function memberQuestion(
  ctx: ProofContext,
  call: Call,
  value: schema.PostConferenceSignal,
): Question | Rejection | undefined {
  const { call: id, kind, body, commitment, proof } = value
  if (commitment === undefined && proof === undefined) {
    return hostFault(ctx, call) === undefined
      ? limitFault(call)
      : reject('not_permitted', 'the host must sign, or a proof of a seat is required')
  }
  const unfit = artefactFault({}, { commitment, proof })
  if (unfit) return unfit
  if (!commitment || !proof) throw new Error('the proof is missing')
  const refused = keyFault(ctx, 'signal', proof)
  if (refused) return refused
  const seat = seatOf(ctx.get(rosters, id) ?? [], commitment)
  if (seat === undefined) return reject('conference_not_in_roster', 'the commitment has no seat in the call')
  const { session } = seat
  const proven = { relation: 'signal', call: id, session, bodyHash: signalHash(kind, body), commitment } as const
  return limitFault(call) ?? questionOf(ctx, proven, proof)
}

/** Reason why a private call refuses the signal. */
function memberFault(ctx: ProofContext, call: Call, value: schema.PostConferenceSignal): Rejection | undefined {
  const asked = memberQuestion(ctx, call, value)
  return asked === undefined || 'code' in asked ? asked : proofFault(asked)
}

/** Reason why an account may not send a signal in a transparent call. */
function participantFault(ctx: ProofContext, call: Call, value: schema.PostConferenceSignal): Rejection | undefined {
  const { call: id, commitment, proof } = value
  const unfit = artefactFault({ commitment, proof }, {})
  if (unfit) return unfit
  const isIn = ctx.authority === call.host || ctx.has(participants, { call: id, account: ctx.authority })
  return isIn ? limitFault(call) : reject('not_permitted', 'only the host or a participant can signal')
}

export const execute = {
  postConferenceSignal: {
    cost: {
      base: 120,
      per: [{ teu: 1, item: 'byte of the body', count: ({ body }) => body.length }, ...proofCost('signal', 780)],
    },
    proofWork: proofWork(9),
    primaryDomain: domainOfCall,
    preverify(ctx, value) {
      const call = activeCall(ctx, value.call)
      return 'code' in call || !isPrivate(call) ? undefined : earlyProof(memberQuestion(ctx, call, value), 'state')
    },
    execute(ctx, value) {
      const call = activeCall(ctx, value.call)
      if ('code' in call) return call
      const refused = isPrivate(call) ? memberFault(ctx, call, value) : participantFault(ctx, call, value)
      if (refused) return refused
      const { call: id, kind, body, commitment } = value
      const { signalCount: index } = call
      // The transaction of a member's signal reveals its payer; the proof hides whether that is the member.
      const from = commitment === undefined ? ctx.authority : undefined
      // The oldest is removed: otherwise one participant could fill all slots permanently.
      if (index >= SIGNALS_MAX) ctx.delete(signals, { call: id, index: index - SIGNALS_MAX })
      ctx.set(signals, { call: id, index }, { kind, body, atMs: ctx.env.timeMs, from, commitment })
      ctx.set(calls, id, { ...call, signalCount: index + 1 })
      ctx.emit(events.conferenceSignalPosted, { call: id, kind, index })
      return undefined
    },
  },
} satisfies Partial<Executions<typeof instructions>>
