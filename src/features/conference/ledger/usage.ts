/** Owns the record of what a call used, segment by segment: figures of its host, no money moves. */
import { type Execution, type Rejection, reject } from '../../../executor/contract.js'
import type * as schema from '../schema/instructions.js'
import type { Call } from '../schema/records.js'
import { activeCall, artefactFault, domainOfCall, hostFault, isPrivate, tellUsage } from './common.js'
import { keyFault, proofCost, proofFault, proofWork } from './proofs.js'
import { calls, usages } from './tables.js'

const MINUTE_MS = 60_000n
const U64_MAX = 2n ** 64n - 1n
const U32_MAX = 2 ** 32 - 1

/** Why figures do not fit the call. */
function figuresFault(call: Call, durationMs: bigint, billedGas: bigint): Rejection | undefined {
  if (durationMs === 0n) return reject('conference_bad_duration', 'a segment lasts longer than nothing')
  const minutes = (durationMs + MINUTE_MS - 1n) / MINUTE_MS
  const most = minutes * call.gasRatePerMinute
  if (call.gasRatePerMinute > 0n && billedGas > most) {
    return reject('conference_overbilled', `${minutes} minutes are billed with at most ${most}`)
  }
  const isTooMuch = call.totalDurationMs + durationMs > U64_MAX || call.totalBilledGas + billedGas > U64_MAX
  return isTooMuch || call.segments >= U32_MAX ? reject('overflow', 'the totals of the call would not fit') : undefined
}

export const recordConferenceUsage: Execution<schema.RecordConferenceUsage> = {
  cost: { base: 240, per: proofCost('usage', 940) },
  proofWork: proofWork(10),
  primaryDomain: domainOfCall,
  execute(ctx, { call: id, durationMs, billedGas, usageCommitment: commitment, proof }) {
    const call = activeCall(ctx, id)
    if ('code' in call) return call
    const artefacts = { usage_commitment: commitment, proof }
    const refused =
      (isPrivate(call) ? artefactFault({}, artefacts) : artefactFault(artefacts, {})) ??
      hostFault(ctx, call) ??
      (proof && keyFault(ctx, 'usage', proof)) ??
      figuresFault(call, durationMs, billedGas)
    if (refused) return refused
    const { segments: segment } = call
    if (commitment !== undefined && proof !== undefined) {
      const fault = proofFault(ctx, { relation: 'usage', call: id, durationMs, billedGas, segment, commitment }, proof)
      if (fault) return fault
    }
    ctx.set(usages, { call: id, segment }, { durationMs, billedGas, commitment, atMs: ctx.env.timeMs })
    const next = {
      ...call,
      segments: segment + 1,
      totalDurationMs: call.totalDurationMs + durationMs,
      totalBilledGas: call.totalBilledGas + billedGas,
    }
    ctx.set(calls, id, next)
    tellUsage(ctx, id, next)
    return undefined
  },
}
