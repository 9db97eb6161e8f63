/** Fees, sponsorship and account admission: off until the chain turns them on (docs/design/lanes.md 5). */

import { beforeEach, describe, expect, it } from 'vitest'
import { normalizeNumeric } from '../../../src/codec/index.js'
import { accounts, accountUse, parameters } from '../../../src/executor/index.js'
import { instructions as accountInstructions } from '../../../src/features/accounts/schema.js'
import { sponsorships } from '../../../src/features/fees/ledger.js'
import type { Beneficiary } from '../../../src/features/fees/schema.js'
import {
  FEE_ASSET,
  FEE_PER_TEU,
  FEE_SINK,
  FEE_SPONSORSHIP,
  instructions as fees,
} from '../../../src/features/fees/schema.js'
import { admissions } from '../../../src/ledger/admission-tables.js'
import { accountRoles, balances, definitions, feePools } from '../../../src/ledger/tables.js'
import {
  ACCOUNT_ADMISSION,
  type AccountId,
  formatAddress,
  type Instruction,
  instruction,
  type ParameterDef,
} from '../../../src/model/index.js'
import { Blocks, entry, eventsOf } from '../../support/blocks.js'
import { codec } from '../../support/chain.js'
import * as core from '../../support/core.js'
import { accountNamed, type Bench } from '../../support/executor.js'

const { owner, alice, bob, agent, USD, units } = core
const GAS = 'gas#bank'
const DAY_MS = 86_400_000

let bench: Bench
let blocks: Blocks
beforeEach(() => {
  bench = core.smallWorld()
  bench.genesis(owner, core.registerDefinition(GAS), core.mint(alice, 1_000n, GAS), core.mint(bob, 1_000n, GAS))
  blocks = new Blocks(bench)
})

function set<T>(def: ParameterDef<T>, value: T): void {
  bench.state.set(parameters, def.name, { current: def.schema.encode(value, codec), staged: [] })
}
/** A hundredth of a unit each. */
function turnOn(sink: Parameters<typeof set<typeof FEE_SINK.fallback>>[1] = FEE_SINK.fallback): void {
  set(FEE_ASSET, GAS)
  set(FEE_PER_TEU, units(1n, 2))
  set(FEE_SINK, sink)
}
const gas = (account: AccountId) => bench.state.get(balances, core.balance(account, GAS)) ?? units(0n)
const total = () => bench.state.get(definitions, GAS)?.total
/** Units of a transaction or a run that writes a short log, as it is metered. */
const LOG_TEU = 86
const LOG_RUN_TEU = 320
/** The largest limit of one whose sponsor is asked for. */
const SPONSORED_TEU = 300
/** Remainder of a thousand after a hundredth for each unit. */
const left = (teu: number) => normalizeNumeric(units(100_000n - BigInt(teu), 2))
const limit = (teu: number) => new Map([['teu_limit', teu]])
const sponsoredBy = (account: AccountId) =>
  new Map<string, string | number>([
    ['fee_sponsor', formatAddress(account)],
    ['teu_limit', SPONSORED_TEU],
  ])

