/** Queries of names: lists page by page, availability, policies, reservations, and versions at a height. */
import { beforeAll, describe, expect, it } from 'vitest'
import type { IndexedBlock, QueryContext } from '../../../src/executor/reads.js'
import { ABI_1 } from '../../../src/features/abi.js'
import { nameIndexes } from '../../../src/features/names/ledger/indexes.js'
import { aliasLabels } from '../../../src/features/names/ledger/labels.js'
import * as queries from '../../../src/features/names/ledger/queries.js'
import { instructions as names } from '../../../src/features/names/schema/instructions.js'
import { resolveAccount } from '../../../src/ledger/query.js'
import { type Instruction, instruction, LedgerError } from '../../../src/model/index.js'
import { rowKey } from '../../../src/state/index.js'
import * as core from '../../support/core.js'
import { Bench } from '../../support/executor.js'
import { alice, bob, DAY_MS, leased, owner, setPolicy } from '../../support/names.js'
import { keysIn, rowsOf } from '../../support/nodes.js'

const FREE = { mantissa: 0n, scale: 0 }
let bench: Bench
const times = new Map<number, number>()
const index = new Map<string, Buffer>()
/** Lowest height whose versions are there. */
let firstHeight = 0

/** A block: its changes, and the read index of versions. */
function block(by: string, ...list: readonly Instruction[]): number {
  const before = new Map(rowsOf(bench.state).map(({ row, bytes }) => [row, bytes]))
  bench.height += 1
  bench.timeMs += 1_000
  times.set(bench.height, bench.timeMs)
  expect(bench.run(by, ...list), bench.last?.rejection?.message).toBeUndefined()
  const rows = rowsOf(bench.state).filter(({ row, bytes }) => bytes !== undefined && !before.get(row)?.equals(bytes))
  const known = { hasRow: (row: string) => before.has(row), rowBytes: (row: string) => before.get(row) }
  for (const [key, value] of nameIndexes({ rows, before: known } as unknown as IndexedBlock).put)
    index.set(Buffer.from(key).toString('hex'), Buffer.from(value))
  return bench.height
}

const context = (): QueryContext =>
  ({
    reader: bench.state,
    height: bench.height,
    firstHeight,
    header: async (height: number) => ({ timeMs: times.get(height) }),
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
      if (reverse === true) keys.reverse()
      for (const key of keys.slice(0, limit)) yield [Buffer.from(key, 'hex'), index.get(key) as Buffer] as const
    },
  }) as unknown as QueryContext

const account = (name: string, to: string) => instruction(names.setNameAccount, { name, account: to })
const id = (label: string) => ({ domain: 'bank', label })
let [created, second, third] = [0, 0, 0]

beforeAll(() => {
  bench = leased('desk')
  times.set(bench.height, bench.timeMs)
  const sub = { parent: 'desk@bank', label: 'pay', owner: alice, account: bob, expiresMs: undefined }
  created = block(alice, instruction(names.createSubname, sub))
  second = block(alice, account('pay.desk@bank', alice))
  third = block(alice, account('pay.desk@bank', owner))
  const add = [{ label: 'kept', assignee: bob, untilMs: undefined, reason: 'why' }]
  block(owner, instruction(names.reserveNames, { domain: 'bank', add, remove: [] }))
})

describe('a name', () => {
  const at = async (height: number | undefined) =>
    (await queries.nameQuery(context(), { ...id('pay.desk'), at: height }))?.account

  it('can be read as of the block at a given height', async () => {
    expect([await at(undefined), await at(created), await at(second), await at(third)]).toEqual([
      owner,
      bob,
      alice,
      owner,
    ])
    expect([await at(created - 1), await at(bench.height + 1)]).toEqual([undefined, undefined])
  })

  it('has a paged list of its versions, newest first', async () => {
    const first = await queries.nameHistoryQuery(context(), { ...id('pay.desk'), limit: 2, after: undefined })
    expect(first?.items.map((one) => [one.version, one.account])).toEqual([
      [3, owner],
      [2, alice],
    ])
    const rest = await queries.nameHistoryQuery(context(), { ...id('pay.desk'), limit: 2, after: first?.nextCursor })
    expect([rest?.items.map(({ version }) => version), rest?.nextCursor]).toEqual([[1], undefined])
  })

  it('returns history_pruned for heights before the first stored version', async () => {
    const kept = [...index]
    for (const key of index.keys()) index.delete(key)
    firstHeight = third
    const failed = at(second)
    await expect(failed).rejects.toBeInstanceOf(LedgerError)
    await expect(failed).rejects.toMatchObject({ code: 'history_pruned' })
    expect(await at(third)).toBe(owner)
    const history = (limit: number) =>
      queries.nameHistoryQuery(context(), { ...id('pay.desk'), limit, after: undefined })
    await expect(history(2)).rejects.toMatchObject({ code: 'history_pruned' })
    expect((await history(1))?.items.map(({ version }) => version)).toEqual([3])
    for (const [key, value] of kept) index.set(key, value)
    firstHeight = 0
  })
})

