// Random settlements conserve supply: what a leg takes from one account another has, and a refused one moves nothing.

import fc from 'fast-check'
import { expect, it } from 'vitest'
import { instructions as accounts } from '../../../src/features/accounts/schema.js'
import { instructions as assets } from '../../../src/features/assets/schema/instructions.js'
import { instructions as domains } from '../../../src/features/domains/schema.js'
import { settlementObject } from '../../../src/features/lanes/schema/instructions.js'
import { instructions as permissions } from '../../../src/features/permissions/schema.js'
import { settlementEvents } from '../../../src/lanes/index.js'
import { balances } from '../../../src/ledger/tables.js'
import { type Instruction, instruction, isEvent, NO_METADATA } from '../../../src/model/index.js'
import { accountNamed, Bench } from '../../support/executor.js'

const RUNS = Math.max(60, Math.floor(Number(process.env.CAUSEWAY_LANE_RUNS ?? 60)))
const members = ['a', 'b', 'c'].map(accountNamed)
const agent = accountNamed('agent')
const DEFINITIONS = ['usd#x', 'bond#x']
const MINTED = 100n

const party = fc.integer({ min: 0, max: members.length - 1 })
const leg = fc
  .record({
    definition: fc.constantFrom(...DEFINITIONS),
    from: party,
    to: party,
    units: fc.bigInt({ min: 0n, max: 60n }),
  })
  .map(({ definition, from, to, units }) => ({
    asset: { definition, account: members[from] as string },
    to: members[to] as string,
    amount: { mantissa: units, scale: 0 },
  }))
const step = fc.record({
  kind: fc.constantFrom('dvp', 'pvp'),
  first: leg,
  second: leg,
  id: fc.integer({ min: 0, max: 40 }),
})

function start(): Bench {
  const bench = new Bench()
  const instructions: Instruction[] = [
    instruction(domains.registerDomain, { id: 'x', dataspace: undefined, metadata: NO_METADATA }),
  ]
  for (const id of [...members, agent]) {
    instructions.push(
      instruction(accounts.registerAccount, { id, domain: 'x', label: undefined, metadata: NO_METADATA }),
    )
  }
  for (const id of DEFINITIONS) {
    const mintable = { kind: 'infinitely', value: undefined } as const
    instructions.push(instruction(assets.registerAssetDefinition, { id, scale: 2, mintable, metadata: NO_METADATA }))
    for (const account of members) {
      const amount = { mantissa: MINTED, scale: 0 }
      instructions.push(instruction(assets.mint, { asset: { definition: id, account }, amount }))
    }
  }
  bench.genesis(members[0] as string, ...instructions)
  return bench
}

const holdings = (bench: Bench): bigint[][] =>
  DEFINITIONS.map((definition) =>
    members.map((account) => {
      const { mantissa, scale } = bench.state.get(balances, { definition, account }) ?? { mantissa: 0n, scale: 0 }
      return mantissa * 10n ** BigInt(2 - scale)
    }),
  )
const sum = (all: readonly bigint[]): bigint => all.reduce((total, one) => total + one, 0n)

it('settlements conserve balances and are recorded once, over any history', () => {
  let settled = 0
  let refused = 0
  fc.assert(
    fc.property(fc.array(step, { maxLength: 25 }), (steps) => {
      const bench = start()
      const total = MINTED * BigInt(members.length) * 100n
      for (const { kind, first, second, id } of steps) {
        const name = `s${id}`
        const legs = [first, second]
        for (const account of new Set(legs.map((one) => one.asset.account))) {
          const object = settlementObject(name, legs, account)
          bench.run(
            account,
            instruction(permissions.grant, {
              subject: { kind: 'permission', value: { name: 'CanSettle', object } },
              to: { kind: 'account', value: agent },
            }),
          )
        }
        const before = holdings(bench)
        const receipts = bench.events.filter((one) => isEvent(one, settlementEvents.settlementRecorded)).length
        const value = kind === 'dvp' ? { id: name, delivery: first, payment: second } : { id: name, first, second }
        const code = bench.run(agent, { kind: kind === 'dvp' ? 'settleDvp' : 'settlePvp', value })
        const made = bench.events.filter((one) => isEvent(one, settlementEvents.settlementRecorded)).length - receipts
        if (code === undefined) settled += 1
        else {
          refused += 1
          expect(holdings(bench)).toEqual(before)
        }
        expect(made).toBe(code === undefined ? 2 : 0)
        for (const held of holdings(bench)) {
          expect(sum(held)).toBe(total)
          expect(held.every((one) => one >= 0n)).toBe(true)
        }
      }
    }),
    { numRuns: RUNS },
  )
  // Both happen often, or the property says little.
  expect(settled).toBeGreaterThan(RUNS / 4)
  expect(refused).toBeGreaterThan(RUNS / 4)
})
