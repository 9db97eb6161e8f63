/** Pages of the history over blocks of long records: what one page opens is bounded in bytes, and pages together miss nothing. */

import { afterAll, beforeAll, expect, it } from 'vitest'
import type { Page } from '../../../src/api/paging.js'
import { queries as explorerQueries } from '../../../src/features/explorer/schema/queries.js'
import type { QueryDef } from '../../../src/model/index.js'
import type { Ledger } from '../../../src/node/ledger/ledger.js'
import { codec, signedBy } from '../../support/chain.js'
import * as core from '../../support/core.js'
import { LedgerBench } from '../../support/ledger-bench.js'

const BLOCKS = 4
/** Notes of 16 KiB in one transaction: near the longest record. */
const NOTES = 50

let bench: LedgerBench
let ledger: Ledger
const hashes: string[] = []

beforeAll(async () => {
  bench = await LedgerBench.create()
  ledger = await bench.open('one')
  for (let block = 0; block < BLOCKS; block += 1) {
    const now = (await ledger.tip()).header.timeMs
    const records = [0, 1].map((which) =>
      signedBy(
        bench.alice,
        [
          core.unregister('Domain', 'nothing'),
          ...Array.from({ length: NOTES }, (_, index) =>
            core.setKey({ kind: 'account', value: bench.alice.id }, `k${block}.${which}.${index}`, 'x'.repeat(16_000)),
          ),
        ],
        now,
      ),
    )
    await bench.commit(ledger, await bench.build(ledger, records))
    hashes.push(...records.map(({ id }) => Buffer.from(id).toString('hex')))
  }
})
afterAll(() => bench.close())

const anything = {
  limit: 500,
  after: undefined as string | undefined,
  authority: undefined as string | undefined,
  definition: undefined,
  kind: undefined as string | undefined,
  outcome: undefined,
  block: undefined,
}

async function page<T>(def: QueryDef<typeof anything, Page<T>>, asked: Partial<typeof anything>) {
  const { output } = await ledger.query({
    kind: def.kind,
    input: def.input.encode({ ...anything, ...asked }, codec),
  })
  const decoded = def.output.decode(output ?? new Uint8Array(0), codec)
  if (!decoded.ok) throw new Error(decoded.fault.message)
  return decoded.value
}

async function pages<T>(def: QueryDef<typeof anything, Page<T>>, asked: Partial<typeof anything>) {
  const found: Page<T>[] = []
  for (let after: string | undefined; found.length < 100; ) {
    const one = await page(def, { ...asked, after })
    found.push(one)
    after = one.nextCursor
    if (after === undefined) return found
  }
  throw new Error('the list does not end')
}

it('a page decodes one long record, and pages together have each transaction once', async () => {
  const found = await pages(explorerQueries.transactions as never, { authority: bench.alice.id })
  expect(found.map(({ items }) => items.length)).toEqual(Array(2 * BLOCKS).fill(1))
  const listed = found.flatMap(({ items }) => items as { readonly hash: Uint8Array }[])
  expect(listed.map(({ hash }) => Buffer.from(hash).toString('hex'))).toEqual([...hashes].reverse())
})

it('each page without matches decodes one long record, and the last page is also empty', async () => {
  const found = await pages(explorerQueries.transactions as never, { authority: bench.alice.id, kind: 'burn' })
  expect(found.map(({ items }) => items.length)).toEqual(Array(2 * BLOCKS).fill(0))
})

it('a list of instructions with long records continues in the middle of a block', async () => {
  const found = await pages(explorerQueries.instructions as never, {
    authority: bench.alice.id,
    kind: 'unregisterDomain',
  })
  const listed = found.flatMap(({ items }) => items as { readonly transactionHash: Uint8Array }[])
  expect(listed.map(({ transactionHash }) => Buffer.from(transactionHash).toString('hex'))).toEqual(
    [...hashes].reverse(),
  )
})

it('a page limit inside a long transaction continues within that transaction', async () => {
  const asked = { authority: bench.alice.id, limit: 20 }
  const found = await pages(explorerQueries.instructions as never, asked)
  const listed = found.flatMap(
    ({ items }) => items as { readonly transactionHash: Uint8Array; readonly position: number }[],
  )
  const places = listed.map(
    ({ transactionHash, position }) => `${Buffer.from(transactionHash).toString('hex')} ${position}`,
  )
  expect(new Set(places).size).toBe(places.length)
  expect(places.length).toBe(2 * BLOCKS * (NOTES + 1))
})
