/** Owns the context of one step of the state machine: state, effects so far, and the operations that all rules share. */
import {
  type BlockHeader,
  type CertifiedHeader,
  hashOfHeader,
  type TimeoutCertificate,
  type ValidatorKey,
} from '../model/index.js'
import type { SignatureCheck } from './check.js'
import type { DropReason, Effect, Report, TimerName } from './effect.js'
import {
  CANDIDATES_PER_HEIGHT_MAX,
  CHECKS_PER_PEER_MAX,
  STATUS_INTERVAL_MS,
  TIMER_JITTER,
  VERIFIED_CERTIFICATES_MAX,
} from './limits.js'
import type { ConsensusMessage, Proposal, Timeout, Vote } from './messages/index.js'
import { notePhase } from './phases.js'
import { proposerOf } from './proposer.js'
import type { DurableRecord } from './record.js'
import type { SignIntent } from './signer/request.js'
import {
  type Candidate,
  type ConsensusState,
  type HashKey,
  hashKey,
  type Job,
  type JobOf,
  newCandidate,
} from './state.js'

/** Context of one step: rules append effects and access the state, nothing else. */
export interface StepContext {
  readonly state: ConsensusState
  readonly effects: Effect[]
}

export const send = (ctx: StepContext, to: ValidatorKey, message: ConsensusMessage): void => {
  if (to !== ctx.state.self) ctx.effects.push({ type: 'send', to, message })
}
/** Respond to a request with this many payload bytes. */
export const reply = (ctx: StepContext, to: ValidatorKey, message: ConsensusMessage, replyBytes: number): void => {
  if (to !== ctx.state.self) ctx.effects.push({ type: 'send', to, message, replyBytes })
}
export const broadcast = (ctx: StepContext, message: ConsensusMessage, urgent = true): void => {
  ctx.effects.push({ type: 'broadcast', message, urgent })
}
export const report = (ctx: StepContext, value: Report): void => {
  ctx.effects.push({ type: 'report', report: value })
}
export const arm = (ctx: StepContext, name: TimerName, delayMs: number, jitter = TIMER_JITTER): void => {
  const { context, view } = ctx.state
  ctx.effects.push({ type: 'arm', name, height: context.height, view, delayMs, jitter })
}

/** Report a dropped message; peers can cause it, so it is not an error of this node. */
export function drop(
  ctx: StepContext,
  from: ValidatorKey,
  message: ConsensusMessage['kind'],
  reason: DropReason,
  why = '',
): void {
  const { context, view } = ctx.state
  report(ctx, { kind: 'dropped', height: context.height, view, from, message, reason, why })
}

/** Mark the start of the work of this view. */
export function beginWork(ctx: StepContext): void {
  const { state } = ctx
  if (state.viewStartedAtMs !== undefined) return
  state.viewStartedAtMs = state.nowMs
  state.phaseMarkAtMs = state.nowMs
}

/** Record the end of a phase of this height. */
export function endPhase(ctx: StepContext, phase: Extract<Report, { kind: 'phase' }>['phase']): void {
  const { state } = ctx
  report(ctx, { kind: 'phase', phase, height: state.context.height, elapsedMs: state.nowMs - state.phaseMarkAtMs })
  state.phaseMarkAtMs = state.nowMs
  if (phase !== 'apply') notePhase(state, phase)
}

/** Persist records; the job continues once they are durable. */
export function persist(
  ctx: StepContext,
  records: readonly DurableRecord[],
  job: JobOf<'proposalPersisted' | 'votePersisted' | 'timeoutPersisted' | 'nothing'>,
): void {
  ctx.effects.push({ type: 'persist', job: startJob(ctx, job), records })
}

/** True while the records of a signed message are not yet durable, so that it must not be sent (Rule W). */
export function isBeingPersisted(ctx: StepContext, message: Proposal | Vote | Timeout): boolean {
  for (const awaited of ctx.state.jobs.values()) {
    if (awaited.next === 'proposalPersisted' && (awaited.proposal === message || awaited.vote === message)) return true
    if (awaited.next === 'votePersisted' && awaited.vote === message) return true
    if (awaited.next === 'timeoutPersisted' && awaited.timeout === message) return true
  }
  return false
}

/** Register a job and return its number. The rules bound our own jobs, independently of requests by peers. */
export function startJob(ctx: StepContext, job: Job): number {
  const id = ctx.state.nextJob++
  ctx.state.jobs.set(id, job)
  return id
}

/** Request a set of signatures unless one for the same purpose is in flight. */
export function sign(
  ctx: StepContext,
  purpose: string,
  job: JobOf<'proposalSigned' | 'voteSigned' | 'timeoutSigned'>,
  messages: readonly Uint8Array[],
  intent: SignIntent,
): void {
  if (ctx.state.pendingSignatures.has(purpose)) return
  const id = startJob(ctx, job)
  ctx.state.pendingSignatures.add(purpose)
  ctx.effects.push({ type: 'sign', job: id, messages, view: ctx.state.view, intent })
}

