/** Attacks on the queries of lots. */
import { describe, expect, it } from 'vitest'
import type { QueryContext } from '../../../src/executor/reads.js'
import { lotsOf } from '../../../src/features/rwas/ledger/indexes.js'
import { ancestorsQuery } from '../../../src/features/rwas/ledger/queries.js'
import { changeOfCursor } from '../../../src/features/rwas/schema/views.js'
import { numberValue } from '../../../src/ledger/indexes.js'
import { SCAN_MAX } from '../../../src/ledger/table-page.js'

describe('a cursor in the changes of a lot', () => {
  it('is rejected if its height exceeds the range of the index', () => {
    expect(() => numberValue(changeOfCursor('99999999999999.0')?.height ?? -1)).not.toThrow()
    expect(changeOfCursor('281474976710656.0')).toBeUndefined()
    expect(changeOfCursor('999999999999999.0')).toBeUndefined()
  })
})

describe('a list of lots of one class', () => {
  it('starts within its class, even with a cursor from another class', async () => {
    const asked: Uint8Array[] = []
    const indexRange = async function* ({ gte }: { readonly gte: Uint8Array }) {
      asked.push(gte)
      yield* []
    } as unknown as QueryContext['indexRange']
    for (const after of [undefined, { definition: 'art#bank', number: 7 }])
      await lotsOf({ indexRange }, { kind: 'class' }, { definition: 'gold#bank', after, limit: 10 })
    expect(asked[1]).toEqual(asked[0])
  })
})

describe('the ancestor list of a lot with more ancestors than the read limit', () => {
  /** Parents of a lot in a class of merges: up to 16 earlier numbers, by a sequence without chance. */
  const parentsOf = (number: number): number[] =>
    number < 20
      ? []
      : [...new Set(Array.from({ length: 16 }, (_, at) => 1 + ((number * 31 + at * 977) % (number - 1))))]
  const reads: number[] = []
  const reader = {
    has: () => true,
    get: (_: unknown, { number }: { readonly number: number }) => {
      reads.push(number)
      const parents = parentsOf(number).map((parent) => ({ number: parent, quantity: { mantissa: 1n, scale: 0 } }))
      return { kind: 'spent', value: { parents, reference: undefined, cause: 'merged', height: 1 } }
    },
  }
  const newest = (number: number): number[] => {
    const all = new Set<number>()
    for (const waiting = [number]; waiting.length > 0; ) {
      for (const parent of parentsOf(waiting.pop() ?? 0)) {
        if (!all.has(parent)) waiting.push(parent)
        all.add(parent)
      }
    }
    return [...all].sort((a, b) => b - a).slice(0, SCAN_MAX)
  }

  it('contains the newest ancestors, page by page, and reads each one once per page', async () => {
    const found: string[] = []
    let after: string | undefined
    do {
      reads.length = 0
      const ctx = { reader, height: 1 } as unknown as QueryContext
      const page = await ancestorsQuery(ctx, { class: 'gold#bank', number: 9_000, limit: 500, after })
      expect(new Set(reads).size).toBe(reads.length)
      found.push(...(page?.items.map(({ lot }) => lot) ?? []))
      after = page?.nextCursor
    } while (after !== undefined)
    expect(found.length).toBe(SCAN_MAX)
    expect(found).toEqual(newest(9_000).map((number) => `gold#bank/${number}`))
  })
})
