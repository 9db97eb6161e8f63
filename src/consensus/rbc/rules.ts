/**
 * Owns reliable broadcast as rules of the state machine: INIT, chunks, READY, DELIVER (docs/design/consensus.md 7).
 *
 * It serves recovery and evidence and never blocks a vote: a payload is usable once it matches the hash in its header.
 */
import { sameBytes } from '../../base/bytes.js'
import { hashOfHeader, payloadHash, type ValidatorKey } from '../../model/index.js'
import type { DropReason } from '../effect.js'
import { FUTURE_VIEWS } from '../limits.js'
import type { PayloadBreakdown, RbcChunk, RbcInit, RbcRequest, RbcSignal } from '../messages/index.js'
import { type Candidate, type ConsensusState, hashKey, hashOfKey } from '../state.js'
import { broadcast, drop, proposerAt, reply, type StepContext, send, takeBody } from '../step-context.js'
import {
  chunkOf,
  completeWith,
  digestsOf,
  initFault,
  initOf,
  isComplete,
  newSession,
  type RbcSession,
  sessionKey,
  takeChunk,
} from './session.js'
import {
  addSession,
  dropSession,
  endSessions,
  expireSessions,
  type RbcMessage,
  relieve,
  type Stashed,
  type StoreGuard,
  stashMessage,
  takeStashed,
} from './store.js'

/**
 * Eviction guard: sessions that must be kept, and the cleanup of the block of an evicted session unless this view uses
 * it.
 */
export const guardOf = (state: ConsensusState): StoreGuard => ({
  keeps: (session) => session.height === state.context.height && keptHashes(state).includes(session.blockHash),
  dropped: (session) => {
    const candidate = state.candidates.get(session.blockHash)
    if (candidate?.body !== undefined && candidate.body === session.body && state.current?.hash !== candidate.hash)
      state.candidates.delete(candidate.hash)
  },
})

function keptHashes(state: ConsensusState): (string | undefined)[] {
  const { prepared, lastProposal, highPrepare, decided, built, current } = state
  return [
    current?.view === state.view ? current.hash : undefined,
    prepared && hashKey(prepared.vote.blockHash),
    lastProposal && hashKey(hashOfHeader(lastProposal.proposal.header)),
    highPrepare && hashKey(highPrepare.certificate.blockHash),
    decided && hashKey(decided.certificate.blockHash),
    built?.hash,
  ]
}

/** Open the session of a payload that this node has; undefined if the store is full. */
export function openOwn(
  ctx: StepContext,
  candidate: Candidate,
  view: number,
  shares: readonly PayloadBreakdown[],
  isRecovered = false,
): RbcSession | undefined {
  const { state } = ctx
  const { body, header } = candidate
  if (body === undefined) return undefined
  const known = state.rbc.sessions.get(sessionKey(header.height, view, hashKey(header.payloadHash)))
  if (known !== undefined) return known
  const session = newSession(
    {
      height: header.height,
      view,
      payloadHash: header.payloadHash,
      blockHash: hashOfKey(candidate.hash),
      payloadBytes: body.length,
      digests: digestsOf(body, state.rbc.limits),
      shares,
    },
    { proposer: proposerAt(state, view), committee: state.context.committee },
    state.nowMs,
    isRecovered,
  )
  completeWith(session, body, state.nowMs)
  return addSession(state.rbc, session, guardOf(state)) ? session : undefined
}

/** Announce our session and, if the payload is not sent in any other way, distribute its chunks over the committee. */
export function announce(ctx: StepContext, session: RbcSession, withChunks: boolean): void {
  const { state } = ctx
  const { fanout } = state.rbc.limits
  broadcast(ctx, { kind: 'rbcInit', value: initOf(session) })
  if (!withChunks) return
  for (let index = 0; index < session.digests.length; index++) {
    const value = chunkMessage(session, index)
    if (value === undefined) continue
    const targets = fanout === 0 ? undefined : targetsOf(state, session.view, index)
    if (targets === undefined) broadcast(ctx, { kind: 'rbcChunk', value })
    else for (const target of targets.slice(0, fanout)) send(ctx, target, { kind: 'rbcChunk', value })
  }
}

/** Members in the order in which they serve a chunk: the proposer sends it to the first `fanout`, and the first forwards it. */
function targetsOf(state: ConsensusState, view: number, index: number): ValidatorKey[] {
  const proposer = proposerAt(state, view)
  const others = state.context.order.filter((key) => key !== proposer)
  const first = others.length === 0 ? 0 : index % others.length
  return [...others.slice(first), ...others.slice(0, first)]
}

function chunkMessage(session: RbcSession, index: number): RbcChunk | undefined {
  const bytes = session.body === undefined ? session.chunks[index] : chunkOf(session.body, session.chunkBytes, index)
  if (bytes === undefined || session.isInvalid) return undefined
  return { height: session.height, view: session.view, payloadHash: hashOfKey(session.payloadHash), index, bytes }
}

