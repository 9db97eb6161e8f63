/** Answers stay bounded however much the objects of a list hold: a page ends before, its cursor goes on, nothing is left out. */

import { describe, expect, it } from 'vitest'
import type { Json, Schema } from '../../../src/codec/index.js'
import type { QueryContext } from '../../../src/executor/index.js'
import {
  queries as accountQueries,
  instructions as accountsInstructions,
} from '../../../src/features/accounts/schema.js'
import { queries as domainQueries, instructions as domainsInstructions } from '../../../src/features/domains/schema.js'
import { queries as multisigQueries } from '../../../src/features/multisig/schema.js'
import { queries as nftQueries } from '../../../src/features/nfts/schema.js'
import { queries as permissionQueries } from '../../../src/features/permissions/schema.js'
import { queries as triggerQueries } from '../../../src/features/triggers/schema.js'
import { ANSWER_BYTES_MAX, fittingAnswer } from '../../../src/ledger/table-page.js'
import { roles } from '../../../src/ledger/tables.js'
import { instruction } from '../../../src/model/definition.js'
import type { Instruction, QueryDef } from '../../../src/model/index.js'
import { rowKeyBytes, TABLE_ID_BYTES, tableIdOf } from '../../../src/state/index.js'
import { ask } from '../../support/ask.js'
import { codec } from '../../support/chain.js'
import * as core from '../../support/core.js'
import { accountNamed, type Bench } from '../../support/executor.js'

/** True up to the row that brings their bytes above the most. */
function fits(most = Number.POSITIVE_INFINITY): (row: { readonly bytes: number }) => boolean {
  let before = 0
  return ({ bytes }) => {
    const isWanted = before <= most
    before += bytes
    return isWanted
  }
}

/** A context over the rows of a bench. */
const contextOf = ({ state }: Bench): QueryContext =>
  ({
    reader: state,
    height: 1,
    codec,
    header: async () => ({ timeMs: 1 }),
    rows: async (
      table: { id: number; key: Schema<unknown>; value: Schema<unknown> },
      { after, limit, maxBytes }: { readonly after?: unknown; readonly limit: number; readonly maxBytes?: number },
    ) => {
      const start = after === undefined ? undefined : table.key.encode(after)
      return state
        .changes()
        .filter(({ row, value }) => tableIdOf(row) === table.id && value !== undefined)
        .map(({ row, value }) => ({ bytes: rowKeyBytes(row).subarray(TABLE_ID_BYTES), value }))
        .filter(({ bytes }) => start === undefined || bytes.compare(start) > 0)
        .slice(0, limit)
        .map(({ bytes, value }) => {
          const key = table.key.decode(bytes, codec)
          if (!key.ok) throw new Error('keys of a bench decode')
          return { key: key.value, value, bytes: table.value.encode(value, codec).length }
        })
        .filter(fits(maxBytes))
    },
  }) as unknown as QueryContext

const OBJECTS = 70
const fat = new Map<string, Json>(['a', 'b', 'c', 'd'].map((key) => [key, 'x'.repeat(16_000)]))
const number = (index: number): string => String(index).padStart(3, '0')
const program = Array.from({ length: 8 }, () =>
  core.setKey({ kind: 'account', value: core.alice }, 'k', 'x'.repeat(16_000)),
)

interface Page {
  readonly items: readonly unknown[]
  readonly nextCursor: string | undefined
}
type Case = readonly [string, QueryDef<unknown, Page>, object, (index: number) => Instruction]
const CASES = [
  [
    'domains',
    domainQueries.domains,
    {},
    (index: number) =>
      instruction(domainsInstructions.registerDomain, { id: `d${number(index)}`, dataspace: undefined, metadata: fat }),
  ],
  [
    'accounts',
    accountQueries.accounts,
    {},
    (index: number) =>
      instruction(accountsInstructions.registerAccount, {
        id: accountNamed(`fat ${index}`),
        domain: 'bank',
        label: undefined,
        metadata: fat,
      }),
  ],
  [
    'NFTs of a domain',
    nftQueries.nfts,
    { domain: 'bank' },
    (index: number) => core.registerNft(`n${number(index)}$bank`, fat),
  ],
  ['NFTs', nftQueries.nfts, {}, (index: number) => core.registerNft(`n${number(index)}$bank`, fat)],
  [
    'triggers',
    triggerQueries.triggers,
    {},
    (index: number) => core.registerTrigger(`t${number(index)}`, core.alice, core.BY_CALL, program),
  ],
] as unknown as readonly Case[]

