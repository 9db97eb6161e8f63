/** Names on the ledger: every code, the order of checks by inputs with two faults, edges of time, labels and reservations. */
import { describe, expect, it } from 'vitest'
import { ABI_1 } from '../../../src/features/abi.js'
import { standingOf } from '../../../src/features/names/ledger/resolution.js'
import { names as nameTable, skeletons } from '../../../src/features/names/ledger/tables.js'
import { primaryNameOf } from '../../../src/features/names/ledger/targets.js'
import { instructions as names } from '../../../src/features/names/schema/instructions.js'
import { COMMITMENT_MAX_MS, YEAR_MS } from '../../../src/features/names/schema/records.js'
import { aliases, balances } from '../../../src/ledger/tables.js'
import { type Instruction, instruction } from '../../../src/model/index.js'
import * as core from '../../support/core.js'
import { Bench } from '../../support/executor.js'
import {
  alice,
  bob,
  carol,
  commit,
  DAY_MS,
  lease,
  leased,
  leasing,
  owner,
  register,
  setPolicy,
  unregistered,
} from '../../support/names.js'

const id = (label: string) => ({ domain: 'bank', label })
const standing = (bench: Bench, label: string) => standingOf(bench.state, id(label), bench.timeMs)
const accountOf = (bench: Bench, label: string) => bench.state.get(aliases, id(label))
const held = (bench: Bench, account: string): bigint => bench.state.get(balances, core.balance(account))?.mantissa ?? 0n

const renew = (name: string, years = 1, most?: bigint): Instruction =>
  instruction(names.renewName, {
    name,
    years,
    maxPrice: most === undefined ? undefined : { definition: core.USD, amount: core.units(most) },
  })
const transfer = (to: string, ...list: readonly string[]): Instruction =>
  instruction(names.transferName, { names: list, to })
const setAccount = (name: string, account: string): Instruction => instruction(names.setNameAccount, { name, account })
const records = (name: string, ...set: readonly (readonly [string, string | undefined])[]): Instruction =>
  instruction(names.setNameRecords, { name, set: set.map(([key, value]) => ({ key, value })) })
const manager = (name: string, of?: string): Instruction => instruction(names.setNameManager, { name, manager: of })
const primary = (name?: string): Instruction => instruction(names.setPrimaryName, { name })
const sub = (parent: string, label: string, of = alice, expiresMs?: number): Instruction =>
  instruction(names.createSubname, { parent, label, owner: of, account: undefined, expiresMs })
const removeSub = (name: string): Instruction => instruction(names.removeSubname, { name })
const release = (name: string): Instruction => instruction(names.releaseName, { name })
const prune = (name: string): Instruction => instruction(names.pruneName, { name })
const reserve = (
  label: string,
  assignee?: string,
  domain: string | undefined = 'bank',
  untilMs?: number,
): Instruction =>
  instruction(names.reserveNames, { domain, add: [{ label, assignee, untilMs, reason: 'kept' }], remove: [] })
const label = (account: string, text: string | undefined): Instruction => ({
  kind: 'setLabel',
  value: { account, label: text },
})

