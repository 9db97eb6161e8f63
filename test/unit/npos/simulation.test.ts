/** Simulated result of an election now: correct with and without a nomination, and read once a height. */
import { describe, expect, it } from 'vitest'
import type { QueryContext } from '../../../src/executor/reads.js'
import { stakingSimulationQuery } from '../../../src/features/staking/ledger/elections/simulation.js'
import { candidatePages, voterPages } from '../../../src/features/staking/ledger/validators/tables.js'
import type { StateReader, TableDef } from '../../../src/state/index.js'
import { accountNamed, amount, NposChain, nodeNamed } from '../../support/npos/chain.js'

const PAGES: ReadonlySet<number> = new Set([candidatePages.id, voterPages.id])

describe('a simulated election', () => {
  it('reads candidates and voters once a height, and returns the same result each time', async () => {
    const nodes = await Promise.all(Array.from({ length: 4 }, (_, index) => nodeNamed(`v${index}`)))
    const chain = new NposChain({
      validators: nodes.map((node) => ({ node, bond: 10_000n })),
      nominators: [{ name: 'n0', bond: 100n, targets: ['v0'] }],
    })
    let pages = 0
    const { state } = chain
    const reader: StateReader = Object.assign(Object.create(state), {
      get: (table: TableDef<unknown, unknown>, key: unknown) => {
        if (PAGES.has(table.id)) pages += 1
        return state.get(table, key)
      },
    })
    const ask = (height: number, more: object = {}) =>
      stakingSimulationQuery({ reader, height } as QueryContext, {
        account: undefined,
        amount: undefined,
        targets: [],
        ...more,
      })
    const plain = await ask(5)
    const first = pages
    expect(first).toBeGreaterThan(0)
    expect(plain?.seats.map(({ support, before }) => [support, before])).toEqual(
      plain?.seats.map(({ support }) => [support, support]),
    )
    expect(await ask(5)).toEqual(plain)
    const backed = await ask(5, { amount: amount(5_000n), targets: [accountNamed('v1')] })
    const more = backed?.seats.filter(({ support, before }) => support.mantissa !== before?.mantissa)
    expect(more?.map(({ validator }) => validator)).toEqual([accountNamed('v1')])
    expect(pages).toBe(first)
    await ask(6)
    expect(pages).toBe(2 * first)
  })
})
