/** Instructions on lots: permissions, errors in their order, and effects. */
import { beforeEach, describe, expect, it } from 'vitest'
import { ABI_1 } from '../../../src/features/abi.js'
import { instructions as accounts } from '../../../src/features/accounts/schema.js'
import { instructions as assets } from '../../../src/features/assets/schema/instructions.js'
import { instructions as lanes, settlementObject } from '../../../src/features/lanes/schema/instructions.js'
import { instructions as parameters } from '../../../src/features/parameters/schema.js'
import { incomeVault } from '../../../src/features/rwas/ledger/income.js'
import { lotSettlementObject, instructions as rwas } from '../../../src/features/rwas/schema/instructions.js'
import { assetObject } from '../../../src/ledger/asset-permissions.js'
import { holderOf, INCOME_END } from '../../../src/ledger/lot-income.js'
import { rwaClasses, rwaHolders, rwaLots } from '../../../src/ledger/lot-tables.js'
import { balances, definitions } from '../../../src/ledger/tables.js'
import { type AccountId, type Instruction, instruction, isEvent, lotEvents } from '../../../src/model/index.js'
import * as core from '../../support/core.js'
import { DEPOSIT_ABI, deposit, depositKey, depositVault } from '../../support/deposits.js'
import { accountNamed, type Bench } from '../../support/executor.js'
import * as rwa from '../../support/rwas.js'
import { agent, alice, bob, carol, GOLD, hundredths, lotOf, outsider, owner, START_MS } from '../../support/rwas.js'

let bench: Bench
const world = (terms?: Parameters<typeof rwa.rwaWorld>[0]): void => {
  bench = rwa.rwaWorld(terms, { abi: DEPOSIT_ABI })
  expect(bench.run(owner, rwa.issue(alice, 1_000n))).toBeUndefined()
}
beforeEach(() => world())

const run = (by: AccountId, ...list: readonly Instruction[]) => bench.run(by, ...list)
const row = (number: number) => bench.state.get(rwaLots, { definition: GOLD, number })
const live = (number: number) => {
  const found = row(number)
  if (found?.kind !== 'live') throw new Error(`lot ${number} is not live`)
  return found.value
}
const dollars = (account: AccountId) => bench.state.get(balances, core.balance(account)) ?? hundredths(0n)
const grant = (name: string, object: string | undefined, to: AccountId = agent): void => {
  bench.genesis(owner, core.permission('grant', name, object, to))
}
const VAULT_KEY = depositKey(1)
const VAULT = depositVault(VAULT_KEY)
const pledge = (number: number, quantity?: bigint): Instruction =>
  instruction(deposit.pledgeLot, {
    key: VAULT_KEY,
    lot: lotOf(number),
    quantity: quantity === undefined ? undefined : hundredths(quantity),
  })
const giveBack = (number: number, to: AccountId): Instruction =>
  instruction(deposit.returnLot, { key: VAULT_KEY, lot: lotOf(number), quantity: undefined, to })
const openVault = (): void => {
  expect(run(owner, instruction(deposit.openDepositVault, { key: VAULT_KEY, definition: GOLD }))).toBeUndefined()
}

describe('RegisterRwaClass', () => {
  const other = (by: AccountId) => run(by, rwa.registerClass('silver#bank'))

  it('requires the owner of the domain or CanRegisterAssetDefinition', () => {
    expect(other(outsider)).toBe('not_permitted')
    grant('CanRegisterAssetDefinition', 'bank')
    expect(other(agent)).toBeUndefined()
    expect(bench.state.get(definitions, 'silver#bank')).toMatchObject({ owner: agent, mintable: { kind: 'lots' } })
    expect(run(owner, rwa.registerClass('tin#bank'))).toBeUndefined()
  })

  it('rejects an existing id, an unknown domain, a scale of 29 and a maximum of zero holders', () => {
    expect(run(owner, rwa.registerClass())).toBe('exists')
    expect(run(owner, rwa.registerClass('gold#nowhere'))).toBe('absent')
    expect(run(owner, rwa.registerClass('silver#bank', { holdersMax: 0 }))).toBe('bad_amount')
    const { value } = rwa.registerClass('silver#bank')
    expect(run(owner, { kind: 'registerRwaClass', value: { ...(value as object), scale: 29 } })).toBe('bad_scale')
  })

  it.each(['fee_asset', 'stake_asset'])(
    'rejects an id that is staged as %s, and that parameter rejects the id of a class',
    (name) => {
      grant('CanSetParameters', undefined, owner)
      const set = (value: string) => run(owner, instruction(parameters.setParameter, { name, value }))
      expect(set(GOLD)).toBe('lots_only')
      expect(set('silver#bank')).toBeUndefined()
      expect(run(owner, rwa.registerClass('silver#bank'))).toBe('lots_only')
    },
  )

  it('creates a class that can be unregistered until its first lot is issued', () => {
    expect(run(owner, rwa.registerClass('silver#bank'))).toBeUndefined()
    const remove = (id: string) => run(owner, instruction(assets.unregisterAssetDefinition, { id }))
    expect(remove('silver#bank')).toBeUndefined()
    expect(bench.state.has(rwaClasses, 'silver#bank')).toBe(false)
    expect(run(alice, rwa.request(1, 1_000n))).toBeUndefined()
    expect(run(owner, rwa.redeem(1, 1))).toBeUndefined()
    expect(bench.state.get(definitions, GOLD)?.total).toEqual(hundredths(0n))
    expect(remove(GOLD)).toBe('not_empty')
  })

  it('does not restore the eligibility of holders of an earlier class with the same id', () => {
    expect(run(owner, rwa.registerClass('silver#bank', { flags: { ...rwa.ALL, eligibleOnly: true } }))).toBeUndefined()
    const admit = instruction(rwas.setRwaHolder, { class: 'silver#bank', account: bob, eligibleUntilMs: START_MS * 2 })
    expect(run(owner, admit)).toBeUndefined()
    expect(run(owner, instruction(assets.unregisterAssetDefinition, { id: 'silver#bank' }))).toBeUndefined()
    expect(run(owner, rwa.registerClass('silver#bank', { flags: { ...rwa.ALL, eligibleOnly: true } }))).toBeUndefined()
    expect(run(owner, rwa.issue(bob, 1n, { id: 'silver#bank' }))).toBe('not_eligible')
    expect(run(owner, admit, rwa.issue(bob, 1n, { id: 'silver#bank' }))).toBeUndefined()
  })

  it('does not exist in ABI 1', () => {
    expect([...ABI_1.instructions.keys()]).not.toContain('registerRwaClass')
  })
})

