/** Queries of plans and subscriptions: lists by party and status page by page, invoices, entitlement, room for charges. */
import { beforeAll, describe, expect, it } from 'vitest'
import type { IndexedBlock, QueryContext } from '../../../src/executor/reads.js'
import { ABI_2 } from '../../../src/features/abi.js'
import { subscriptionIndexes } from '../../../src/features/subscriptions/ledger/indexes.js'
import * as queries from '../../../src/features/subscriptions/ledger/queries.js'
import { rowKey } from '../../../src/state/index.js'
import { Bench } from '../../support/executor.js'
import { keysIn, rowsOf } from '../../support/nodes.js'
import * as sub from '../../support/subscriptions.js'

const { alice, bob, agent, carol, owner, DAY, HOUR } = sub
const chain = new sub.Chain(new Bench(sub.subscriptionWorld().state, ABI_2))
const { bench } = chain
bench.timeMs = sub.START_MS
const index = new Map<string, Buffer>()
const names = new Map([...ABI_2.errorNumbers].map(([name, number]) => [number, name]))

/** Update the read index from the ledger, like a block. */
function indexed(isSnapshot = false): void {
  const events = isSnapshot ? [] : bench.events.map((event) => ({ entry: 0, event }))
  for (const [key, value] of subscriptionIndexes({ rows: rowsOf(bench.state), events } as unknown as IndexedBlock).put)
    index.set(Buffer.from(key).toString('hex'), Buffer.from(value))
}

const context = (): QueryContext =>
  ({
    reader: bench.state,
    height: 7,
    codec: ABI_2.codec('cw'),
    header: async () => ({ timeMs: bench.timeMs }),
    errorName: (code: number) => names.get(code),
    rows: async (table: Parameters<QueryContext['rows']>[0], { after, limit }: { after?: unknown; limit: number }) => {
      const place = after === undefined ? '' : rowKey(table, after)
      const all = keysIn(bench.state, table).map((key) => ({ key, row: rowKey(table, key) }))
      const found = all.filter(({ row }) => row > place).sort((a, b) => (a.row < b.row ? -1 : 1))
      return found.slice(0, limit).map(({ key }) => ({ key, value: bench.state.get(table, key), bytes: 1 }))
    },
    async *indexRange({ gte, lt, reverse, limit }: Parameters<QueryContext['indexRange']>[0]) {
      const keys = [...index.keys()].sort().filter((key) => {
        const bytes = Buffer.from(key, 'hex')
        return bytes.compare(gte) >= 0 && (lt === undefined || bytes.compare(lt) < 0)
      })
      for (const key of (reverse === true ? keys.reverse() : keys).slice(0, limit))
        yield [Buffer.from(key, 'hex'), index.get(key) ?? Buffer.alloc(0)] as const
    },
  }) as unknown as QueryContext

const daily = sub.monthly({ cadence: sub.every(DAY), retries: [HOUR], graceMs: 2 * HOUR })
const plan = (provider: string, name: string): sub.Offer => ({ provider, plan: name, terms: daily })
const OFFERS = [plan(bob, '0'), plan(bob, 'news'), plan(agent, 'news')]
const idOf = (offer: number, account: string) => sub.idOf(OFFERS[offer] as sub.Offer, account)

beforeAll(() => {
  for (const { provider, plan, terms } of OFFERS) bench.run(provider, sub.createPlan(plan, terms))
  for (const offer of OFFERS) {
    for (const account of [alice, carol])
      expect(bench.run(account, sub.subscribe(offer, sub.mandateOf(1_000n)))).toBeUndefined()
  }
  chain.pass(DAY)
  bench.genesis(owner, sub.freeze(alice, true))
  chain.pass(DAY)
  indexed()
})

const NONE = { provider: undefined, ownedBy: undefined, status: undefined, after: undefined, limit: 100 }

