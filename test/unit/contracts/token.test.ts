/** The token template on the ledger: what it does, what it refuses, what it costs. */
import { describe, expect, it } from 'vitest'
import { formatAddress } from '../../../src/model/index.js'
import { TRAP } from '../../../src/vm/index.js'
import {
  alice,
  args,
  bob,
  call,
  calledOf,
  compiled,
  contractBench,
  deployed,
  mallory,
  manifestOf,
  TOKEN,
} from '../../support/contracts.js'

const code = compiled('token')
const text = (id: string): string => formatAddress(id, 'cw')

function tokenBench() {
  const bench = contractBench()
  const address = deployed(bench, code, manifestOf(code, TOKEN), {
    alias: 'token@bank',
    input: args(TOKEN, 'init', { digits: 2, initial: '100' }),
  })
  const run = (account: string, name: string, values: Record<string, unknown>) =>
    bench.run(account, call(address, name, { input: args(TOKEN, name, values) }))
  return { bench, address, run }
}

describe('the token template', () => {
  it('moves balances between holders, and refuses overdrafts', () => {
    const { bench, run } = tokenBench()
    expect(run(alice, 'transfer', { to: text(bob), amount: '2.5' })).toBeUndefined()
    expect(calledOf(bench).trap).toBe(TRAP.ok)
    expect(run(bob, 'transfer', { to: text(mallory), amount: '2.51' })).toBe('contract_trap')
    expect(calledOf(bench)).toMatchObject({ trap: TRAP.aborted, abortCode: 3 })
    expect(bench.last?.events).toEqual([])
    expect(bench.last?.rejection?.message).toContain('the balance is too small')
    expect(run(bob, 'transfer', { to: text(mallory), amount: '2.5' })).toBeUndefined()
  })

  it('prevents a minter from reducing a balance with a negative amount', () => {
    const { bench, run } = tokenBench()
    expect(run(alice, 'grant', { role: 'minter', account: text(mallory) })).toBeUndefined()
    for (const amount of ['-1', '-100', '0', '0.001']) {
      expect(run(mallory, 'mint', { to: text(alice), amount })).toBe('contract_trap')
      expect(calledOf(bench)).toMatchObject({ trap: TRAP.aborted, abortCode: 4 })
    }
    // The balance of alice is unchanged.
    expect(run(alice, 'transfer', { to: text(bob), amount: '100' })).toBeUndefined()
  })

  it('allows pausing and minting by role', () => {
    const { run } = tokenBench()
    expect(run(bob, 'mint', { to: text(bob), amount: '1' })).toBe('contract_trap')
    expect(run(alice, 'grant', { role: 'minter', account: text(bob) })).toBeUndefined()
    expect(run(bob, 'mint', { to: text(bob), amount: '1' })).toBeUndefined()
    expect(run(bob, 'pause', { on: true })).toBe('contract_trap')
    expect(run(alice, 'pause', { on: true })).toBeUndefined()
    expect(run(bob, 'transfer', { to: text(alice), amount: '1' })).toBe('contract_trap')
    expect(run(bob, 'mint', { to: text(bob), amount: '1' })).toBe('contract_trap')
    expect(run(alice, 'pause', { on: false })).toBeUndefined()
    expect(run(bob, 'transfer', { to: text(alice), amount: '1' })).toBeUndefined()
  })

  it('has no effect wherever the gas is exhausted', () => {
    const { bench, address } = tokenBench()
    const input = args(TOKEN, 'transfer', { to: text(bob), amount: '1' })
    // The first makes the balance of bob: later ones take less.
    for (let twice = 0; twice < 2; twice += 1) bench.run(alice, call(address, 'transfer', { input }))
    const needed = calledOf(bench).gasUsed
    const before = JSON.stringify(bench.state.changes().map(({ row }) => row))
    for (let gasLimit = 0; gasLimit < needed; gasLimit += 131) {
      expect(bench.run(alice, call(address, 'transfer', { input, gasLimit }))).toBe('contract_trap')
      expect(calledOf(bench)).toMatchObject({ trap: TRAP.out_of_gas, gasUsed: gasLimit })
    }
    expect(JSON.stringify(bench.state.changes().map(({ row }) => row))).toBe(before)
    expect(bench.run(alice, call(address, 'transfer', { input, gasLimit: needed }))).toBeUndefined()
    expect(calledOf(bench).gasUsed).toBe(needed)
  })
})
