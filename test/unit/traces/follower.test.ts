/** Transactions that are followed: from a request or from a peer to a block, in one trace; what is not followed, and what is given up. */
import { describe, expect, it } from 'vitest'
import type { AnsweredRequest } from '../../../src/api/request-trace.js'
import { Follower } from '../../../src/features/traces/node/follower.js'
import { FOLLOWED_MAX, FOLLOWED_MS } from '../../../src/features/traces/node/limits.js'
import type { EndedSpan } from '../../../src/features/traces/node/spans.js'
import { placeOf } from '../../../src/features/traces/node/traceparent.js'

const HASH = Buffer.alloc(32, 7)
const CLIENT = { traceId: 'a'.repeat(32), spanId: 'b'.repeat(16) }
const SUBMITTED: AnsweredRequest = {
  method: 'POST',
  path: '/transaction',
  status: 202,
  code: undefined,
  traceparent: undefined,
  tookMs: 20,
  submission: { transactionHash: HASH },
}

function follower(samplePerMille = 1_000) {
  const spans: EndedSpan[] = []
  const clock = { ms: 1_000 }
  let unfollowed = 0
  const made = new Follower({
    spans: {
      add: (span) => {
        spans.push(span)
        const traceId = span.place?.traceId ?? span.parent?.traceId ?? 'c'.repeat(32)
        return { traceId, spanId: span.place?.spanId ?? String(spans.length).padStart(16, '0') }
      },
    },
    samplePerMille,
    wallMs: () => clock.ms,
    onUnfollowed: () => {
      unfollowed += 1
    },
  })
  return { made, spans, clock, unfollowed: () => unfollowed }
}

describe('the trace of a transaction', () => {
  it('covers the time from its request to its block, below a span shared by all nodes', () => {
    const { made, spans } = follower()
    made.queued(HASH, 990, 0)
    const context = made.answered(SUBMITTED)
    expect(context).toBe(`00-${placeOf(HASH).traceId}-0000000000000001-01`)
    made.committed({ hash: HASH, height: 5, rejection: undefined }, 1_050)
    expect(spans).toMatchObject([
      { name: 'POST /transaction', isServer: true, fromMs: 980, toMs: 1_000, parent: placeOf(HASH) },
      { name: 'queue to block', fromMs: 990, toMs: 1_050, parent: placeOf(HASH), failure: undefined },
      { name: 'transaction', fromMs: 980, toMs: 1_050, place: placeOf(HASH), parent: undefined, links: [] },
    ])
    expect(spans[2]?.attributes).toEqual({
      'causeway.transaction.hash': HASH.toString('hex'),
      'causeway.transaction.outcome': 'approved',
      'causeway.block.height': 5,
    })
    expect(made.isIdle).toBe(true)
  })

  it('has a local span if a peer forwarded it, and only one node creates the whole', () => {
    const { made, spans } = follower()
    made.queued(HASH, 990, 3)
    made.committed({ hash: HASH, height: 5, rejection: 'insufficient_balance' }, 1_050)
    expect(spans).toHaveLength(1)
    expect(spans[0]).toMatchObject({ name: 'queue to block', failure: 'insufficient_balance', parent: placeOf(HASH) })
    expect(spans[0]?.attributes).toMatchObject({ 'causeway.lane': 3, 'causeway.transaction.outcome': 'rejected' })
  })

  it('is linked in both directions with the trace of the client, if it has its own', () => {
    const { made, spans } = follower()
    made.queued(HASH, 990, 0)
    const context = made.answered({ ...SUBMITTED, traceparent: `00-${CLIENT.traceId}-${CLIENT.spanId}-01` })
    expect(context?.slice(3, 35)).toBe(CLIENT.traceId)
    made.committed({ hash: HASH, height: 5, rejection: undefined }, 1_050)
    expect(spans[0]).toMatchObject({ parent: { traceId: CLIENT.traceId }, links: [placeOf(HASH)] })
    expect(spans[2]).toMatchObject({ place: placeOf(HASH), links: [{ traceId: CLIENT.traceId }] })
  })

  it('is below the span of the client, if the client uses the trace id from the hash', () => {
    const { made, spans } = follower()
    made.queued(HASH, 990, 0)
    const { traceId } = placeOf(HASH)
    made.answered({ ...SUBMITTED, traceparent: `00-${traceId}-${CLIENT.spanId}-01` })
    made.committed({ hash: HASH, height: 5, rejection: undefined }, 1_050)
    expect(spans[0]).toMatchObject({ parent: placeOf(HASH), links: [] })
    expect(spans[2]).toMatchObject({ place: placeOf(HASH), parent: { traceId, spanId: CLIENT.spanId }, links: [] })
  })

  it('ends when the transaction expires without a block', () => {
    const { made, spans } = follower()
    made.queued(HASH, 990, 0)
    made.expired(HASH, 9_000)
    expect(spans).toMatchObject([{ name: 'queue to block', toMs: 9_000, failure: 'expired' }])
  })

  it('contains the identifier of its message, but no other data of the message', () => {
    const { made, spans } = follower()
    made.queued(HASH, 990, 0)
    const submission = { transactionHash: HASH, messageId: 'PAY/1' }
    made.answered({ ...SUBMITTED, method: 'POST', path: '/v1/iso20022/pacs008', submission })
    made.committed({ hash: HASH, height: 5, rejection: undefined }, 1_050)
    expect(spans.map(({ attributes }) => attributes['causeway.message.id'])).toEqual(['PAY/1', undefined, 'PAY/1'])
  })
})

