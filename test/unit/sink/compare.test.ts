/** Findings of a comparison of tables with a node: everything that only one of them has. */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { type CausewayClient, routes } from '../../../src/client/index.js'
import { parseNumeric, toHex } from '../../../src/codec/index.js'
import { hashOfHeader } from '../../../src/model/index.js'
import { compare } from '../../../src/sink/compare.js'
import { addressText } from '../../../src/sink/ledger-rows.js'
import { openSqlite } from '../../../src/sink/sqlite.js'
import { balances, blocks, type Row, supplies, type Table } from '../../../src/sink/tables.js'
import type { Warehouse } from '../../../src/sink/warehouse.js'
import { blockAt } from '../gateway/fake-chain.js'
import { accountOf, alice, bob, CODEC } from '../gateway/support.js'

const EUR = 'eur#bank'
const USD = 'usd#bank'
const HEIGHT = 9
const naming = { codec: CODEC, errorName: () => undefined }
const [ALICE, BOB] = [alice, bob].map((pair) => addressText(accountOf(pair), naming)) as [string, string]
const header = (await blockAt(HEIGHT)).block.header
const HASH = toHex(hashOfHeader(header))

/** Responses of a node: balances and supplies. */
interface NodeRows {
  readonly balances: readonly (readonly [pair: typeof alice, definition: string, amount: string])[]
  readonly supplies: readonly (readonly [definition: string, supply: string])[]
}
const NODE_ROWS: NodeRows = {
  balances: [
    [alice, EUR, '9007199254740993.01'],
    [bob, EUR, '2'],
  ],
  supplies: [
    [EUR, '9007199254740995.01'],
    [USD, '0'],
  ],
}
const HELD = {
  balances: [
    [ALICE, EUR, 3, '9007199254740993.01'],
    [BOB, EUR, 2, '7'],
    [BOB, EUR, 5, '2'],
    [BOB, USD, 5, '0'],
  ] as Row[],
  supplies: [[EUR, 3, '9007199254740995.01']] as Row[],
  hash: HASH,
}

/** A node that answers a page of one item at a time. */
function clientOf(responses: NodeRows): CausewayClient {
  const items = {
    assets: responses.balances.map(([pair, definition, amount]) => ({
      account: accountOf(pair),
      definition,
      amount: parseNumeric(amount),
    })),
    definitions: responses.supplies.map(([id, supply]) => ({ id, totalQuantity: parseNumeric(supply) })),
  }
  const page = (all: readonly unknown[], at: number) => ({
    height: HEIGHT,
    items: all.slice(at, at + 1),
    nextCursor: at + 1 < all.length ? String(at + 1) : undefined,
  })
  const route = async (row: unknown, { query = {} }: { query?: { cursor?: string } }) => {
    if (row === routes.assets.assets) return page(items.assets, Number(query.cursor ?? 0))
    if (row === routes.assets.definitions) return page(items.definitions, Number(query.cursor ?? 0))
    return { block: { header } }
  }
  return { route } as unknown as CausewayClient
}

let folder: string
let warehouse: Warehouse
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'compare-'))
  warehouse = openSqlite(join(folder, 'ledger.db'), { writes: true })
})
afterEach(async () => {
  await warehouse.close()
  await rm(folder, { recursive: true, force: true })
})

async function differences(responses: Partial<NodeRows>, held: Partial<typeof HELD>): Promise<readonly string[]> {
  const rows = { ...HELD, ...held }
  const block: Row = [HEIGHT, rows.hash, 'p', 't', 0, 'v', 0, 0, 0, 's', 'x', 'r']
  const added = new Map<Table, Row[]>([
    [blocks, [block]],
    [balances, rows.balances],
    [supplies, rows.supplies],
  ])
  const cursor = { chain: 'c', genesisHash: 'g', height: HEIGHT, hash: rows.hash, place: '' }
  await warehouse.write(added, cursor, 0)
  const found = await compare(
    { client: clientOf({ ...NODE_ROWS, ...responses }), warehouse, naming, signal: new AbortController().signal },
    () => undefined,
  )
  expect(found.height).toBe(HEIGHT)
  return found.differences
}

it('the comparison reports no difference if the node and the tables are equal to the last digit', async () => {
  expect(await differences({}, {})).toEqual([])
})

it.each<[string, Partial<NodeRows>, Partial<typeof HELD>, string]>([
  ['a digit of a balance', { balances: [[alice, EUR, '9007199254740993.02'], NODE_ROWS.balances[1]!] }, {}, ALICE],
  ['a balance that the tables lack', {}, { balances: HELD.balances.slice(1) }, 'none in the tables'],
  ['a balance that the node lacks', { balances: [NODE_ROWS.balances[0]!] }, {}, `${BOB} ${EUR}: 2 in the tables, none`],
  ['a supply', { supplies: [[EUR, '9007199254740995.02']] }, {}, `supply of ${EUR}: 9007199254740995.01`],
  ['a supply that the tables lack', {}, { supplies: [] }, `supply of ${EUR}: 0 in the tables`],
  [
    'a supply that the node lacks',
    {},
    { supplies: [...HELD.supplies, ['gbp#bank', 4, '5']] },
    'gbp#bank: 5 in the tables, none',
  ],
  ['the hash of the block', {}, { hash: 'ff' }, `block ${HEIGHT}: the hash differs`],
])('the comparison reports a difference in %s', async (_name, responses, held, text) => {
  expect(await differences(responses, held)).toEqual([expect.stringContaining(text)])
})
