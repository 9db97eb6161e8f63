/** Owns rules 4 and 5: what a verified certificate of this height makes us do. */
import { assertInvariant, type CertifiedHeader } from '../model/index.js'
import { enterView, raiseHighPrepare } from './enter.js'
import { disarmViewTimer } from './pacing.js'
import { collectorsOf } from './proposer.js'
import { hashKey } from './state.js'
import { broadcast, candidateOf, endPhase, persist, type Turn } from './turn.js'

/** Takes a verified certificate of the current height; `own` when we aggregated it and must spread it. */
export function onCertified(turn: Turn, certified: CertifiedHeader, origin: { readonly own: boolean }): void {
  const { state } = turn
  if (certified.certificate.height !== state.context.height) return
  if (certified.certificate.phase === 'prepare') onPrepareCertificate(turn, certified, origin.own)
  else onCommitCertificate(turn, certified, origin.own)
}

/** Tells everybody. Where everybody collects each has it from the votes, and a copy is for those who miss some. */
function spread(turn: Turn, certified: CertifiedHeader): void {
  const { order, parameters } = turn.state.context
  const { collectorsK, redundantSendR } = parameters
  const collectors = collectorsOf(order, certified.certificate.view, collectorsK, redundantSendR)
  broadcast(turn, { kind: 'certificate', value: certified }, collectors.length < order.length)
}

function onPrepareCertificate(turn: Turn, certified: CertifiedHeader, own: boolean): void {
  const { state } = turn
  const { view } = certified.certificate
  candidateOf(turn, certified.header, undefined)
  const sameView = state.highPrepare?.certificate.view === view
  if (sameView && state.highPrepare !== undefined) {
    assertInvariant(
      hashKey(state.highPrepare.certificate.blockHash) === hashKey(certified.certificate.blockHash),
      'at most one block is prepare-certified per view',
    )
  }
  if (!sameView && view === state.view) endPhase(turn, 'prepare')
  raiseHighPrepare(turn, certified)
  if (own) spread(turn, certified)
  if (state.decided === undefined && view > state.view) enterView(turn, view, { kind: 'prepare', certified })
}

function onCommitCertificate(turn: Turn, certified: CertifiedHeader, own: boolean): void {
  const { state } = turn
  if (state.decided !== undefined) {
    assertInvariant(
      hashKey(state.decided.certificate.blockHash) === hashKey(certified.certificate.blockHash),
      'one committed block per height',
    )
    return
  }
  state.decided = certified
  disarmViewTimer(turn)
  endPhase(turn, 'commit')
  if (own) spread(turn, certified)
  const candidate = candidateOf(turn, certified.header, undefined)
  if (candidate.status !== 'executed') {
    persist(turn, [{ kind: 'decided', value: { height: state.context.height, certified } }], { kind: 'decided' })
  }
}