describe('the registration of a name', () => {
  it('pays the treasury, assigns the name to its owner, and lasts for the paid years', () => {
    const bench = leasing()
    expect(lease(bench, 'desk', alice, alice, { years: 2 })).toBeUndefined()
    expect([held(bench, alice), held(bench, owner)]).toEqual([480n, 520n])
    expect(accountOf(bench, 'desk')).toBe(alice)
    const edges = [2 * YEAR_MS, 30 * DAY_MS, 30 * DAY_MS]
    const seen = edges.map((ms) => {
      bench.timeMs += ms - 1
      const before = standing(bench, 'desk')
      bench.timeMs += 1
      return before
    })
    expect([...seen, standing(bench, 'desk')]).toEqual(['active', 'grace', 'quarantine', 'open'])
  })

  it('moves no value if the payer is the treasury, and costs more for short labels', () => {
    const bench = leasing()
    expect(lease(bench, 'desk', owner)).toBeUndefined()
    expect(held(bench, owner)).toBe(500n)
    expect(lease(bench, 'abc', alice)).toBeUndefined()
    expect(held(bench, alice)).toBe(480n)
  })

  it.each([
    ['bad_name', register('De', alice)],
    ['bad_name', register('a.b', alice)],
    ['bad_name', register('a'.repeat(64), alice)],
    ['bad_term', register('desk', alice, { years: 0 })],
    ['bad_term', register('desk', alice, { years: 6 })],
    ['bad_name', register('ab', alice)],
    ['bad_commitment', register('desk', alice)],
    // Two faults each: the first check decides.
    ['bad_name', register('De', alice, { years: 0 })],
    ['bad_term', register('ab', alice, { years: 0 })],
    ['bad_name', register('p2', alice)],
  ] as const)('is rejected with %s', (code, made) => {
    expect(leasing().run(alice, made)).toBe(code)
  })

  it.each([
    ['name_taken', 'owner', alice, {}],
    ['name_reserved', 'kept', alice, {}],
    ['name_confusable', 'd-esk', alice, {}],
    ['name_limit', 'third', bob, {}],
    ['unknown_account', 'other', unregistered, {}],
    ['unknown_account', 'other', alice, { account: unregistered }],
    ['price_changed', 'other', alice, { most: 4n }],
    ['price_changed', 'other', alice, { most: 400n, in: 'eur#bank' }],
    ['not_enough', 'other', carol, {}],
    // Two faults each.
    ['name_taken', 'owner', unregistered, {}],
    ['name_reserved', 'kept', alice, { most: 1n }],
    ['name_confusable', 'd-esk', unregistered, {}],
    ['name_limit', 'third', bob, { account: unregistered }],
    ['unknown_account', 'other', unregistered, { most: 1n }],
    ['price_changed', 'other', carol, { most: 1n }],
  ] as const)('is rejected with %s: %s', (code, text, of, more) => {
    const bench = leasing()
    expect(bench.run(owner, reserve('kept', carol))).toBeUndefined()
    for (const one of ['desk', 'first']) expect(lease(bench, one, bob, bob, { salt: 3 })).toBeUndefined()
    bench.genesis(owner, core.burn(carol, 498n))
    const by = of === unregistered ? alice : of
    expect(lease(bench, text, by, of, more)).toBe(code)
  })

  it('requires and consumes a commitment of the account that is between 5 seconds and 24 hours old', () => {
    for (const [wait, code] of [
      [4_999, 'bad_commitment'],
      [5_000, undefined],
      [COMMITMENT_MAX_MS, undefined],
      [COMMITMENT_MAX_MS + 1, 'bad_commitment'],
    ] as const) {
      const bench = leasing()
      bench.run(alice, commit(alice, 'desk'))
      bench.timeMs += wait
      expect(bench.run(bob, register('desk', alice)), 'a copy').toBe('bad_commitment')
      expect(bench.run(alice, register('desk', alice)), String(wait)).toBe(code)
      if (code === undefined) expect(bench.run(alice, register('desk', alice))).toBe('bad_commitment')
    }
  })

  it('accepts a commitment once, and at most eight commitments a day', () => {
    const bench = leasing()
    expect(bench.run(alice, commit(alice, 'desk'))).toBeUndefined()
    expect(bench.run(alice, commit(alice, 'desk'))).toBe('exists')
    expect(bench.run(bob, commit(alice, 'desk'))).toBeUndefined()
    for (let salt = 2; salt <= 8; salt += 1)
      expect(bench.run(alice, commit(alice, 'desk', alice, salt))).toBeUndefined()
    expect(bench.run(alice, commit(alice, 'desk', alice, 9))).toBe('name_limit')
    bench.timeMs += COMMITMENT_MAX_MS + 1
    expect(bench.run(alice, commit(alice, 'desk', alice, 9))).toBeUndefined()
  })

  it('is rejected for a ninth similar label, whichever accounts own the others', () => {
    const bench = leasing()
    bench.run(owner, setPolicy(2, { maxPerAccount: 20 }))
    const alike = ['llll', '1lll', 'l1ll', 'll1l', 'lll1', '11ll', 'l11l', 'll11']
    for (const one of alike) expect(lease(bench, one, alice)).toBeUndefined()
    expect(lease(bench, '1111', alice)).toBe('name_confusable')
    expect(bench.state.get(skeletons, { domain: 'bank', skeleton: 'llll' })).toHaveLength(8)
  })

  it('is rejected if the price exceeds 512 bits', () => {
    const bench = leasing()
    const price = { mantissa: 2n ** 510n, scale: 0 }
    expect(bench.run(owner, setPolicy(2, { prices: [price, price, price] }))).toBeUndefined()
    expect(lease(bench, 'desk', alice, alice, { years: 5 })).toBe('overflow')
  })

  it('replaces an open name of another owner, and its subnames end', () => {
    const bench = leased('desk')
    bench.run(alice, sub('desk@bank', 'pay'))
    bench.timeMs += YEAR_MS + 60 * DAY_MS
    expect(standing(bench, 'pay.desk')).toBe('open')
    expect(lease(bench, 'desk', bob)).toBeUndefined()
    expect([standing(bench, 'desk'), standing(bench, 'pay.desk')]).toEqual(['active', 'open'])
    expect(bench.state.get(nameTable, id('desk'))).toMatchObject({ owner: bob, subnames: 0, version: 2 })
    expect(bench.run(carol, prune('pay.desk@bank'))).toBeUndefined()
    expect(bench.run(bob, sub('desk@bank', 'pay', bob))).toBeUndefined()
  })
})