describe('the balance of a lot class', () => {
  const asset = { definition: GOLD, account: alice }
  const amount = hundredths(100n)

  it('can be moved only in lots', () => {
    const plain: readonly (readonly [AccountId, Instruction])[] = [
      [owner, instruction(assets.mint, { asset, amount })],
      [alice, instruction(assets.burn, { asset, amount })],
      [owner, instruction(assets.burn, { asset, amount })],
      [alice, instruction(assets.transfer, { asset, to: bob, amount })],
      [owner, instruction(assets.transfer, { asset, to: bob, amount })],
      [alice, instruction(assets.transferBatch, { transfers: [{ asset, to: bob, amount }] })],
      [alice, instruction(deposit.makeDeposit, { key: depositKey(7), asset, amount, to: bob, dueMs: undefined })],
      [alice, instruction(deposit.fillVault, { key: VAULT_KEY, definition: GOLD, other: alice, amount })],
    ]
    openVault()
    grant('CanTransfer', GOLD, owner)
    for (const [by, one] of plain) expect(run(by, one), one.kind).toBe('lots_only')
  })

  it('cannot be a leg of an ordinary settlement', () => {
    const delivery = { asset, to: bob, amount }
    const payment = { asset: core.balance(bob), to: alice, amount }
    const object = settlementObject('d', [delivery, payment], bob)
    expect(run(bob, core.permission('grant', 'CanSettle', object, alice))).toBeUndefined()
    expect(run(alice, instruction(lanes.settleDvp, { id: 'd', delivery, payment }))).toBe('lots_only')
  })
})

describe('IssueRwa', () => {
  it('requires the issuer or CanMint', () => {
    expect(run(outsider, rwa.issue(bob, 1n))).toBe('not_permitted')
    grant('CanMint', GOLD)
    expect(run(agent, rwa.issue(bob, 150n))).toBeUndefined()
    expect(live(2)).toMatchObject({ holder: bob, quantity: hundredths(150n), reference: 'bar', grade: 'fine' })
  })

  it.each([
    ['absent', () => rwa.issue(bob, 1n, { id: core.USD })],
    ['bad_amount', () => rwa.issue(bob, 0n)],
    ['bad_amount', () => rwa.issue(bob, -1n)],
    ['unknown_account', () => rwa.issue(accountNamed('nobody'), 1n)],
    ['vault_closed', () => rwa.issue(VAULT, 1n)],
  ] as const)('rejects an invalid issue with %s', (code, made) => {
    openVault()
    expect(run(owner, made())).toBe(code)
  })

  it('rejects more fraction digits than the class has, and a supply that is too large', () => {
    const { value } = rwa.issue(bob, 1n)
    const of = (quantity: { mantissa: bigint; scale: number }) =>
      run(owner, { kind: 'issueRwa', value: { ...(value as object), quantity } })
    expect(of({ mantissa: 1n, scale: 3 })).toBe('bad_scale')
    expect(of({ mantissa: 1n << 500n, scale: 0 })).toBe('overflow')
  })

  it('returns the first error in the documented order', () => {
    expect(run(owner, rwa.change(true))).toBeUndefined()
    expect(run(outsider, rwa.issue(bob, 0n))).toBe('not_permitted')
    expect(run(owner, rwa.issue(bob, 0n))).toBe('class_paused')
  })
})

