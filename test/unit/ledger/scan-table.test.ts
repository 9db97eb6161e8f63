/** Lists with a filter: how many reads a page costs, and where the next one goes on. */
import { describe, expect, it } from 'vitest'
import type { QueryContext } from '../../../src/executor/reads.js'
import { SCAN_MAX, scanTable } from '../../../src/ledger/table-page.js'
import type { TableDef } from '../../../src/state/index.js'

const TABLE = {} as TableDef<number, number>

/** Rows 0, 1, ... of a table, and how many reads there were. */
class Rows {
  reads: number[] = []
  constructor(private readonly count: number) {}

  readonly ctx = {
    rows: async (_: unknown, { after = -1, limit }: { readonly after?: number; readonly limit: number }) => {
      this.reads.push(limit)
      const keys = Array.from(
        { length: Math.max(0, Math.min(limit, this.count - after - 1)) },
        (_, at) => after + 1 + at,
      )
      return keys.map((key) => ({ key, value: key, bytes: 8 }))
    },
  } as unknown as QueryContext
}

const page = (rows: Rows, limit: number, after: number | undefined, isWanted: (row: number) => boolean) =>
  scanTable(rows.ctx, TABLE, { limit, after }, (_, row) => (isWanted(row) ? row : undefined))

describe('a list with a filter', () => {
  it('reads its rows in a few requests, even with a small page size', async () => {
    const rows = new Rows(3 * SCAN_MAX)
    const { items, after } = await page(rows, 1, undefined, () => false)
    expect(items).toEqual([])
    expect(after).toBeGreaterThanOrEqual(SCAN_MAX - 1)
    expect(rows.reads.length).toBeLessThanOrEqual(22)
  })

  it('reads no more rows than one page if all rows match', async () => {
    const rows = new Rows(10)
    expect(await page(rows, 1, 4, () => true)).toEqual({ items: [5], after: 5 })
    expect(rows.reads).toEqual([1])
  })

  it('returns each matching row once, with any page size', async () => {
    for (const limit of [1, 3, 150]) {
      const found: number[] = []
      for (let after: number | undefined, isEnd = false; !isEnd; ) {
        const one: { readonly items: readonly number[]; readonly after: number | undefined } = await page(
          new Rows(5_000),
          limit,
          after,
          (row) => row % 700 === 3,
        )
        found.push(...one.items)
        after = one.after
        isEnd = after === undefined
      }
      expect(found).toEqual([3, 703, 1403, 2103, 2803, 3503, 4203, 4903])
    }
  })
})
