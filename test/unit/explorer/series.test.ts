/** Figures over time: three rows a block, whatever it holds, and sums that are those of the blocks. */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { IndexedBlock, QueryContext } from '../../../src/executor/reads.js'
import { seriesEntries, seriesQuery } from '../../../src/features/explorer/ledger/series.js'
import { SERIES_METRICS, type Series, type SeriesMetric } from '../../../src/features/explorer/schema/series.js'

const MINUTE = 60_000
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR
const START = Date.UTC(2026, 0, 1)

interface Made {
  readonly timeMs: number
  readonly transactions: number
  readonly rejected: number
}

/** An index in memory, as blocks fill it. */
class Chain {
  readonly rows = new Map<string, Buffer>()
  readonly blocks: Made[] = []
  height = 1
  written = 0

  add(made: Made): void {
    this.height += 1
    this.blocks.push(made)
    const result = (at: number) => ({
      transactionId: Buffer.alloc(32),
      teu: 10,
      outcome: at < made.rejected ? { kind: 'rejected', value: { code: 1, instruction: 0 } } : { kind: 'approved' },
    })
    const block = {
      height: this.height,
      timeMs: made.timeMs,
      payloadBytes: 100,
      entries: Array.from({ length: made.transactions }),
      // A run of a trigger follows the transactions.
      results: [...Array.from({ length: made.transactions }, (_, at) => result(at)), result(-1)],
      events: [],
      rows: [],
      before: { hasRow: () => false, indexGet: (key: Uint8Array) => this.rows.get(Buffer.from(key).toString('hex')) },
    } as unknown as IndexedBlock
    const put = seriesEntries(block)
    this.written += put.length
    for (const [key, value] of put) this.rows.set(Buffer.from(key).toString('hex'), Buffer.from(value))
  }

  async ask(metric: SeriesMetric, fromMs: number, toMs: number, points = 500): Promise<Series> {
    const { rows, height } = this
    let read = 0
    const ctx = {
      height,
      header: async () => ({ timeMs: this.blocks.at(-1)?.timeMs ?? 0 }),
      indexRange: async function* ({ gte, lt, limit }: { gte: Uint8Array; lt: Uint8Array; limit: number }) {
        const [from, to] = [Buffer.from(gte).toString('hex'), Buffer.from(lt).toString('hex')]
        const found = [...rows].filter(([key]) => key >= from && key < to).sort(([a], [b]) => (a < b ? -1 : 1))
        for (const [key, value] of found.slice(0, limit)) {
          read += 1
          yield [Buffer.from(key, 'hex'), value] as const
        }
      },
    } as unknown as QueryContext
    const answer = await seriesQuery(ctx, { metric, fromMs, toMs, points })
    expect(read).toBeLessThanOrEqual(9_601)
    if (answer === undefined) throw new Error('no answer')
    expect(answer.points.length).toBeLessThanOrEqual(points)
    return answer
  }
}

/** Value of a metric for a block. */
const figuresOf = ({ transactions, rejected }: Made): Record<SeriesMetric, number> => ({
  blocks: 1,
  transactions,
  rejected,
  teu: 10 * (transactions + 1),
  bytes: 100,
})

const gap = fc.oneof(
  { weight: 6, arbitrary: fc.integer({ min: 1, max: 2_000 }) },
  { weight: 3, arbitrary: fc.integer({ min: MINUTE, max: 3 * HOUR }) },
  { weight: 1, arbitrary: fc.integer({ min: DAY, max: 30 * DAY }) },
)
const history = fc.array(fc.tuple(gap, fc.nat(5), fc.nat(5)), { minLength: 1, maxLength: 80 })

function chainOf(made: readonly (readonly [number, number, number])[]): Chain {
  const chain = new Chain()
  let timeMs = START
  for (const [passed, transactions, rejected] of made) {
    timeMs += passed
    chain.add({ timeMs, transactions, rejected: Math.min(transactions, rejected) })
  }
  return chain
}

