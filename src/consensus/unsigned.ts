/** Owns what follows when the holder of our key refuses: its record of the height is taken over, for the key is one (docs/decisions/0067). */
import { onCertified } from './certified.js'
import { jumpView } from './enter.js'
import type { AnswerOf } from './input.js'
import { takeOwnTimeout } from './own-signatures.js'
import { type SignedRecord, viewOfSigned } from './signer/signed.js'
import type { Job } from './state.js'
import { highView, persist, type StepContext } from './step-context.js'
import { sendTimeout } from './timeout.js'

/**
 * Our key signed something else before: for another node of this validator, or before a crash. Nothing is asked again for the
 * same purpose, so that the view passes without us; a timeout is, once it can name the certificate that it must.
 */
export function onUnsigned(ctx: StepContext, job: Job, { recorded }: AnswerOf<'unsigned'>): void {
  const { state } = ctx
  // A decided height needs nothing of ours any more; records of another height are not of this one.
  if (state.index === undefined || state.decided !== undefined) return
  const before = { high: highView(state.highPrepare), view: state.view }
  const { height } = state.context
  for (const signed of recorded) if (signed.value.height === height) takeOver(ctx, signed)
  if (job.next !== 'timeoutSigned') return
  state.pendingSignatures.delete(`timeout:${job.timeout.view}`)
  const isOpen = job.timeout.view === state.view && (state.timedOut?.view ?? -1) < state.view
  // Only a certificate that we did not have makes it another request; else the timer of the view asks again.
  if (isOpen && before.view === state.view && highView(state.highPrepare) > before.high) sendTimeout(ctx)
}

/** One thing that our key signed: views and certificates never fall, and its timeout is ours to send. */
function takeOver(ctx: StepContext, signed: SignedRecord): void {
  const { state } = ctx
  const { timeout } = signed.kind === 'timedOut' ? signed.value : { timeout: undefined }
  const certified = signed.kind === 'locked' ? signed.value.certified : timeout?.highPrepare
  // The holder of the key verified it before it signed on it.
  if (certified !== undefined) onCertified(ctx, certified, { own: false })
  jumpView(ctx, Math.max(state.view, viewOfSigned(signed)))
  if (timeout === undefined || timeout.view < state.view || (state.timedOut?.view ?? -1) >= timeout.view) return
  takeOwnTimeout(state, timeout)
  persist(ctx, [{ kind: 'timedOut', value: { height: timeout.height, timeout } }], {
    next: 'timeoutPersisted',
    timeout,
  })
}