describe('TransferRwa', () => {
  it('moves a whole lot, which keeps its number', () => {
    expect(run(alice, rwa.move(1, bob))).toBeUndefined()
    expect(live(1)).toMatchObject({ holder: bob, quantity: hundredths(1_000n), parents: [] })
    expect(bench.state.get(balances, { definition: GOLD, account: bob })).toEqual(hundredths(1_000n))
    expect(bench.state.get(rwaHolders, { definition: GOLD, account: alice })).toBeUndefined()
    expect(bench.state.get(rwaClasses, GOLD)).toMatchObject({ holders: 1, nextLot: 2 })
  })

  it('splits a part off as a child lot with the attributes of its parent', () => {
    expect(run(alice, rwa.move(1, bob, 400n))).toBeUndefined()
    expect(live(1)).toMatchObject({ holder: alice, quantity: hundredths(600n) })
    expect(live(2)).toMatchObject({
      holder: bob,
      quantity: hundredths(400n),
      grade: 'fine',
      reference: 'bar',
      parents: [{ number: 1, quantity: hundredths(400n) }],
    })
    expect(bench.state.get(rwaClasses, GOLD)).toMatchObject({ holders: 2, nextLot: 3 })
    const [split] = bench.events.filter((one) => isEvent(one, lotEvents.rwaSplit))
    expect(split?.value).toMatchObject({ lot: lotOf(2), parent: lotOf(1), from: alice, to: bob })
  })

  it('requires the holder or CanTransferAsset for the balance, and rejects the issuer', () => {
    expect(run(outsider, rwa.move(1, bob))).toBe('not_permitted')
    expect(run(owner, rwa.move(1, bob))).toBe('not_permitted')
    const object = assetObject({ definition: GOLD, account: alice })
    expect(run(alice, core.permission('grant', 'CanTransferAsset', object, agent))).toBeUndefined()
    expect(run(agent, rwa.move(1, bob))).toBeUndefined()
  })

  it.each([
    ['absent', 9, bob, undefined],
    ['bad_amount', 1, bob, 0n],
    ['not_enough', 1, bob, 1_001n],
    ['self_transfer', 1, alice, undefined],
    ['unknown_account', 1, accountNamed('nobody'), undefined],
    ['vault_closed', 1, VAULT, undefined],
  ] as const)('rejects an invalid transfer with %s', (code, lot, to, quantity) => {
    openVault()
    expect(run(alice, rwa.move(lot, to, quantity))).toBe(code)
  })

  it('rejects more fraction digits than the class has', () => {
    const quantity = { mantissa: 1n, scale: 3 }
    expect(run(alice, instruction(rwas.transferRwa, { lot: lotOf(1), quantity, to: bob }))).toBe('bad_scale')
  })

  it('applies the freeze, blacklist and caps of the balance to whole lots and to parts', () => {
    const asset = { definition: GOLD, account: alice }
    const frozen = (on: boolean) => instruction(assets.setFreeze, { asset, frozen: on, reason: undefined })
    const barred = (on: boolean) =>
      instruction(assets.setBlacklist, { asset: { definition: GOLD, account: bob }, blacklisted: on })
    expect(run(owner, frozen(true))).toBeUndefined()
    expect(run(alice, rwa.move(1, bob, 1n))).toBe('asset_frozen')
    expect(run(owner, frozen(false), barred(true))).toBeUndefined()
    expect(run(alice, rwa.move(1, bob))).toBe('asset_blacklisted')
    const limits = [{ window: 'day' as const, cap: hundredths(500n) }]
    expect(run(owner, barred(false), instruction(assets.setLimits, { asset, limits }))).toBeUndefined()
    expect(run(alice, rwa.move(1, bob))).toBe('transfer_limit')
    expect(run(alice, rwa.move(1, bob, 500n))).toBeUndefined()
    expect(run(alice, rwa.move(1, bob, 1n))).toBe('transfer_limit')
  })

  it('returns the first error in the documented order', () => {
    world({ flags: { ...rwa.ALL, eligibleOnly: false }, holdersMax: 1 })
    run(owner, rwa.hold(1, 1n), rwa.freeze(1), rwa.change(true))
    expect(run(outsider, rwa.move(1, bob))).toBe('not_permitted')
    expect(run(alice, rwa.move(1, bob, 0n))).toBe('class_paused')
    run(owner, rwa.change(false))
    expect(run(alice, rwa.move(1, bob, 0n))).toBe('lot_frozen')
    run(owner, rwa.freeze(1, false))
    expect(run(alice, rwa.move(1, bob, 0n))).toBe('bad_amount')
    expect(run(alice, rwa.move(1, bob))).toBe('lot_held')
    expect(run(alice, rwa.move(1, bob, 5_000n))).toBe('lot_held')
    expect(run(alice, rwa.move(1, bob, 1n))).toBe('holder_limit')
    run(owner, rwa.release(1, 1))
    expect(run(alice, rwa.move(1, bob, 5_000n))).toBe('not_enough')
    expect(run(alice, rwa.move(1, bob))).toBeUndefined()
  })
})

