/** Owns joining and leaving: by name in transparent calls, by proof in private ones. */

import { accounts } from '../../../executor/accounts.js'
import { unknownAccount } from '../../../executor/addresses.js'
import { type ExecContext, type Rejection, reject } from '../../../executor/contract.js'
import type { Executions } from '../../../executor/feature.js'
import type { instructions } from '../schema/instructions.js'
import type { Call } from '../schema/records.js'
import { activeCall, artefactFault, domainOfCall, emitRoster, fullFault, isPrivate } from './common.js'
import { joinPrivately, joinQuestion, leavePrivately, leaveQuestion } from './private-members.js'
import { earlyProof, listCost, proofCost, proofWork } from './proofs.js'
import { calls, participants } from './tables.js'

/** Participant of a transparent join or leave: the account that the host names, or the authority. */
function participantOf(ctx: ExecContext, call: Call, named: string | undefined): string | Rejection {
  const participant = named ?? ctx.authority
  if (ctx.authority !== participant && ctx.authority !== call.host) {
    return reject('not_permitted', 'only the participant or the host can sign this')
  }
  if (participant === call.host) return reject('conference_participant_is_host', 'the host is already in the call')
  return participant
}

export const execute = {
  joinConference: {
    cost: { base: 180, per: [...proofCost('join', 1_340), listCost] },
    proofWork: proofWork(12),
    primaryDomain: domainOfCall,
    preverify(ctx, value) {
      const call = activeCall(ctx, value.call)
      if ('code' in call || !isPrivate(call)) return undefined
      return earlyProof(joinQuestion(ctx, call, value), 'nothing')
    },
    execute(ctx, value) {
      const call = activeCall(ctx, value.call)
      if ('code' in call) return call
      if (isPrivate(call)) return joinPrivately(ctx, call, value)
      const { call: id, participant: named, ...artefacts } = value
      const unfit = artefactFault(artefacts, {})
      if (unfit) return unfit
      const account = participantOf(ctx, call, named)
      if (typeof account !== 'string') return account
      if (!ctx.has(accounts, account)) return unknownAccount(ctx, account)
      if (ctx.has(participants, { call: id, account })) {
        return reject('conference_already_joined', 'the participant is already in the call')
      }
      const full = fullFault(ctx, call)
      if (full) return full
      ctx.set(participants, { call: id, account }, { joinedAtMs: ctx.env.timeMs })
      count(ctx, id, call, 1)
      return undefined
    },
  },

  leaveConference: {
    cost: { base: 150, per: proofCost('leave', 1_370) },
    proofWork: proofWork(12),
    primaryDomain: domainOfCall,
    preverify(ctx, value) {
      const call = activeCall(ctx, value.call)
      if ('code' in call || !isPrivate(call)) return undefined
      return earlyProof(leaveQuestion(ctx, value), 'state')
    },
    execute(ctx, value) {
      const call = activeCall(ctx, value.call)
      if ('code' in call) return call
      if (isPrivate(call)) return leavePrivately(ctx, call, value)
      const { call: id, participant: named, ...artefacts } = value
      const unfit = artefactFault(artefacts, {})
      if (unfit) return unfit
      const account = participantOf(ctx, call, named)
      if (typeof account !== 'string') return account
      if (!ctx.has(participants, { call: id, account })) {
        return reject('conference_not_joined', 'the participant is not in the call')
      }
      ctx.delete(participants, { call: id, account })
      count(ctx, id, call, -1)
      return undefined
    },
  },
} satisfies Partial<Executions<typeof instructions>>

function count(ctx: ExecContext, id: string, call: Call, by: 1 | -1): void {
  const memberCount = call.memberCount + by
  if (memberCount < 0) throw new Error(`the participant count of call ${id} is negative`)
  const next = { ...call, memberCount }
  ctx.set(calls, id, next)
  emitRoster(ctx, id, next)
}
