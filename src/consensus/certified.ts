/** Owns rules 4 and 5: reactions to a verified certificate of this height. */
import { assertInvariant, type CertifiedHeader } from '../model/index.js'
import { enterView, raiseHighPrepare } from './enter.js'
import { disarmViewTimer } from './pacing.js'
import { collectorsOf } from './proposer.js'
import { hashKey } from './state.js'
import { broadcast, candidateOf, endPhase, highView, persist, type StepContext } from './step-context.js'

/** Process a verified certificate of the current height; `own`: this node aggregated it and must broadcast it. Returns false if it is not new. */
export function onCertified(ctx: StepContext, certified: CertifiedHeader, origin: { readonly own: boolean }): boolean {
  const { phase, height } = certified.certificate
  if (height !== ctx.state.context.height) return false
  return phase === 'prepare'
    ? onPrepareCertificate(ctx, certified, origin.own)
    : onCommitCertificate(ctx, certified, origin.own)
}

/** Broadcast a certificate. If all members collect votes, the copy serves only members that miss some votes. */
function spread(ctx: StepContext, certified: CertifiedHeader): void {
  const { order, parameters } = ctx.state.context
  const { collectorsK, redundantSendR } = parameters
  const collectors = collectorsOf(order, certified.certificate.view, collectorsK, redundantSendR)
  broadcast(ctx, { kind: 'certificate', value: certified }, collectors.length < order.length)
}

function onPrepareCertificate(ctx: StepContext, certified: CertifiedHeader, own: boolean): boolean {
  const { state } = ctx
  const { view } = certified.certificate
  const isNew = view > highView(state.highPrepare)
  candidateOf(ctx, certified.header, undefined)
  const sameView = state.highPrepare?.certificate.view === view
  if (sameView && state.highPrepare !== undefined) {
    assertInvariant(
      hashKey(state.highPrepare.certificate.blockHash) === hashKey(certified.certificate.blockHash),
      'at most one block is prepare-certified per view',
    )
  }
  if (!sameView && view === state.view) endPhase(ctx, 'prepare')
  raiseHighPrepare(ctx, certified)
  if (own) spread(ctx, certified)
  if (state.decided === undefined && view > state.view) enterView(ctx, view, { kind: 'prepare', certified })
  return isNew
}

function onCommitCertificate(ctx: StepContext, certified: CertifiedHeader, own: boolean): boolean {
  const { state } = ctx
  if (state.decided !== undefined) {
    assertInvariant(
      hashKey(state.decided.certificate.blockHash) === hashKey(certified.certificate.blockHash),
      'one committed block per height',
    )
    return false
  }
  state.decided = certified
  disarmViewTimer(ctx)
  endPhase(ctx, 'commit')
  if (own) spread(ctx, certified)
  const candidate = candidateOf(ctx, certified.header, undefined)
  if (candidate.status !== 'executed') {
    persist(ctx, [{ kind: 'decided', value: { height: state.context.height, certified } }], { next: 'nothing' })
  }
  return true
}