describe('lists of subscriptions and plans', () => {
  it('filter subscriptions by provider, subscriber and status, page by page', async () => {
    const idsOf = async (more: object) => {
      const page = await queries.subscriptionsQuery(context(), { ...NONE, ...more })
      return [page?.items.map(({ id }) => Buffer.from(id).toString('hex')), page?.nextCursor] as const
    }
    const sorted = (ids: readonly Buffer[]) => ids.map((id) => id.toString('hex')).sort()
    const all = sorted([0, 1, 2].flatMap((offer) => [idOf(offer, alice), idOf(offer, carol)]))
    expect((await idsOf({}))[0]).toEqual(all)
    expect((await idsOf({ provider: agent }))[0]).toEqual(sorted([idOf(2, alice), idOf(2, carol)]))
    expect((await idsOf({ ownedBy: alice, provider: bob }))[0]).toEqual(sorted([idOf(0, alice), idOf(1, alice)]))
    expect((await idsOf({ ownedBy: alice, status: 'active' }))[0]).toEqual([])
    expect((await idsOf({ provider: bob, status: 'pastDue' }))[0]).toEqual(sorted([idOf(0, alice), idOf(1, alice)]))
    for (const more of [{}, { provider: bob }, { ownedBy: carol }]) {
      const [whole] = await idsOf(more)
      const [first, after] = await idsOf({ ...more, limit: 2 })
      const [rest] = await idsOf({ ...more, after })
      expect([...(first ?? []), ...(rest ?? [])]).toEqual(whole)
    }
  })

  it('filter plans by provider and name', async () => {
    const namesOf = async (more: object) => {
      const page = await queries.plansQuery(context(), {
        provider: undefined,
        plan: undefined,
        after: undefined,
        limit: 100,
        ...more,
      })
      return [
        page?.items.map(({ provider, plan }) => `${provider === bob ? 'bob' : 'agent'}/${plan}`),
        page?.nextCursor,
      ] as const
    }
    expect((await namesOf({}))[0]?.toSorted()).toEqual(['agent/news', 'bob/0', 'bob/news'])
    expect((await namesOf({ provider: bob }))[0]).toEqual(['bob/0', 'bob/news'])
    expect((await namesOf({ provider: agent, plan: '0' }))[0]).toEqual([])
    const [first, after] = await namesOf({ provider: bob, limit: 1 })
    expect([first, (await namesOf({ provider: bob, after }))[0]]).toEqual([['bob/0'], ['bob/news']])
  })

  it('show how many due runs the provider of a plan has left', async () => {
    const asked = { provider: bob, plan: 'news', after: undefined, limit: 1 }
    const page = await queries.plansQuery(context(), asked)
    // A charge of a new subscriber is due when those of carol for both plans are.
    expect(page?.items[0]?.chargesLeft).toBe(64 * 2_048 - 2)
  })
})

describe('the view of a subscription', () => {
  it('contains its open invoice, its plan, and whether its subscriber is entitled', async () => {
    const [late, paid] = await Promise.all(
      [alice, carol].map((account) => queries.subscriptionQuery(context(), { subscription: idOf(1, account) })),
    )
    expect(late).toMatchObject({
      entitled: true,
      invoice: { invoice: { number: 3, attempts: 1 }, reason: 'asset_frozen' },
    })
    expect(late?.subscription).toMatchObject({
      status: 'pastDue',
      runMs: bench.timeMs + HOUR,
      dueMs: bench.timeMs + HOUR,
    })
    expect(paid).toMatchObject({ entitled: true, invoice: { invoice: { number: 3, attempts: 0 }, reason: undefined } })
    expect(await queries.subscriptionQuery(context(), { subscription: Buffer.alloc(32) })).toBeUndefined()
  })

  it('lists its invoices page by page, with the open invoice first', async () => {
    const numbersOf = async (limit: number, after?: string) => {
      const page = await queries.invoicesQuery(context(), { subscription: idOf(1, alice), limit, after })
      return [page?.items.map(({ invoice: { number } }) => number), page?.nextCursor]
    }
    expect(await numbersOf(10)).toEqual([[3, 2, 1], undefined])
    expect(await numbersOf(1)).toEqual([[3], '3'])
    expect(await numbersOf(1, '3')).toEqual([[2], '2'])
    expect(await numbersOf(1, '2')).toEqual([[1], undefined])
  })

  it('contains the last invoice on a node that started from a snapshot', async () => {
    const kept = new Map(index)
    index.clear()
    indexed(true)
    const page = await queries.invoicesQuery(context(), { subscription: idOf(1, carol), limit: 10, after: undefined })
    expect(page?.items.map(({ invoice: { number } }) => number)).toEqual([3])
    for (const [key, value] of kept) index.set(key, value)
  })
})
