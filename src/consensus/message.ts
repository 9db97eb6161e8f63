/** Owns the intake of messages: by height, through structural checks and signature checks, to their rule. */
import type { CertifiedHeader, TimeoutCertificate, ValidatorKey } from '../model/index.js'
import { noteShownHeight } from './abstain.js'
import { certificateKey, checkCertifiedHeader, checkTimeoutCertificate, timeoutCertificateKey } from './certificate.js'
import { onCertified } from './certified.js'
import type { SignatureCheck } from './check.js'
import { onRecordRequest, onRecordResponse } from './compact.js'
import { reportConflictingCommits } from './evidence/equivocation.js'
import { onPayloadRequest, onPayloadResponse } from './fetch.js'
import { domainOf } from './height.js'
import type { AnswerOf } from './input.js'
import { BUFFERED_PER_MEMBER, STATUS_INTERVAL_MS } from './limits.js'
import type { ConsensusMessage } from './messages/index.js'
import { checkProposal, onProposal } from './proposal.js'
import { onRbcMessage, onRbcRequest } from './rbc/rules.js'
import { hashKey, type JobOf, subjectOf } from './state.js'
import { checkStatus, onStatus } from './status.js'
import { cacheVerified, drop, isVerified, report, type StepContext, sendStatus, verify } from './step-context.js'
import { observePeerHeight, onSyncRequest, onSyncResponse } from './sync.js'
import { checkTimeout, onTimeout, onTimeoutCertificate } from './timeout.js'
import { onVote } from './vote.js'

/** Height that a message is about; ranges of blocks have none. */
export function heightOf(message: ConsensusMessage): number | undefined {
  switch (message.kind) {
    case 'certificate':
      return message.value.certificate.height
    case 'syncRequest':
    case 'syncResponse':
      return undefined
    default:
      return message.value.height
  }
}

/** Messages about the height that their sender is deciding; certificates may be of any height. */
const OF_OWN_HEIGHT: ReadonlySet<ConsensusMessage['kind']> = new Set(['status', 'proposal', 'vote', 'timeout'])

/** Process a message; `from` is authenticated by the link. */
export function onMessage(ctx: StepContext, from: ValidatorKey, message: ConsensusMessage): void {
  const { state } = ctx
  switch (message.kind) {
    case 'payloadRequest':
      return onPayloadRequest(ctx, from, message.value)
    case 'payloadResponse':
      return onPayloadResponse(ctx, from, message.value)
    case 'syncRequest':
      return onSyncRequest(ctx, from, message.value)
    case 'syncResponse':
      return onSyncResponse(ctx, from, message.value)
    case 'recordRequest':
      return onRecordRequest(ctx, from, message.value)
    case 'recordResponse':
      return onRecordResponse(ctx, from, message.value)
    case 'rbcInit':
    case 'rbcChunk':
    case 'rbcReady':
    case 'rbcDeliver':
      return onRbcMessage(ctx, from, message)
    case 'rbcRequest':
      return onRbcRequest(ctx, from, message.value)
    default:
  }
  const height = heightOf(message) ?? 0
  if (OF_OWN_HEIGHT.has(message.kind)) noteShownHeight(ctx, from, height)
  const here = state.context.height
  if (height < here) return onBehind(ctx, from, message, height)
  if (height > here) return onAhead(ctx, from, message, height)
  acceptMessage(ctx, from, message)
}

/** Send the commit certificate of its height to a sender that is behind. */
function onBehind(ctx: StepContext, from: ValidatorKey, message: ConsensusMessage, height: number): void {
  if (message.kind === 'certificate') {
    const { certificate } = message.value
    const { parentCertificate: held, parent } = ctx.state.context
    if (held !== undefined && parent !== undefined)
      reportConflictingCommits(ctx, from, { held, shown: certificate }, parent)
    return drop(ctx, from, message.kind, 'past')
  }
  if (message.kind !== 'status') {
    drop(ctx, from, message.kind, 'past')
    const last = ctx.state.lastStatusAtMs.get(from)
    if (last !== undefined && ctx.state.nowMs - last < STATUS_INTERVAL_MS) return
  }
  ctx.state.lastStatusAtMs.set(from, ctx.state.nowMs)
  ctx.effects.push({ type: 'serveCertificate', to: from, height })
}

/**
 * Process a message of a later height. Messages of members are parked (M) and used at their height, because they are not repeated. A
 * message above the next height also starts sync.
 */
