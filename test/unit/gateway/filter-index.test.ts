/** Readers by their filters: who gets which event, and that thousands of filters which ask for nearly the same cost a block little. */
import { afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import type { EventFilter } from '../../../src/api/index.js'
import type { EventItem } from '../../../src/events/event-item.js'
import { Feed } from '../../../src/events/feed.js'
import { FilterIndex } from '../../../src/events/filter-index.js'
import { type CompiledFilter, compileFilter, matches } from '../../../src/events/filters.js'
import { blockAt, founded, moved } from './fake-chain.js'
import { accountOf, alice, bob, CODEC, FakeNode } from './support.js'

interface Reader {
  readonly filters: readonly CompiledFilter[]
}
const NO_FIELDS = Object.fromEntries(
  [
    'category',
    'subject',
    'kind',
    'account',
    'asset',
    'domain',
    'transaction',
    'block',
    'status',
    'lane',
    'dataspace',
  ].map((name) => [name, undefined]),
) as unknown as EventFilter
const readerOf = (...filters: readonly Partial<EventFilter>[]): Reader => ({
  filters: filters.map((filter) => compileFilter({ ...NO_FIELDS, ...filter }, CODEC)),
})
const wanting = (index: FilterIndex<Reader>, item: EventItem): Set<Reader> => {
  const notified = new Set<Reader>()
  index.wanting(item, (reader) => notified.add(reader))
  return notified
}

let height = 0
let items: readonly EventItem[] = []
beforeAll(async () => {
  const node = new FakeNode()
  height = node.services.height() + 1
  node.commit(await blockAt(height, [[moved(1n)], [founded('shop')], 'rejected', [moved(2n), founded('bank')]]))
  const [block] = await new Feed(node.services.history, CODEC).from(height)
  items = block?.eventItems ?? []
})

describe('a filter index', () => {
  it('returns for each event exactly the readers with a matching filter, even after changes', () => {
    const [a, b] = [accountOf(alice), accountOf(bob)]
    const all: Partial<EventFilter>[] = [
      ...([
        {},
        { category: 'data' },
        { category: 'transaction', status: 'rejected' },
        { kind: 'Transferred' },
      ] as const),
      ...[{ block: height }, { block: height + 1 }, { lane: 0 }, { lane: 1 }, { dataspace: 0n }, { domain: 'shop' }],
      ...[
        { account: a },
        { account: b, domain: 'shop' },
        { account: a, domain: 'shop' },
        { account: a, block: height },
      ],
      ...[
        { asset: 'eur#d000' },
        { asset: 'eur#d000', account: b, subject: 'asset' },
        { account: b, kind: 'DomainCreated' },
      ],
    ]
    const readers = all.map((filter, at) => readerOf(filter, ...(at % 3 === 0 ? [all[at + 1] ?? {}] : [])))
    const index = new FilterIndex<Reader>()
    const check = (present: readonly Reader[]): void => {
      for (const item of items) {
        const expected = present.filter(({ filters }) => filters.some((filter) => matches(filter, item)))
        expect(wanting(index, item)).toEqual(new Set(expected))
      }
    }
    for (const reader of readers) index.add(reader)
    check(readers)
    const left = readers.filter((_, at) => at % 2 === 0)
    for (const reader of left) index.delete(reader)
    check(readers.filter((reader) => !left.includes(reader)))
    for (const reader of left) index.add(reader)
    check(readers)
    for (const reader of readers) index.delete(reader)
    check([])
    expect(index.size).toBe(0)
  })
})

describe('thousands of filters without a matching event', () => {
  afterEach(() => void vi.restoreAllMocks())

  /** Looks at filters, and at the domains of events, while events are matched, for readers of so many filters each. */
  function looksOf(readers: number, filterOf: (at: number) => Partial<EventFilter>): number {
    let looks = 0
    const index = new FilterIndex<Reader>()
    for (let at = 0; at < readers; at += 1) {
      const filters = readerOf(filterOf(at)).filters.map((filter) =>
        Object.defineProperty({ ...filter }, 'category', {
          get: () => {
            looks += 1
            return filter.category
          },
        }),
      )
      index.add({ filters })
    }
    const domains = new Set(items.map(({ traits }) => traits.ids.domains))
    const asked = [...domains].map((one) => vi.spyOn(one, 'has'))
    for (let round = 0; round < 10; round += 1) for (const item of items) index.wanting(item, () => undefined)
    return looks + asked.reduce((all, { mock }) => all + mock.calls.length, 0)
  }

  it('are evaluated once per kind of event, not once per event', () => {
    const sorts = 5
    expect(looksOf(100, () => ({ lane: 7 }))).toBeLessThanOrEqual(100 * sorts)
  })

  it('are not evaluated for events of other blocks, accounts or domains', () => {
    const account = accountOf(alice)
    expect(looksOf(100, (at) => ({ block: height + 1 + at, category: 'data' }))).toBe(0)
    // The first one may stand under the account, which all these events have.
    expect(looksOf(100, (at) => ({ account, domain: `nowhere${at}` }))).toBeLessThanOrEqual(10 * items.length)
  })
})
