/** The templates that hold assets of the ledger: what comes in goes where they say, and nowhere else. */
import { describe, expect, it } from 'vitest'
import { balances } from '../../../src/ledger/tables.js'
import { type AccountId, formatAddress } from '../../../src/model/index.js'
import {
  alice,
  args,
  bob,
  call,
  calledOf,
  compiled,
  contractBench,
  deployed,
  entry,
  mallory,
  manifestOf,
} from '../../support/contracts.js'
import type { Bench } from '../../support/executor.js'

const text = (id: AccountId): string => formatAddress(id, 'cw')
const gold = (bench: Bench, account: AccountId): string => {
  const held = bench.state.get(balances, { definition: 'gold#bank', account })
  return held === undefined ? '0' : `${held.mantissa}e-${held.scale}`
}
const carry = (mantissa: bigint, scale = 0) => [{ definition: 'gold#bank', amount: { mantissa, scale } }]

describe('the escrow', () => {
  const ENTRIES = [
    entry('init', 'init', { to: 'account', timeoutMs: 'u64' }),
    entry('fund', 'public', {}, { payable: true }),
    entry('release'),
    entry('refund'),
    entry('held', 'view', {}, { result: 'numeric' }),
  ]
  const code = compiled('escrow')
  function escrow() {
    const bench = contractBench()
    const input = args(ENTRIES, 'init', { to: text(bob), timeoutMs: '1000' })
    const address = deployed(bench, code, manifestOf(code, ENTRIES), { input })
    return { bench, address }
  }

  it('pays the seller when the buyer releases, once', () => {
    const { bench, address } = escrow()
    expect(bench.run(alice, call(address, 'fund', { attach: carry(25n) }))).toBeUndefined()
    expect(gold(bench, address)).toBe('25e-0')
    expect(bench.run(mallory, call(address, 'release'))).toBe('contract_trap')
    expect(calledOf(bench).abortCode).toBe(1)
    expect(bench.run(alice, call(address, 'release'))).toBeUndefined()
    expect([gold(bench, address), gold(bench, bob)]).toEqual(['0', '25e-0'])
    expect(bench.run(alice, call(address, 'release'))).toBe('contract_trap')
    expect(bench.run(alice, call(address, 'fund', { attach: carry(1n) }))).toBe('contract_trap')
    expect(gold(bench, address)).toBe('0')
  })

  it('gives the buyer back what is held when the time is over, and not before', () => {
    const { bench, address } = escrow()
    bench.run(alice, call(address, 'fund', { attach: carry(25n) }))
    expect(bench.run(alice, call(address, 'refund'))).toBe('contract_trap')
    expect(calledOf(bench).abortCode).toBe(3)
    bench.timeMs += 1_000
    expect(bench.run(mallory, call(address, 'refund'))).toBeUndefined()
    expect([gold(bench, address), gold(bench, alice), gold(bench, mallory)]).toEqual(['0', '1000e-0', '0'])
  })
})

describe('the splitter', () => {
  const ENTRIES = [
    entry('init', 'init'),
    entry('add', 'public', { account: 'account', weight: 'u32' }, { permission: 'owner' }),
    entry('split', 'public', {}, { payable: true }),
    entry('members', 'view', {}, { result: 'u32' }),
  ]
  const code = compiled('splitter')

  it('shares what comes in by weights, to the last cent', () => {
    const bench = contractBench()
    const address = deployed(bench, code, manifestOf(code, ENTRIES))
    const add = (account: AccountId, weight: number) =>
      call(address, 'add', { input: args(ENTRIES, 'add', { account: text(account), weight }) })
    expect(bench.run(alice, call(address, 'split', { attach: carry(10n) }))).toBe('contract_trap')
    expect(bench.run(bob, add(bob, 1))).toBe('contract_trap')
    expect(bench.run(alice, add(bob, 2))).toBeUndefined()
    expect(bench.run(alice, add(mallory, 1))).toBeUndefined()
    expect(bench.run(alice, call(address, 'split', { attach: carry(10n) }))).toBeUndefined()
    expect([gold(bench, bob), gold(bench, mallory), gold(bench, address)]).toEqual(['666e-2', '334e-2', '0'])
  })
})
