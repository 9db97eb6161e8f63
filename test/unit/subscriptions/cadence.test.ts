/** Periods: anchored months against recurrence rules, and fixed periods at full minutes. */
import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { spanAfter } from '../../../src/features/subscriptions/ledger/cadence.js'
import type { Cadence } from '../../../src/features/subscriptions/schema/records.js'
import { DAY, HOUR, MINUTE } from '../../support/subscriptions.js'

interface Anchors {
  readonly day: number
  readonly time_ms: number
  readonly first_ms: number
  readonly days: string
}
const file = new URL('../../vectors/anchored-months.json', import.meta.url)
const vectors = JSON.parse(readFileSync(file, 'utf8')) as readonly Anchors[]

const months = (anchorDay: number, timeMs = 0): Cadence => ({ kind: 'monthly', value: { anchorDay, timeMs } })
const fixed = (periodMs: number): Cadence => ({ kind: 'fixed', value: { periodMs } })

describe('monthly billing periods', () => {
  it('match the dates of recurrence rules for 1,000 anchors and 48 months', () => {
    for (const { day, time_ms: timeMs, first_ms: firstMs, days } of vectors) {
      const wanted = days.split(' ').map(Number)
      const found = [new Date(firstMs).getUTCDate()]
      let startMs = firstMs
      while (found.length < wanted.length) {
        const { endMs, partMs, fullMs, skipped } = spanAfter(months(day, timeMs), startMs, startMs)
        if (partMs !== fullMs || skipped !== 0 || endMs % DAY !== timeMs)
          throw new Error(`${firstMs}: not a full month`)
        found.push(new Date(endMs).getUTCDate())
        startMs = endMs
      }
      if (found.join(' ') !== days) expect(found).toEqual(wanted)
    }
  })

  it('begin with a partial month, and skip months that have already ended', () => {
    const from = Date.UTC(2028, 0, 30, 12)
    const part = { startMs: from, endMs: Date.UTC(2028, 0, 31), partMs: DAY / 2, fullMs: 31 * DAY, skipped: 0 }
    expect(spanAfter(months(31), from, from)).toEqual(part)
    // 29 February of a leap year.
    const leap = { startMs: Date.UTC(2028, 1, 29), endMs: Date.UTC(2028, 2, 31), partMs: 31 * DAY, fullMs: 31 * DAY }
    expect(spanAfter(months(31), from, Date.UTC(2028, 2, 1))).toEqual({ ...leap, skipped: 2 })
  })
})

describe('fixed billing periods', () => {
  it('end at full minutes, and the first period is extended to a full minute', () => {
    const from = 10 * HOUR + 35_000
    const first = { startMs: from, endMs: 10 * HOUR + 2 * MINUTE, partMs: 1, fullMs: 1, skipped: 0 }
    expect(spanAfter(fixed(MINUTE), from, from)).toEqual(first)
    expect(spanAfter(fixed(MINUTE), first.endMs, first.endMs).endMs).toBe(first.endMs + MINUTE)
  })

  it('are skipped if they have already ended', () => {
    const { startMs, endMs, skipped } = spanAfter(fixed(DAY), 0, 5 * DAY)
    expect([startMs, endMs, skipped]).toEqual([5 * DAY, 6 * DAY, 5])
    expect(spanAfter(fixed(DAY), 0, 5 * DAY - 1).skipped).toBe(4)
  })
})