function onAhead(ctx: StepContext, from: ValidatorKey, message: ConsensusMessage, height: number): void {
  const { state } = ctx
  const isMember = state.context.nextCommittee.indexOf.has(from)
  if (isMember) buffer(ctx, from, message)
  else if (message.kind !== 'status') drop(ctx, from, message.kind, 'early')
  if (height > state.context.height + 1 || !isMember) return observePeerHeight(ctx, from, deciding(message, height))
  if (state.decided !== undefined) return
  if (message.kind === 'proposal') adoptParentCertificate(ctx, from, message.value.justification.value)
  else if (message.kind !== 'vote') sendStatus(ctx, from)
}

/** Height that the sender of a message is deciding; the sender of a commit certificate has finished its height. */
const deciding = (message: ConsensusMessage, height: number): number =>
  message.kind === 'certificate' && message.value.certificate.phase === 'commit' ? height + 1 : height

function buffer(ctx: StepContext, from: ValidatorKey, message: ConsensusMessage): void {
  const { buffered } = ctx.state
  const same = buffered.filter((held) => held.from === from && held.message.kind === message.kind)
  // Two views per member; newer messages replace the oldest, so that a member fills only its own slots.
  if (same.length >= 2 * BUFFERED_PER_MEMBER) {
    buffered.splice(buffered.indexOf(same[0] as (typeof buffered)[number]), 1)
    drop(ctx, from, message.kind, 'replaced')
  }
  buffered.push({ from, message })
}

/** A proposal of the next height carries the commit certificate of ours (M). */
function adoptParentCertificate(ctx: StepContext, from: ValidatorKey, justification: unknown): void {
  const { state } = ctx
  const certificate = justification as CertifiedHeader['certificate'] | undefined
  if (certificate === undefined || !('phase' in certificate) || certificate.phase !== 'commit') return
  const candidate = state.candidates.get(hashKey(certificate.blockHash))
  if (candidate === undefined) return sendStatus(ctx, from)
  acceptMessage(ctx, from, { kind: 'certificate', value: { certificate, header: candidate.header } })
}

type Checked =
  | string
  | { readonly checks: readonly SignatureCheck[]; readonly certificates: readonly string[] }
  | undefined

/** Structural checks, then signatures, then the rule of the message. */
function acceptMessage(ctx: StepContext, from: ValidatorKey, message: ConsensusMessage): void {
  const checked = check(ctx, from, message)
  if (checked === undefined) return drop(ctx, from, message.kind, 'known')
  if (typeof checked === 'string') return drop(ctx, from, message.kind, 'fault', checked)
  const { checks, certificates } = checked
  if (message.kind === 'certificate' && mustWait(ctx, from, message.value, checks.length)) return
  const status = verify(ctx, checks, { next: 'messageVerified', from, checks: checks.length, message, certificates })
  if (status === 'verified') dispatchVerified(ctx, from, message)
  else if (status === 'overloaded') drop(ctx, from, message.kind, 'full', 'its signature checks are under way')
  else if (status === 'pending' && message.kind === 'certificate') {
    ctx.state.certificatesUnderWay.set(subjectOfCertificate(message.value), certificateKey(message.value.certificate))
  }
}

/**
 * One check in flight serves all copies of a certificate, as does our own aggregation of the same votes. One different copy per sender
 * waits for its result; identical bytes have the same result and are not stored.
 */
function mustWait(ctx: StepContext, from: ValidatorKey, certified: CertifiedHeader, checks: number): boolean {
  const { certificatesUnderWay, certificatesWaiting, votes } = ctx.state
  const subject = subjectOfCertificate(certified)
  const underWay = certificatesUnderWay.get(subject)
  if (checks === 0 || (underWay === undefined && votes.get(subject)?.aggregating !== true)) return false
  if (underWay === certificateKey(certified.certificate)) {
    drop(ctx, from, 'certificate', 'known')
    return true
  }
  let waiting = certificatesWaiting.get(subject)
  if (waiting === undefined) {
    waiting = new Map()
    certificatesWaiting.set(subject, waiting)
  }
  if (waiting.has(from)) drop(ctx, from, 'certificate', 'replaced')
  waiting.set(from, certified)
  return true
}

