/**
 * Owns the signatures of this node at its height: each is checked against earlier ones and then becomes part of the state. This is the
 * last step before the durable record that permits sending it (rules 2 to 6).
 */
import { sameBytes } from '../base/bytes.js'
import { assertInvariant, type CertifiedHeader } from '../model/index.js'
import type { Proposal, Timeout, Vote } from './messages/index.js'
import type { ConsensusState } from './state.js'

const assertLater = (before: { readonly view: number } | undefined, view: number, message: string): void =>
  assertInvariant(before === undefined || before.view < view, message)

const assertOpen = ({ timedOut }: ConsensusState, view: number): void =>
  assertLater(timedOut, view, 'cannot sign in a view given up before')

/** Record our signed proposal. */
export function takeOwnProposal(state: ConsensusState, proposal: Proposal): void {
  const { view } = proposal
  assertOpen(state, view)
  assertLater(state.lastProposal, view, 'one proposal per view')
  state.lastProposal = { view, proposal }
}

/** Record our signed prepare vote. */
export function takeOwnPrepare(state: ConsensusState, vote: Vote): void {
  const { view } = vote
  assertOpen(state, view)
  assertLater(state.prepared, view, 'one prepare vote per view')
  state.prepared = { view, vote }
}

/** Record our signed commit vote with its certificate. */
export function takeOwnCommit(state: ConsensusState, vote: Vote, { certificate }: CertifiedHeader): void {
  const { view, blockHash } = vote
  assertOpen(state, view)
  assertLater(state.locked, view, 'one commit vote per view')
  const isCertified =
    certificate.phase === 'prepare' && certificate.view === view && sameBytes(certificate.blockHash, blockHash)
  assertInvariant(isCertified, 'a commit vote rests on the prepare certificate of its view')
  state.locked = { view, vote }
}

/** Record a timeout signed by our key. */
export function takeOwnTimeout(state: ConsensusState, timeout: Timeout): void {
  const { view } = timeout
  assertLater(state.timedOut, view, 'one timeout per view')
  state.timedOut = { view, timeout }
}