describe('a leased name', () => {
  it.each([
    ['bad_name', alice, renew('Desk@bank')],
    ['absent', alice, renew('other@bank')],
    ['name_not_leased', alice, renew('p2@bank')],
    ['bad_term', alice, renew('desk@bank', 0)],
    ['bad_term', alice, renew('desk@bank', 10)],
    ['price_changed', alice, renew('desk@bank', 1, 9n)],
    ['bad_name', alice, transfer(bob)],
    ['bad_name', alice, transfer(bob, 'a..b@bank')],
    ['absent', alice, transfer(bob, 'other@bank')],
    ['not_permitted', bob, transfer(bob, 'desk@bank')],
    ['not_permitted', bob, transfer(unregistered, 'desk@bank')],
    ['name_not_leased', alice, transfer(bob, 'p2@bank')],
    ['unknown_account', alice, transfer(unregistered, 'desk@bank')],
    ['not_permitted', bob, setAccount('desk@bank', bob)],
    ['name_not_leased', alice, setAccount('p2@bank', bob)],
    ['unknown_account', alice, setAccount('desk@bank', unregistered)],
    ['not_permitted', bob, records('desk@bank', ['text:a', 'x'])],
    ['not_permitted', bob, records('desk@bank', ['bad', 'x'])],
    ['bad_record', alice, records('desk@bank', ['bad', 'x'])],
    ['bad_record', alice, records('desk@bank', ['text:A', 'x'])],
    ['bad_record', alice, records('desk@bank', ['text:a', 'x\ny'])],
    ['bad_record', alice, records('desk@bank', ['text:a', 'x'], ['text:a', 'y'])],
    ['bad_record', alice, records('desk@bank', ['asset', 'gone#bank'])],
    ['bad_record', alice, records('desk@bank', ['asset', 'none'])],
    ['not_permitted', bob, manager('desk@bank', bob)],
    ['unknown_account', alice, manager('desk@bank', unregistered)],
    ['not_permitted', bob, primary('desk@bank')],
    ['absent', alice, primary('other@bank')],
    ['bad_name', alice, sub('desk@bank', 'a.b')],
    ['not_permitted', bob, sub('desk@bank', 'pay')],
    ['unknown_account', alice, sub('desk@bank', 'pay', unregistered)],
    ['bad_term', alice, sub('desk@bank', 'pay', alice, 5)],
    ['unknown_account', alice, sub('desk@bank', 'pay', unregistered, 5)],
    ['not_permitted', bob, removeSub('desk@bank')],
    ['name_not_leased', alice, removeSub('desk@bank')],
    ['not_permitted', bob, release('desk@bank')],
    ['name_not_leased', alice, release('p2@bank')],
    ['name_taken', bob, prune('desk@bank')],
    ['name_taken', bob, prune('p2@bank')],
    ['absent', bob, prune('other@bank')],
    ['bad_name', alice, setAccount('a@b@c', unregistered)],
  ] as const)('rejects an invalid instruction with %s', (code, by, made) => {
    const bench = leased('desk')
    expect(bench.run(by, made), made.kind).toBe(code)
  })

  it('does not resolve in quarantine, and can then be renewed only by its former owner', () => {
    const bench = leased('desk')
    bench.run(alice, sub('desk@bank', 'pay'))
    bench.timeMs += YEAR_MS + 30 * DAY_MS
    for (const made of [
      transfer(bob, 'desk@bank'),
      setAccount('desk@bank', bob),
      records('desk@bank', ['bad', 'x']),
      manager('desk@bank', bob),
      primary('desk@bank'),
      sub('desk@bank', 'in'),
      removeSub('pay.desk@bank'),
      release('desk@bank'),
    ])
      expect(bench.run(alice, made), made.kind).toBe('name_not_live')
    expect(bench.run(bob, renew('desk@bank'))).toBe('not_permitted')
    expect(lease(bench, 'desk', bob)).toBe('name_taken')
    expect(bench.run(alice, renew('desk@bank'))).toBeUndefined()
    expect(standing(bench, 'pay.desk')).toBe('active')
  })

  it('can be renewed by any account in its grace period, from its old expiry, but not once it is open', () => {
    const bench = leased('desk')
    const end = bench.state.get(nameTable, id('desk'))?.expiresMs ?? 0
    bench.timeMs = end + 30 * DAY_MS - 1
    expect(bench.run(bob, renew('desk@bank', 2))).toBeUndefined()
    expect(bench.state.get(nameTable, id('desk'))?.expiresMs).toBe(end + 2 * YEAR_MS)
    expect([held(bench, alice), held(bench, bob)]).toEqual([490n, 480n])
    bench.timeMs = end + 3 * YEAR_MS
    expect(standing(bench, 'desk')).toBe('open')
    expect(bench.run(alice, renew('desk@bank'))).toBe('name_not_live')
    expect(bench.run(carol, prune('desk@bank'))).toBeUndefined()
    expect([accountOf(bench, 'desk'), bench.state.get(nameTable, id('desk'))]).toEqual([undefined, undefined])
  })

  it('is transferred without its records and manager, and only together with similar names of its owner', () => {
    const bench = leased('desk')
    expect(lease(bench, 'de-sk', alice)).toBeUndefined()
    bench.run(alice, records('desk@bank', ['text:a', 'x'], ['asset', core.USD]), manager('desk@bank', carol))
    expect(bench.run(carol, records('desk@bank', ['text:b', 'y']))).toBeUndefined()
    expect(bench.run(alice, transfer(bob, 'desk@bank'))).toBe('name_confusable')
    bench.timeMs += DAY_MS
    expect(bench.run(alice, transfer(bob, 'desk@bank', 'de-sk@bank'))).toBeUndefined()
    const row = bench.state.get(nameTable, id('desk'))
    expect([row?.owner, row?.manager, row?.records.size, row?.sinceMs, accountOf(bench, 'desk')]).toEqual([
      ...[bob, undefined, 0, bench.timeMs, bob],
    ])
    expect(bench.run(carol, records('desk@bank', ['text:b', 'y']))).toBe('not_permitted')
    expect(lease(bench, 'other', alice)).toBeUndefined()
    expect(bench.run(alice, transfer(bob, 'other@bank'))).toBe('name_limit')
    expect(bench.run(alice, transfer(alice, 'other@bank'))).toBeUndefined()
  })

  it('has at most 32 records of 4 KiB together', () => {
    const bench = leased('desk')
    const some = (count: number, text: string, from = 0) =>
      Array.from({ length: count }, (_, at) => [`text:k${at + from}`, text] as const)
    expect(bench.run(alice, records('desk@bank', ...some(16, 'x')))).toBeUndefined()
    expect(bench.run(alice, records('desk@bank', ...some(16, 'x', 16)))).toBeUndefined()
    expect(bench.run(alice, records('desk@bank', ['text:more', 'x']))).toBe('record_limit')
    expect(bench.run(alice, records('desk@bank', ['text:k0', undefined], ['text:more', 'x']))).toBeUndefined()
    expect(bench.run(alice, records('desk@bank', ...some(8, 'y'.repeat(512), 1)))).toBe('record_limit')
  })

  it('resolves to the asset definition in its record while the definition exists', () => {
    const bench = leased('desk')
    const asserted = instruction(names.assertAliases, {
      items: [{ text: 'desk@bank', target: { kind: 'definition', value: 'gold#bank' } }],
    })
    bench.genesis(owner, core.registerDefinition('gold#bank'))
    expect(bench.run(alice, records('desk@bank', ['asset', 'gold#bank']), asserted)).toBeUndefined()
    bench.genesis(owner, core.unregister('AssetDefinition', 'gold#bank'))
    expect(bench.run(alice, asserted)).toBe('alias_moved')
  })

  it('prevents the removal of its account, its owner and its domain until it is pruned', () => {
    const bench = leased('desk')
    const gone = core.unregister('Account', alice)
    bench.genesis(owner, core.burn(alice, 490n))
    expect(bench.run(alice, gone)).toBe('not_empty')
    expect(bench.run(owner, core.unregister('Domain', 'bank'))).toBe('not_empty')
    expect(bench.run(alice, release('desk@bank'))).toBeUndefined()
    bench.timeMs += 30 * DAY_MS
    expect(bench.run(bob, prune('desk@bank'))).toBeUndefined()
    expect(bench.run(alice, gone)).toBeUndefined()
  })

  it('can be neither released nor removed while it has subnames', () => {
    const bench = leased('desk')
    bench.run(alice, sub('desk@bank', 'pay', bob))
    expect(bench.run(alice, release('desk@bank'))).toBe('not_empty')
    bench.run(bob, sub('pay.desk@bank', 'in', carol))
    expect(bench.run(bob, removeSub('pay.desk@bank'))).toBe('not_empty')
    // The holder of the name above, who does not own it.
    expect(bench.run(bob, removeSub('in.pay.desk@bank'))).toBeUndefined()
    expect(bench.run(alice, removeSub('pay.desk@bank'))).toBeUndefined()
    expect(bench.run(alice, release('desk@bank'))).toBeUndefined()
  })
})