describe('the eligibility of a holder', () => {
  const admitted = START_MS + 100
  beforeEach(() => {
    bench = rwa.rwaWorld({ flags: { ...rwa.ALL, eligibleOnly: true } }, { abi: DEPOSIT_ABI })
    expect(run(owner, rwa.admit(alice, admitted), rwa.issue(alice, 10n))).toBeUndefined()
  })

  it('is required for every receiver, and expires at its time', () => {
    expect(run(owner, rwa.issue(bob, 1n))).toBe('not_eligible')
    expect(run(alice, rwa.move(1, bob))).toBe('not_eligible')
    expect(run(owner, rwa.force([1], bob))).toBe('not_eligible')
    expect(run(owner, rwa.admit(bob, admitted))).toBeUndefined()
    bench.timeMs = admitted - 1
    expect(run(alice, rwa.move(1, bob, 1n))).toBeUndefined()
    bench.timeMs = admitted
    expect(run(alice, rwa.move(1, bob, 1n))).toBe('not_eligible')
  })

  it('can be granted and revoked by the issuer, or with CanControl', () => {
    expect(run(outsider, rwa.admit(bob, admitted))).toBe('not_permitted')
    grant('CanControl', GOLD)
    expect(run(agent, rwa.admit(bob, admitted))).toBeUndefined()
    expect(run(agent, rwa.admit(bob))).toBeUndefined()
    expect(bench.state.has(rwaHolders, { definition: GOLD, account: bob })).toBe(false)
    expect(run(agent, rwa.admit(accountNamed('nobody'), admitted))).toBe('unknown_account')
    expect(run(agent, instruction(rwas.setRwaHolder, { class: core.USD, account: bob, eligibleUntilMs: 1 }))).toBe(
      'absent',
    )
  })

  it('is removed when the account is unregistered', () => {
    expect(run(owner, rwa.admit(bob, admitted))).toBeUndefined()
    const burn = instruction(assets.burn, { asset: core.balance(bob), amount: dollars(bob) })
    const leave = instruction(accounts.unregisterAccount, { id: bob })
    bench.genesis(bob, burn, leave, core.registerAccount(bob))
    expect(run(alice, rwa.move(1, bob))).toBe('not_eligible')
  })

  it('is no longer required after the issuer removes that power from the class', () => {
    expect(run(owner, rwa.change(undefined, 'eligibleOnly'))).toBeUndefined()
    expect(run(alice, rwa.move(1, bob))).toBeUndefined()
  })
})

describe('the limit on holders', () => {
  beforeEach(() => {
    world({ holdersMax: 2 })
    run(owner, rwa.issue(bob, 10n))
  })

  it('rejects a third holder until one of the two has no lots left', () => {
    expect(run(owner, rwa.issue(carol, 1n))).toBe('holder_limit')
    expect(run(alice, rwa.move(1, carol, 1n))).toBe('holder_limit')
    expect(run(owner, rwa.force([1], carol))).toBeUndefined()
    expect(bench.state.get(rwaClasses, GOLD)?.holders).toBe(2)
    expect(run(owner, rwa.issue(bob, 1n))).toBeUndefined()
  })

  it('counts an owner whose lots are in a vault, so that the lots can return', () => {
    openVault()
    expect(run(outsider, pledge(2))).toBeUndefined()
    expect(run(owner, rwa.issue(carol, 1n))).toBe('holder_limit')
    expect(run(outsider, giveBack(2, carol))).toBeUndefined()
    expect(bench.state.get(rwaClasses, GOLD)?.holders).toBe(2)
  })
})

describe('SplitRwa', () => {
  it('splits parts off as child lots, and leaves the rest in the lot', () => {
    expect(run(alice, rwa.split(1, 100n, 250n))).toBeUndefined()
    expect([1, 2, 3].map((at) => live(at).quantity)).toEqual([650n, 100n, 250n].map(hundredths))
    expect(holderOf(bench.state, GOLD, alice).lots).toBe(3)
    expect(bench.state.get(rwaClasses, GOLD)).toMatchObject({ holders: 1, nextLot: 4 })
  })

  it('marks a lot as spent if no quantity remains', () => {
    expect(run(alice, rwa.split(1, 400n, 600n))).toBeUndefined()
    expect(row(1)).toMatchObject({ kind: 'spent', value: { cause: 'split', reference: 'bar', height: bench.height } })
    expect(holderOf(bench.state, GOLD, alice).lots).toBe(2)
    expect(run(alice, rwa.move(1, bob))).toBe('absent')
  })

  it.each([
    ['bad_amount', []],
    ['bad_amount', [1n, 0n]],
    ['not_enough', [600n, 401n]],
    ['lot_held', [600n, 400n]],
  ] as const)('rejects with %s the parts %s', (code, parts) => {
    if (code === 'lot_held') run(owner, rwa.hold(1, 1n))
    expect(run(alice, rwa.split(1, ...parts))).toBe(code)
  })

  it('requires the holder', () => {
    expect(run(outsider, rwa.split(1, 1n))).toBe('not_permitted')
    expect(run(owner, rwa.split(1, 1n))).toBe('not_permitted')
  })
})

describe('MergeRwa', () => {
  it('joins lots of the same holder, grade and expiry, and records their parents', () => {
    expect(run(owner, rwa.issue(alice, 200n))).toBeUndefined()
    expect(run(alice, rwa.merge(1, 2))).toBeUndefined()
    expect(live(3)).toMatchObject({
      quantity: hundredths(1_200n),
      parents: [
        { number: 1, quantity: hundredths(1_000n) },
        { number: 2, quantity: hundredths(200n) },
      ],
    })
    expect([row(1), row(2)]).toMatchObject([{ value: { cause: 'merged' } }, { value: { cause: 'merged' } }])
    expect(holderOf(bench.state, GOLD, alice).lots).toBe(1)
  })

  it('rejects fewer than two lots, duplicates, and lots of different classes, holders, grades or expiries', () => {
    const issued = (more: Parameters<typeof rwa.issue>[2], to = alice) => run(owner, rwa.issue(to, 10n, more))
    issued({ grade: 'raw' })
    issued({ expiresMs: START_MS })
    issued({}, bob)
    expect(run(alice, rwa.merge(1, 2))).toBe('lot_mismatch')
    expect(run(alice, rwa.merge(1, 3))).toBe('lot_mismatch')
    expect(run(alice, rwa.merge(1, 1))).toBe('lot_mismatch')
    expect(run(alice, rwa.merge(1, 4))).toBe('not_permitted')
    expect(run(alice, rwa.merge(1, 9))).toBe('absent')
    expect(run(alice, rwa.merge(1))).toBe('bad_amount')
    run(owner, rwa.registerClass('silver#bank'), rwa.issue(alice, 1n, { id: 'silver#bank' }))
    const both = instruction(rwas.mergeRwa, { lots: [lotOf(1), lotOf(1, 'silver#bank')] })
    expect(run(alice, both)).toBe('lot_mismatch')
  })

  it('rejects frozen or held lots', () => {
    run(owner, rwa.issue(alice, 10n), rwa.hold(2, 1n))
    expect(run(alice, rwa.merge(1, 2))).toBe('lot_held')
    run(owner, rwa.release(2, 1), rwa.freeze(2))
    expect(run(alice, rwa.merge(1, 2))).toBe('lot_frozen')
  })
})