describe('the transaction tracer omits', () => {
  it('requests that opted out, requests without a transaction, and transactions outside the sample', () => {
    const { made, spans } = follower(0)
    made.queued(HASH, 990, 0)
    expect(made.answered(SUBMITTED)).toBeUndefined()
    expect(made.answered({ ...SUBMITTED, submission: undefined })).toBeUndefined()
    const asks = (flags: string) => ({ ...SUBMITTED, traceparent: `00-${CLIENT.traceId}-${CLIENT.spanId}-${flags}` })
    expect(made.answered(asks('00'))).toBeUndefined()
    expect([spans.length, made.isIdle]).toEqual([0, true])
    // One that asks for it is, whatever the share.
    expect(made.answered(asks('01'))).toBeDefined()
    made.committed({ hash: HASH, height: 5, rejection: undefined }, 1_050)
    expect(spans.map(({ name }) => name)).toEqual(['POST /transaction', 'queue to block', 'transaction'])
  })

  it('a transaction committed before its request was answered', () => {
    const { made, spans } = follower()
    made.queued(HASH, 990, 0)
    made.committed({ hash: HASH, height: 5, rejection: undefined }, 995)
    made.answered(SUBMITTED)
    expect([made.isIdle, spans.map(({ name }) => name)]).toEqual([true, ['queue to block', 'POST /transaction']])
  })

  it('transactions above the limit, or pending for too long, and counts both', () => {
    const { made, clock, unfollowed } = follower()
    const hashOf = (at: number): Buffer => {
      const hash = Buffer.alloc(32)
      hash.writeUInt32BE(at)
      return hash
    }
    for (let at = 0; at < FOLLOWED_MAX; at += 1) made.queued(hashOf(at), 1_000, 0)
    expect(unfollowed()).toBe(0)
    made.queued(hashOf(FOLLOWED_MAX), 1_000, 0)
    expect(unfollowed()).toBe(1)
    clock.ms += FOLLOWED_MS + 1
    made.sweep()
    expect([made.isIdle, unfollowed()]).toEqual([true, FOLLOWED_MAX + 1])
  })
})

describe('an error in a trace', () => {
  it('is recorded by its code, and marks the span as failed if the node is at fault', () => {
    const { made, spans } = follower()
    const traceparent = `00-${CLIENT.traceId}-${CLIENT.spanId}-01`
    made.answered({ ...SUBMITTED, status: 400, code: 'bad_value', traceparent, submission: undefined })
    made.answered({ ...SUBMITTED, status: 503, code: 'node_stopping', traceparent, submission: undefined })
    expect(spans.map(({ failure }) => failure)).toEqual([undefined, 'node_stopping'])
    expect(spans[0]?.attributes).toMatchObject({ 'error.type': 'bad_value', 'http.response.status_code': 400 })
  })
})
