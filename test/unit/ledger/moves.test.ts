// Value held by features: escrows, vaults, agreed payments. Every movement is checked the same way, and no unit
// appears or is lost.

import { beforeEach, describe, expect, it } from 'vitest'
import { accounts, reject, rosterAt } from '../../../src/executor/index.js'
import { instructions as accountInstructions } from '../../../src/features/accounts/schema.js'
import { instructions as permissions } from '../../../src/features/permissions/schema.js'
import { escrowed } from '../../../src/ledger/escrows.js'
import { aliases, balances, definitions } from '../../../src/ledger/tables.js'
import {
  type AccountId,
  type Instruction,
  instruction,
  keylessAccount,
  type Mintable,
} from '../../../src/model/index.js'
import { Blocks } from '../../support/blocks.js'
import * as core from '../../support/core.js'
import { DEPOSIT_ABI, type Deposit, depositAbi, depositKey, depositVault, escrowOf } from '../../support/deposits.js'
import { EMPTY_ELECTION } from '../../support/elections.js'
import type { Bench } from '../../support/executor.js'

const { alice, bob, owner, outsider, USD } = core
const KEY = depositKey(1)
const VAULT = depositVault(KEY)

let bench: Bench
beforeEach(() => {
  bench = core.smallWorld(DEPOSIT_ABI)
})

const held = (account: AccountId) => bench.state.get(balances, core.balance(account))?.mantissa ?? 0n
const inEscrow = () => escrowed(bench.state, escrowOf(KEY, USD)).mantissa
const total = () => bench.state.get(definitions, USD)?.total.mantissa
const make = (by: AccountId, amount: bigint, more: Partial<Deposit> = {}) =>
  bench.run(by, {
    kind: 'makeDeposit',
    value: { key: KEY, asset: core.balance(by), amount: core.units(amount), to: bob, dueMs: undefined, ...more },
  })
const pay = () => bench.run(outsider, { kind: 'payDeposit', value: { key: KEY } })
const giveBack = () => bench.run(alice, { kind: 'returnDeposit', value: { key: KEY } })
const control = (kind: string, account: AccountId, more: object): Instruction => ({
  kind,
  value: { asset: core.balance(account), ...more },
})
const blacklist = (account: AccountId, value = true) => control('setBlacklist', account, { blacklisted: value })
const freeze = (account: AccountId, value = true) => control('setFreeze', account, { frozen: value, reason: undefined })

describe('an escrow', () => {
  it('removes value from a balance, and still counts in the total supply', () => {
    expect(make(alice, 30n)).toBeUndefined()
    expect([held(alice), inEscrow(), total()]).toEqual([70n, 30n, 100n])
    expect(bench.eventKinds).toContain('held')
    expect(pay()).toBeUndefined()
    expect([held(alice), inEscrow(), held(bob), total()]).toEqual([70n, 0n, 30n, 100n])
    expect(bench.eventKinds).toContain('released')
  })

  it.each([
    ['more than the payer has', 101n, 'not_enough'],
    ['nothing', 0n, 'bad_amount'],
  ])('does not accept %s', (_what, amount, code) => {
    expect(make(alice, amount)).toBe(code)
    expect([held(alice), inEscrow()]).toEqual([100n, 0n])
  })

  it.each([
    ['frozen', freeze, 'asset_frozen'],
    ['blacklisted', blacklist, 'asset_blacklisted'],
  ])('cannot be funded by a payer that is %s', (_what, bar, code) => {
    bench.genesis(owner, bar(alice))
    expect(make(alice, 30n)).toBe(code)
  })

  it('counts only once against the caps of the payer', () => {
    bench.genesis(owner, control('setLimits', alice, { limits: [{ window: 'day', cap: core.units(40n) }] }))
    expect(make(alice, 30n)).toBeUndefined()
    expect(bench.run(alice, core.transfer(alice, bob, 11n))).toBe('transfer_limit')
    expect(pay()).toBeUndefined()
    expect(bench.run(alice, core.transfer(alice, bob, 10n))).toBeUndefined()
  })

  it('is paid out or returned even while the payer is frozen', () => {
    make(alice, 30n)
    bench.genesis(owner, freeze(alice))
    expect(giveBack()).toBeUndefined()
    expect([held(alice), inEscrow()]).toEqual([100n, 0n])
  })

  it('keeps value that cannot be returned to a blacklisted payer, emits an event, and returns it afterwards', () => {
    make(alice, 30n)
    bench.genesis(owner, blacklist(alice))
    expect(giveBack()).toBeUndefined()
    expect(bench.events.at(-1)).toEqual({ kind: 'depositPaid', value: { key: KEY, failed: 'asset_blacklisted' } })
    expect([held(alice), inEscrow()]).toEqual([70n, 30n])
    bench.genesis(owner, blacklist(alice, false))
    expect(giveBack()).toBeUndefined()
    expect([held(alice), inEscrow()]).toEqual([100n, 0n])
  })

  it.each([
    ['on the blacklist', bob, 'asset_blacklisted'],
    ['not registered', core.balance(keylessAccount('contract', KEY)).account, 'unknown_account'],
    ['a vault', VAULT, 'vault_closed'],
  ])('cannot be paid to an account that is %s', (what, to, code) => {
    make(alice, 30n, { to })
    if (what === 'on the blacklist') bench.genesis(owner, blacklist(bob))
    expect(pay()).toBe(code)
    expect(inEscrow()).toBe(30n)
  })
})

