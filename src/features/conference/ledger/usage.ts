/** Owns the usage records of a call, per segment, as reported by its host; no money moves. */

import { type ProofContext, type Rejection, reject } from '../../../executor/contract.js'
import type { Executions } from '../../../executor/feature.js'
import type * as schema from '../schema/instructions.js'
import type { instructions } from '../schema/instructions.js'
import { type Call, COUNT_MAX } from '../schema/records.js'
import { activeCall, artefactFault, domainOfCall, emitUsage, hostFault, isPrivate } from './common.js'
import { earlyProof, keyFault, proofCost, proofFault, proofWork, type Question, questionOf } from './proofs.js'
import { calls, usages } from './tables.js'

const MINUTE_MS = 60_000n
const U64_MAX = 2n ** 64n - 1n

/** Reason why usage figures are invalid for the call. */
function figuresFault(call: Call, durationMs: bigint, billedGas: bigint): Rejection | undefined {
  if (durationMs === 0n) return reject('conference_bad_duration', 'a segment must have a positive duration')
  const minutes = (durationMs + MINUTE_MS - 1n) / MINUTE_MS
  const most = minutes * call.gasRatePerMinute
  if (call.gasRatePerMinute > 0n && billedGas > most) {
    return reject('conference_overbilled', `${minutes} minutes can be billed with at most ${most}`)
  }
  const isTooMuch = call.totalDurationMs + durationMs > U64_MAX || call.totalBilledGas + billedGas > U64_MAX
  return isTooMuch || call.segments >= COUNT_MAX
    ? reject('overflow', 'the totals of the call would overflow')
    : undefined
}

/** Claim of a segment's proof, or an earlier rejection; undefined for a segment without proof. */
function usageQuestion(
  ctx: ProofContext,
  call: Call,
  { call: id, durationMs, billedGas, usageCommitment: commitment, proof }: schema.RecordConferenceUsage,
): Question | Rejection | undefined {
  const artefacts = { usage_commitment: commitment, proof }
  const refused =
    (isPrivate(call) ? artefactFault({}, artefacts) : artefactFault(artefacts, {})) ??
    hostFault(ctx, call) ??
    (proof && keyFault(ctx, 'usage', proof)) ??
    figuresFault(call, durationMs, billedGas)
  if (refused) return refused
  if (commitment === undefined || proof === undefined) return undefined
  const { segments: segment } = call
  return questionOf(ctx, { relation: 'usage', call: id, durationMs, billedGas, segment, commitment }, proof)
}

export const execute = {
  recordConferenceUsage: {
    cost: { base: 240, per: proofCost('usage', 940) },
    proofWork: proofWork(10),
    primaryDomain: domainOfCall,
    preverify(ctx, value) {
      const call = activeCall(ctx, value.call)
      // An earlier transaction of the segment before this one would make it the next.
      return 'code' in call ? undefined : earlyProof(usageQuestion(ctx, call, value), 'before')
    },
    execute(ctx, value) {
      const call = activeCall(ctx, value.call)
      if ('code' in call) return call
      const asked = usageQuestion(ctx, call, value)
      const refused = asked === undefined || 'code' in asked ? asked : proofFault(asked)
      if (refused) return refused
      const { call: id, durationMs, billedGas, usageCommitment: commitment } = value
      const { segments: segment } = call
      ctx.set(usages, { call: id, segment }, { durationMs, billedGas, commitment, atMs: ctx.env.timeMs })
      const next = {
        ...call,
        segments: segment + 1,
        totalDurationMs: call.totalDurationMs + durationMs,
        totalBilledGas: call.totalBilledGas + billedGas,
      }
      ctx.set(calls, id, next)
      emitUsage(ctx, id, next)
      return undefined
    },
  },
} satisfies Partial<Executions<typeof instructions>>
