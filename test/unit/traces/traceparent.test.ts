/** Identities of traces: what a header names, what is to be ignored, and what every node knows of a transaction. */
import { randomBytes } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { isOfShare, parseTraceparent, placeOf, traceparentOf } from '../../../src/features/traces/node/traceparent.js'

const TRACE = '4bf92f3577b34da6a3ce929d0e0e4736'
const SPAN = '00f067aa0ba902b7'

describe('a traceparent header', () => {
  it('contains a span id, and whether the span is sampled', () => {
    expect(parseTraceparent(`00-${TRACE}-${SPAN}-01`)).toEqual({ traceId: TRACE, spanId: SPAN, sampled: true })
    expect(parseTraceparent(`00-${TRACE}-${SPAN}-00`)?.sampled).toBe(false)
    expect(traceparentOf({ traceId: TRACE, spanId: SPAN })).toBe(`00-${TRACE}-${SPAN}-01`)
  })

  it('of a later version may be longer than one of this version', () => {
    expect(parseTraceparent(`01-${TRACE}-${SPAN}-01-more`)).toMatchObject({ traceId: TRACE })
    expect(parseTraceparent(`00-${TRACE}-${SPAN}-01-more`)).toBeUndefined()
  })

  it.each([
    undefined,
    '',
    `ff-${TRACE}-${SPAN}-01`,
    `00-${'0'.repeat(32)}-${SPAN}-01`,
    `00-${TRACE}-${'0'.repeat(16)}-01`,
    `00-${TRACE.toUpperCase()}-${SPAN}-01`,
    `00-${TRACE}-${SPAN}`,
    ` 00-${TRACE}-${SPAN}-01`,
    `01-${TRACE}-${SPAN}-01-${'x'.repeat(1_000_000)}`,
  ])('is ignored if malformed: %#', (text) => {
    expect(parseTraceparent(text)).toBeUndefined()
  })
})

describe('the trace of a transaction hash', () => {
  it('has trace and span ids from its hash', () => {
    const hash = Buffer.from(Array.from({ length: 32 }, (_, at) => at + 1))
    expect(placeOf(hash)).toEqual({ traceId: hash.toString('hex').slice(0, 32), spanId: '1112131415161718' })
  })

  it('is sampled by the hash alone: none at 0, all at 1,000, and about half at 500 per mille', () => {
    const hashes = Array.from({ length: 2_000 }, () => randomBytes(32))
    const of = (perMille: number): number => hashes.filter((hash) => isOfShare(hash, perMille)).length
    expect([of(0), of(1_000)]).toEqual([0, 2_000])
    expect(Math.abs(of(500) - 1_000)).toBeLessThan(200)
    for (const hash of hashes) if (isOfShare(hash, 100)) expect(isOfShare(hash, 101)).toBe(true)
  })
})