describe('a metric over time', () => {
  it('needs three rows per block, independent of its transactions', () => {
    const chain = chainOf([
      [1, 0, 0],
      [1, 5_000, 20],
    ])
    expect([chain.written, chain.rows.size]).toEqual([6, 3])
  })

  it('returns in each point the sum over the blocks of that period', async () => {
    await fc.assert(
      fc.asyncProperty(
        history,
        fc.constantFrom(...SERIES_METRICS),
        fc.integer({ min: 1, max: 500 }),
        fc.nat(60 * DAY),
        async (made, metric, points, back) => {
          const chain = chainOf(made)
          const end = (chain.blocks.at(-1)?.timeMs ?? 0) + 1
          const answer = await chain.ask(metric, Math.max(0, end - back), end, points)
          expect(answer.sinceMs).toBe(chain.blocks[0]?.timeMs)
          for (const { timeMs, value } of answer.points) {
            const within = chain.blocks.filter((one) => one.timeMs >= timeMs && one.timeMs < timeMs + answer.stepMs)
            expect(value).toBe(within.reduce((sum, one) => sum + figuresOf(one)[metric], 0))
          }
        },
      ),
    )
  })

  it('counts every block once over the whole chain', async () => {
    await fc.assert(
      fc.asyncProperty(history, fc.integer({ min: 1, max: 500 }), async (made, points) => {
        const chain = chainOf(made)
        const answer = await chain.ask('blocks', 0, Number.MAX_SAFE_INTEGER, points)
        const clipped = await chain.ask('blocks', 0, (chain.blocks.at(-1)?.timeMs ?? 0) + 1, points)
        expect(clipped.points.reduce((sum, { value }) => sum + value, 0)).toBe(chain.blocks.length)
        // A time beyond all reason is answered within the bounds of one that is not.
        expect(answer.points.length).toBeLessThanOrEqual(points)
      }),
    )
  })

  it('is exact to the minute for 48 hours, to the hour for 400 days, and to the day without limit', async () => {
    const chain = chainOf([
      [1, 1, 0],
      [500 * DAY, 2, 0],
      [HOUR, 3, 0],
    ])
    const end = (chain.blocks.at(-1)?.timeMs ?? 0) + 1
    expect((await chain.ask('transactions', end - 47 * HOUR, end)).stepMs % HOUR).not.toBe(0)
    expect((await chain.ask('transactions', end - 47 * HOUR, end)).points.at(-1)?.value).toBe(3)
    expect((await chain.ask('transactions', end - 300 * DAY, end)).stepMs % DAY).not.toBe(0)
    const all = await chain.ask('transactions', 0, end)
    expect([all.stepMs % DAY, all.points[0]?.value]).toEqual([0, 1])
  })

  it('overwrites old rows: a ring never grows beyond its slots', () => {
    const chain = new Chain()
    for (let at = 0; at < 6_000; at += 1) chain.add({ timeMs: START + at * MINUTE, transactions: 0, rejected: 0 })
    expect(chain.rows.size).toBe(2_880 + 100 + 5)
  })

  it('ignores an old row in the slot of a newer period', async () => {
    const long = new Chain()
    for (let at = 0; at < 6_000; at += 1) long.add({ timeMs: START + at * MINUTE, transactions: 1, rejected: 0 })
    const end = START + 6_000 * MINUTE
    const { points } = await long.ask('transactions', end - 40 * HOUR, end)
    expect(points.reduce((sum, { value }) => sum + value, 0)).toBe(40 * 60)
    // The minute of the first block has the place of one ten minutes before the last: nothing happened in that one.
    const idle = chainOf([
      [1, 1, 0],
      [48 * HOUR + 10 * MINUTE, 2, 0],
    ])
    const now = (idle.blocks.at(-1)?.timeMs ?? 0) + 1
    const recent = await idle.ask('transactions', now - 47 * HOUR, now)
    expect(recent.points.reduce((sum, { value }) => sum + value, 0)).toBe(2)
  })

  it('is empty before the first block and for a chain without blocks', async () => {
    expect((await new Chain().ask('blocks', 0, 1)).points).toEqual([])
    const chain = chainOf([[1, 0, 0]])
    expect((await chain.ask('blocks', 0, START - DAY)).points).toEqual([])
    expect((await chain.ask('blocks', START + DAY, START)).points).toEqual([])
  })

  it('counts neither genesis nor the rows of a snapshot', () => {
    const chain = new Chain()
    chain.height = 0
    chain.add({ timeMs: START, transactions: 0, rejected: 0 })
    chain.add({ timeMs: 0, transactions: 0, rejected: 0 })
    expect(chain.rows.size).toBe(0)
  })
})