describe('a subname', () => {
  it('is valid until its own expiry, and can have up to four labels', () => {
    const bench = leased('desk')
    expect(bench.run(alice, sub('desk@bank', 'pay', bob, bench.timeMs + 1_000))).toBeUndefined()
    expect(bench.run(alice, sub('desk@bank', 'pay'))).toBe('name_taken')
    bench.timeMs += 1_000
    expect(bench.run(alice, sub('desk@bank', 'pay'))).toBeUndefined()
    expect(bench.state.get(nameTable, id('desk'))?.subnames).toBe(1)
    expect(bench.run(alice, sub('pay.desk@bank', 'b'), sub('b.pay.desk@bank', 'c'))).toBeUndefined()
    expect(bench.run(alice, sub('c.b.pay.desk@bank', 'd'))).toBe('bad_name')
    expect(bench.run(alice, sub('pay.desk@bank', 'x'.repeat(63)))).toBeUndefined()
    expect(bench.run(alice, sub(`${'x'.repeat(63)}.pay.desk@bank`, 'y'.repeat(63)))).toBe('bad_name')
  })

  it('of an assigned name ends when the label is assigned to another account', () => {
    const bench = leasing()
    expect(bench.run(alice, sub('p2@bank', 'pay', bob))).toBeUndefined()
    expect(bench.run(owner, label(alice, undefined), label(bob, 'p2'))).toBeUndefined()
    expect([standing(bench, 'p2'), standing(bench, 'pay.p2')]).toEqual(['live', 'open'])
  })

  it('is rejected if its parent already has 1,000 subnames', () => {
    const bench = leased('desk')
    const row = bench.state.get(nameTable, id('desk'))
    if (row === undefined) throw new Error('the name is missing')
    bench.state.set(nameTable, id('desk'), { ...row, subnames: 1_000 })
    expect(bench.run(alice, sub('desk@bank', 'pay'))).toBe('name_limit')
  })
})

