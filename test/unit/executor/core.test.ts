import { beforeEach, describe, expect, it } from 'vitest'
import type { Json } from '../../../src/codec/index.js'
import { metadataValueOf } from '../../../src/executor/index.js'
import { instructions as accounts } from '../../../src/features/accounts/schema.js'
import { instructions as assets } from '../../../src/features/assets/schema/instructions.js'
import { instructions as domainInstructions } from '../../../src/features/domains/schema.js'
import { instructions as metadata } from '../../../src/features/metadata/schema.js'
import { instructions as parameters } from '../../../src/features/parameters/schema.js'
import { assetObject } from '../../../src/ledger/asset-permissions.js'
import { accountObject } from '../../../src/ledger/permission-kinds.js'
import { balances, definitions, domains, tokens } from '../../../src/ledger/tables.js'
import type { Mintable } from '../../../src/model/asset.js'
import { type AccountId, type Instruction, instruction, NO_METADATA } from '../../../src/model/index.js'
import type { Target } from '../../../src/model/metadata.js'
import { accountNamed, Bench } from '../../support/executor.js'

const owner = accountNamed('owner')
const alice = accountNamed('alice')
const bob = accountNamed('bob')
const outsider = accountNamed('stranger')
const USD = 'usd#bank'

const domain = (id: string): Instruction =>
  instruction(domainInstructions.registerDomain, { id, dataspace: undefined, metadata: NO_METADATA })
const account = (id: AccountId, label?: string, home = 'bank'): Instruction =>
  instruction(accounts.registerAccount, { id, domain: home, label, metadata: NO_METADATA })
const definition = (
  id: string,
  mintable: Mintable = { kind: 'infinitely', value: undefined },
  scale = 2,
): Instruction => instruction(assets.registerAssetDefinition, { id, scale, mintable, metadata: NO_METADATA })
const of = (account: AccountId) => ({ definition: USD, account })
const amount = (mantissa: bigint, scale = 0) => ({ mantissa, scale })
const mint = (account: AccountId, units: bigint, scale = 0): Instruction =>
  instruction(assets.mint, { asset: of(account), amount: amount(units, scale) })
const burn = (account: AccountId, units: bigint): Instruction =>
  instruction(assets.burn, { asset: of(account), amount: amount(units) })
const transfer = (from: AccountId, to: AccountId, units: bigint, scale = 0): Instruction =>
  instruction(assets.transfer, { asset: of(from), to, amount: amount(units, scale) })
const permission = (
  kind: 'grant' | 'revoke',
  name: string,
  object: string | undefined,
  to: AccountId,
): Instruction => ({
  kind,
  value: { subject: { kind: 'permission', value: { name, object } }, to: { kind: 'account', value: to } },
})
const setKey = (target: Target, key: string, value: Json): Instruction =>
  instruction(metadata.setKeyValue, { target, key, value })

let bench: Bench

beforeEach(() => {
  bench = new Bench()
  bench.genesis(
    owner,
    domain('bank'),
    account(owner, 'owner'),
    account(alice, 'alice'),
    account(bob),
    account(outsider),
    definition(USD),
    mint(alice, 100n),
  )
})

const held = (account: AccountId) => bench.state.get(balances, of(account))
const total = () => bench.state.get(definitions, USD)?.total

describe('registration', () => {
  it('of a domain needs the global permission', () => {
    expect(bench.run(alice, domain('shop'))).toBe('not_permitted')
    bench.genesis(owner, permission('grant', 'CanRegisterDomain', undefined, alice))
    expect(bench.run(alice, domain('shop'))).toBeUndefined()
    expect(bench.state.get(domains, 'shop')?.owner).toBe(alice)
    expect(bench.run(alice, domain('shop'))).toBe('exists')
  })

  it('of an account requires the domain owner or a token for exactly that domain', () => {
    const fresh = accountNamed('fresh')
    expect(bench.run(outsider, account(fresh))).toBe('not_permitted')
    expect(bench.run(owner, permission('grant', 'CanRegisterAccount', 'bank', outsider))).toBeUndefined()
    expect(bench.run(outsider, account(fresh))).toBeUndefined()
    expect(bench.run(outsider, account(fresh))).toBe('exists')
    expect(bench.run(owner, account(accountNamed('other'), 'alice'))).toBe('bad_label')
    expect(bench.run(owner, account(accountNamed('other'), undefined, 'nowhere'))).toBe('absent')
  })

  it('of a definition requires the domain owner', () => {
    expect(bench.run(alice, definition('eur#bank'))).toBe('not_permitted')
    expect(bench.run(owner, definition('eur#bank'))).toBeUndefined()
    expect(bench.run(owner, definition('eur#bank'))).toBe('exists')
    expect(bench.run(owner, definition('eur#nowhere'))).toBe('absent')
    expect(bench.run(owner, definition('gbp#bank', { kind: 'infinitely', value: undefined }, 29))).toBe('bad_scale')
  })
})

