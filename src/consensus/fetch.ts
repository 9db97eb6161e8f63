/**
 * Owns the recovery of a missing payload: compact form, chunks of a broadcast, then the whole payload from f + 1 of the
 * certificate's signers, all signers, all peers; one request in flight per peer (docs/design/consensus.md 7).
 */
import type { ValidatorKey } from '../model/index.js'
import { positionsOf } from './bitmap.js'
import { rebuild, retryRecords } from './compact.js'
import { FETCH_RETRY_MS } from './limits.js'
import type { PayloadRequest, PayloadResponse } from './messages/index.js'
import { CHUNK_PULL_AFTER_MS, CHUNK_PULLS_MAX, REQUEST_LOST_MS } from './payload-limits.js'
import { phaseLeftMs } from './phases.js'
import { isPayloadOf, sessionFor } from './rbc/rules.js'
import { missingChunks, type RbcSession } from './rbc/session.js'
import { type Candidate, type ConsensusState, hashKey, hashOfKey } from './state.js'
import { arm, drop, proposerAt, reply, type StepContext, send, takeBody } from './step-context.js'

/** Fetch the most urgent missing payload of this height: decided, then certified in our view, then proposed in it. */
export function fetchWanted(ctx: StepContext): void {
  const { state } = ctx
  const wanted = wantedCandidate(state)
  if (wanted === undefined) return
  if (wanted.compact !== undefined) return rebuild(ctx, wanted)
  if (state.fetching?.hash === wanted.hash) return
  state.fetching = { hash: wanted.hash, attempt: 0, pulls: 0 }
  askNext(ctx, wanted)
}

function wantedCandidate(state: ConsensusState): Candidate | undefined {
  const certified = [state.decided, state.highPrepare?.certificate.view === state.view ? state.highPrepare : undefined]
  for (const one of certified) {
    const candidate = one && state.candidates.get(hashKey(one.certificate.blockHash))
    if (candidate !== undefined && candidate.body === undefined) return candidate
  }
  const { current } = state
  if (state.decided !== undefined || current?.view !== state.view) return undefined
  const candidate = state.candidates.get(current.hash)
  return candidate?.body === undefined ? candidate : undefined
}

/** Certificate of a decided or locked candidate. */
const certifiedOf = (state: ConsensusState, { hash }: Candidate) =>
  [state.decided, state.highPrepare].find((one) => one !== undefined && hashKey(one.certificate.blockHash) === hash)

const isCertified = (state: ConsensusState, candidate: Candidate): boolean =>
  certifiedOf(state, candidate) !== undefined

/**
 * Peers to request from, in order: f + 1 signers, a different set for each requester; then the other signers; then all
 * peers.
 */
function sourcesOf(state: ConsensusState, candidate: Candidate): ValidatorKey[] {
  const { committee, order, nextCommittee } = state.context
  const certified = certifiedOf(state, candidate)
  const everyPeer = [...order, ...nextCommittee.keys]
  let first: ValidatorKey[]
  if (certified === undefined) {
    first = [proposerAt(state, state.current?.view ?? state.view)]
  } else {
    const positions = positionsOf(certified.certificate.bitmap, committee.keys.length) ?? []
    const signers = positions.map((position) => committee.keys[position] ?? '')
    // Requesters start at different signers, so that requests are spread.
    const start = signers.length === 0 ? 0 : (state.index ?? 0) % signers.length
    first = [...signers.slice(start), ...signers.slice(0, start)]
  }
  return [...new Set([...first, ...everyPeer])].filter((key) => key !== state.self)
}

/** Try the next source of a payload; the `fetch` timer retries. */
function askNext(ctx: StepContext, candidate: Candidate): void {
  const { state } = ctx
  const { fetching } = state
  if (fetching === undefined) return
  const session = sessionFor(state, candidate)
  // A broadcast gets time to complete, unless a certificate needs the payload now.
  const leftMs = isCertified(state, candidate) ? 0 : (phaseLeftMs(state, 'payload') ?? 0)
  if (session !== undefined && session.body === undefined && leftMs > 0) return arm(ctx, 'fetch', leftMs)
  if (session !== undefined && session.body === undefined && fetching.pulls < CHUNK_PULLS_MAX) {
    const sinceMs = state.nowMs - session.progressAtMs
    if (sinceMs < CHUNK_PULL_AFTER_MS) {
      fetching.pulls = 0
      return arm(ctx, 'fetch', CHUNK_PULL_AFTER_MS - sinceMs)
    }
    fetching.pulls += 1
    pullChunks(ctx, session)
    return arm(ctx, 'fetch', CHUNK_PULL_AFTER_MS)
  }
  const sources = sourcesOf(state, candidate)
  for (let step = 0; step < sources.length; step++) {
    const source = sources[(fetching.attempt + step) % sources.length] as ValidatorKey
    if (!claimRequest(state, source)) continue
    fetching.attempt += step + 1
    const { height } = state.context
    state.rbc.counters.payloadRequests += 1
    send(ctx, source, { kind: 'payloadRequest', value: { height, blockHash: hashOfKey(candidate.hash) } })
    break
  }
  arm(ctx, 'fetch', FETCH_RETRY_MS)
}

