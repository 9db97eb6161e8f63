/** Owns the end of rule 5: the decided block is committed once it is here and reproduced, or the node halts. */
import { hashKey } from './state.js'
import type { StepContext } from './step-context.js'

/** Commits the decided block when it is executed; certified roots that we cannot reproduce stop the node for good. */
export function advanceDecided(ctx: StepContext): void {
  const { state } = ctx
  const { decided } = state
  if (decided === undefined || state.committing || state.halted) return
  const candidate = state.candidates.get(hashKey(decided.certificate.blockHash))
  if (candidate?.body === undefined) return
  if (candidate.status === 'refused' && candidate.executedAsCertified) {
    state.halted = true
    ctx.effects.push({
      type: 'halt',
      blockHash: decided.certificate.blockHash,
      height: state.context.height,
      detail: candidate.refusal?.detail ?? 'the certified block was not reproduced',
    })
    return
  }
  if (candidate.status !== 'executed') return
  state.committing = true
  ctx.effects.push({ type: 'commit', certified: decided, body: candidate.body })
}
