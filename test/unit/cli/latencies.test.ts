import { describe, expect, test } from 'vitest'
import { summaryText } from '../../../src/cli/bulk/bench-summary.js'
import { histogramLines, histogramOf, latenciesOf } from '../../../src/cli/bulk/latencies.js'

/** 1 to 100 ms, not in order. */
const hundred = Array.from({ length: 100 }, (_, index) => ((index * 37) % 100) + 1)

describe('latencies', () => {
  test('quantiles are measured values, by nearest rank', () => {
    expect(latenciesOf(hundred)).toEqual({ p50: 50, p90: 90, p99: 99, max: 100 })
    expect(latenciesOf([7])).toEqual({ p50: 7, p90: 7, p99: 7, max: 7 })
    expect(latenciesOf([])).toBeUndefined()
  })

  test('the histogram has every bucket between the first and the last non-empty one', () => {
    expect(histogramOf([3, 5, 5.1, 40, 70_000])).toEqual([
      { upToMs: 5, count: 2 },
      { upToMs: 10, count: 1 },
      { upToMs: 20, count: 0 },
      { upToMs: 50, count: 1 },
      ...[100, 200, 500, 1_000, 2_000, 5_000, 10_000, 20_000, 60_000].map((upToMs) => ({ upToMs, count: 0 })),
      { upToMs: null, count: 1 },
    ])
    expect(histogramOf([])).toEqual([])
  })

  test('a bucket with one payment among thousands has a bar, and an empty bucket has no bar', () => {
    const lines = histogramLines([
      { upToMs: 50, count: 10_000 },
      { upToMs: 100, count: 0 },
      { upToMs: 200, count: 1 },
    ])
    expect(lines).toEqual([
      `     <= 50 ms   10 000  ${'█'.repeat(40)}`,
      '    <= 100 ms        0',
      '    <= 200 ms        1  █',
    ])
  })

  test('a load without commits has no quantiles', () => {
    const report = {
      planned: 2,
      submitted: 2,
      committed: 0,
      unmeasured: 0,
      rejected: 1,
      unanswered: 1,
      perSecond: 0,
      elapsedMs: 9,
    }
    const counts = { pending: 1, insufficient_balance: 1 }
    const rest = { latencies: undefined, histogram: [], counts, stopped: 'interrupted', exit: 130 }
    expect(summaryText({ ...report, ...rest }).split('\n')).toEqual([
      'submitted   2',
      'committed   0, 0.0 a second',
      'rejected    1 (insufficient_balance 1)',
      'unanswered  1',
      '',
      'The remaining payments were not sent: interrupted',
    ])
  })
})