describe('an account that is registered again', () => {
  const again = (bench: Bench): void => {
    expect(bench.run(unregistered, core.unregister('Account', unregistered))).toBeUndefined()
    bench.genesis(owner, core.registerAccount(unregistered, 'dora'))
  }
  const registered = (): Bench => {
    const bench = leasing()
    bench.genesis(owner, core.registerAccount(unregistered, 'dora'))
    return bench
  }

  it('does not inherit commitments', () => {
    const bench = registered()
    const kept = commit(unregistered, 'desk', owner)
    expect(bench.run(unregistered, kept)).toBeUndefined()
    again(bench)
    bench.timeMs += 5_000
    expect(bench.run(unregistered, register('desk', owner))).toBe('bad_commitment')
    expect(bench.run(unregistered, kept)).toBeUndefined()
  })

  it('does not inherit its primary name', () => {
    const bench = registered()
    expect(bench.run(unregistered, primary('dora@bank'))).toBeUndefined()
    expect(primaryNameOf(bench.state, unregistered)).toEqual(id('dora'))
    again(bench)
    expect(primaryNameOf(bench.state, unregistered)).toBeUndefined()
    expect(bench.run(unregistered, primary('dora@bank'))).toBeUndefined()
    expect(primaryNameOf(bench.state, unregistered)).toEqual(id('dora'))
  })
})