describe('FreezeRwa, HoldRwa, ReleaseRwa', () => {
  it('require the issuer or CanControl', () => {
    for (const one of [rwa.freeze(1), rwa.hold(1, 1n)]) expect(run(alice, one)).toBe('not_permitted')
    grant('CanControl', GOLD)
    expect(run(agent, rwa.freeze(1), rwa.hold(1, 100n))).toBeUndefined()
    expect(run(alice, rwa.release(1, 1))).toBe('not_permitted')
    expect(run(agent, rwa.release(1, 1), rwa.freeze(1, false))).toBeUndefined()
    expect(run(alice, rwa.move(1, bob))).toBeUndefined()
  })

  it('require the powers of the class, except to unfreeze or release a lot', () => {
    expect(run(owner, rwa.freeze(1), rwa.hold(1, 1n), rwa.change(undefined, 'freeze', 'hold'))).toBeUndefined()
    expect(run(owner, rwa.freeze(1))).toBe('control_off')
    expect(run(owner, rwa.hold(1, 1n))).toBe('control_off')
    expect(run(owner, rwa.freeze(1, false), rwa.release(1, 1))).toBeUndefined()
  })

  it('can hold a quantity until a given time', () => {
    expect(run(owner, rwa.hold(1, 900n, START_MS + 10))).toBeUndefined()
    expect(run(alice, rwa.move(1, bob, 101n))).toBe('lot_held')
    expect(run(alice, rwa.move(1, bob, 100n))).toBeUndefined()
    bench.timeMs = START_MS + 10
    expect(run(owner, rwa.release(1, 1))).toBe('absent')
    expect(run(alice, rwa.move(1, bob))).toBeUndefined()
    expect(live(1).holds).toEqual([])
  })

  it('reject a ninth hold, a quantity above the free quantity, and unknown holds', () => {
    for (let at = 0; at < 8; at += 1) expect(run(owner, rwa.hold(1, 1n))).toBeUndefined()
    expect(run(owner, rwa.hold(1, 1n))).toBe('lot_held')
    expect(run(owner, rwa.release(1, 9))).toBe('absent')
    expect(run(owner, rwa.release(1, 3), rwa.hold(1, 993n))).toBeUndefined()
    expect(live(1).holds.map(({ id }) => id)).toEqual([1, 2, 4, 5, 6, 7, 8, 9])
    expect(run(owner, rwa.hold(1, 1n))).toBe('lot_held')
    expect(run(owner, rwa.hold(1, 0n))).toBe('bad_amount')
  })
})

describe('ForceTransferRwa', () => {
  it('moves lots despite freezes, holds and controls, which remain on the lots', () => {
    const asset = { definition: GOLD, account: alice }
    run(
      owner,
      rwa.freeze(1),
      rwa.hold(1, 10n),
      instruction(assets.setFreeze, { asset, frozen: true, reason: undefined }),
    )
    expect(run(owner, rwa.force([1], bob))).toBeUndefined()
    expect(live(1)).toMatchObject({ holder: bob, frozen: true, holds: [{ quantity: hundredths(10n) }] })
    expect(run(bob, rwa.move(1, alice))).toBe('lot_frozen')
  })

  it('requires the power of the class, and the issuer or CanTransfer', () => {
    expect(run(alice, rwa.force([1], bob))).toBe('not_permitted')
    grant('CanTransfer', GOLD)
    expect(run(agent, rwa.force([1], bob))).toBeUndefined()
    run(owner, rwa.change(undefined, 'force'))
    expect(run(owner, rwa.force([1], alice))).toBe('control_off')
  })

  it('moves either all lots or none, and rejects duplicates and lots in a vault', () => {
    openVault()
    run(owner, rwa.issue(alice, 5n), rwa.issue(bob, 5n))
    expect(run(owner, rwa.force([1, 3], bob))).toBe('self_transfer')
    expect(live(1).holder).toBe(alice)
    expect(run(owner, rwa.force([1, 1], bob))).toBe('lot_mismatch')
    expect(run(owner, rwa.force([], bob))).toBe('bad_amount')
    expect(run(owner, rwa.force([1, 7], bob))).toBe('absent')
    expect(run(owner, rwa.force([1], VAULT))).toBe('vault_closed')
    expect(run(outsider, pledge(1))).toBeUndefined()
    expect(run(owner, rwa.force([1], bob))).toBe('vault_closed')
    expect(run(owner, rwa.change(true))).toBeUndefined()
    expect(run(owner, rwa.force([2], bob))).toBe('class_paused')
  })
})