describe('a fee', () => {
  it('is zero without a price, an asset, or units', () => {
    expect(blocks.run(10, entry(alice, [core.log('x')])).invalidTransactions).toEqual([])
    set(FEE_PER_TEU, units(1n))
    expect(blocks.run(11, entry(agent, [core.log('x')])).invalidTransactions).toEqual([])
    set(FEE_ASSET, 'none#bank')
    expect(blocks.run(12, entry(agent, [core.log('x')])).invalidTransactions).toEqual([])
    bench.genesis(owner, core.registerDefinition('none#bank'))
    expect(blocks.run(13, entry(agent, [core.log('x')])).invalidTransactions).toEqual([])
    expect(gas(alice)).toEqual(units(1_000n))
  })

  it('is the price of the metered units, and burned unless it has a beneficiary', () => {
    turnOn()
    const run = blocks.run(10, entry(alice, [core.log('x')]))
    expect(run.results[0]?.teu).toBe(LOG_TEU)
    expect(eventsOf(run, 'feePaid')).toEqual([
      { payer: alice, definition: GAS, amount: units(BigInt(LOG_TEU), 2), to: undefined },
    ])
    expect(gas(alice)).toEqual(left(LOG_TEU))
    expect(total()).toEqual(units(200_000n - BigInt(LOG_TEU), 2))
  })

  it('includes the cost of triggers, and is due even if the transaction is rejected', () => {
    turnOn({ kind: 'account', value: owner })
    bench.genesis(alice, core.registerTrigger('t', alice, core.onData('log'), [core.transfer(alice, bob, 1_000n)]))
    const run = blocks.run(10, entry(bob, [core.log('x')]))
    expect(run.results[0]).toMatchObject({ outcome: { kind: 'rejected' }, teu: 184 })
    expect(gas(bob)).toEqual(left(184))
    expect(gas(owner)).toEqual(units(184n, 2))
    expect(total()).toEqual(units(2_000n))
  })

  it('is paid into the fee pot, which remains part of the total supply', () => {
    turnOn({ kind: 'pot', value: undefined })
    blocks.run(10, entry(alice, [core.log('x')]), entry(bob, [core.log('x')]))
    expect(bench.state.get(feePools, GAS)).toEqual(units(2n * BigInt(LOG_TEU), 2))
    expect(total()).toEqual(units(2_000n))
  })

  it('is rounded up to the precision of its asset', () => {
    turnOn()
    set(FEE_PER_TEU, units(1n, 4))
    blocks.run(10, entry(alice, [core.log('x')]))
    expect(gas(alice)).toEqual(units(99_999n, 2))
  })

  it('excludes the transaction if the payer cannot pay the maximum fee', () => {
    turnOn()
    set(FEE_PER_TEU, units(1n))
    const rich = entry(alice, [core.log('x')])
    // 60,000 units at most, of which Alice holds 1,000.
    expect(blocks.run(10, rich).invalidTransactions).toMatchObject([
      {
        index: 0,
        code: 'fee_unpayable',
        message: expect.stringMatching(/^the maximum fee is \S+, but the balance is \S+ \S+ of cw1/),
      },
    ])
    expect(blocks.run(11, entry(alice, [core.log('x')], { metadata: limit(1_000) })).invalidTransactions).toEqual([])
    // An amount spent by an earlier transaction of the block is no longer there for the next one.
    const two = [1, 2].map(() => entry(alice, [core.transfer(alice, bob, 500n, GAS)], { metadata: limit(300) }))
    expect(blocks.run(12, ...two).invalidTransactions.map((one) => one.index)).toEqual([1])
    expect(gas(alice).mantissa >= 0n).toBe(true)
  })

  it('is bounded by the limit of the transaction', () => {
    turnOn()
    bench.genesis(alice, core.registerTrigger('t', alice, core.onData('log'), [core.transfer(alice, bob, 1n)]))
    const run = blocks.run(10, entry(bob, [core.log('x')], { metadata: limit(100) }))
    expect(run.rejections.get(0)?.code).toBe('teu_exhausted')
    expect(gas(bob)).toEqual(left(94))
  })

  it('prevents the removal of its payer in the same transaction while it is reserved', () => {
    turnOn()
    bench.genesis(owner, core.mint(agent, 3n, GAS))
    const run = blocks.run(10, entry(agent, [core.unregister('Account', agent)], { metadata: limit(300) }))
    expect(run.rejections.get(0)?.code).toBe('not_empty')
    expect(bench.state.has(accounts, agent)).toBe(true)
  })

  it('prevents the removal of its asset and its receiving account', () => {
    turnOn({ kind: 'account', value: agent })
    expect(bench.run(agent, core.unregister('Account', agent))).toBe('not_empty')
    const other = accountNamed('other')
    bench.genesis(owner, core.registerAccount(other))
    expect(bench.run(other, core.unregister('Account', other))).toBeUndefined()
    bench.genesis(owner, core.burn(alice, 1_000n, GAS), core.burn(bob, 1_000n, GAS))
    expect(bench.run(owner, core.unregister('AssetDefinition', GAS))).toBe('not_empty')
  })
})

