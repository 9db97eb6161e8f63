/** Owns the reaction to a refused signature: the record of the signer is adopted, because both use the same key (docs/decisions/0067). */
import { onCertified } from './certified.js'
import { jumpView } from './enter.js'
import type { AnswerOf } from './input.js'
import { takeOwnTimeout } from './own-signatures.js'
import { type SignedRecord, viewOfSigned } from './signer/signed.js'
import type { Job } from './state.js'
import { highView, persist, type StepContext } from './step-context.js'
import { sendTimeout } from './timeout.js'

/**
 * Process a refusal: the key signed something else before, for another node of this validator or before a crash. The request is not
 * repeated, so the view passes without this node. A timeout is repeated once it can name the required certificate.
 */
export function onUnsigned(ctx: StepContext, job: Job, { recorded }: AnswerOf<'unsigned'>): void {
  const { state } = ctx
  // A decided height needs no signature; records of other heights do not apply.
  if (state.index === undefined || state.decided !== undefined) return
  const before = { high: highView(state.highPrepare), view: state.view }
  const { height } = state.context
  for (const signed of recorded) if (signed.value.height === height) takeOver(ctx, signed)
  if (job.next !== 'timeoutSigned') return
  state.pendingSignatures.delete(`timeout:${job.timeout.view}`)
  const isOpen = job.timeout.view === state.view && (state.timedOut?.view ?? -1) < state.view
  // Only a new certificate changes the request; otherwise the view timer repeats it.
  if (isOpen && before.view === state.view && highView(state.highPrepare) > before.high) sendTimeout(ctx)
}

/** Adopt one signature of our key: views and certificates never decrease, and a timeout is sent by this node. */
function takeOver(ctx: StepContext, signed: SignedRecord): void {
  const { state } = ctx
  const { timeout } = signed.kind === 'timedOut' ? signed.value : { timeout: undefined }
  const certified = signed.kind === 'locked' ? signed.value.certified : timeout?.highPrepare
  // The signer verified it before signing.
  if (certified !== undefined) onCertified(ctx, certified, { own: false })
  jumpView(ctx, Math.max(state.view, viewOfSigned(signed)))
  if (timeout === undefined || timeout.view < state.view || (state.timedOut?.view ?? -1) >= timeout.view) return
  takeOwnTimeout(state, timeout)
  persist(ctx, [{ kind: 'timedOut', value: { height: timeout.height, timeout } }], {
    next: 'timeoutPersisted',
    timeout,
  })
}