describe('the redemption of a lot', () => {
  it('burns the requested quantity once the issuer accepts', () => {
    expect(run(alice, rwa.request(1, 400n))).toBeUndefined()
    expect(run(alice, rwa.move(1, bob))).toBe('lot_held')
    expect(run(alice, rwa.redeem(1, 1))).toBe('not_permitted')
    expect(run(owner, rwa.redeem(1, 1))).toBeUndefined()
    expect(live(1)).toMatchObject({ quantity: hundredths(600n), holds: [] })
    expect(bench.state.get(definitions, GOLD)?.total).toEqual(hundredths(600n))
    expect(run(alice, rwa.request(1, 600n))).toBeUndefined()
    expect(run(owner, rwa.redeem(1, 2))).toBeUndefined()
    expect(row(1)).toMatchObject({ kind: 'spent', value: { cause: 'redeemed' } })
    expect(bench.state.get(rwaClasses, GOLD)?.holders).toBe(0)
  })

  it('can be cancelled by the holder or the issuer, which releases the quantity', () => {
    run(alice, rwa.request(1, 400n), rwa.request(1, 100n))
    expect(run(outsider, rwa.redeem(1, 1, false))).toBe('not_permitted')
    grant('CanBurn', GOLD)
    expect(run(agent, rwa.redeem(1, 1, false))).toBeUndefined()
    expect(run(alice, rwa.redeem(1, 2, false))).toBeUndefined()
    expect(live(1)).toMatchObject({ quantity: hundredths(1_000n), holds: [] })
  })

  it('requires the power of the class, the holder, a movable lot and a redemption hold', () => {
    run(owner, rwa.hold(1, 10n))
    expect(run(owner, rwa.redeem(1, 1))).toBe('absent')
    expect(run(owner, rwa.request(1, 1n))).toBe('not_permitted')
    expect(run(alice, rwa.request(1, 991n))).toBe('lot_held')
    expect(run(alice, rwa.request(1, 5n))).toBeUndefined()
    expect(run(owner, rwa.release(1, 2))).toBe('absent')
    run(owner, rwa.freeze(1))
    expect(run(alice, rwa.request(1, 5n))).toBe('lot_frozen')
    expect(run(owner, rwa.redeem(1, 2))).toBe('lot_frozen')
    run(owner, rwa.change(true))
    expect(run(alice, rwa.request(1, 5n))).toBe('class_paused')
    expect(run(owner, rwa.redeem(1, 2))).toBe('class_paused')
    run(owner, rwa.change(false, 'redeem'))
    expect(run(alice, rwa.request(1, 5n))).toBe('control_off')
  })
})

describe('SetRwaClass', () => {
  it('requires the owner of the definition, and clears powers permanently', () => {
    grant('CanControl', GOLD)
    expect(run(agent, rwa.change(true))).toBe('not_permitted')
    expect(run(owner, rwa.change(true, 'force'))).toBeUndefined()
    expect(bench.state.get(rwaClasses, GOLD)).toMatchObject({ paused: true, flags: { ...rwa.ALL, force: false } })
    expect(run(owner, rwa.change(undefined))).toBeUndefined()
    expect(bench.state.get(rwaClasses, GOLD)).toMatchObject({ paused: true, flags: { force: false } })
    expect(run(owner, instruction(rwas.setRwaClass, { class: 'tin#bank', paused: true, clear: [] }))).toBe('absent')
  })
})