/** Process a broadcast message of a known session or of this height; one of the next height is stored if its committee sent it. */
export function onRbcMessage(ctx: StepContext, from: ValidatorKey, message: RbcMessage): void {
  const { state } = ctx
  const { height } = message.value
  if (height === state.context.height + 1) {
    if (state.context.nextCommittee.indexOf.has(from)) return stash(ctx, from, message)
    return drop(ctx, from, message.kind, 'fault', 'not sent by a member')
  }
  const session = sessionOf(state, message.value)
  if (message.kind !== 'rbcInit' && session !== undefined) return take(ctx, session, from, message)
  if (height !== state.context.height) return drop(ctx, from, message.kind, timeOf(height, state.context.height))
  if (!state.context.committee.indexOf.has(from)) return drop(ctx, from, message.kind, 'fault', 'not sent by a member')
  if (message.kind === 'rbcInit') return onInit(ctx, from, message.value)
  // Announcements of earlier views are dropped.
  if (isOutside(state, message.value.view)) return drop(ctx, from, message.kind, timeOf(message.value.view, state.view))
  stash(ctx, from, message)
}

const timeOf = (place: number, here: number): DropReason => (place < here ? 'past' : 'early')

const isOutside = (state: ConsensusState, view: number): boolean =>
  view < state.view || view > state.view + FUTURE_VIEWS

function stash(ctx: StepContext, from: ValidatorKey, message: RbcMessage): void {
  dropAll(ctx, stashMessage(ctx.state.rbc, from, message), 'replaced')
}

function dropAll(ctx: StepContext, gone: readonly Stashed[], reason: DropReason): void {
  for (const { from, message } of gone) drop(ctx, from, message.kind, reason)
}

const sessionOf = (state: ConsensusState, of: RbcSignal): RbcSession | undefined =>
  state.rbc.sessions.get(sessionKey(of.height, of.view, hashKey(of.payloadHash)))

/**
 * Process the announcement of a payload by INIT or by the proposal. A view has one session: a second announcement is
 * refused, unless the proposer signed it and did not sign the first.
 */
export function onInit(
  ctx: StepContext,
  from: ValidatorKey,
  init: RbcInit,
  by: { readonly signed: boolean } = { signed: false },
): void {
  const refusal = openAnnounced(ctx, from, init, by.signed)
  // A proposal repeats the announcement of its INIT, so only a fault is reported.
  if (refusal !== undefined && (!by.signed || refusal.reason === 'fault'))
    drop(ctx, from, 'rbcInit', refusal.reason, refusal.why)
}

interface Refusal {
  readonly reason: DropReason
  readonly why?: string
}
const faulty = (why: string): Refusal => ({ reason: 'fault', why })

/** Open a session for an announcement and process its early messages, or return the reason for dropping it. */
function openAnnounced(ctx: StepContext, from: ValidatorKey, init: RbcInit, isSigned: boolean): Refusal | undefined {
  const { state } = ctx
  if (from !== proposerAt(state, init.view)) return faulty('not sent by the proposer of its view')
  if (isOutside(state, init.view)) return { reason: timeOf(init.view, state.view) }
  if (sessionOf(state, init) !== undefined) return { reason: 'known' }
  const fault = initFault(init, state.rbc.limits)
  if (fault !== undefined) return faulty(fault)
  const guard = guardOf(state)
  for (const other of state.rbc.sessions.values()) {
    if (other.height !== init.height || other.view !== init.view || other.isRecovered) continue
    if (!isSigned || guard.keeps(other)) return { reason: 'full', why: 'a second payload of its view' }
    dropSession(state.rbc, other, guard)
  }
  const session = newSession(init, { proposer: from, committee: state.context.committee }, state.nowMs)
  expire(ctx)
  if (!addSession(state.rbc, session, guard)) return { reason: 'full', why: 'no room for a session' }
  const early = takeStashed(
    state.rbc,
    ({ kind, value }) =>
      kind !== 'rbcInit' &&
      value.height === init.height &&
      value.view === init.view &&
      hashKey(value.payloadHash) === session.payloadHash,
  )
  for (const one of early) if (one.message.kind !== 'rbcInit') take(ctx, session, one.from, one.message)
  return undefined
}

function take(
  ctx: StepContext,
  session: RbcSession,
  from: ValidatorKey,
  message: Exclude<RbcMessage, { readonly kind: 'rbcInit' }>,
): void {
  const position = session.committee.indexOf.get(from)
  if (position === undefined) {
    // Keys may have changed since an earlier height.
    if (session.height < ctx.state.context.height) return drop(ctx, from, message.kind, 'past')
    return drop(ctx, from, message.kind, 'fault', 'not sent by a member')
  }
  if (message.kind === 'rbcChunk') return onChunk(ctx, session, from, message.value)
  const senders = message.kind === 'rbcDeliver' ? session.delivered : session.ready
  if (senders.has(position)) return drop(ctx, from, message.kind, 'known')
  senders.add(position)
  // A member that delivered was ready, even if its READY was lost.
  session.ready.add(position)
}

