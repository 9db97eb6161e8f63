/** Owns compact proposals at the receiver: rebuilt from the queue, completed by its proposer or a peer (docs/design/consensus.md 7). */
import type { ValidatorKey } from '../model/index.js'
import type { AnswerOf } from './input.js'
import { FETCH_RETRY_MS } from './limits.js'
import type { RecordRequest, RecordResponse } from './messages/index.js'
import { RECORD_SOURCES_MAX } from './payload-limits.js'
import { isPayloadOf } from './rbc/rules.js'
import { type Candidate, hashKey, hashOfKey, type JobOf } from './state.js'
import { arm, drop, proposerAt, type StepContext, send, startJob, takeBody } from './step-context.js'

/** Asks the node to rebuild a payload from its queue and from the records that came for it. */
export function rebuild(ctx: StepContext, candidate: Candidate): void {
  const { compact } = candidate
  if (compact?.status !== 'fresh') return
  compact.status = 'rebuilding'
  ctx.effects.push({
    type: 'rebuild',
    job: startJob(ctx, { next: 'rebuilt', hash: candidate.hash }),
    blockHash: hashOfKey(candidate.hash),
    payloadBytes: candidate.header.payloadBytes,
    compact: compact.bytes,
    records: [...compact.records].map(([place, bytes]) => ({ place, bytes })),
  })
}

/** The node rebuilt a payload, or says what it misses. */
export function onRebuilt(ctx: StepContext, { hash }: JobOf<'rebuilt'>, { body, missing }: AnswerOf<'rebuilt'>): void {
  const { state } = ctx
  const candidate = state.candidates.get(hash)
  if (candidate?.compact === undefined || candidate.body !== undefined) return
  const { compact } = candidate
  if (body !== undefined) {
    candidate.compact = undefined
    // What its hashes lead to is another payload: the whole of it is fetched.
    if (!isPayloadOf(candidate.header, body)) return
    state.rbc.counters.rebuilt += 1
    takeBody(ctx, candidate, body)
    return
  }
  if (missing.length === 0 || missing.length > state.rbc.limits.recordsPerRequest) {
    candidate.compact = undefined
    return
  }
  compact.missing = missing
  compact.status = 'asking'
  askRecords(ctx, candidate)
}

/** Asks the proposer, then one other member, for the missing records; after them the whole payload is fetched. */
function askRecords(ctx: StepContext, candidate: Candidate): void {
  const { state } = ctx
  const { compact } = candidate
  if (compact === undefined) return
  const proposer = proposerAt(state, compact.view)
  const others = [proposer, ...state.context.order].filter((key) => key !== state.self && !compact.asked.has(key))
  const source = others[0]
  if (source === undefined || compact.asked.size >= RECORD_SOURCES_MAX) {
    candidate.compact = undefined
    return
  }
  compact.asked.add(source)
  state.rbc.counters.recordRequests += 1
  const value = { height: candidate.header.height, blockHash: hashOfKey(candidate.hash), places: compact.missing }
  send(ctx, source, { kind: 'recordRequest', value })
  arm(ctx, 'fetch', FETCH_RETRY_MS)
}

/** Nobody answered in time. */
export function retryRecords(ctx: StepContext): void {
  for (const candidate of ctx.state.candidates.values()) {
    if (candidate.compact?.status === 'asking') askRecords(ctx, candidate)
  }
}

/** A peer misses records of a payload that we hold. */
export function onRecordRequest(ctx: StepContext, from: ValidatorKey, request: RecordRequest): void {
  const { state } = ctx
  const candidate =
    request.height === state.context.height ? state.candidates.get(hashKey(request.blockHash)) : undefined
  const { height, blockHash } = request
  if (candidate?.body === undefined) {
    send(ctx, from, { kind: 'recordResponse', value: { height, blockHash, records: [] } })
    return
  }
  const places = request.places.slice(0, state.rbc.limits.recordsPerRequest)
  ctx.effects.push({ type: 'serveRecords', to: from, height, blockHash, body: candidate.body, places })
}

/** Records that were asked for; the node checks each against its hash when it rebuilds. */
export function onRecordResponse(ctx: StepContext, from: ValidatorKey, response: RecordResponse): void {
  const { state } = ctx
  if (response.height < state.context.height) return drop(ctx, from, 'recordResponse', 'past')
  const isOurs = response.height === state.context.height
  const candidate = isOurs ? state.candidates.get(hashKey(response.blockHash)) : undefined
  const compact = candidate?.compact
  if (candidate === undefined || compact?.status !== 'asking' || !compact.asked.has(from))
    return drop(ctx, from, 'recordResponse', 'unasked')
  const wanted = new Set(compact.missing)
  let taken = 0
  for (const { place, bytes } of response.records) {
    if (!wanted.delete(place)) continue
    // A copy: the whole answer would stay in memory for one record of it. Memory of its own: the pool of `Buffer.from` is 64 KiB
    // under Node 24, and one record would keep all of it.
    const copy = Buffer.allocUnsafeSlow(bytes.length)
    copy.set(bytes)
    compact.records.set(place, copy)
    taken += 1
  }
  if (taken === 0) {
    if (response.records.length > 0) drop(ctx, from, 'recordResponse', 'mismatch', 'other records than requested')
    return askRecords(ctx, candidate)
  }
  compact.status = 'fresh'
}