describe('income of a lot class', () => {
  beforeEach(() => {
    run(owner, rwa.issue(bob, 2_000n))
  })
  const units = 10n ** 18n

  it('belongs to the holders at the time of the declaration', () => {
    expect(run(owner, rwa.declare(100n))).toBeUndefined()
    expect(run(alice, rwa.move(1, carol))).toBeUndefined()
    expect(run(owner, rwa.declare(200n))).toBeUndefined()
    const before = [alice, bob, carol].map(dollars)
    expect(run(outsider, rwa.claim([1, 2], alice))).toBeUndefined()
    // 33.33 to alice before her lot is transferred; 66.67 to carol; 200.00 to bob.
    const paid = [alice, bob, carol].map((account, at) => {
      const now = dollars(account)
      return (
        now.mantissa * 10n ** BigInt(2 - now.scale) -
        (before[at]?.mantissa ?? 0n) * 10n ** BigInt(2 - (before[at]?.scale ?? 0))
      )
    })
    expect(paid).toEqual([33n, 200n, 66n])
    expect(dollars(incomeVault(GOLD))).toEqual(hundredths(1n))
    expect(run(outsider, rwa.claim([1, 2], alice))).toBe('not_enough')
  })

  it('on a lot in a vault belongs to the account that delivered the lot', () => {
    openVault()
    expect(run(outsider, pledge(2))).toBeUndefined()
    expect(run(owner, rwa.declare(300n))).toBeUndefined()
    const before = dollars(bob)
    expect(run(outsider, rwa.claim([2]))).toBeUndefined()
    expect(dollars(bob).mantissa - before.mantissa).toBe(2n)
    expect(run(owner, rwa.declare(3n))).toBeUndefined()
    expect(run(outsider, giveBack(2, carol))).toBeUndefined()
    expect(holderOf(bench.state, GOLD, bob).owed.mantissa).toBe(2n * units)
    expect(holderOf(bench.state, GOLD, carol).owed.mantissa).toBe(0n)
  })

  it('of at least one unit prevents the removal of the account', () => {
    const burn = instruction(assets.burn, { asset: core.balance(bob), amount: dollars(bob) })
    expect(run(owner, rwa.declare(3n))).toBeUndefined()
    expect(run(bob, rwa.move(2, carol), burn)).toBeUndefined()
    const leave = instruction(accounts.unregisterAccount, { id: bob })
    expect(run(owner, leave)).toBe('not_empty')
    expect(run(carol, rwa.claim([], bob))).toBeUndefined()
    expect(dollars(bob)).toEqual(hundredths(2n))
  })

  it.each([
    ['not_permitted', (): Instruction => rwa.declare(1n), alice],
    ['bad_amount', (): Instruction => rwa.declare(0n), owner],
    ['not_enough', (): Instruction => rwa.declare(10n ** 12n), owner],
    ['absent', (): Instruction => rwa.declare(1n, 'eur#bank'), owner],
    ['lots_only', (): Instruction => rwa.declare(1n, GOLD), owner],
    [
      'absent',
      (): Instruction =>
        instruction(rwas.declareRwaIncome, { class: core.USD, cash: core.USD, amount: hundredths(1n) }),
      owner,
    ],
  ] as const)('is rejected with %s', (code, made, by) => {
    expect(run(by, made())).toBe(code)
    expect(bench.state.get(rwaClasses, GOLD)?.income).toBeUndefined()
  })

  it('is paid in a single cash asset with a fixed scale, and only if lots exist', () => {
    const define = (id: string, scale: number | undefined) =>
      instruction(assets.registerAssetDefinition, {
        id,
        scale,
        metadata: new Map(),
        mintable: { kind: 'infinitely', value: undefined },
      })
    run(owner, define('eur#bank', 2), define('any#bank', undefined), rwa.registerClass('tin#bank'))
    expect(run(owner, rwa.declare(1n, 'any#bank'))).toBe('bad_scale')
    expect(run(owner, rwa.declare(1n))).toBeUndefined()
    expect(run(owner, rwa.declare(1n, 'eur#bank'))).toBe('exists')
    const none = { class: 'tin#bank', cash: core.USD, amount: hundredths(1n) }
    expect(run(owner, instruction(rwas.declareRwaIncome, none))).toBe('bad_amount')
  })

  it('can be claimed for existing lots of the class, each listed once', () => {
    expect(run(alice, rwa.claim([1]))).toBe('absent')
    run(owner, rwa.declare(300n), rwa.registerClass('tin#bank'), rwa.issue(alice, 1n, { id: 'tin#bank' }))
    expect(run(alice, rwa.claim([1, 1]))).toBe('lot_mismatch')
    expect(run(alice, rwa.claim([9]))).toBe('absent')
    const other = instruction(rwas.claimRwaIncome, { class: GOLD, lots: [lotOf(1, 'tin#bank')], accounts: [] })
    expect(run(alice, other)).toBe('lot_mismatch')
    const barred = instruction(assets.setBlacklist, { asset: core.balance(alice), blacklisted: true })
    expect(run(owner, barred)).toBeUndefined()
    expect(run(bob, rwa.claim([1, 2]))).toBe('asset_blacklisted')
    expect(run(bob, rwa.claim([2]))).toBeUndefined()
  })

  it('cannot be moved or burned while it is in the vault of the class', () => {
    run(owner, rwa.declare(300n))
    grant('CanTransfer', core.USD, owner)
    const asset = core.balance(incomeVault(GOLD))
    expect(run(owner, instruction(assets.transfer, { asset, to: owner, amount: hundredths(1n) }))).toBe('vault_closed')
    expect(run(owner, instruction(assets.burn, { asset, amount: hundredths(1n) }))).toBe('vault_closed')
  })

  it('of a large amount is accepted, and rejected once all income together cannot be divided exactly', () => {
    const amount = { mantissa: 1n << 399n, scale: 0 }
    bench.genesis(
      owner,
      instruction(assets.mint, { asset: core.balance(owner), amount: { mantissa: 1n << 400n, scale: 0 } }),
    )
    const declared = instruction(rwas.declareRwaIncome, { class: GOLD, cash: core.USD, amount })
    expect(run(owner, declared)).toBeUndefined()
    const row = bench.state.get(rwaClasses, GOLD)
    if (row?.income === undefined) throw new Error('the class has no income')
    // As after many declarations whose income was claimed.
    const index = { mantissa: INCOME_END - 1n, scale: 0 }
    bench.state.set(rwaClasses, GOLD, { ...row, income: { ...row.income, index } })
    expect(run(owner, declared)).toBe('overflow')
    expect(bench.state.get(rwaClasses, GOLD)?.income?.index).toEqual(index)
  })
})

