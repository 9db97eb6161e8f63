/** The lists of voters and candidates over several pages: against a plain list, and what a place in a full one costs. */
import { describe, expect, it } from 'vitest'
import { stakes } from '../../../src/features/staking/ledger/stake/tables.js'
import {
  listedVoters,
  listVoter,
  setListedBond,
  unlistVoter,
} from '../../../src/features/staking/ledger/validators/lists.js'
import type { AccountId } from '../../../src/model/index.js'
import { randomOf } from '../../../src/simulation/prng.js'
import { accountNamed, amount, bond, NposChain, nodeNamed, nominate } from '../../support/npos/chain.js'
import { listFault, units } from '../../support/npos/model.js'

const four = () => Promise.all(Array.from({ length: 4 }, (_, index) => nodeNamed(`v${index}`)))

/** A chain whose lists begin empty of voters. */
async function chainWith(voters: number, parameters: Readonly<Record<string, unknown>> = {}): Promise<NposChain> {
  const nodes = await four()
  return new NposChain({
    validators: nodes.map((node) => ({ node, bond: 10_000n })),
    nominators: Array.from({ length: voters }, (_, index) => ({
      name: `n${index}`,
      bond: 100n + BigInt(index),
      targets: ['v0', 'v1', 'v2', 'v3'],
    })),
    holders: ['small', 'large'],
    parameters,
  })
}

describe('the list of voters', () => {
  it('rejects a duplicate nomination, and the block continues without it', async () => {
    const chain = await chainWith(1)
    const v0 = accountNamed('v0')
    expect(chain.run(accountNamed('n0'), nominate(v0, v0))).toBe('exists')
  })

  it('displaces the same voters as a naive list, over several pages and after any history', async () => {
    for (let seed = 1; seed <= 5; seed += 1) {
      const random = randomOf(seed, 'lists')
      const chain = await chainWith(1, { max_voters: 150 })
      const { state } = chain
      const base = state.get(stakes, accountNamed('n0'))
      if (base === undefined) throw new Error('a voter has a stake')
      /** Accounts with their bonds, in the order of their places. */
      const naive: { account: AccountId; bonded: bigint }[] = [...listedVoters(state)].map(([, entry]) => ({
        account: entry.account,
        bonded: units(entry.bonded),
      }))
      const add = (account: AccountId, bonded: bigint): void => {
        state.set(stakes, account, { ...base, role: 'nominator', slot: undefined, bonded: amount(bonded) })
        const listed = listVoter(state, { account, bonded: amount(bonded), targets: [], nominatedHeight: 1 })
        const entry = { account, bonded: bonded * 100n }
        if (naive.length < 150) {
          naive.push(entry)
          expect(listed).toEqual({ displaced: undefined })
          return
        }
        const least = naive.reduce((sum, one) => (one.bonded < sum ? one.bonded : sum), entry.bonded)
        const at = naive.findLastIndex((one) => one.bonded === least)
        if (least === entry.bonded) {
          expect(listed).toBeUndefined()
          state.delete(stakes, account)
          return
        }
        expect(listed?.displaced?.account).toBe(naive[at]?.account)
        state.delete(stakes, naive[at]?.account ?? '')
        naive[at] = entry
      }
      for (let step = 0; step < 600; step += 1) {
        const bonded = BigInt(1 + random.below(40))
        const some = random.below(Math.max(1, naive.length))
        const one = naive[some]
        if (step < 160 || one === undefined || random.chance(0.5)) add(accountNamed(`l${seed}.${step}`), bonded)
        else if (random.below(2) === 0) {
          unlistVoter(state, one.account)
          state.delete(stakes, one.account)
          const last = naive.pop()
          if (last !== undefined && last !== one) naive[some] = last
        } else {
          const row = state.get(stakes, one.account)
          if (row?.slot === undefined) throw new Error('a listed voter has a place')
          state.set(stakes, one.account, { ...row, bonded: amount(bonded) })
          setListedBond(state, 'nominator', row.slot, amount(bonded))
          one.bonded = bonded * 100n
        }
        expect(listFault(chain), `seed ${seed} step ${step}`).toBeUndefined()
      }
      expect([...listedVoters(state)].map(([, { account }]) => account)).toEqual(naive.map(({ account }) => account))
    }
  })

  it('has the same costs at any length when it is full', async () => {
    const costs: number[][] = []
    for (const voters of [65, 640]) {
      const chain = await chainWith(voters, { max_voters: voters })
      const refused = chain.tx(accountNamed('small'), bond(1n), nominate(accountNamed('v0')))
      const taken = chain.tx(accountNamed('large'), bond(9_000n), nominate(accountNamed('v0')))
      const run = chain.block([refused, taken])
      expect(run.rejections.get(0)?.code).toBe('stake_too_small')
      expect(run.rejections.get(1)).toBeUndefined()
      costs.push(run.results.slice(0, 2).map(({ teu }) => teu))
    }
    const [short = [], long = []] = costs
    // Rows of the smallest grow by some bytes a page, pages of voters are not read.
    expect((long[0] ?? 0) - (short[0] ?? 0)).toBeLessThan(50)
    expect((long[1] ?? 0) - (short[1] ?? 0)).toBeLessThan(100)
  })
})