function onChunk(ctx: StepContext, session: RbcSession, from: ValidatorKey, chunk: RbcChunk): void {
  const { state } = ctx
  const { counters, limits } = state.rbc
  state.requests.delete(from)
  if (session.hasEnded) return drop(ctx, from, 'rbcChunk', 'past')
  const result = takeChunk(session, chunk.index, chunk.bytes, state.nowMs)
  if (result === 'mismatch') {
    counters.chunkMismatches += 1
    return drop(ctx, from, 'rbcChunk', 'mismatch', 'not the chunk of its digest')
  }
  if (result === 'known') return drop(ctx, from, 'rbcChunk', 'known')
  if (result === 'invalid') {
    counters.invalid += 1
    return drop(ctx, session.proposer, 'rbcInit', 'fault', 'chunks that are not the payload')
  }
  if (limits.fanout > 0 && from === proposerAt(state, session.view)) {
    const targets = targetsOf(state, session.view, chunk.index)
    if (targets[0] === state.self)
      for (const target of targets.slice(limits.fanout)) send(ctx, target, { kind: 'rbcChunk', value: chunk })
  }
}

/** Send the requested chunks of a session that this node has. */
export function onRbcRequest(ctx: StepContext, from: ValidatorKey, request: RbcRequest): void {
  const session = sessionOf(ctx.state, request)
  if (session === undefined) return drop(ctx, from, 'rbcRequest', 'unknown')
  for (const index of new Set(request.missing.slice(0, ctx.state.rbc.limits.chunksPerRequest))) {
    const value = chunkMessage(session, index)
    if (value !== undefined) reply(ctx, from, { kind: 'rbcChunk', value }, value.bytes.length)
  }
}

/** Advance the sessions of this height: exchange payloads with their blocks, send READY and DELIVER. */
export function settleBroadcast(ctx: StepContext): void {
  const { state } = ctx
  for (const session of state.rbc.sessions.values()) {
    if (!session.hasEnded) exchangePayload(ctx, session)
    signal(ctx, session)
  }
  // Payloads that arrived in other ways count too, and their protection may have ended.
  dropAll(ctx, relieve(state.rbc, guardOf(state)), 'full')
}

function exchangePayload(ctx: StepContext, session: RbcSession): void {
  const { state } = ctx
  const candidate = state.candidates.get(session.blockHash)
  if (candidate === undefined || hashKey(candidate.header.payloadHash) !== session.payloadHash) return
  if (session.body === undefined && candidate.body !== undefined) completeWith(session, candidate.body, state.nowMs)
  else if (session.body !== undefined && candidate.body === undefined) takeBody(ctx, candidate, session.body)
}

/** Send READY once the payload is present or f + 1 members are ready, and DELIVER once it is present and 2f + 1 are ready. */
function signal(ctx: StepContext, session: RbcSession): void {
  const { state } = ctx
  const { committee } = session
  const { counters } = state.rbc
  const position = state.abstention !== undefined ? undefined : committee.indexOf.get(state.self)
  const value = { height: session.height, view: session.view, payloadHash: hashOfKey(session.payloadHash) }
  if (position !== undefined && !session.readySent) {
    if (!isComplete(session) && session.ready.size <= committee.faults) return
    session.readySent = true
    session.ready.add(position)
    counters.readySent += 1
    broadcast(ctx, { kind: 'rbcReady', value })
  }
  if (session.isDelivered || !isComplete(session) || session.ready.size < committee.quorum) return
  session.isDelivered = true
  counters.delivered += 1
  counters.deliveredBytes += session.payloadBytes
  if (position === undefined) return
  session.delivered.add(position)
  counters.deliverSent += 1
  broadcast(ctx, { kind: 'rbcDeliver', value })
}

/** Remove expired sessions. */
export function expire(ctx: StepContext): void {
  const { state } = ctx
  expireSessions(state.rbc, state.nowMs, guardOf(state))
}

/** Enter a new height: end the sessions of committed heights and process early messages. */
export function replayBroadcast(ctx: StepContext): void {
  const { state } = ctx
  const { height } = state.context
  dropAll(ctx, endSessions(state.rbc, height - 1), 'past')
  expire(ctx)
  // Announcements first, because the other messages belong to them.
  for (const one of takeStashed(state.rbc, ({ kind, value }) => kind === 'rbcInit' && value.height === height))
    onRbcMessage(ctx, one.from, one.message)
}

/** Active session that can still deliver the payload of a candidate. */
export function sessionFor(state: ConsensusState, candidate: Candidate): RbcSession | undefined {
  const wanted = hashKey(candidate.header.payloadHash)
  for (const session of state.rbc.sessions.values()) {
    if (!session.hasEnded && !session.isInvalid && session.payloadHash === wanted) return session
  }
  return undefined
}

/** True when these bytes are the payload that a header names. */
export const isPayloadOf = (header: Candidate['header'], body: Uint8Array): boolean =>
  body.length === header.payloadBytes && sameBytes(payloadHash(body), header.payloadHash)