describe('mint and burn', () => {
  it('require the definition owner, and a holder cannot grant itself the permission to mint', () => {
    expect(bench.run(alice, mint(alice, 1n))).toBe('not_permitted')
    expect(bench.run(alice, permission('grant', 'CanMintAsset', assetObject(of(alice)), alice))).toBe('not_permitted')
    expect(bench.run(owner, permission('grant', 'CanMintAsset', assetObject(of(alice)), alice))).toBeUndefined()
    expect(bench.run(alice, mint(alice, 1n))).toBeUndefined()
    expect(bench.run(alice, mint(bob, 1n))).toBe('not_permitted')
    expect(bench.run(owner, mint(bob, 5n))).toBeUndefined()
    expect(total()).toEqual(amount(106n))
  })

  it('keep the total equal to the sum of balances', () => {
    expect(bench.run(alice, burn(alice, 30n))).toBeUndefined()
    expect(bench.run(outsider, burn(alice, 1n))).toBe('not_permitted')
    expect(bench.run(owner, burn(alice, 70n))).toBeUndefined()
    expect(held(alice)).toBeUndefined()
    expect(total()).toEqual(amount(0n))
    expect(bench.run(alice, burn(alice, 1n))).toBe('not_enough')
  })

  it('a limited definition allows only its number of mints', () => {
    bench.genesis(owner, definition('gold#bank', { kind: 'limited', value: 2 }))
    const dig: Instruction = instruction(assets.mint, {
      asset: { definition: 'gold#bank', account: bob },
      amount: amount(1n),
    })
    expect(bench.run(owner, dig)).toBeUndefined()
    expect(bench.run(owner, dig)).toBeUndefined()
    expect(bench.run(owner, dig)).toBe('unmintable')
  })
})

describe('a transfer', () => {
  it('moves exactly its amount', () => {
    expect(bench.run(alice, transfer(alice, bob, 1005n, 2))).toBeUndefined()
    expect(held(alice)).toEqual(amount(8995n, 2))
    expect(held(bob)).toEqual(amount(1005n, 2))
    expect(total()).toEqual(amount(100n))
  })

  it('requires the owner of the source, or a token granted by that owner or the definition owner', () => {
    expect(bench.run(outsider, transfer(alice, bob, 1n))).toBe('not_permitted')
    expect(bench.run(owner, transfer(alice, bob, 1n))).toBe('not_permitted')
    expect(bench.run(alice, permission('grant', 'CanTransferAsset', assetObject(of(alice)), outsider))).toBeUndefined()
    expect(bench.run(outsider, transfer(alice, bob, 1n))).toBeUndefined()
    expect(bench.run(alice, permission('revoke', 'CanTransferAsset', assetObject(of(alice)), outsider))).toBeUndefined()
    expect(bench.run(outsider, transfer(alice, bob, 1n))).toBe('not_permitted')
    expect(bench.run(owner, permission('grant', 'CanTransfer', USD, outsider))).toBeUndefined()
    expect(bench.run(outsider, transfer(alice, bob, 1n))).toBeUndefined()
  })

  it('refuses each invalid amount and party with its own code', () => {
    expect(bench.run(alice, transfer(alice, bob, 101n))).toBe('not_enough')
    expect(bench.run(alice, transfer(alice, bob, 0n))).toBe('bad_amount')
    expect(bench.run(alice, transfer(alice, bob, -5n))).toBe('bad_amount')
    expect(bench.run(alice, transfer(alice, bob, 1n, 3))).toBe('bad_scale')
    expect(bench.run(alice, transfer(alice, alice, 1n))).toBe('self_transfer')
    expect(bench.run(alice, transfer(alice, accountNamed('nobody'), 1n))).toBe('unknown_account')
    const foreign: Instruction = instruction(assets.transfer, {
      asset: { definition: 'eur#bank', account: alice },
      to: bob,
      amount: amount(1n),
    })
    expect(bench.run(alice, foreign)).toBe('absent')
    expect(held(alice)).toEqual(amount(100n))
  })

  it('is reverted with the whole transaction if a later instruction fails', () => {
    const events = bench.events.length
    expect(bench.run(alice, transfer(alice, bob, 60n), transfer(alice, bob, 60n))).toBe('not_enough')
    expect(held(alice)).toEqual(amount(100n))
    expect(held(bob)).toBeUndefined()
    expect(bench.events).toHaveLength(events)
  })
})

