/** Owns compact proposals at the receiver: rebuilt from the queue, completed by its proposer or a peer (design/consensus.md 7). */
import type { ValidatorKey } from '../model/index.js'
import type { Input } from './input.js'
import { FETCH_RETRY_MS } from './limits.js'
import type { RecordRequest, RecordResponse } from './messages/index.js'
import { RECORD_SOURCES_MAX } from './rbc/limits.js'
import { isPayloadOf } from './rbc/rules.js'
import { type Candidate, hashKey, hashOfKey } from './state.js'
import { arm, proposerAt, send, type Turn, takeBody } from './turn.js'

/** Asks the node to rebuild a payload from its queue and from the records that came for it. */
export function rebuild(turn: Turn, candidate: Candidate): void {
  const { compact } = candidate
  if (compact?.status !== 'fresh') return
  compact.status = 'rebuilding'
  turn.effects.push({
    type: 'rebuild',
    height: candidate.header.height,
    blockHash: hashOfKey(candidate.hash),
    payloadBytes: candidate.header.payloadBytes,
    compact: compact.bytes,
    records: [...compact.records].map(([place, bytes]) => ({ place, bytes })),
  })
}

/** The node rebuilt a payload, or says what it misses. */
export function onRebuilt(turn: Turn, input: Extract<Input, { type: 'rebuilt' }>): void {
  const { state } = turn
  const candidate = input.height === state.context.height ? state.candidates.get(hashKey(input.blockHash)) : undefined
  if (candidate?.compact === undefined || candidate.body !== undefined) return
  const { compact } = candidate
  if (input.body !== undefined) {
    candidate.compact = undefined
    // What its hashes lead to is another payload: the whole of it is fetched.
    if (!isPayloadOf(candidate.header, input.body)) return
    state.rbc.counters.rebuilt += 1
    takeBody(turn, candidate, input.body)
    return
  }
  if (input.missing.length === 0 || input.missing.length > state.rbc.limits.recordsPerRequest) {
    candidate.compact = undefined
    return
  }
  compact.missing = input.missing
  compact.status = 'asking'
  askRecords(turn, candidate)
}

/** Asks the proposer, then one other member, for the missing records; after them the whole payload is fetched. */
function askRecords(turn: Turn, candidate: Candidate): void {
  const { state } = turn
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
  send(turn, source, { kind: 'recordRequest', value })
  arm(turn, 'fetch', FETCH_RETRY_MS)
}

/** Nobody answered in time. */
export function retryRecords(turn: Turn): void {
  for (const candidate of turn.state.candidates.values()) {
    if (candidate.compact?.status === 'asking') askRecords(turn, candidate)
  }
}

/** A peer misses records of a payload that we hold. */
export function onRecordRequest(turn: Turn, from: ValidatorKey, request: RecordRequest): void {
  const { state } = turn
  const candidate =
    request.height === state.context.height ? state.candidates.get(hashKey(request.blockHash)) : undefined
  const { height, blockHash } = request
  if (candidate?.body === undefined) {
    send(turn, from, { kind: 'recordResponse', value: { height, blockHash, records: [] } })
    return
  }
  const places = request.places.slice(0, state.rbc.limits.recordsPerRequest)
  turn.effects.push({ type: 'serveRecords', to: from, height, blockHash, body: candidate.body, places })
}

/** Records that were asked for; the node checks each against its hash when it rebuilds. */
export function onRecordResponse(turn: Turn, from: ValidatorKey, response: RecordResponse): void {
  const { state } = turn
  if (response.height !== state.context.height) return
  const candidate = state.candidates.get(hashKey(response.blockHash))
  const compact = candidate?.compact
  if (candidate === undefined || compact?.status !== 'asking' || !compact.asked.has(from)) return
  const wanted = new Set(compact.missing)
  let taken = 0
  for (const { place, bytes } of response.records) {
    if (!wanted.delete(place)) continue
    compact.records.set(place, bytes)
    taken += 1
  }
  if (taken === 0) return askRecords(turn, candidate)
  compact.status = 'fresh'
}