describe('a vault', () => {
  const open = () => bench.run(alice, { kind: 'openDepositVault', value: { key: KEY, definition: USD } })
  const fill = (amount: bigint, other = alice) =>
    bench.run(outsider, { kind: 'fillVault', value: { key: KEY, definition: USD, other, amount: core.units(amount) } })
  const empty = (amount: bigint, other = bob) =>
    bench.run(outsider, { kind: 'emptyVault', value: { key: KEY, definition: USD, other, amount: core.units(amount) } })
  const close = () => bench.run(alice, { kind: 'closeDepositVault', value: { key: KEY } })

  it('holds value that only its feature can move, and can be removed when empty', () => {
    expect(open()).toBeUndefined()
    expect(bench.state.get(accounts, VAULT)?.domain).toBe('bank')
    expect(fill(40n)).toBeUndefined()
    expect([held(alice), held(VAULT), total()]).toEqual([60n, 40n, 100n])
    expect(close()).toBe('not_empty')
    expect(empty(40n)).toBeUndefined()
    expect(close()).toBeUndefined()
    expect(bench.state.get(accounts, VAULT)).toBeUndefined()
  })

  it('rejects transfers, mints, burns, fees, and access by the owner of the definition', () => {
    open()
    fill(40n)
    expect(bench.run(alice, core.transfer(alice, VAULT, 1n))).toBe('vault_closed')
    const bank = { kind: 'domain', value: 'bank' } as const
    expect(bench.run(owner, instruction(permissions.transferOwnership, { object: bank, to: VAULT }))).toBe(
      'vault_closed',
    )
    expect(bench.run(owner, core.mint(VAULT, 1n))).toBe('vault_closed')
    expect(bench.run(owner, core.burn(VAULT, 1n))).toBe('vault_closed')
    bench.genesis(owner, core.permission('grant', 'CanTransfer', USD, outsider))
    expect(bench.run(outsider, core.transfer(VAULT, bob, 1n))).toBe('vault_closed')
    expect(held(VAULT)).toBe(40n)
    const sink = DEPOSIT_ABI.parameters.find(({ name }) => name === 'fee_sink')
    expect(sink?.check?.({ kind: 'account', value: VAULT })).toContain('vault')
  })

  it('can be frozen by the issuer, but not emptied', () => {
    open()
    fill(40n)
    expect(bench.run(owner, freeze(VAULT))).toBeUndefined()
    expect(empty(1n)).toBe('asset_frozen')
    expect(held(VAULT)).toBe(40n)
  })
})

