/** Owns the recovery of a missing payload: one request at a time, signers first, then everybody (design/consensus.md 7). */
import type { CertifiedHeader, ValidatorKey } from '../model/index.js'
import { payloadHash } from '../model/index.js'
import { positionsOf } from './bitmap.js'
import { FETCH_RETRY_MS } from './limits.js'
import type { PayloadRequest, PayloadResponse } from './messages/index.js'
import { type HashKey, hashKey, hashOfKey } from './state.js'
import { arm, proposerAt, send, type Turn } from './turn.js'

/** Asks for the payload that this height needs most: decided, then certified in our view, then proposed in it. */
export function fetchWanted(turn: Turn): void {
  const { state } = turn
  const missing = (hash: HashKey): boolean => state.candidates.get(hash)?.body === undefined
  const certified = [state.decided, state.highPrepare?.certificate.view === state.view ? state.highPrepare : undefined]
  for (const one of certified) {
    if (one === undefined || !missing(hashKey(one.certificate.blockHash))) continue
    return fetchFrom(turn, hashKey(one.certificate.blockHash), signersOf(turn, one))
  }
  const { current } = state
  if (state.decided === undefined && current?.view === state.view && missing(current.hash)) {
    fetchFrom(turn, current.hash, [proposerAt(state, current.view), ...state.context.order])
  }
}

/** Sources in the order of the design: the certificate's signers, then everybody of the committee. */
function signersOf(turn: Turn, certified: CertifiedHeader): ValidatorKey[] {
  const { committee } = turn.state.context
  const positions = positionsOf(certified.certificate.bitmap, committee.keys.length) ?? []
  return [...positions.map((position) => committee.keys[position] ?? ''), ...committee.keys]
}

/** Asks the next source for a payload; the `fetch` timer moves on to the one after it. */
function fetchFrom(turn: Turn, hash: HashKey, sources: readonly ValidatorKey[]): void {
  const { state } = turn
  const others = [...new Set(sources)].filter((key) => key !== state.self)
  if (others.length === 0) return
  if (state.fetching?.hash === hash) return
  state.fetching = { hash, attempt: 0 }
  ask(turn, hash, others[0] as ValidatorKey)
}

function ask(turn: Turn, hash: HashKey, source: ValidatorKey): void {
  const { height } = turn.state.context
  send(turn, source, { kind: 'payloadRequest', value: { height, blockHash: hashOfKey(hash) } })
  arm(turn, 'fetch', FETCH_RETRY_MS)
}

/** No answer in time: the next member of the committee, for as long as the payload is wanted. */
export function onFetchTimer(turn: Turn): void {
  const { state } = turn
  const { fetching } = state
  if (fetching === undefined) return
  const candidate = state.candidates.get(fetching.hash)
  if (candidate === undefined || candidate.body !== undefined) {
    state.fetching = undefined
    return
  }
  const others = state.context.order.filter((key) => key !== state.self)
  if (others.length === 0) return
  fetching.attempt += 1
  ask(turn, fetching.hash, others[fetching.attempt % others.length] as ValidatorKey)
}

/** A peer wants the payload of a block: from this height's candidates, else from the block store. */
export function onPayloadRequest(turn: Turn, from: ValidatorKey, request: PayloadRequest): void {
  const { state } = turn
  const candidate =
    request.height === state.context.height ? state.candidates.get(hashKey(request.blockHash)) : undefined
  if (candidate?.body !== undefined) {
    send(turn, from, {
      kind: 'payloadResponse',
      value: { height: request.height, blockHash: request.blockHash, header: candidate.header, body: candidate.body },
    })
  } else if (request.height < state.context.height) {
    turn.effects.push({ type: 'servePayload', to: from, height: request.height, blockHash: request.blockHash })
  }
}

/** A payload arrived: it counts when its hash and length are those of a header that we hold. */
export function onPayloadResponse(turn: Turn, response: PayloadResponse): void {
  const { state } = turn
  if (response.height !== state.context.height || response.body === undefined) return
  const candidate = state.candidates.get(hashKey(response.blockHash))
  if (candidate === undefined || candidate.body !== undefined) return
  if (response.body.length !== candidate.header.payloadBytes) return
  if (Buffer.compare(payloadHash(response.body), candidate.header.payloadHash) !== 0) return
  candidate.body = Buffer.from(response.body)
  if (state.fetching?.hash === candidate.hash) state.fetching = undefined
  turn.effects.push({ type: 'disarm', name: 'fetch' })
}
