/** Owns the end of rule 5: commit the decided block once its payload is present and executed, or halt. */
import { hashKey } from './state.js'
import type { StepContext } from './step-context.js'

/** Commit the decided block once it is executed; halt for good if its certified roots cannot be reproduced. */
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
