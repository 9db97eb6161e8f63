/** Pruning of a ledger: the oldest blocks go with what read indexes say of them, and statements stay right. */

import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { PipelineQuery } from '../../../src/api/index.js'
import type { NodeServices } from '../../../src/api/services.js'
import { NEWEST_ABI } from '../../../src/features/abi.js'
import { transactionStatus } from '../../../src/features/explorer/node/status.js'
import { queries as explorerQueries } from '../../../src/features/explorer/schema/queries.js'
import { ACTIVITY_SPACE, MOVEMENT_SPACE, transactionKey } from '../../../src/ledger/indexes.js'
import type { QueryDef } from '../../../src/model/index.js'
import type { Ledger } from '../../../src/node/ledger/ledger.js'
import { LevelBackend } from '../../../src/state/index.js'
import { SPACE } from '../../../src/state/key-space.js'
import { DEFINITION, signedBy, transferOf } from '../../support/chain.js'
import { LedgerBench } from '../../support/ledger-bench.js'

const BLOCKS = 60
const BELOW = 41

let bench: LedgerBench
let ledger: Ledger
/** Transactions and times of blocks by height. */
const ids = new Map<number, Uint8Array>()
const times = new Map<number, number>()

async function ask<Q, R>(def: QueryDef<Q, R>, input: Q): Promise<R> {
  const codec = NEWEST_ABI.codec(bench.genesis.payload.value.addressPrefix)
  const { output } = await ledger.query({ kind: def.kind, input: def.input.encode(input, codec) })
  const decoded = def.output.decode(output ?? Buffer.alloc(0), codec)
  if (!decoded.ok) throw new Error(decoded.fault.message)
  return decoded.value
}
/** As services answer: nothing for a transaction that is in no block. */
const unlessAbsent = <Q, R>(def: QueryDef<Q, R>, input: Q): Promise<R | undefined> =>
  def.kind === explorerQueries.transaction.kind ? Promise.resolve(undefined) : ask(def, input)
const page = { limit: 200, after: undefined }
const everything = { ...page, block: undefined, kind: undefined, definition: undefined, outcome: undefined }
const statementOf = (more: { readonly fromMs?: number; readonly toMs?: number } = {}) =>
  ask(explorerQueries.accountStatement, {
    ...page,
    id: bench.alice.id,
    alias: undefined,
    definition: DEFINITION,
    fromMs: more.fromMs,
    toMs: more.toMs,
  })
type Statement = Awaited<ReturnType<typeof statementOf>>

async function pay(): Promise<void> {
  const { header } = await ledger.tip()
  const [from, to] = header.height % 3 === 0 ? [bench.bob, bench.alice] : [bench.alice, bench.bob]
  const transaction = signedBy(from, [transferOf(from.id, to.id, 3n)], header.timeMs)
  const block = await bench.build(ledger, [transaction])
  await bench.commit(ledger, block)
  ids.set(block.header.height, transaction.id)
  times.set(block.header.height, block.header.timeMs)
}

/** Index entries of the state database that tell of a block above genesis and below a height. */
async function entriesBelow(height: number): Promise<number> {
  const backend = await LevelBackend.open(join(bench.folder('a'), 'state'))
  const transactions = transactionKey(Buffer.alloc(32))[0]
  let found = 0
  const count = (of: number): void => {
    if (of > 1 && of < height) found += 1
  }
  try {
    for await (const [key, value] of backend.range({ gte: Buffer.of(SPACE.index), lt: Buffer.of(SPACE.index + 1) })) {
      const space = key[1]
      if (space === transactions && key.length === 34 && value.length === 10) count(value.readUIntBE(0, 6))
      if (space === ACTIVITY_SPACE && value.length % 4 === 0 && key.length > 10) {
        count(key.readUIntBE(key.length - 6, 6))
      }
      if (space === MOVEMENT_SPACE && key.length > 16) count(key.readUIntBE(key.length - 10, 6))
    }
  } finally {
    await backend.close()
  }
  return found
}

let whole: Statement
let before: Statement
let stateRoot: Uint8Array
beforeAll(async () => {
  bench = await LedgerBench.create([], { abi: NEWEST_ABI })
  ledger = await bench.open('a')
  while ((await ledger.tip()).height < BLOCKS) await pay()
  whole = await statementOf()
  before = await statementOf({ fromMs: times.get(50)! })
  stateRoot = (await ledger.tip()).stateRoot
  await bench.stop('a')
  expect(await entriesBelow(BELOW)).toBeGreaterThan(4 * (BELOW - 2))
  ledger = await bench.open('a')
  expect(await ledger.prune({ below: BELOW })).toEqual({ firstHeight: BELOW })
})
afterAll(() => bench.close())

