/** Owns compact proposals at the receiver: rebuilt from the queue, completed by its proposer or a peer (docs/design/consensus.md 7). */
import type { ValidatorKey } from '../model/index.js'
import type { AnswerOf } from './input.js'
import { FETCH_RETRY_MS } from './limits.js'
import type { RecordRequest, RecordResponse } from './messages/index.js'
import { RECORD_SOURCES_MAX } from './payload-limits.js'
import { isPayloadOf } from './rbc/rules.js'
import { type Candidate, hashKey, hashOfKey, type JobOf } from './state.js'
import { arm, drop, proposerAt, type StepContext, send, startJob, takeBody } from './step-context.js'

/** Request the rebuild of a payload from the queue and the received records. */
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

/** Process the result of a rebuild: the payload, or the missing records. */
export function onRebuilt(ctx: StepContext, { hash }: JobOf<'rebuilt'>, { body, missing }: AnswerOf<'rebuilt'>): void {
  const { state } = ctx
  const candidate = state.candidates.get(hash)
  if (candidate?.compact === undefined || candidate.body !== undefined) return
  const { compact } = candidate
  if (body !== undefined) {
    candidate.compact = undefined
    // The hashes lead to a different payload, so the whole payload is fetched.
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

/** Request the missing records from the proposer, then from one other member; after that the whole payload is fetched. */
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

/** Handle a request without a timely response. */
export function retryRecords(ctx: StepContext): void {
  for (const candidate of ctx.state.candidates.values()) {
    if (candidate.compact?.status === 'asking') askRecords(ctx, candidate)
  }
}

/** Serve the records of a payload that a peer requests. */
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

/** Process requested records; each is checked against its hash during the rebuild. */
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
    // Copied, because one record would keep the whole response in memory; allocated apart, because the pool of `Buffer.from` has
    // 64 KiB under Node 24, and one record would keep all of it.
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