describe('a run of a time or pre-commit trigger', () => {
  const timed = (metadata: ReadonlyMap<string, string | number> = new Map(), account = alice): void => {
    const trigger = core.registerTrigger('clock', account, core.every(10, 10), [core.log('x')])
    bench.genesis(account, { ...trigger, value: { ...(trigger.value as object), metadata } })
  }

  it('is paid by the trigger account at the metered cost, and costs nothing while fees are off', () => {
    timed()
    blocks.run(10)
    expect(gas(alice)).toEqual(units(1_000n))
    turnOn()
    const run = blocks.run(20)
    expect(run.results.map((one) => [one.outcome.kind, one.teu])).toEqual([['approved', LOG_RUN_TEU]])
    expect(eventsOf(run, 'feePaid')).toMatchObject([
      { payer: alice, definition: GAS, amount: normalizeNumeric(units(BigInt(LOG_RUN_TEU), 2)) },
    ])
    expect([gas(alice), total()]).toEqual([
      left(LOG_RUN_TEU),
      normalizeNumeric(units(200_000n - BigInt(LOG_RUN_TEU), 2)),
    ])
    bench.genesis(bob, core.registerTrigger('end', bob, { kind: 'preCommit', value: undefined }, [core.log('y')]))
    blocks.run(21)
    expect(gas(bob)).toEqual(left(LOG_RUN_TEU))
  })

  it('does not execute if the account cannot pay, and the third failure disables the trigger', () => {
    timed(new Map(), agent)
    turnOn()
    for (const timeMs of [10, 20, 30]) {
      const run = blocks.run(timeMs)
      expect(run.results.map((one) => [one.outcome.kind, one.teu])).toEqual([['rejected', LOG_RUN_TEU - 7]])
      expect(eventsOf(run, 'triggerRan')).toMatchObject([{ trigger: 'clock', error: 'fee_unpayable' }])
      expect(eventsOf(run, 'logged')).toEqual([])
    }
    expect(blocks.run(40).results).toEqual([])
    expect(total()).toEqual(units(2_000n))
  })

  it('costs at most the limit in the trigger metadata, which may also name a sponsor', () => {
    turnOn()
    set(FEE_SPONSORSHIP, true)
    const terms = { maxPerTx: units(4n), maxPerDay: units(15n), expiresMs: undefined }
    expect(
      bench.run(bob, instruction(fees.sponsorFees, { beneficiary: { kind: 'account', value: agent }, terms })),
    ).toBeUndefined()
    // Without a limit the largest fee is that of a whole transaction, which the sponsor does not bear.
    timed(new Map([['fee_sponsor', formatAddress(bob)]]), agent)
    expect(eventsOf(blocks.run(10), 'triggerRan')).toMatchObject([{ error: 'fee_unpayable' }])
    bench.genesis(agent, core.unregister('Trigger', 'clock'))
    timed(sponsoredBy(bob), agent)
    const run = blocks.run(20)
    expect(eventsOf(run, 'feePaid')).toMatchObject([{ payer: bob }])
    expect(gas(bob)).toEqual(left(run.results[0]?.teu ?? 0))
  })

  it.each([512, 16_000])('ignores a metadata option of %i bytes, both as limit and as sponsor', (length) => {
    timed(new Map([['note_of_few', 'x'.repeat(length)]]))
    const [noted] = blocks.run(10).results
    bench.genesis(alice, core.unregister('Trigger', 'clock'))
    timed(new Map([['fee_sponsor', 'x'.repeat(length)]]))
    expect(blocks.run(20).results[0]?.teu).toBe(noted?.teu)
    turnOn()
    set(FEE_SPONSORSHIP, true)
    expect(eventsOf(blocks.run(30), 'triggerRan')).toMatchObject([{ error: 'fee_unpayable' }])
  })
})