describe('metadata', () => {
  it('is changed by the owner of its object, or with a token', () => {
    const target = { kind: 'account', value: alice } as const
    expect(bench.run(alice, setKey(target, 'tier', 'gold'))).toBeUndefined()
    expect(bench.run(outsider, setKey(target, 'tier', 'lead'))).toBe('not_permitted')
    const grant = permission('grant', 'CanModifyAccountMetadata', accountObject(alice), outsider)
    expect(bench.run(alice, grant)).toBeUndefined()
    expect(bench.run(outsider, setKey(target, 'tier', 'lead'))).toBeUndefined()
    expect(metadataValueOf(bench.state, target, 'tier')).toBe('lead')
    const remove: Instruction = instruction(metadata.removeKeyValue, { target, key: 'tier' })
    expect(bench.run(alice, remove)).toBeUndefined()
    expect(bench.run(alice, remove)).toBe('absent')
  })

  it('has a bounded number of keys', () => {
    const target = { kind: 'domain', value: 'bank' } as const
    for (let key = 0; key < 64; key++) expect(bench.run(owner, setKey(target, `k${key}`, key))).toBeUndefined()
    expect(bench.run(owner, setKey(target, 'k64', 1))).toBe('metadata_limit')
    expect(bench.run(owner, setKey(target, 'k0', 'changed'))).toBeUndefined()
  })
})

describe('permissions', () => {
  it('require a known name, the right kind of object, and no duplicate grant', () => {
    expect(bench.run(owner, permission('grant', 'CanFly', undefined, alice))).toBe('unknown_permission')
    expect(bench.run(owner, permission('grant', 'CanMint', undefined, alice))).toBe('unknown_permission')
    expect(bench.run(owner, permission('grant', 'CanMint', 'eur#bank', alice))).toBe('absent')
    expect(bench.run(owner, permission('grant', 'CanMint', USD, alice))).toBeUndefined()
    expect(bench.run(owner, permission('grant', 'CanMint', USD, alice))).toBe('exists')
    expect(bench.run(owner, permission('revoke', 'CanMint', USD, alice))).toBeUndefined()
    expect(bench.run(owner, permission('revoke', 'CanMint', USD, alice))).toBe('absent')
    expect(bench.state.get(tokens, alice)).toBeUndefined()
  })

  it('are revoked one by one, leaving others unchanged', () => {
    bench.genesis(owner, mint(bob, 2n))
    expect(bench.run(owner, permission('grant', 'CanMint', USD, alice))).toBeUndefined()
    expect(bench.run(alice, burn(bob, 1n))).toBe('not_permitted')
    expect(bench.run(owner, permission('grant', 'CanBurn', USD, alice))).toBeUndefined()
    expect(bench.run(owner, permission('revoke', 'CanMint', USD, alice))).toBeUndefined()
    expect(bench.run(alice, mint(alice, 1n))).toBe('not_permitted')
    expect(bench.run(alice, burn(bob, 1n))).toBeUndefined()
  })

  it('can be granted by a holder if global, but cannot be revoked from the last holder', () => {
    bench.genesis(owner, permission('grant', 'CanSetParameters', undefined, alice))
    expect(bench.run(bob, permission('grant', 'CanSetParameters', undefined, bob))).toBe('not_permitted')
    expect(bench.run(alice, permission('revoke', 'CanSetParameters', undefined, alice))).toBe('last_holder')
    expect(bench.run(alice, permission('grant', 'CanSetParameters', undefined, bob))).toBeUndefined()
    expect(bench.run(alice, permission('revoke', 'CanSetParameters', undefined, alice))).toBeUndefined()
  })
})

describe('parameters', () => {
  const set = (name: string, value: Json): Instruction => instruction(parameters.setParameter, { name, value })
  it('are changed by a holder, within their bounds', () => {
    expect(bench.run(alice, set('block_teu', 5_000))).toBe('not_permitted')
    bench.genesis(owner, permission('grant', 'CanSetParameters', undefined, alice))
    expect(bench.run(alice, set('block_teu', 1))).toBe('bad_parameter')
    expect(bench.run(alice, set('block_teu', 'many'))).toBe('bad_parameter')
    expect(bench.run(alice, set('no_such', 1))).toBe('bad_parameter')
    expect(bench.run(alice, set('block_teu', 5_000))).toBeUndefined()
  })
})