describe('SettleRwaDvp', () => {
  const terms = rwa.termsOf('d1', [1, 400n], [bob, 5_000n], alice)
  const agree = (of = terms, by = bob, to = alice): void => {
    expect(run(by, core.permission('grant', 'CanSettle', lotSettlementObject(of, by), to))).toBeUndefined()
  }

  it('transfers both legs, emits the settlement events, and writes a receipt for each leg', () => {
    agree()
    const before = bench.events.length
    expect(run(alice, rwa.deliver(terms))).toBeUndefined()
    expect(live(2)).toMatchObject({ holder: bob, quantity: hundredths(400n) })
    expect(bench.eventKinds.slice(before)).toEqual([
      ...['transferred', 'rwaSplit', 'transferred', 'settled', 'settlementRecorded', 'settlementRecorded'],
    ])
    expect(run(alice, rwa.deliver(terms))).toBe('exists')
  })

  it('requires the consent of both sources as the signer or by CanSettle for the exact terms', () => {
    expect(run(alice, rwa.deliver(terms))).toBe('not_permitted')
    agree(rwa.termsOf('d1', [1, 400n], [bob, 4_999n], alice))
    expect(run(alice, rwa.deliver(terms))).toBe('not_permitted')
    expect(run(bob, rwa.deliver(terms))).toBe('not_permitted')
    agree(terms, alice, outsider)
    agree(terms, bob, outsider)
    expect(run(outsider, rwa.deliver(terms))).toBeUndefined()
  })

  it('rejects agreements made before the lot changed its holder', () => {
    agree(terms, alice, outsider)
    agree(terms, bob, outsider)
    expect(run(owner, rwa.force([1], carol))).toBeUndefined()
    expect(run(outsider, rwa.deliver(terms))).toBe('not_permitted')
  })

  it.each([
    ['absent', rwa.termsOf('d1', [9, 1n], [bob, 1n], alice)],
    ['not_enough', rwa.termsOf('d1', [1, 1_001n], [bob, 1n], alice)],
    ['bad_amount', rwa.termsOf('d1', [1, 0n], [bob, 1n], alice)],
    ['bad_amount', rwa.termsOf('d1', [1, 1n], [bob, 0n], alice)],
    ['not_enough', rwa.termsOf('d1', [1, 1n], [bob, 10n ** 12n], alice)],
    ['self_transfer', rwa.termsOf('d1', [1, 1n], [alice, 1n], alice)],
  ] as const)('is rejected with %s and moves nothing', (code, made) => {
    if (code !== 'absent' && code !== 'self_transfer') agree(made)
    expect(run(alice, rwa.deliver(made))).toBe(code)
    expect(live(1)).toMatchObject({ holder: alice, quantity: hundredths(1_000n) })
  })

  it('is rejected without a lane, or with receipts that are too large', () => {
    agree()
    bench.lane = undefined
    expect(run(alice, rwa.deliver(terms))).toBe('lane_mismatch')
    bench.lane = 0
    bench.genesis(
      owner,
      instruction(assets.mint, { asset: core.balance(bob), amount: { mantissa: 1n << 300n, scale: 0 } }),
    )
    const huge = { ...terms, payment: { ...terms.payment, amount: { mantissa: 1n << 299n, scale: 0 } } }
    agree(huge)
    expect(run(alice, rwa.deliver(huge))).toBe('overflow')
  })
})

describe('a vault that holds lots', () => {
  beforeEach(openVault)

  it('holds a whole lot, or a part of it, for its owner', () => {
    expect(run(outsider, pledge(1, 300n))).toBeUndefined()
    expect(live(2)).toMatchObject({ holder: VAULT, beneficiary: alice, quantity: hundredths(300n) })
    expect(holderOf(bench.state, GOLD, alice).lots).toBe(2)
    expect(bench.state.has(rwaHolders, { definition: GOLD, account: VAULT })).toBe(false)
    expect(run(outsider, giveBack(2, alice))).toBeUndefined()
    expect(live(2)).toMatchObject({ holder: alice, beneficiary: undefined })
  })

  it('rejects every movement of a lot that is not made by its feature', () => {
    expect(run(outsider, pledge(1))).toBeUndefined()
    for (const by of [alice, bob, owner, outsider]) {
      expect(run(by, rwa.move(1, by))).toBe('not_permitted')
      expect(run(by, rwa.split(1, 1n))).toBe('not_permitted')
      expect(run(by, rwa.request(1, 1n))).toBe('not_permitted')
    }
  })

  it('returns a lot to an owner that is no longer eligible', () => {
    bench = rwa.rwaWorld({ flags: { ...rwa.ALL, eligibleOnly: true } }, { abi: DEPOSIT_ABI })
    openVault()
    run(owner, rwa.admit(alice, START_MS + 1), rwa.issue(alice, 10n))
    expect(run(outsider, pledge(1))).toBeUndefined()
    bench.timeMs = START_MS + 1
    expect(run(outsider, giveBack(1, bob))).toBe('not_eligible')
    expect(run(outsider, giveBack(1, alice))).toBeUndefined()
  })

  it('holds a frozen lot until the issuer unfreezes it', () => {
    expect(run(outsider, pledge(1))).toBeUndefined()
    expect(run(owner, rwa.freeze(1))).toBeUndefined()
    expect(run(outsider, giveBack(1, alice))).toBe('lot_frozen')
    expect(run(owner, rwa.freeze(1, false))).toBeUndefined()
    expect(run(outsider, giveBack(1, alice))).toBeUndefined()
  })
})