describe('labels of accounts', () => {
  it.each([
    ['bad_name', label(alice, 'Alice')],
    ['bad_name', label(alice, 'a.b')],
    ['bad_name', label(alice, 'a_b')],
    ['bad_label', label(alice, 'p3')],
    ['name_taken', label(alice, 'desk')],
    ['name_reserved', label(alice, 'kept')],
    ['bad_name', label(alice, 'KEPT')],
  ] as const)('are rejected with %s', (code, made) => {
    const bench = leased('desk')
    expect(bench.run(owner, reserve('kept', bob))).toBeUndefined()
    expect(bench.run(owner, made)).toBe(code)
  })

  it('can be set only by the domain owner in a domain with leased names', () => {
    const bench = leasing()
    expect(bench.run(alice, label(alice, 'desk'))).toBe('not_permitted')
    expect(bench.run(owner, label(alice, 'desk'))).toBeUndefined()
    expect(lease(bench, 'de5k', alice)).toBeUndefined()
    expect(lease(bench, 'd-esk', bob)).toBe('name_confusable')
    expect(bench.run(owner, setPolicy(2, { mode: 'assigned' }))).toBeUndefined()
    expect(bench.run(alice, label(alice, 'mine'))).toBeUndefined()
    expect(lease(bench, 'other', alice)).toBe('name_not_leased')
    expect(bench.run(alice, renew('de5k@bank'))).toBeUndefined()
  })

  it('from release 0.1.0 get a row with the first instruction that needs it', () => {
    const bench = leasing()
    // As ABI 1 left it.
    const old = new Bench(bench.state, ABI_1)
    old.genesis(owner, core.registerAccount(unregistered, 'Old_1'), label(unregistered, 'old'))
    const now = new Bench(old.state, bench.abi)
    expect([standingOf(now.state, id('old'), 1), now.state.get(nameTable, id('old'))]).toEqual(['live', undefined])
    expect(now.run(unregistered, records('old@bank', ['text:a', 'x']))).toBeUndefined()
    expect(now.state.get(nameTable, id('old'))).toMatchObject({ kind: 'assigned', owner: unregistered, version: 1 })
    expect(now.run(owner, label(unregistered, undefined))).toBeUndefined()
    expect(now.state.get(nameTable, id('old'))).toBeUndefined()
  })
})