describe.each(CASES)('a list of %s', (_name, query, input, register) => {
  it('ends before its response grows too large, and its cursor leads to all other items', async () => {
    const bench = core.smallWorld()
    const before = (await ask(contextOf(bench), query, { ...input, limit: 500 } as never))?.items.length ?? 0
    for (let index = 0; index < OBJECTS; index++) bench.genesis(core.owner, register(index))
    const ctx = contextOf(bench)
    const seen: unknown[] = []
    let pages = 0
    for (let after: string | undefined; ; pages++) {
      const page = await ask(ctx, query, { ...input, limit: 500, after } as never)
      if (page === undefined) throw new Error('the list is there')
      expect(JSON.stringify(page.items, (_, value) => (value instanceof Map ? [...value] : value)).length).toBeLessThan(
        1.2 * ANSWER_BYTES_MAX,
      )
      seen.push(...page.items)
      after = page.nextCursor
      if (after === undefined) break
    }
    expect(pages).toBeGreaterThan(0)
    expect(seen).toHaveLength(before + OBJECTS)
    expect(new Set(seen.map((one) => (one as { id: string }).id)).size).toBe(seen.length)
  })
})

it('a list with large records ends before its response grows too large, and its cursor leads to the rest', async () => {
  const bench = core.smallWorld()
  const incarnation = { height: 1, index: 0 }
  const tokens = Array.from({ length: 64 }, (_, index) => ({
    name: 'CanMint',
    object: `${index}`.padEnd(280, 'x'),
    incarnation,
  }))
  const ids = Array.from({ length: 30 }, (_, index) => `r${number(index)}`)
  for (const id of ids) bench.state.set(roles, id, { tokens, managers: [], members: 0 })
  const pages: string[][] = []
  for (let after: string | undefined; ; ) {
    const page = await ask(contextOf(bench), permissionQueries.roles, { limit: 500, after })
    pages.push(page?.items.map(({ id }) => id) ?? [])
    after = page?.nextCursor
    if (after === undefined) break
  }
  expect(pages.flat().filter((id) => ids.includes(id))).toEqual(ids)
  expect(pages.map((page) => page.length)).toEqual([10, 10, 11])
})

describe('the proposals of a multisig account', () => {
  it('are returned up to the response size, open ones first, with a flag if there are more', async () => {
    const bench = core.smallWorld()
    for (let index = 0; index < 40; index++) {
      expect(bench.run(core.alice, core.propose(core.pair, ...program))).toBeUndefined()
      if (index < 10)
        expect(bench.run(core.alice, core.cancel(core.pair, core.lastProposal(bench.events)))).toBeUndefined()
    }
    const asked = { id: core.pair, alias: undefined }
    const view = await ask(contextOf(bench), multisigQueries.multisig, asked)
    expect(view?.open).toHaveLength(30)
    expect(view?.closed.length).toBeLessThan(10)
    expect(view?.moreProposals).toBe(true)
    const small = core.smallWorld()
    small.run(core.alice, core.propose(core.pair, core.log('x')))
    expect(await ask(contextOf(small), multisigQueries.multisig, asked)).toMatchObject({ moreProposals: undefined })
  })

  it('are fewer per response if their JSON has many parts, which is slow to encode', async () => {
    const shown = async (value: Json) => {
      const bench = core.smallWorld()
      const list = Array.from({ length: 8 }, () => core.setKey({ kind: 'account', value: core.pair }, 'k', value))
      for (let index = 0; index < 40; index++) bench.run(core.alice, core.propose(core.pair, ...list))
      return (
        (await ask(contextOf(bench), multisigQueries.multisig, { id: core.pair, alias: undefined }))?.open.length ?? 0
      )
    }
    const lists = Array.from({ length: 5_000 }, () => [])
    expect(await shown('x'.repeat(JSON.stringify(lists).length))).toBeGreaterThan(30)
    expect(await shown(lists)).toBeLessThan(5)
  })
})

it('an item larger than a response is returned alone', () => {
  expect(fittingAnswer([1, 2, 3], () => ANSWER_BYTES_MAX + 1)).toEqual([1])
  expect(fittingAnswer([1, 2, 3], () => ANSWER_BYTES_MAX / 2)).toEqual([1, 2])
  expect(fittingAnswer([], () => 1)).toEqual([])
})