describe('a pruned ledger', () => {
  it('contains no empty rows, which leak memory in the database library', async () => {
    await bench.stop('a')
    const backend = await LevelBackend.open(join(bench.folder('a'), 'state'))
    const empty: string[] = []
    let rows = 0
    for await (const [key, value] of backend.range({ gte: Buffer.alloc(0) })) {
      rows += 1
      if (value.length === 0) empty.push(key.toString('hex'))
    }
    await backend.close()
    ledger = await bench.open('a')
    expect(rows).toBeGreaterThan(BLOCKS)
    expect(empty).toEqual([])
  })

  it('has the same state, and no index entries of pruned blocks, also after a restart', async () => {
    await bench.stop('a')
    expect(await entriesBelow(BELOW)).toBe(0)
    expect(await entriesBelow(BLOCKS + 1)).toBeGreaterThan(0)
    ledger = await bench.open('a')
    expect(await ledger.tip()).toMatchObject({ stateRoot, height: BLOCKS, firstHeight: BELOW })
  })

  it('reports its first block when a pruned block is requested', async () => {
    const gone = { code: 'history_pruned', details: { first_height: BELOW } }
    await expect(
      ask(explorerQueries.transactions, { ...everything, authority: undefined, block: 40 }),
    ).rejects.toMatchObject(gone)
    await expect(
      ask(explorerQueries.transactionProof, { height: 40, hash: ids.get(40)!, from: undefined }),
    ).rejects.toMatchObject(gone)
    await expect(statementOf({ fromMs: times.get(40)! })).rejects.toMatchObject(gone)
    await expect(ask(explorerQueries.transactionDetail, { hash: ids.get(40)! })).rejects.toMatchObject({
      code: 'not_found',
      details: { first_height: BELOW },
    })
    const services = { pending: () => ({ kind: 'unknown' }), query: unlessAbsent } as unknown as NodeServices
    await expect(transactionStatus({ services, query: { hash: ids.get(40)! } as PipelineQuery })).rejects.toMatchObject(
      {
        code: 'not_found',
        details: { first_height: BELOW },
      },
    )
    expect(await ask(explorerQueries.transactionDetail, { hash: ids.get(41)! })).toMatchObject({ height: 41 })
    expect(
      (await ask(explorerQueries.transactions, { ...everything, authority: undefined, block: 41 })).items,
    ).toHaveLength(1)
  })

  it('lists its blocks, and all headers', async () => {
    const { items, nextCursor } = await ask(explorerQueries.transactions, { ...everything, authority: bench.alice.id })
    expect(items.map(({ height }) => height).every((height) => height >= BELOW)).toBe(true)
    expect([items.length > 10, nextCursor]).toEqual([true, undefined])
    const { items: headers } = await ask(explorerQueries.headers, { limit: 200, after: undefined, from: undefined })
    expect(headers).toHaveLength(BLOCKS)
    const { blocks } = await ledger.blocks({ from: 2, count: 8, maxBytes: 1_000_000 })
    expect(blocks).toEqual([])
    const { blocks: history } = await ledger.history({ from: 2, count: 1 })
    expect(history).toHaveLength(1)
  })

  it('returns unchanged statements with opening balances for the remaining blocks', async () => {
    expect(await statementOf({ fromMs: times.get(50)! })).toEqual(before)
    const held = await statementOf()
    expect(held.items).toEqual(whole.items.filter(({ height }) => height >= BELOW))
    const last = whole.items.filter(({ height }) => height < BELOW).at(-1)
    expect(held.openingBalance).toEqual(last?.balance)
    // Nothing moved after the last block: the balance is that of now.
    const now = await statementOf({ fromMs: times.get(BLOCKS)! + 1 })
    expect(now).toMatchObject({ items: [], openingBalance: whole.items.at(-1)?.balance })
  })

  it('commits further blocks and prunes again, but never prunes its last block', async () => {
    await pay()
    const { height } = await ledger.tip()
    expect(await ledger.prune({ below: height + 100 })).toEqual({ firstHeight: height })
    expect(await ledger.prune({ below: 5 })).toEqual({ firstHeight: height })
    await pay()
    await bench.stop('a')
    ledger = await bench.open('a')
    expect(await ledger.tip()).toMatchObject({ height: height + 1, firstHeight: height })
    await pay()
    expect((await statementOf()).items.map((one) => one.height)).toEqual([height, height + 1, height + 2])
  })

  it('commits blocks during a pruning run', async () => {
    for (let count = 0; count < 40; count += 1) await pay()
    const { height } = await ledger.tip()
    const pruned = ledger.prune({ below: height - 1 })
    for (let count = 0; count < 10; count += 1) await pay()
    expect(await pruned).toEqual({ firstHeight: height - 1 })
    expect((await ledger.tip()).height).toBe(height + 10)
  })
})
