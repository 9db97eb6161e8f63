/** Owns rule 3: the reaction to a verified proposal. */
import { sameBytes } from '../base/bytes.js'
import { type BlockHeader, BODY_MAX_BYTES, hashOfHeader, type ValidatorKey, ZERO_HASH } from '../model/index.js'
import { certificateKey, checkTimeoutCertificate, timeoutCertificateKey } from './certificate.js'
import type { SignatureCheck } from './check.js'
import type { HeaderTemplate } from './effect.js'
import { enterView, raiseHighPrepare } from './enter.js'
import { reportDoubleProposal } from './evidence/equivocation.js'
import { domainOf, type HeightContext } from './height.js'
import type { Proposal } from './messages/index.js'
import { armViewTimer } from './pacing.js'
import { isPayloadOf, onInit } from './rbc/rules.js'
import { digestsFault } from './rbc/session.js'
import { proposalSignBytes } from './sign-bytes.js'
import { noteProposalSeen } from './spacing.js'
import { type CompactPayload, hashKey } from './state.js'
import { candidateOf, drop, endPhase, isVerified, proposerAt, type StepContext, sendStatus } from './step-context.js'
import { resendVotes } from './vote.js'

/** Fields of a header of this height that its proposer knows before execution. */
export const headerTemplate = (
  context: HeightContext,
  originView: number,
  originProposer: ValidatorKey,
): HeaderTemplate => ({
  chain: context.chain,
  height: context.height,
  parentHash: context.parentHash,
  parentTimeMs: context.parentTimeMs,
  originView,
  originProposer,
  rosterHash: context.rosterHash,
  committeeHash: context.committee.hash,
  nextCommitteeHash: context.nextCommittee.hash,
})

/** Reason why a header cannot be of this height, or undefined. Roots and time are checked by execution. */
export function headerFault(header: BlockHeader, context: HeightContext): string | undefined {
  if (header.chain !== context.chain) return 'another chain'
  if (header.height !== context.height) return 'another height'
  if (!sameBytes(header.parentHash, context.parentHash)) return 'another parent'
  if (header.timeMs <= context.parentTimeMs) return "time not after the parent's"
  if (!sameBytes(header.rosterHash, context.rosterHash)) return 'another roster'
  if (!sameBytes(header.committeeHash, context.committee.hash)) return 'another committee'
  if (!sameBytes(header.nextCommitteeHash, context.nextCommittee.hash)) return 'another next committee'
  const parentFault = parentCertificateFault(header, context)
  if (parentFault !== undefined) return parentFault
  if (header.payloadBytes > BODY_MAX_BYTES) return `a payload of ${header.payloadBytes} bytes`
  const origin = context.order[header.originView % context.order.length]
  return header.originProposer === origin ? undefined : 'not created by the proposer of its view'
}

function parentCertificateFault(header: BlockHeader, context: HeightContext): string | undefined {
  const empty = sameBytes(header.parentCertificateHash, ZERO_HASH)
  if (context.parentCertificate === undefined) return empty ? undefined : 'a parent certificate above genesis'
  return empty ? 'no parent certificate' : undefined
}

/** Check that body and header match. The proposer signs only the header; with another body the certified block would always be refused. */
function bodyFault({ header, body }: Proposal): string | undefined {
  if (body === undefined) return undefined
  return isPayloadOf(header, body) ? undefined : 'a body of another block'
}

/** Check that the digests fit the chunks of the payload; a proposal without a broadcast has none. */
const announcedFault = ({ header, digests }: Proposal): string | undefined =>
  digests.length === 0 ? undefined : digestsFault(header.payloadBytes, digests)