describe('an account without a key', () => {
  const contract = keylessAccount('contract', KEY)
  it('is neither created nor removed by account instructions or transfers', () => {
    expect(bench.run(owner, core.registerAccount(contract))).toBe('not_permitted')
    bench.genesis(
      owner,
      instruction(accountInstructions.setAdmission, {
        domain: 'bank',
        policy: { mode: 'implicit', maxPerTx: 5, maxPerBlock: 5, minimum: undefined, defaultRole: undefined },
      }),
    )
    expect(bench.run(alice, core.transfer(alice, contract, 1n))).toBe('unknown_account')
    bench.run(alice, { kind: 'openDepositVault', value: { key: KEY, definition: USD } })
    expect(bench.run(owner, core.unregister('Account', VAULT))).toBe('not_permitted')
  })

  it('cannot be a member of a multisig account', () => {
    const policy = { ...core.PAIR, members: [{ account: contract, weight: 1 }], quorum: 1 }
    expect(bench.run(owner, core.registerMultisig(policy))).toBe('bad_policy')
  })
})

describe('minting', () => {
  const define = (id: string, mintable: Mintable) => bench.genesis(owner, core.registerDefinition(id, mintable))
  const mint = (id: string) => bench.run(owner, core.mint(alice, 1n, id))
  const changes = () => bench.events.filter(({ kind }) => kind === 'mintabilityChanged').map(({ value }) => value)

  it('of a mint-once asset succeeds once, and emits an event that minting is closed', () => {
    define('once#bank', { kind: 'once', value: undefined })
    expect([mint('once#bank'), mint('once#bank')]).toEqual([undefined, 'unmintable'])
    expect(changes()).toEqual([{ definition: 'once#bank', mintable: { kind: 'not', value: undefined } }])
  })

  it('of a limited asset counts down, and emits an event when minting is closed', () => {
    define('few#bank', { kind: 'limited', value: 2 })
    expect([mint('few#bank'), changes()]).toEqual([undefined, []])
    expect([mint('few#bank'), mint('few#bank')]).toEqual([undefined, 'unmintable'])
    expect(changes()).toEqual([{ definition: 'few#bank', mintable: { kind: 'not', value: undefined } }])
  })

  it('of an unlimited asset does not change its mintability', () => {
    expect([mint(USD), mint(USD), changes()]).toEqual([undefined, undefined, []])
  })
})

describe('permission to use a label', () => {
  it('is decided by the label feature, both when a label is set and when it is removed', () => {
    const asked: string[] = []
    const refuse = new Set<string>()
    const agree =
      (what: string) =>
      (_ctx: unknown, { label, domain }: { label: string; domain: string }) => {
        asked.push(`${what} ${label}@${domain}`)
        return refuse.has(what) ? reject('bad_label', 'it is kept') : undefined
      }
    bench = core.smallWorld(
      depositAbi({ aliasLabels: { accountOf: () => undefined, claim: agree('claim'), release: agree('release') } }),
    )
    asked.length = 0
    const relabel = (label: string | undefined) =>
      bench.run(alice, instruction(accountInstructions.setLabel, { account: alice, label }))
    expect(relabel('ally')).toBeUndefined()
    expect(asked).toEqual(['claim ally@bank', 'release alice@bank'])
    refuse.add('claim')
    expect(relabel('other')).toBe('bad_label')
    refuse.clear()
    refuse.add('release')
    expect(relabel(undefined)).toBe('bad_label')
    expect(bench.state.get(accounts, alice)?.label).toBe('ally')
    expect(bench.state.get(aliases, { domain: 'bank', label: 'ally' })).toBe(alice)
  })
})

describe('the roster', () => {
  it('comes from the election with its epoch and seed, or else from the registered validators', () => {
    const named = { epoch: 7, seed: Buffer.alloc(32, 9), roster: [], rotated: new Map() }
    const source = (_state: unknown, height: number) => (height >= 4 ? named : undefined)
    const election = { ...EMPTY_ELECTION, rosterAt: source }
    bench = core.smallWorld(depositAbi({ election }))
    const blocks = new Blocks(bench)
    blocks.run(1)
    expect(rosterAt(bench.state, 4)).toEqual(named)
    expect(rosterAt(bench.state, 3)?.epoch).toBe(0)
  })
})
