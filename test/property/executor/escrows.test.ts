// Random histories of escrows, vaults and transfers: the total is what balances and escrows hold, after every step, and a naive list says the same.
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { escrowed } from '../../../src/ledger/escrows.js'
import { balances, definitions } from '../../../src/ledger/tables.js'
import type { AccountId, Instruction } from '../../../src/model/index.js'
import { slice } from '../../suites.mjs'
import * as core from '../../support/core.js'
import { DEPOSIT_ABI, depositKey, depositVault, escrowOf } from '../../support/deposits.js'

const HISTORIES = Number(process.env.CAUSEWAY_HISTORIES ?? slice(60, 100))
const KEYS = 4
const { alice, bob, agent, USD } = core
const PEOPLE = [alice, bob, agent]
const VAULTS = Array.from({ length: KEYS }, (_, index) => depositVault(depositKey(index)))

const person = fc.nat(PEOPLE.length - 1)
const key = fc.nat(KEYS - 1)
const amount = fc.bigInt({ min: -1n, max: 80n })
const step = fc.oneof(
  fc.record({ kind: fc.constant('transfer' as const), by: person, to: person, amount }),
  fc.record({ kind: fc.constant('make' as const), by: person, to: person, key, amount }),
  fc.record({ kind: fc.constantFrom('pay' as const, 'return' as const), key }),
  fc.record({ kind: fc.constantFrom('open' as const, 'close' as const), key }),
  fc.record({ kind: fc.constantFrom('fill' as const, 'empty' as const), key, by: person, amount }),
)
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never

/** The rules again, over plain numbers. */
class Naive {
  readonly held = new Map<AccountId, bigint>([[alice, 100n]])
  readonly deposits = new Map<number, { by: AccountId; to: AccountId; amount: bigint }>()
  readonly open = new Set<number>()

  of(account: AccountId): bigint {
    return this.held.get(account) ?? 0n
  }

  private add(account: AccountId, by: bigint): void {
    this.held.set(account, this.of(account) + by)
  }

  private move(from: AccountId, to: AccountId, units: bigint): boolean {
    if (from === to || units <= 0n || this.of(from) < units) return false
    this.add(from, -units)
    this.add(to, units)
    return true
  }

  run(one: Step): boolean {
    const at = (index: number): AccountId => PEOPLE[index] as AccountId
    switch (one.kind) {
      case 'transfer':
        return this.move(at(one.by), at(one.to), one.amount)
      case 'make':
        if (this.deposits.has(one.key) || one.amount <= 0n || this.of(at(one.by)) < one.amount) return false
        this.add(at(one.by), -one.amount)
        this.deposits.set(one.key, { by: at(one.by), to: at(one.to), amount: one.amount })
        return true
      case 'pay':
      case 'return': {
        const found = this.deposits.get(one.key)
        if (found === undefined) return false
        this.add(one.kind === 'pay' ? found.to : found.by, found.amount)
        return this.deposits.delete(one.key)
      }
      case 'open':
        if (this.open.has(one.key)) return false
        this.open.add(one.key)
        return true
      case 'close':
        return this.of(VAULTS[one.key] as AccountId) === 0n && this.open.delete(one.key)
      case 'fill':
        return this.open.has(one.key) && this.move(at(one.by), VAULTS[one.key] as AccountId, one.amount)
      case 'empty':
        return this.open.has(one.key) && this.move(VAULTS[one.key] as AccountId, at(one.by), one.amount)
    }
  }
}

function instructionOf(one: Step): readonly [by: AccountId, instruction: Instruction] {
  const at = (index: number): AccountId => PEOPLE[index] as AccountId
  if (one.kind === 'transfer') return [at(one.by), core.transfer(at(one.by), at(one.to), one.amount)]
  const of = { key: depositKey(one.key) }
  switch (one.kind) {
    case 'make': {
      const [asset, value] = [core.balance(at(one.by)), core.units(one.amount)]
      return [
        at(one.by),
        { kind: 'makeDeposit', value: { ...of, asset, amount: value, to: at(one.to), dueMs: undefined } },
      ]
    }
    case 'pay':
      return [agent, { kind: 'payDeposit', value: of }]
    case 'return':
      return [agent, { kind: 'returnDeposit', value: of }]
    case 'open':
      return [agent, { kind: 'openDepositVault', value: { ...of, definition: USD } }]
    case 'close':
      return [agent, { kind: 'closeDepositVault', value: of }]
    default: {
      const kind = one.kind === 'fill' ? 'fillVault' : 'emptyVault'
      return [agent, { kind, value: { ...of, definition: USD, other: at(one.by), amount: core.units(one.amount) } }]
    }
  }
}

it('every unit is in a balance or in an escrow, however features use them', { timeout: 20 * 60_000 }, () => {
  let accepted = 0
  fc.assert(
    fc.property(fc.array(step, { minLength: 10, maxLength: 80 }), (history) => {
      const bench = core.smallWorld(DEPOSIT_ABI)
      const naive = new Naive()
      for (const one of history) {
        const isDone = bench.run(...instructionOf(one)) === undefined
        expect(
          isDone,
          JSON.stringify(one, (_key, value) => (typeof value === 'bigint' ? String(value) : value)),
        ).toBe(naive.run(one))
        accepted += isDone ? 1 : 0
        const holders = [...PEOPLE, ...VAULTS]
        const held = holders.map((account) => bench.state.get(balances, core.balance(account))?.mantissa ?? 0n)
        expect(held).toEqual(holders.map((account) => naive.of(account)))
        const inEscrow = Array.from(
          { length: KEYS },
          (_, index) => escrowed(bench.state, escrowOf(depositKey(index), USD)).mantissa,
        )
        expect(inEscrow).toEqual(Array.from({ length: KEYS }, (_, index) => naive.deposits.get(index)?.amount ?? 0n))
        const sum = [...held, ...inEscrow].reduce((all, units) => all + units, 0n)
        expect(bench.state.get(definitions, USD)?.total.mantissa).toBe(sum)
      }
    }),
    { numRuns: HISTORIES },
  )
  expect(accepted).toBeGreaterThan(HISTORIES)
})