/** Reserve the request slot of a peer; false if a request is in flight. */
function claimRequest(state: ConsensusState, peer: ValidatorKey): boolean {
  const sentAtMs = state.requests.get(peer)
  if (sentAtMs !== undefined && state.nowMs - sentAtMs < REQUEST_LOST_MS) return false
  state.requests.set(peer, state.nowMs)
  return true
}

/**
 * Request different parts of the missing chunks from f + 1 peers: members that delivered, the proposer, members that
 * are ready.
 */
function pullChunks(ctx: StepContext, session: RbcSession): void {
  const { state } = ctx
  const { committee, order } = state.context
  const keysOf = (positions: Iterable<number>): ValidatorKey[] =>
    [...positions].map((position) => committee.keys[position] ?? '')
  const likely = [...keysOf(session.delivered), proposerAt(state, session.view), ...keysOf(session.ready), ...order]
  const missing = missingChunks(session)
  const { chunksPerRequest } = state.rbc.limits
  let asked = 0
  for (const source of new Set(likely)) {
    if (asked > committee.faults || asked * chunksPerRequest >= missing.length) break
    if (source === state.self || !claimRequest(state, source)) continue
    const part = missing.slice(asked * chunksPerRequest, (asked + 1) * chunksPerRequest)
    asked += 1
    const { height, view } = session
    const value = { height, view, payloadHash: hashOfKey(session.payloadHash), missing: part }
    state.rbc.counters.chunkRequests += 1
    send(ctx, source, { kind: 'rbcRequest', value })
  }
}

/** Retry after a request timed out or chunks stopped arriving, as long as the payload is wanted. */
export function onFetchTimer(ctx: StepContext): void {
  const { state } = ctx
  retryRecords(ctx)
  const { fetching } = state
  if (fetching === undefined) return
  const candidate = state.candidates.get(fetching.hash)
  if (candidate === undefined || candidate.body !== undefined) {
    state.fetching = undefined
    return
  }
  askNext(ctx, candidate)
}

/** Serve the payload of a block from the candidates of this height or from the block store. */
export function onPayloadRequest(ctx: StepContext, from: ValidatorKey, request: PayloadRequest): void {
  const { state } = ctx
  const { height, blockHash } = request
  if (height < state.context.height) {
    ctx.effects.push({ type: 'servePayload', to: from, height, blockHash })
    return
  }
  const candidate = height === state.context.height ? state.candidates.get(hashKey(blockHash)) : undefined
  const body = candidate?.body
  const header = body === undefined ? undefined : candidate?.header
  reply(ctx, from, { kind: 'payloadResponse', value: { height, blockHash, header, body } }, body?.length ?? 0)
}

/** Process a payload, or the notice that a peer does not have it. The payload must match the hash and length of a known header. */
export function onPayloadResponse(ctx: StepContext, from: ValidatorKey, response: PayloadResponse): void {
  const { state } = ctx
  state.requests.delete(from)
  if (response.height < state.context.height) return drop(ctx, from, 'payloadResponse', 'past')
  const isOurs = response.height === state.context.height
  const candidate = isOurs ? state.candidates.get(hashKey(response.blockHash)) : undefined
  if (candidate === undefined) return drop(ctx, from, 'payloadResponse', 'unasked')
  if (candidate.body !== undefined) return drop(ctx, from, 'payloadResponse', 'known')
  if (response.body !== undefined && isPayloadOf(candidate.header, response.body)) {
    takeBody(ctx, candidate, Buffer.from(response.body))
    return
  }
  if (response.body !== undefined) drop(ctx, from, 'payloadResponse', 'mismatch', 'another payload')
  // Try the next source at once, but each only once before the timer fires again.
  const { fetching } = state
  if (fetching?.hash === candidate.hash && fetching.attempt < sourcesOf(state, candidate).length) {
    askNext(ctx, candidate)
  }
}
