/** Statements on the command line: a balance is that of the node, or none is shown. */
import { describe, expect, test } from 'vitest'
import {
  type AccountStatement,
  boundCurrencies,
  fetchStatement,
  type MovementView,
  newestFirst,
  periodOf,
  statementXml,
} from '../../../src/cli/iso/statement.js'
import type { CausewayClient } from '../../../src/client/index.js'
import { parseMessage } from '../../../src/features/iso20022/message/index.js'
import { LedgerError } from '../../../src/model/errors.js'
import { assetDefinitionId } from '../../../src/model/names.js'

/** A node with one page of movements. */
const nodeWith = (opening: string | null, items: readonly MovementView[] = []): CausewayClient =>
  ({
    json: async () => ({ account: 'cw1alice', items, next_cursor: null, opening_balance: opening, height: 9 }),
  }) as unknown as CausewayClient
const period = { fromMs: 0, toMs: 1_000, asset: 'eur#bank', withUnmoved: false }
const movement: MovementView = {
  definition: 'eur#bank',
  side: 'Debit',
  amount: '2.5',
  balance: '7.5',
  kind: 'Transfer',
  counterparty: null,
  transaction_hash: null,
  reference: null,
  reference_by: null,
  height: 5,
  time_ms: 500,
}

test('a period without movements of an asset opens and closes with the same balance', async () => {
  const { assets } = await fetchStatement(nodeWith('10'), 'cw1alice', period)
  expect(assets).toMatchObject([{ asset: 'eur#bank', opening: '10', closing: '10' }])
})

test('a statement of an asset that does not exist is refused instead of showing balances of 0', async () => {
  const json = async (_: string, path: string) => {
    if (path.includes('/definitions/')) throw new LedgerError('not_found', 'asset definition eur#bank does not exist')
    return { account: 'cw1alice', items: [], next_cursor: null, opening_balance: '0' }
  }
  await expect(fetchStatement({ json } as unknown as CausewayClient, 'cw1alice', period)).rejects.toMatchObject({
    code: 'not_found',
    message: 'asset definition eur#bank does not exist',
  })
})

test('a balance hidden from the node by other movements is not shown as zero', async () => {
  await expect(fetchStatement(nodeWith(null), 'cw1alice', period)).rejects.toMatchObject({ code: 'query_too_complex' })
})

test('a movement in the period determines the opening balance, even if the node does not report it', async () => {
  const { assets } = await fetchStatement(nodeWith(null, [movement]), 'cw1alice', period)
  expect(assets).toMatchObject([{ opening: '10.0', closing: '7.5' }])
})

describe('camt.053', () => {
  const DAY_MS = 86_400_000
  const xml = (assets: AccountStatement['assets'], createdMs = 9 * DAY_MS) =>
    statementXml(
      { account: 'cw1alice', fromMs: DAY_MS, toMs: 3 * DAY_MS, assets },
      new Map([['eur#bank', 'EUR']]),
      createdMs,
    )
  const unmoved = { asset: 'eur#bank', opening: '10', closing: '10', items: [] }
  const balancesOf = (text: string) =>
    [...text.matchAll(/<Cd>(OPBD|CLBD)<.*?Ccy="(\w+)">([0-9.]+)<.*?<DtTm>([^<]*)</g)].map((one) => one.slice(1))

  test('contains a statement up to the end of the period for an asset without movements', () => {
    const text = xml([unmoved])
    expect(text).toContain('<ToDtTm>1970-01-03T23:59:59.999Z</ToDtTm>')
    expect(balancesOf(text)).toEqual([
      ['OPBD', 'EUR', '10', '1970-01-02T00:00:00.000Z'],
      ['CLBD', 'EUR', '10', '1970-01-03T23:59:59.999Z'],
    ])
    expect(text).toContain('<Ccy>EUR</Ccy>')
    expect(parseMessage(Buffer.from(text.replaceAll('cw1alice', 'DE75512108001245126199')))).toMatchObject({ ok: true })
  })

  test('closes at its creation time if that is before the end of the period', () => {
    expect(balancesOf(xml([unmoved], 2 * DAY_MS)).at(-1)).toEqual(['CLBD', 'EUR', '10', '1970-01-03T00:00:00.000Z'])
  })

  test('contains one empty statement for an account without assets', () => {
    expect(balancesOf(xml([])).map(([code, currency, amount]) => [code, currency, amount])).toEqual([
      ['OPBD', 'XXX', '0'],
      ['CLBD', 'XXX', '0'],
    ])
  })

  test('includes held assets without movements, and the currencies bound on the ledger', async () => {
    const asked: string[] = []
    const answers = (path: string): unknown => {
      if (path.includes('/assets'))
        return { items: [{ definition: 'eur#bank' }, { definition: 'usd#bank' }], next_cursor: null }
      if (path.includes('key=EUR'))
        return { value: Buffer.from(assetDefinitionId.encode('eur#bank')).toString('base64') }
      if (path.includes('key=USD')) return { value: null }
      return {
        account: 'cw1alice',
        items: path.includes('usd') ? [] : [movement],
        next_cursor: null,
        opening_balance: path.includes('usd') ? '4' : null,
      }
    }
    const json = async (_: string, path: string) => {
      asked.push(path)
      return answers(path)
    }
    const client = { json } as unknown as CausewayClient
    const { assets } = await fetchStatement(client, 'cw1alice', { ...period, asset: undefined, withUnmoved: true })
    expect(assets.map(({ asset, opening, closing }) => [asset, opening, closing])).toEqual([
      ['eur#bank', '10.0', '7.5'],
      ['usd#bank', '4', '4'],
    ])
    const named = [...assets, { ...unmoved, asset: 'points#club' }]
    expect([...(await boundCurrencies(client, named))]).toEqual([['eur#bank', 'EUR']])
    expect(asked.filter((path) => path.includes('key='))).toHaveLength(2)
  })
})

test('a table lists movements newest first, page by page, and JSON lists them oldest first', async () => {
  const items = [1, 2, 3].map((height) => ({ ...movement, height, time_ms: height * 100 }))
  const statement = await fetchStatement(nodeWith('10', items), 'cw1alice', period)
  const heights = (page: number): number[] => newestFirst(statement, page, 2).rows.map(({ height }) => height)
  expect([heights(1), heights(2), heights(3), newestFirst(statement, 1, 2).pages]).toEqual([[3, 2], [1], [], 2])
  expect(statement.assets[0]?.items.map(({ height }) => height)).toEqual([1, 2, 3])
})

describe('periods', () => {
  const nowMs = Date.UTC(2026, 10, 30)

  test('run from the beginning to one minute from now if no flag is given', () => {
    expect(periodOf({}, nowMs)).toEqual({ fromMs: 0, toMs: nowMs + 60_000 })
  })

  test('include the last day', () => {
    const day = { fromMs: Date.UTC(2026, 2, 1), toMs: Date.UTC(2026, 2, 2) }
    expect(periodOf({ since: '2026-03-01', until: '2026-03-01' }, nowMs)).toEqual(day)
  })

  test('are refused if they end before they begin', () => {
    expect(() => periodOf({ since: '2026-03-02', until: '2026-03-01' }, nowMs)).toThrow('before 2026-03-01')
    expect(() => periodOf({ since: '2027-01-01' }, nowMs)).toThrow('--since 2027-01-01: expected a time before now')
  })
})
