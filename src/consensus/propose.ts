/** Owns rule 2: proposing, by reference when a certificate is carried, else a fresh block from the queue. */
import { assertInvariant } from '../model/index.js'
import { domainOf } from './height.js'
import type { Input } from './input.js'
import { DIRECT_PAYLOAD_MAX_BYTES } from './limits.js'
import type { Justification, Proposal, Vote } from './messages/index.js'
import { proposalSignBytes, voteSignBytes } from './sign-bytes.js'
import { type Candidate, hashOfKey, type Job } from './state.js'
import {
  arm,
  beginWork,
  broadcast,
  candidateOf,
  endPhase,
  isBeingPersisted,
  mayVoteIn,
  persist,
  proposerAt,
  sign,
  type Turn,
} from './turn.js'

/** What allows us to propose in the current view, or undefined. */
function justificationOf(turn: Turn): Justification | undefined {
  const { state } = turn
  if (state.view === 0) {
    const parent = state.context.parentCertificate
    return parent === undefined ? { kind: 'genesis', value: undefined } : { kind: 'commit', value: parent }
  }
  return state.entry?.view === state.view - 1 ? { kind: 'timeout', value: state.entry } : undefined
}

/** Proposes in the current view when it is our turn, there is reason to, and the spacing of blocks allows it. */
export function tryPropose(turn: Turn): void {
  const { state } = turn
  if (!mayVoteIn(state, state.view) || proposerAt(state, state.view) !== state.self) return
  if (state.lastProposal !== undefined && state.lastProposal.view === state.view) return
  // A build or a signature for this view is on its way.
  if (state.building === state.view || state.pendingSignatures.has(`proposal:${state.view}`)) return
  const justification = justificationOf(turn)
  if (justification === undefined) return

  const carried = justification.kind === 'timeout' ? justification.value.highPrepare : undefined
  if (carried !== undefined) {
    const candidate = candidateOf(turn, carried.header, undefined)
    offer(turn, candidate, justification)
    return
  }
  if (state.view === 0) {
    if (!state.work.pending) return
    const dueAtMs = state.parentSeenAtMs + state.context.parameters.blockTimeMs
    if (!state.work.full && state.nowMs < dueAtMs) {
      if (!state.proposeTimerArmed) arm(turn, 'propose', dueAtMs - state.nowMs, 0)
      state.proposeTimerArmed = true
      return
    }
  }
  beginWork(turn)
  state.building = state.view
  const { context } = state
  turn.effects.push({
    type: 'build',
    view: state.view,
    // An empty block ends a height whose only transaction expired; view 0 never makes one.
    allowEmpty: state.view > 0,
    template: {
      chain: context.chain,
      height: context.height,
      parentHash: context.parentHash,
      parentTimeMs: context.parentTimeMs,
      originView: state.view,
      originProposer: state.self,
      rosterHash: context.rosterHash,
      committeeHash: context.committee.hash,
      nextCommitteeHash: context.nextCommittee.hash,
    },
  })
}

/** The block that we asked for is executed: propose it unless the view has passed. */
export function onBuilt(turn: Turn, input: Extract<Input, { type: 'built' }>): void {
  const { state } = turn
  if (input.height !== state.context.height || state.building !== input.view) return
  state.building = undefined
  if (input.block === undefined || input.view !== state.view || !mayVoteIn(state, state.view)) return
  const justification = justificationOf(turn)
  if (justification === undefined) return
  const candidate = candidateOf(turn, input.block.header, input.block.body)
  candidate.status = 'executed'
  endPhase(turn, 'propose')
  offer(turn, candidate, justification)
}

/** Signs a proposal for a candidate and, when it is executed, our own prepare vote with it: one append for both. */
function offer(turn: Turn, candidate: Candidate, justification: Justification): void {
  const { state } = turn
  const domain = domainOf(state.context)
  const hash = hashOfKey(candidate.hash)
  const body = candidate.body
  const proposal: Omit<Proposal, 'signature'> = {
    height: state.context.height,
    view: state.view,
    header: candidate.header,
    justification,
    body: body !== undefined && body.length <= DIRECT_PAYLOAD_MAX_BYTES ? body : undefined,
  }
  const withPrepare = candidate.status === 'executed' && body !== undefined && state.prepared?.view !== state.view
  const messages = [proposalSignBytes(domain, state.view, hash)]
  if (withPrepare) messages.push(voteSignBytes(domain, 'prepare', state.view, hash))
  state.active = true
  state.current = { view: state.view, hash: candidate.hash }
  sign(
    turn,
    `proposal:${state.view}`,
    { kind: 'signProposal', view: state.view, hash: candidate.hash, proposal, withPrepare },
    messages,
  )
}

/** Our proposal is signed: check again, make it durable with its block. */
export function onProposalSigned(
  turn: Turn,
  job: Extract<Job, { kind: 'signProposal' }>,
  signatures: readonly Uint8Array[],
): void {
  const { state } = turn
  state.pendingSignatures.delete(`proposal:${job.view}`)
  if (job.view !== state.view || !mayVoteIn(state, job.view) || job.proposal.height !== state.context.height) return
  assertInvariant(state.lastProposal?.view !== job.view, 'one proposal per view')
  const [signature, prepareSignature] = signatures
  if (signature === undefined) return
  const proposal: Proposal = { ...job.proposal, signature }
  const candidate = state.candidates.get(job.hash)
  state.lastProposal = { view: job.view, proposal }
  const proposed = { kind: 'proposed', value: { height: proposal.height, proposal, body: candidate?.body } } as const
  const { index } = state
  if (
    job.withPrepare &&
    prepareSignature !== undefined &&
    index !== undefined &&
    candidate?.body !== undefined &&
    state.prepared?.view !== job.view
  ) {
    const vote: Vote = {
      phase: 'prepare',
      height: proposal.height,
      view: job.view,
      blockHash: hashOfKey(job.hash),
      index,
      signature: prepareSignature,
    }
    state.prepared = { view: job.view, vote }
    const prepared = { height: proposal.height, vote, header: candidate.header, body: candidate.body }
    persist(turn, [proposed, { kind: 'prepared', value: prepared }], { kind: 'proposal', proposal, vote })
    return
  }
  persist(turn, [proposed], { kind: 'proposal', proposal, vote: undefined })
}

/** Sends our proposal of the current view once more. */
export function resendProposal(turn: Turn): void {
  const { state } = turn
  const { lastProposal } = state
  if (lastProposal === undefined || lastProposal.view !== state.view) return
  if (isBeingPersisted(turn, lastProposal.proposal)) return
  broadcast(turn, { kind: 'proposal', value: lastProposal.proposal })
}
