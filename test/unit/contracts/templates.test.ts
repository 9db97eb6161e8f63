/** The templates that hold assets of the ledger: what comes in goes where they say, and nowhere else. */

import { readFile } from 'node:fs/promises'
import { describe, expect, it } from 'vitest'
import { declaredEvents } from '../../../src/cli/contract/project.js'
import { hash } from '../../../src/crypto/index.js'
import { instructions as assets } from '../../../src/features/assets/schema/instructions.js'
import { balances } from '../../../src/ledger/tables.js'
import { type AccountId, formatAddress, instruction } from '../../../src/model/index.js'
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
  entry,
  mallory,
  manifestOf,
} from '../../support/contracts.js'
import * as core from '../../support/core.js'
import type { Bench } from '../../support/executor.js'

const text = (id: AccountId): string => formatAddress(id, 'cw')
const gold = (bench: Bench, account: AccountId): string => {
  const held = bench.state.get(balances, { definition: 'gold#bank', account })
  return held === undefined ? '0' : `${held.mantissa}e-${held.scale}`
}
const carry = (mantissa: bigint, scale = 0) => [{ definition: 'gold#bank', amount: { mantissa, scale } }]

describe('the escrow', () => {
  const ENTRIES = [
    entry('init', 'init', { buyer: 'account', seller: 'account', asset: 'asset', amount: 'numeric', timeoutMs: 'u64' }),
    entry('fund', 'public', {}, { payable: true }),
    entry('release'),
    entry('refund'),
    entry('held', 'view', {}, { result: 'numeric' }),
  ]
  const code = compiled('escrow')
  function escrow() {
    const bench = contractBench()
    const terms = { buyer: text(alice), seller: text(bob), asset: 'gold#bank', amount: '25', timeoutMs: '1000' }
    const address = deployed(bench, code, manifestOf(code, ENTRIES), { input: args(ENTRIES, 'init', terms) })
    return { bench, address }
  }

  it('rejects a payment that does not match its terms', () => {
    const { bench, address } = escrow()
    expect(bench.run(alice, core.transfer(alice, mallory, 25n, 'gold#bank'))).toBeUndefined()
    expect(bench.run(alice, call(address, 'fund', { attach: carry(1n) }))).toBe('contract_trap')
    expect(calledOf(bench).abortCode).toBe(5)
    expect(bench.run(mallory, call(address, 'fund', { attach: carry(25n) }))).toBe('contract_trap')
    expect(calledOf(bench).abortCode).toBe(1)
    expect([gold(bench, address), gold(bench, mallory), gold(bench, alice)]).toEqual(['0', '25e-0', '975e-0'])
  })

  it('pays the seller once when the buyer releases', () => {
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

  it('refunds the buyer after the deadline, and not before', () => {
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
    entry('init', 'init', { asset: 'asset', digits: 'u32' }),
    entry('add', 'public', { account: 'account', weight: 'u32' }, { permission: 'owner' }),
    entry('split', 'public', {}, { payable: true }),
    entry('members', 'view', {}, { result: 'u32' }),
  ]
  const code = compiled('splitter')
  function splitter(bench: Bench, asset: string, digits: number) {
    const input = args(ENTRIES, 'init', { asset, digits })
    const address = deployed(bench, code, manifestOf(code, ENTRIES), { input })
    const add = (account: AccountId, weight: number) =>
      call(address, 'add', { input: args(ENTRIES, 'add', { account: text(account), weight }) })
    return { address, add }
  }

  it('splits a payment by weights, to the last cent', () => {
    const bench = contractBench()
    const { address, add } = splitter(bench, 'gold#bank', 2)
    expect(bench.run(alice, call(address, 'split', { attach: carry(10n) }))).toBe('contract_trap')
    expect(bench.run(bob, add(bob, 1))).toBe('contract_trap')
    expect(bench.run(alice, add(bob, 2))).toBeUndefined()
    expect(bench.run(alice, add(mallory, 1))).toBeUndefined()
    expect(bench.run(alice, call(address, 'split', { attach: carry(10n) }))).toBeUndefined()
    expect([gold(bench, bob), gold(bench, mallory), gold(bench, address)]).toEqual(['666e-2', '334e-2', '0'])
  })

  it('splits an asset with the longest name', () => {
    const bench = contractBench()
    const asset = `${'x'.repeat(128)}#bank`
    bench.run(alice, core.registerDefinition(asset), core.mint(alice, 10n, asset))
    const { address, add } = splitter(bench, asset, 0)
    expect([bench.run(alice, add(bob, 1)), bench.run(alice, add(mallory, 1))]).toEqual([undefined, undefined])
    const attach = [{ definition: asset, amount: { mantissa: 3n, scale: 0 } }]
    expect(bench.run(alice, call(address, 'split', { attach }))).toBeUndefined()
    const held = [bob, mallory].map((account) => bench.state.get(balances, { definition: asset, account })?.mantissa)
    expect(held).toEqual([1n, 2n])
  })
})

describe('the auction', () => {
  const ENTRIES = [
    entry('init', 'init', { paidIn: 'asset', digits: 'u32', least: 'numeric', durationMs: 'u64', graceMs: 'u64' }),
    entry('offer', 'public', {}, { payable: true, permission: 'owner' }),
    entry('bid', 'public', {}, { payable: true }),
    entry('settle'),
    entry('cancel', 'public', {}, { permission: 'owner' }),
    entry('withdraw'),
    entry('highestBid', 'view', {}, { result: 'numeric' }),
    entry('owedTo', 'view', { account: 'account' }, { result: 'numeric' }),
  ]
  const code = compiled('auction')
  const bond = (mantissa: bigint) => [{ definition: 'bond#bank', amount: { mantissa, scale: 0 } }]
  const bonds = (bench: Bench, account: AccountId): bigint =>
    bench.state.get(balances, { definition: 'bond#bank', account })?.mantissa ?? 0n
  function auction() {
    const bench = contractBench()
    bench.run(alice, core.registerDefinition('bond#bank'), core.mint(alice, 7n, 'bond#bank'))
    for (const to of [bob, mallory])
      expect(bench.run(alice, core.transfer(alice, to, 100n, 'gold#bank'))).toBeUndefined()
    const terms = { paidIn: 'gold#bank', digits: 2, least: '10', durationMs: '1000', graceMs: '500' }
    const address = deployed(bench, code, manifestOf(code, ENTRIES), { input: args(ENTRIES, 'init', terms) })
    expect(bench.run(alice, call(address, 'offer', { attach: bond(7n) }))).toBeUndefined()
    return { bench, address }
  }
  const aborted = (bench: Bench): number => calledOf(bench).abortCode

  it('delivers the lot and pays for it in one call, and refunds outbid bidders', () => {
    const { bench, address } = auction()
    expect(bench.run(bob, call(address, 'bid', { attach: carry(9n) }))).toBe('contract_trap')
    expect(aborted(bench)).toBe(5)
    expect(bench.run(bob, call(address, 'bid', { attach: carry(20n) }))).toBeUndefined()
    expect(bench.run(mallory, call(address, 'bid', { attach: carry(20n) }))).toBe('contract_trap')
    expect(bench.run(mallory, call(address, 'bid', { attach: carry(30n) }))).toBeUndefined()
    expect(bench.run(bob, call(address, 'settle'))).toBe('contract_trap')
    expect(aborted(bench)).toBe(3)
    bench.timeMs += 1_000
    expect(bench.run(bob, call(address, 'bid', { attach: carry(40n) }))).toBe('contract_trap')
    expect(bench.run(bob, call(address, 'settle'))).toBeUndefined()
    expect([bonds(bench, mallory), gold(bench, alice), gold(bench, mallory)]).toEqual([7n, '830e-0', '70e-0'])
    expect(bench.run(bob, call(address, 'withdraw'))).toBeUndefined()
    expect([gold(bench, bob), gold(bench, address)]).toEqual(['100e-0', '0'])
    for (const again of ['withdraw', 'settle']) expect(bench.run(bob, call(address, again))).toBe('contract_trap')
  })

  it('can be cancelled by the seller, with refunds to both, if the winner cannot receive the lot', () => {
    const { bench, address } = auction()
    bench.run(mallory, call(address, 'bid', { attach: carry(30n) }))
    expect(
      bench.run(
        alice,
        instruction(assets.setBlacklist, { asset: core.balance(mallory, 'bond#bank'), blacklisted: true }),
      ),
    ).toBeUndefined()
    bench.timeMs += 1_000
    expect(bench.run(alice, call(address, 'settle'))).toBe('contract_trap')
    expect(aborted(bench)).toBe(1_004)
    expect(bench.run(alice, call(address, 'cancel'))).toBe('contract_trap')
    bench.timeMs += 500
    expect(bench.run(bob, call(address, 'cancel'))).toBe('contract_trap')
    expect(bench.run(alice, call(address, 'cancel'))).toBeUndefined()
    expect(bench.run(mallory, call(address, 'withdraw'))).toBeUndefined()
    expect([bonds(bench, alice), gold(bench, mallory), gold(bench, address)]).toEqual([7n, '100e-0', '0'])
  })
})

describe('the oracle', () => {
  const ENTRIES = [
    entry('init', 'init', { least: 'u32', maxAgeMs: 'u64', digits: 'u32', lowest: 'numeric', highest: 'numeric' }),
    entry('allow', 'public', { reporter: 'account' }, { permission: 'owner' }),
    entry('remove', 'public', { reporter: 'account' }, { permission: 'owner' }),
    entry('report', 'public', { value: 'numeric' }),
    // Here called from outside as well: what a view gives stands hashed in the outcome.
    entry('median', 'view', {}, { result: 'numeric' }),
    entry('reports', 'view', {}, { result: 'u32' }),
  ]
  const code = compiled('oracle')

  const terms = { least: 2, maxAgeMs: '1000', digits: 2, lowest: '0', highest: '1000000' }
  function oracle() {
    const bench = contractBench()
    const address = deployed(bench, code, manifestOf(code, ENTRIES), { input: args(ENTRIES, 'init', terms) })
    return { bench, address }
  }

  it('rejects bytes that are not a decimal, even from an allowed reporter', () => {
    const { bench, address } = oracle()
    const allow = args(ENTRIES, 'allow', { reporter: text(bob) })
    expect(bench.run(alice, call(address, 'allow', { input: allow }))).toBeUndefined()
    // Of no bytes, of a scale beyond 28, with a zero that the one form of a decimal does not have.
    for (const bytes of [[], [99, 1, 5], [1, 1, 50]]) {
      const input = Buffer.from([bytes.length, 0, 0, 0, ...bytes])
      expect(bench.run(bob, call(address, 'report', { input }))).toBe('contract_trap')
      expect(calledOf(bench).trap).toBe(TRAP.host_argument)
    }
  })

  it('returns the median of recent reports if there are enough', () => {
    const { bench, address } = oracle()
    const allow = (name: string, reporter: AccountId) =>
      bench.run(alice, call(address, name, { input: args(ENTRIES, name, { reporter: text(reporter) }) }))
    const report = (by: AccountId, value: string) =>
      bench.run(by, call(address, 'report', { input: args(ENTRIES, 'report', { value }) }))
    /** The median is this value, by the hash of what the view gives; undefined: there is none. */
    const medianIs = (value: string | undefined): boolean => {
      if (bench.run(alice, call(address, 'median')) !== undefined) return value === undefined
      const given = value === undefined ? Buffer.alloc(0) : args(ENTRIES, 'report', { value })
      return Buffer.from(calledOf(bench).output).equals(hash('contract:output', given))
    }
    expect(report(bob, '1')).toBe('contract_trap')
    for (const one of [alice, bob, mallory]) expect(allow('allow', one)).toBeUndefined()
    expect([report(bob, '103.5'), medianIs(undefined)]).toEqual([undefined, true])
    expect([report(alice, '99'), medianIs('101.25')]).toEqual([undefined, true])
    expect([report(mallory, '1000000'), medianIs('103.5')]).toEqual([undefined, true])
    expect([allow('remove', mallory), medianIs('101.25')]).toEqual([undefined, true])
    expect([allow('allow', mallory), report(mallory, '50'), medianIs('99')]).toEqual([undefined, undefined, true])
    bench.timeMs += 1_001
    expect([report(bob, '104'), medianIs(undefined)]).toEqual([undefined, true])
  })
})

describe('the events of a template', () => {
  it.each([
    ['token', ['transfer(from: account, to: account, amount: numeric)', 'mint(to: account, amount: numeric)']],
    ['splitter', ['split(asset: asset, amount: numeric)']],
    ['oracle', ['reported(reporter: account, value: numeric)']],
    [
      'escrow',
      [
        'funded(buyer: account, asset: asset, amount: numeric)',
        'released(to: account, amount: numeric)',
        'refunded(to: account, amount: numeric)',
      ],
    ],
    [
      'auction',
      [
        'offered(asset: asset, amount: numeric)',
        'bid(bidder: account, amount: numeric)',
        'settled(to: account, amount: numeric)',
        'cancelled()',
      ],
    ],
  ])('are declared for %s with the fields that the template emits', async (name, expected) => {
    const source = await readFile(new URL(`../../../templates/contract/${name}/contract.ts`, import.meta.url), 'utf8')
    const events = declaredEvents(source)
    expect(
      events.map(({ topic, fields }) => `${topic}(${fields.map((one) => `${one.name}: ${one.type}`).join(', ')})`),
    ).toEqual(expected)
    const topics = [...source.matchAll(/emit\('(\w+)'/g)].map(([, topic]) => topic)
    expect(events.map(({ topic }) => topic)).toEqual(expect.arrayContaining(topics))
  })
})