describe('a label of ABI 1 without a row', () => {
  it('is shown as assigned at the head, and returns history_pruned below it', async () => {
    const old = new Bench(undefined, ABI_1)
    old.genesis(owner, core.registerDomain('bank'), core.registerAccount(alice, 'alice'))
    const ctx = { ...context(), reader: old.state, height: 9, header: async () => ({ timeMs: 1 }) } as never
    const at = (height: number | undefined) => queries.nameQuery(ctx, { ...id('alice'), at: height })
    expect(await at(undefined)).toMatchObject({ kind: 'assigned', account: alice, standing: 'live' })
    await expect(at(8)).rejects.toMatchObject({ code: 'history_pruned' })
    expect(await queries.nameQuery(ctx, { ...id('none'), at: 8 })).toBeUndefined()
  })
})

describe('an account alias in a query', () => {
  it('resolves while the name is live, but not after the lease and its grace period', async () => {
    const lapsed = leased('lapsing')
    const at = (timeMs: number) =>
      resolveAccount({ ...context(), reader: lapsed.state, header: async () => ({ timeMs }), aliasLabels } as never, {
        id: undefined,
        alias: 'lapsing@bank',
      })
    expect(await at(lapsed.timeMs)).toBe(alice)
    expect(await at(lapsed.timeMs + 366 * DAY_MS)).toBe(alice)
    expect(await at(lapsed.timeMs + 396 * DAY_MS)).toBeUndefined()
  })

  it('resolves through the alias table on a chain without names', async () => {
    const plain = { ...context(), aliasLabels: undefined } as never
    expect(await resolveAccount(plain, { id: undefined, alias: 'desk@bank' })).toBeDefined()
  })
})

describe('lists', () => {
  const all = { domain: undefined, owner: undefined, standing: undefined, expiringBeforeMs: undefined }
  const list = async (more: object, limit = 100, after?: string) => {
    const page = await queries.namesQuery(context(), { ...all, limit, after, ...more })
    return { names: page?.items.map(({ name }) => name), next: page?.nextCursor }
  }

  it('of names are paged and filtered by owner, domain, status and expiry', async () => {
    const whole = (await list({})).names ?? []
    expect(whole).toHaveLength(6)
    const paged: string[] = []
    let next: string | undefined
    do {
      const page = await list({}, 2, next)
      paged.push(...(page.names ?? []))
      next = page.next
    } while (next !== undefined)
    expect(paged).toEqual(whole)
    expect((await list({ owner: alice })).names).toEqual(['p2@bank', 'desk@bank', 'pay.desk@bank'])
    expect((await list({ standing: 'active' })).names).toEqual(['desk@bank', 'pay.desk@bank'])
    expect((await list({ domain: 'none' })).names).toEqual([])
    expect((await list({ expiringBeforeMs: bench.timeMs + 366 * DAY_MS })).names).toEqual(['desk@bank'])
    expect((await list({ expiringBeforeMs: bench.timeMs })).names).toEqual([])
  })

  it('of policies and reservations match the rows of the ledger', async () => {
    const policies = await queries.namePoliciesQuery(context(), { limit: 10, after: undefined })
    expect(policies?.items).toMatchObject([{ domain: 'bank', version: 1, policy: { mode: 'leased' } }])
    expect(await queries.namePolicyQuery(context(), { domain: 'none' })).toBeUndefined()
    const reserved = await queries.reservedNamesQuery(context(), { domain: 'bank', limit: 10, after: undefined })
    expect(reserved?.items).toMatchObject([{ domain: 'bank', reservation: { label: 'kept', assignee: bob } }])
  })
})

describe('the availability of a name', () => {
  it.each([
    ['free', undefined],
    ['ab', 'bad_name'],
    ['desk', 'name_taken'],
    ['d-esk', 'name_confusable'],
    ['kept', 'name_reserved'],
  ] as const)('of %s has the error code that a registration would return', async (label, reason) => {
    const found = await queries.nameAvailableQuery(context(), { ...id(label), years: 1 })
    expect([found?.available, found?.reason]).toEqual([reason === undefined, reason])
  })

  it('includes the price for the requested years', async () => {
    const found = await queries.nameAvailableQuery(context(), { ...id('free'), years: 3 })
    expect(found?.price?.amount).toEqual({ mantissa: 30n, scale: 0 })
    expect((await queries.nameAvailableQuery(context(), { ...id('free'), years: 6 }))?.reason).toBe('bad_term')
  })

  it('includes the price of a renewal in a domain that assigns its names again', async () => {
    const assigning = leased('desk')
    const price = async (label: string) =>
      (await queries.nameAvailableQuery({ ...context(), reader: assigning.state }, { ...id(label), years: 2 }))?.price
    expect(assigning.run(owner, setPolicy(2, { mode: 'assigned' }))).toBeUndefined()
    expect([(await price('desk'))?.amount, await price('free')]).toEqual([{ mantissa: 20n, scale: 0 }, undefined])
    expect(assigning.run(owner, setPolicy(3, { prices: [FREE, FREE, FREE] }))).toBeUndefined()
    expect((await price('desk'))?.amount).toEqual(FREE)
  })
})