describe('a sponsorship', () => {
  const sponsor = (beneficiary: Beneficiary, maxPerTx: bigint, maxPerDay: bigint, expiresMs?: number): Instruction =>
    instruction(fees.sponsorFees, {
      beneficiary,
      terms: { maxPerTx: units(maxPerTx), maxPerDay: units(maxPerDay), expiresMs },
    })
  const used = () => entry(agent, [core.log('x')], { metadata: sponsoredBy(alice) })
  const codes = (timeMs: number) => blocks.run(timeMs, used()).invalidTransactions.map((one) => one.code)
  const AGENT = { kind: 'account', value: agent } as const

  beforeEach(() => {
    turnOn()
    set(FEE_PER_TEU, units(1n))
    set(FEE_SPONSORSHIP, true)
  })

  it('pays for the named account, up to its caps, until it ends', () => {
    expect(codes(10)).toEqual(['fee_unpayable'])
    expect(bench.run(alice, sponsor(AGENT, 300n, 400n, 2 * DAY_MS))).toBeUndefined()
    expect(codes(11)).toEqual([])
    expect(codes(12)).toEqual([])
    expect(gas(alice)).toEqual(units(1_000n - 2n * 92n))
    expect(codes(13)).toEqual(['fee_unpayable'])
    expect(codes(DAY_MS)).toEqual([])
    expect(codes(2 * DAY_MS)).toEqual(['fee_unpayable'])
    expect(bench.run(alice, sponsor(AGENT, 299n, 1_000n))).toBeUndefined()
    expect(codes(2 * DAY_MS + 1)).toEqual(['fee_unpayable'])
  })

  it('pays for all accounts of a domain', () => {
    expect(bench.run(alice, sponsor({ kind: 'domain', value: 'bank' }, 300n, 300n))).toBeUndefined()
    expect(codes(10)).toEqual([])
  })

  it('requires permission by the chain, and can be ended by the sponsor', () => {
    expect(bench.run(alice, sponsor(AGENT, 300n, 900n))).toBeUndefined()
    expect(bench.run(alice, sponsor(AGENT, 300n, 1_000n))).toBeUndefined()
    // Other terms are no second object.
    expect(bench.state.get(accountUse, alice)?.objects).toBe(4)
    set(FEE_SPONSORSHIP, false)
    expect(codes(10)).toEqual(['fee_unpayable'])
    set(FEE_SPONSORSHIP, true)
    expect(codes(11)).toEqual([])
    expect(bench.run(alice, instruction(fees.sponsorFees, { beneficiary: AGENT, terms: undefined }))).toBeUndefined()
    expect(codes(12)).toEqual(['fee_unpayable'])
    expect(
      bench.state.get(sponsorships, { sponsor: alice, beneficiary: { kind: 'account', value: agent } }),
    ).toBeUndefined()
  })

  it('does not apply to an account registered later in a domain with the same id', () => {
    expect(bench.run(alice, sponsor({ kind: 'domain', value: 'shop' }, 300n, 300n))).toBeUndefined()
    bench.genesis(alice, core.unregister('Domain', 'shop'), core.registerDomain('shop'))
    const guest = accountNamed('guest')
    bench.genesis(alice, core.registerAccount(guest, undefined, 'shop'))
    const run = blocks.run(10, entry(guest, [core.log('x')], { metadata: sponsoredBy(alice) }))
    expect(run.invalidTransactions.map((one) => one.code)).toEqual(['fee_unpayable'])
  })
})

