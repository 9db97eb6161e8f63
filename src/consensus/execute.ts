/** Owns the execution of candidates: requested once, with a stored result (rules 3 to 5). */
import type { AnswerOf } from './input.js'
import { type Candidate, hashKey, hashOfKey, type JobOf } from './state.js'
import { endPhase, report, type StepContext, startJob } from './step-context.js'

/** Execute the blocks that a commit or a vote waits for: decided, certified, proposed. */
export function executeWanted(ctx: StepContext): void {
  const { state } = ctx
  const wanted = [
    state.decided && hashKey(state.decided.certificate.blockHash),
    state.highPrepare?.certificate.view === state.view ? hashKey(state.highPrepare.certificate.blockHash) : undefined,
    state.current?.view === state.view ? state.current.hash : undefined,
  ]
  for (const hash of wanted) {
    const candidate = hash === undefined ? undefined : state.candidates.get(hash)
    if (candidate !== undefined) startExecution(ctx, candidate)
  }
}

/**
 * Request the execution of a candidate whose payload is present. A candidate that was refused before it was decided is executed once
 * more, because a certificate overrides refusals that only concern votes.
 */
export function startExecution(ctx: StepContext, candidate: Candidate): void {
  const { decided } = ctx.state
  const certified = decided !== undefined && hashKey(decided.certificate.blockHash) === candidate.hash
  const isDue =
    candidate.status === 'waiting' || (candidate.status === 'refused' && certified && !candidate.executedAsCertified)
  if (!isDue || candidate.body === undefined) return
  candidate.status = 'executing'
  candidate.executedAsCertified = certified
  candidate.refusal = undefined
  ctx.effects.push({
    type: 'execute',
    job: startJob(ctx, { next: 'executed', hash: candidate.hash }),
    blockHash: hashOfKey(candidate.hash),
    header: candidate.header,
    body: candidate.body,
    certified,
  })
}

/** Process the result of an execution. */
export function onExecuted(
  ctx: StepContext,
  { hash }: JobOf<'executed'>,
  { result, timely }: AnswerOf<'executed'>,
): void {
  const { state } = ctx
  const candidate = state.candidates.get(hash)
  if (candidate === undefined || candidate.status !== 'executing') return
  candidate.timely = timely
  if (result.ok) {
    candidate.status = 'executed'
    endPhase(ctx, 'execute')
  } else if (result.reason === 'viewPassed') {
    candidate.status = 'waiting'
  } else {
    candidate.status = 'refused'
    candidate.refusal = { reason: result.reason, detail: result.detail }
    report(ctx, { kind: 'refused', height: state.context.height, view: state.view, why: result.detail })
  }
}