/** Structural checks; returns the remaining signature checks, or a text if the proposal is refused. */
export function checkProposal(
  ctx: StepContext,
  from: ValidatorKey,
  proposal: Proposal,
): string | { readonly checks: SignatureCheck[]; readonly certificates: string[] } | undefined {
  const { state } = ctx
  const { context } = state
  if (proposal.view < state.view) {
    sendStatus(ctx, from)
    return undefined
  }
  const fault = headerFault(proposal.header, context) ?? bodyFault(proposal) ?? announcedFault(proposal)
  if (fault !== undefined) return fault
  const { justification } = proposal
  const checks: SignatureCheck[] = []
  const certificates: string[] = []
  const domain = domainOf(context)
  if (proposal.view === 0) {
    if (justification.kind === 'timeout') return 'view 0 is justified by the parent'
    if ((justification.kind === 'genesis') !== (context.parentCertificate === undefined))
      return 'wrong justification of view 0'
    // The parent is committed here already, so its certificate in the proposal needs no check.
  } else {
    if (justification.kind !== 'timeout') return 'a later view needs a timeout certificate'
    if (justification.value.view !== proposal.view - 1) return 'a timeout certificate of another view'
    const carried = justification.value.highPrepare
    const check = checkTimeoutCertificate(justification.value, context.committee, domain)
    if ('fault' in check) return `timeout certificate: ${check.fault}`
    if (carried !== undefined && !sameBytes(hashOfHeader(proposal.header), carried.certificate.blockHash)) {
      return 'a fresh block despite a prepare certificate'
    }
    if (carried === undefined && proposal.header.originView !== proposal.view)
      return 'an old block without a certificate'
    const key = timeoutCertificateKey(justification.value)
    if (!isVerified(ctx, key)) checks.push(...check.checks)
    certificates.push(key, ...(carried === undefined ? [] : [certificateKey(carried.certificate)]))
  }
  if (proposal.view === 0 && proposal.header.originView !== 0) return 'a block of a later view in view 0'
  checks.push({
    kind: 'same',
    keys: [proposerAt(state, proposal.view)],
    message: proposalSignBytes(domain, proposal.view, hashOfHeader(proposal.header)),
    signature: proposal.signature,
  })
  return { checks, certificates }
}

/** Process a proposal with valid signatures: enter its view, get its payload, execute, vote. */
export function onProposal(ctx: StepContext, from: ValidatorKey, proposal: Proposal): void {
  const { state } = ctx
  noteProposal(ctx, proposal)
  if (proposal.view < state.view || state.decided !== undefined) return drop(ctx, from, 'proposal', 'past')
  if (proposal.justification.kind === 'timeout') {
    const certificate = proposal.justification.value
    if (certificate.highPrepare !== undefined) raiseHighPrepare(ctx, certificate.highPrepare)
    if (proposal.view > state.view) enterView(ctx, proposal.view, { kind: 'timeout', certificate })
  }
  const candidate = candidateOf(ctx, proposal.header, proposal.body)
  openFromProposal(ctx, from, proposal)
  if (candidate.body === undefined) candidate.compact ??= compactOf(proposal)
  state.active = true
  armViewTimer(ctx)
  if (state.current?.view === proposal.view && state.current.hash !== candidate.hash) {
    return drop(ctx, from, 'proposal', 'fault', 'a second block of its view')
  }
  if (state.prepared?.view === proposal.view) {
    if (hashKey(state.prepared.vote.blockHash) === candidate.hash) resendVotes(ctx, from)
    return drop(ctx, from, 'proposal', 'known')
  }
  if ((state.timedOut?.view ?? -1) >= proposal.view) return drop(ctx, from, 'proposal', 'past')
  if (state.current === undefined) noteProposalSeen(state)
  state.current = { view: proposal.view, hash: candidate.hash }
  endPhase(ctx, 'propose')
}

/** Record the first proposal of a view; a second one for another block is evidence against the proposer. */
function noteProposal(ctx: StepContext, proposal: Proposal): void {
  const { state } = ctx
  const signed = { view: proposal.view, blockHash: hashOfHeader(proposal.header), signature: proposal.signature }
  const first = state.firstProposals.get(proposal.view)
  if (first === undefined) {
    state.firstProposals.set(proposal.view, signed)
    return
  }
  const index = state.context.committee.indexOf.get(proposerAt(state, proposal.view))
  if (index !== undefined) reportDoubleProposal(ctx, index, first, signed)
}

/** Compact form from which the payload of a proposal can be rebuilt. */
const compactOf = ({ compact, view }: Proposal): CompactPayload | undefined =>
  compact && { bytes: compact, view, status: 'fresh', missing: [], records: new Map(), asked: new Set() }

/** Treat a proposal received from its proposer as the announcement (INIT) of the broadcast. */
function openFromProposal(ctx: StepContext, from: ValidatorKey, proposal: Proposal): void {
  const { header, height, view, digests } = proposal
  if (digests.length === 0 || from !== proposerAt(ctx.state, view)) return
  const { payloadHash, payloadBytes } = header
  const blockHash = hashOfHeader(header)
  onInit(ctx, from, { height, view, payloadHash, blockHash, payloadBytes, digests, shares: [] }, { signed: true })
}