describe('account admission', () => {
  const fresh = (index = 0) => accountNamed(`fresh ${index}`)
  const allow = (policy: object = {}): Instruction =>
    instruction(accountInstructions.setAdmission, {
      domain: 'bank',
      policy: { mode: 'implicit', maxPerTx: 3, maxPerBlock: 5, minimum: undefined, defaultRole: undefined, ...policy },
    })
  const CHAIN_ALLOWS = { mode: 'implicit', maxPerTx: 16, maxPerBlock: 256 } as const

  it('is explicit by default, and value creates accounts only if both chain and domain allow it', () => {
    expect(bench.run(alice, core.transfer(alice, fresh(), 1n))).toBe('unknown_account')
    expect(bench.run(owner, allow())).toBeUndefined()
    expect(bench.run(alice, core.transfer(alice, fresh(), 1n))).toBe('unknown_account')
    set(ACCOUNT_ADMISSION, CHAIN_ALLOWS)
    bench.state.delete(admissions, 'bank')
    expect(bench.run(alice, core.transfer(alice, fresh(), 1n))).toBe('unknown_account')
  })

  it('lets a transfer, a batch and a mint create an account in the domain of the definition', () => {
    set(ACCOUNT_ADMISSION, CHAIN_ALLOWS)
    expect(bench.run(owner, allow())).toBeUndefined()
    expect(bench.run(alice, core.transfer(alice, fresh(1), 1n))).toBeUndefined()
    expect(bench.run(alice, core.batch([alice, fresh(2), 1n]))).toBeUndefined()
    expect(bench.run(owner, core.mint(fresh(3), 1n))).toBeUndefined()
    for (const index of [1, 2, 3]) expect(bench.state.get(accounts, fresh(index))?.domain).toBe('bank')
    expect(bench.run(fresh(1), core.transfer(fresh(1), alice, 1n))).toBeUndefined()
  })

  it('is limited per transaction and per block, by the stricter limit of chain and domain', () => {
    set(ACCOUNT_ADMISSION, { ...CHAIN_ALLOWS, maxPerTx: 2 })
    expect(bench.run(owner, allow())).toBeUndefined()
    const to = (...which: number[]) => which.map((index) => core.transfer(alice, fresh(index), 1n))
    expect(bench.run(alice, ...to(1, 2, 3))).toBe('admission_limit')
    expect(bench.run(alice, ...to(1, 2))).toBeUndefined()
    expect(bench.run(alice, ...to(3, 4))).toBeUndefined()
    expect(bench.run(alice, ...to(5, 6))).toBe('admission_limit')
    expect(bench.run(alice, ...to(5))).toBeUndefined()
    expect(bench.run(alice, ...to(6))).toBe('admission_limit')
    bench.height += 1
    expect(bench.run(alice, ...to(6))).toBeUndefined()
  })

  it('requires the minimum amount, and grants the default role while its permissions are allowed', () => {
    set(ACCOUNT_ADMISSION, CHAIN_ALLOWS)
    bench.genesis(owner, core.registerRole('guest', [['CanBurn', USD]], [bob]))
    expect(bench.run(owner, allow({ minimum: units(5n), defaultRole: 'guest' }))).toBeUndefined()
    expect(bench.run(alice, core.transfer(alice, fresh(), 4n))).toBe('admission_limit')
    expect(bench.run(alice, core.transfer(alice, fresh(), 5n))).toBeUndefined()
    expect(bench.state.get(accountRoles, fresh())).toEqual(['guest'])
    bench.genesis(owner, core.rolePermission('grant', 'CanManagePeers', undefined, 'guest'))
    expect(bench.run(alice, core.transfer(alice, fresh(1), 5n))).toBe('not_permitted')
  })

  it('continues to grant the default role when an object of its permissions is removed', () => {
    set(ACCOUNT_ADMISSION, CHAIN_ALLOWS)
    bench.genesis(owner, core.registerDefinition('old#bank'), core.registerRole('guest', [['CanBurn', 'old#bank']]))
    expect(bench.run(owner, core.unregister('AssetDefinition', 'old#bank'))).toBeUndefined()
    expect(bench.run(owner, allow({ defaultRole: 'guest' }))).toBeUndefined()
    expect(bench.run(alice, core.transfer(alice, fresh(), 5n))).toBeUndefined()
    expect(bench.state.get(accountRoles, fresh())).toEqual(['guest'])
  })
})