/** Signature checks in flight for a peer. */
function checksUnderWay(ctx: StepContext, from: ValidatorKey): number {
  let sum = 0
  for (const job of ctx.state.jobs.values()) {
    if ((job.next === 'messageVerified' || job.next === 'syncVerified') && job.from === from) sum += job.checks
  }
  return sum
}

/**
 * Request a signature check. `verified`: nothing to check, continue at once. `pending`: `job` continues with the result.
 * `overloaded`: the share of the peer is in flight and nothing was requested; a retransmission retries.
 */
export function verify(
  ctx: StepContext,
  checks: readonly SignatureCheck[],
  job: JobOf<'messageVerified' | 'syncVerified'>,
): 'verified' | 'pending' | 'overloaded' {
  if (checks.length === 0) return 'verified'
  if (checksUnderWay(ctx, job.from) + checks.length > CHECKS_PER_PEER_MAX) return 'overloaded'
  const id = startJob(ctx, job)
  ctx.effects.push({ type: 'verify', job: id, checks })
  return 'pending'
}

export const isVerified = (ctx: StepContext, key: string): boolean => ctx.state.verifiedCertificates.has(key)

/** Cache verified certificates; evicts the oldest. */
export function cacheVerified(ctx: StepContext, keys: readonly string[]): void {
  const known = ctx.state.verifiedCertificates
  for (const key of keys) known.add(key)
  for (const oldest of known) {
    if (known.size <= VERIFIED_CERTIFICATES_MAX) break
    known.delete(oldest)
  }
}

/** Candidate of a header, created if new. */
export function candidateOf(ctx: StepContext, header: BlockHeader, body: Uint8Array | undefined): Candidate {
  const { candidates } = ctx.state
  const hash = hashKey(hashOfHeader(header))
  const known = candidates.get(hash)
  if (known !== undefined) {
    if (body !== undefined) takeBody(ctx, known, body)
    return known
  }
  if (candidates.size >= CANDIDATES_PER_HEIGHT_MAX) dropCandidate(ctx)
  const fresh = newCandidate(hash, header, body)
  candidates.set(hash, fresh)
  return fresh
}

/** Store the payload of a candidate; its hash and length were checked. */
export function takeBody(ctx: StepContext, candidate: Candidate, body: Uint8Array): void {
  const { state } = ctx
  if (candidate.body !== undefined) return
  candidate.body = body
  candidate.compact = undefined
  if (state.current?.hash === candidate.hash) endPhase(ctx, 'payload')
  if (state.fetching?.hash !== candidate.hash) return
  state.fetching = undefined
  // The same timer repeats requests for records of other blocks.
  for (const { compact } of state.candidates.values()) if (compact?.status === 'asking') return
  ctx.effects.push({ type: 'disarm', name: 'fetch' })
}

/** Evict the oldest candidate that no vote or certificate of this node refers to. */
function dropCandidate(ctx: StepContext): void {
  const { state } = ctx
  const kept = new Set<HashKey>()
  if (state.prepared) kept.add(hashKey(state.prepared.vote.blockHash))
  if (state.highPrepare) kept.add(hashKey(state.highPrepare.certificate.blockHash))
  if (state.decided) kept.add(hashKey(state.decided.certificate.blockHash))
  if (state.lastProposal) kept.add(hashKey(hashOfHeader(state.lastProposal.proposal.header)))
  if (state.current) kept.add(state.current.hash)
  if (state.built) kept.add(state.built.hash)
  for (const hash of state.candidates.keys()) {
    if (kept.has(hash)) continue
    state.candidates.delete(hash)
    return
  }
}

/** Proposer of a view of this height. */
export const proposerAt = (state: ConsensusState, view: number): ValidatorKey => proposerOf(state.context.order, view)

/** View of the highest prepare certificate, -1 for none. */
export const highView = (certified: CertifiedHeader | undefined): number =>
  certified === undefined ? -1 : certified.certificate.view

/** True if this member may still sign in `view`. */
export const mayVoteIn = (state: ConsensusState, view: number): boolean =>
  state.index !== undefined && !state.halted && state.decided === undefined && (state.timedOut?.view ?? -1) < view

/** Send a Status to a peer at our height, with both certificates so that it can advance (docs/design/consensus.md 3, M). */
export function sendStatus(ctx: StepContext, to: ValidatorKey): void {
  const { state } = ctx
  const last = state.lastStatusAtMs.get(to)
  if (to === state.self || (last !== undefined && state.nowMs - last < STATUS_INTERVAL_MS)) return
  state.lastStatusAtMs.set(to, state.nowMs)
  send(ctx, to, { kind: 'status', value: ownStatus(state) })
}

/** Our own Status. */
export const ownStatus = (
  state: ConsensusState,
): {
  height: number
  view: number
  commit: CertifiedHeader | undefined
  highPrepare: CertifiedHeader | undefined
  entry: TimeoutCertificate | undefined
} => ({
  height: state.context.height,
  view: state.view,
  commit: state.decided,
  highPrepare: state.highPrepare,
  entry: state.entry,
})