describe('reservations of labels', () => {
  it('admit only the assignee until they expire', () => {
    const bench = leasing()
    const until = bench.timeMs + DAY_MS
    expect(bench.run(alice, reserve('kept'))).toBe('not_permitted')
    expect(bench.run(owner, reserve('Kept'))).toBe('bad_name')
    expect(bench.run(owner, reserve('p2'))).toBe('name_taken')
    expect(bench.run(owner, reserve('kept', bob, 'none'))).toBe('absent')
    expect(bench.run(owner, reserve('kept', bob, 'bank', until))).toBeUndefined()
    expect(lease(bench, 'kept', bob)).toBeUndefined()
    expect(bench.run(owner, reserve('later', bob, 'bank', until))).toBeUndefined()
    expect(lease(bench, '1ater', alice)).toBe('name_reserved')
    bench.timeMs = until
    expect(lease(bench, '1ater', alice, alice, { salt: 2 })).toBeUndefined()
  })

  it('apply to labels in every domain and to the ids of domains', () => {
    const bench = leasing()
    const protect = reserve('acme', alice, undefined)
    const made = { ...protect, value: { ...(protect.value as object), domain: undefined } }
    expect(bench.run(owner, made)).toBe('not_permitted')
    bench.genesis(owner, core.permission('grant', 'CanManageProtectedNames', undefined, owner))
    bench.genesis(owner, core.permission('grant', 'CanRegisterDomain', undefined, bob))
    expect(bench.run(owner, made)).toBeUndefined()
    expect(lease(bench, 'acme', bob)).toBe('name_reserved')
    expect(lease(bench, 'acme', alice)).toBeUndefined()
    expect(bench.run(bob, core.registerDomain('ACME'))).toBe('name_reserved')
    expect(bench.run(bob, core.registerDomain('shop'))).toBeUndefined()
  })
})

describe('the policy of a domain for names', () => {
  it.each([
    ['absent', setPolicy(2, {}, 'none')],
    ['bad_version', setPolicy(3)],
    ['bad_version', setPolicy(3, { asset: 'none#bank' })],
    ['absent', setPolicy(2, { asset: 'none#bank' })],
    ['unknown_account', setPolicy(2, { treasury: unregistered })],
    ['bad_amount', setPolicy(2, { prices: [] })],
    ['bad_amount', setPolicy(2, { asset: undefined })],
    ['bad_scale', setPolicy(2, { prices: [core.units(1n, 3), core.units(1n), core.units(1n)] })],
    ['bad_name', setPolicy(2, { minLength: 64 })],
    ['bad_term', setPolicy(2, { graceMs: 91 * DAY_MS })],
    ['bad_term', setPolicy(2, { quarantineMs: 29 * DAY_MS })],
    ['bad_term', setPolicy(2, { quarantineMs: 91 * DAY_MS })],
    ['name_limit', setPolicy(2, { maxPerAccount: 1_001 })],
  ] as const)('is rejected with %s', (code, made) => {
    expect(leasing().run(owner, made)).toBe(code)
  })

  it('can be set by the owner of the domain and by holders of CanManageNames', () => {
    const bench = leasing()
    expect(bench.run(alice, setPolicy(2))).toBe('not_permitted')
    expect(bench.run(owner, core.permission('grant', 'CanManageNames', 'bank', alice))).toBeUndefined()
    expect(bench.run(alice, setPolicy(2))).toBeUndefined()
  })

  it('applies to later instructions only', () => {
    const bench = leased('desk')
    const before = bench.state.get(nameTable, id('desk'))
    expect(bench.run(owner, setPolicy(2, { graceMs: 0, quarantineMs: 90 * DAY_MS, treasury: carol }))).toBeUndefined()
    expect(bench.state.get(nameTable, id('desk'))).toEqual(before)
    expect(bench.run(alice, renew('desk@bank'))).toBeUndefined()
    const row = bench.state.get(nameTable, id('desk'))
    expect(row?.graceUntilMs).toBe(row?.expiresMs)
    expect(held(bench, carol)).toBe(510n)
  })

  it('is removed with its domain, and a domain registered again has the default policy', () => {
    const bench = new Bench(undefined, leasing().abi)
    const grant = core.permission('grant', 'CanRegisterDomain', undefined, owner)
    bench.genesis(owner, core.registerDomain('home'), core.registerAccount(owner, 'owner', 'home'), grant)
    const free = { asset: undefined, prices: [core.units(0n), core.units(0n), core.units(0n)] }
    expect(bench.run(owner, core.registerDomain('shop'), setPolicy(1, free, 'shop'))).toBeUndefined()
    expect(bench.run(owner, core.unregister('Domain', 'shop'), core.registerDomain('shop'))).toBeUndefined()
    expect(bench.run(owner, setPolicy(2, free, 'shop'))).toBe('bad_version')
    expect(bench.run(owner, setPolicy(1, free, 'shop'))).toBeUndefined()
  })
})