/** Check the waiting copies of certificates, one at a time, until one is valid. */
export function retryCertificates(ctx: StepContext): void {
  const { certificatesUnderWay, certificatesWaiting, votes } = ctx.state
  for (const [subject, waiting] of certificatesWaiting) {
    for (const [from, certified] of waiting) {
      if (certificatesUnderWay.has(subject) || votes.get(subject)?.aggregating === true) break
      waiting.delete(from)
      acceptMessage(ctx, from, { kind: 'certificate', value: certified })
    }
    if (waiting.size === 0) certificatesWaiting.delete(subject)
  }
}

function check(ctx: StepContext, from: ValidatorKey, message: ConsensusMessage): Checked {
  switch (message.kind) {
    case 'proposal':
      return checkProposal(ctx, from, message.value)
    case 'vote':
      // Votes are verified in the aggregate.
      return { checks: [], certificates: [] }
    case 'timeout':
      return checkTimeout(ctx, from, message.value)
    case 'certificate':
      return checkCertificate(ctx, from, message.value)
    case 'timeoutCertificate':
      return checkEntry(ctx, message.value)
    case 'status':
      return checkStatus(ctx, message.value)
    default:
      return undefined
  }
}

/** Signature checks of a new certificate of this height. */
function checkCertificate(ctx: StepContext, from: ValidatorKey, certified: CertifiedHeader): Checked {
  const { state } = ctx
  const { phase, view } = certified.certificate
  const domain = domainOf(state.context)
  if (state.decided !== undefined) {
    const both = { held: state.decided.certificate, shown: certified.certificate }
    reportConflictingCommits(ctx, from, both, { committee: state.context.committee, domain })
    return undefined
  }
  if (phase === 'prepare' && state.highPrepare !== undefined && view <= state.highPrepare.certificate.view)
    return undefined
  const result = checkCertifiedHeader(certified, state.context.committee, domain)
  if ('fault' in result) return result.fault
  const key = certificateKey(certified.certificate)
  return { checks: isVerified(ctx, key) ? [] : result.checks, certificates: [key] }
}

/** Signature checks of a timeout certificate that would advance our view. */
export function checkEntry(ctx: StepContext, certificate: TimeoutCertificate): Checked {
  const { state } = ctx
  if (state.decided !== undefined || certificate.view < state.view) return undefined
  const result = checkTimeoutCertificate(certificate, state.context.committee, domainOf(state.context))
  if ('fault' in result) return result.fault
  const key = timeoutCertificateKey(certificate)
  return { checks: isVerified(ctx, key) ? [] : result.checks, certificates: [key] }
}

const subjectOfCertificate = ({ certificate }: CertifiedHeader): string =>
  subjectOf(certificate.phase, certificate.view, hashKey(certificate.blockHash))

/** Process the result of the signature checks of a message. */
export function onMessageVerified(ctx: StepContext, job: JobOf<'messageVerified'>, { ok }: AnswerOf<'verified'>): void {
  if (job.message.kind === 'certificate') {
    ctx.state.certificatesUnderWay.delete(subjectOfCertificate(job.message.value))
  }
  if (!ok) {
    report(ctx, { kind: 'badSignature', peer: job.from, what: job.message.kind })
    return drop(ctx, job.from, job.message.kind, 'fault', 'a bad signature')
  }
  cacheVerified(ctx, job.certificates)
  dispatchVerified(ctx, job.from, job.message)
}

/** Run the rule of a message with valid signatures. It is of our height, because jobs end with their height. */
function dispatchVerified(ctx: StepContext, from: ValidatorKey, message: ConsensusMessage): void {
  switch (message.kind) {
    case 'proposal':
      return onProposal(ctx, from, message.value)
    case 'vote':
      return onVote(ctx, from, message.value)
    case 'timeout':
      return onTimeout(ctx, from, message.value)
    case 'certificate':
      if (!onCertified(ctx, message.value, { own: false })) drop(ctx, from, message.kind, 'known')
      return
    case 'timeoutCertificate':
      if (!onTimeoutCertificate(ctx, message.value)) drop(ctx, from, message.kind, 'known')
      return
    case 'status':
      return onStatus(ctx, from, message.value)
    default:
  }
}

/**
 * Process the parked messages of this height, and parked messages of the next height that may carry its certificate.
 */
export function replayBuffered(ctx: StepContext): void {
  const { state } = ctx
  const waiting = state.buffered.splice(0)
  for (const held of waiting) {
    if ((heightOf(held.message) ?? 0) <= state.context.height + 1) onMessage(ctx, held.from, held.message)
    else state.buffered.push(held)
  }
}
