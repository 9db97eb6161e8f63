/** Pages of a statement newest first, by a node that lists movements oldest first from a time on. */
import { describe, expect, it } from 'vitest'
import { newestIn, oldestFrom, PAGE_MAX, type ReadPeriod } from '../../../src/web/statement.js'

const DAY_MS = 86_400_000
const END_MS = 1_000 * DAY_MS

interface Moved {
  readonly time_ms: number
  readonly at: number
}

/** An account with movements at these times, and how often its node was asked. */
function account(times: readonly number[]) {
  const all = times.map((time_ms, at): Moved => ({ time_ms, at }))
  let reads = 0
  const read: ReadPeriod<Moved> = async (fromMs, toMs, limit) => {
    reads += 1
    const found = all.filter(({ time_ms: ms }) => ms >= fromMs && ms < toMs)
    return { items: found.slice(0, limit), isWhole: found.length <= limit }
  }
  return { read, count: () => reads }
}

/** All pages from the newest to the oldest. */
async function pagesOf(read: ReadPeriod<Moved>): Promise<number[]> {
  const seen: number[] = []
  for (let toMs = END_MS; ; ) {
    const { items, fromMs } = await newestIn(read, 0, toMs)
    seen.push(...[...items].reverse().map(({ at }) => at))
    if (fromMs <= 0) return seen
    toMs = fromMs
  }
}

describe('an account statement', () => {
  it.each([
    ['of one movement a day', Array.from({ length: 900 }, (_, at) => (at + 50) * DAY_MS)],
    ['with many movements on its last day', Array.from({ length: 3_000 }, (_, at) => END_MS - DAY_MS + at * 1_000)],
    ['with one movement years ago', [DAY_MS]],
    ['without a movement', []],
    ['with many movements years ago', [...Array.from({ length: 500 }, (_, at) => DAY_MS + at), END_MS - 1]],
  ])('%s lists every movement once, newest first', async (_which, times) => {
    const { read } = account(times)
    expect(await pagesOf(read)).toEqual(times.map((_, at) => times.length - 1 - at))
  })

  it('of an inactive account is read with few requests', async () => {
    const { read, count } = account([DAY_MS])
    await newestIn(read, 0, END_MS)
    expect(count()).toBeLessThan(10)
  })

  it('can be read back to newer pages without a gap', async () => {
    const times = Array.from({ length: 1_000 }, (_, at) => at * 1_000)
    const { read } = account(times)
    const seen: number[] = []
    for (let fromMs = 0; fromMs < END_MS; ) {
      const page = await oldestFrom(read, fromMs, END_MS)
      seen.push(...page.items.map(({ at }) => at))
      fromMs = page.toMs
    }
    expect(seen).toEqual(times.map((_, at) => at))
    expect((await oldestFrom(read, 0, END_MS)).items.length).toBeLessThanOrEqual(PAGE_MAX)
  })
})
