/** Roles, last holders, and tokens that die with their object (docs/design/lanes.md 1). */

import { beforeEach, describe, expect, it } from 'vitest'
import { accounts, accountUse, metadataOf } from '../../../src/executor/index.js'
import { instructions as assets } from '../../../src/features/assets/schema/instructions.js'
import { instructions as parameters } from '../../../src/features/parameters/schema.js'
import { accountObject } from '../../../src/ledger/permission-kinds.js'
import { controls, domainMembers, holders, nfts, roles, tokens } from '../../../src/ledger/tables.js'
import { type Instruction, instruction } from '../../../src/model/index.js'
import * as core from '../../support/core.js'
import { accountNamed, type Bench } from '../../support/executor.js'

const { owner, alice, bob, agent, outsider, USD, ART } = core
const SET: Instruction = instruction(parameters.setParameter, { name: 'block_teu', value: 5_000 })

let bench: Bench
beforeEach(() => {
  bench = core.smallWorld()
})

describe('a role', () => {
  it('is granted and revoked by its managers, with immediate effect', () => {
    bench.genesis(owner, core.rolePermission('grant', 'CanMint', USD, 'clerk'))
    expect(bench.run(bob, core.roleOf('grant', 'clerk', agent))).toBeUndefined()
    expect(bench.run(agent, core.mint(agent, 1n))).toBeUndefined()
    expect(bench.state.get(roles, 'clerk')?.members).toBe(1)
    expect(bench.run(bob, core.rolePermission('revoke', 'CanMint', USD, 'clerk'))).toBeUndefined()
    expect(bench.run(agent, core.mint(agent, 1n))).toBe('not_permitted')
    expect(bench.run(bob, core.roleOf('revoke', 'clerk', agent))).toBeUndefined()
    expect(bench.run(bob, core.unregister('Role', 'clerk'))).toBeUndefined()
  })

  it('gets permissions only from a manager that may grant them', () => {
    expect(bench.run(bob, core.rolePermission('grant', 'CanMint', USD, 'clerk'))).toBe('not_permitted')
    bench.genesis(owner, core.passOn('definition', USD, bob))
    expect(bench.run(bob, core.rolePermission('grant', 'CanMint', USD, 'clerk'))).toBeUndefined()
    expect(bench.run(bob, core.rolePermission('grant', 'CanMint', USD, 'clerk'))).toBe('exists')
  })

  it('is revoked from an account when the account is removed', () => {
    bench.genesis(owner, core.roleOf('grant', 'clerk', agent))
    expect(bench.run(agent, core.unregister('Account', agent))).toBeUndefined()
    expect(bench.state.get(roles, 'clerk')?.members).toBe(0)
    expect(bench.run(owner, core.registerAccount(agent))).toBeUndefined()
    expect(bench.run(bob, core.roleOf('grant', 'clerk', agent))).toBeUndefined()
  })
})

describe('a removed manager of a role', () => {
  it('does not manage the role after its account is registered again', () => {
    bench.genesis(owner, core.registerRole('desk', [], [agent]))
    expect(bench.run(agent, core.roleOf('grant', 'desk', outsider))).toBeUndefined()
    expect(bench.run(owner, core.unregister('Account', agent))).toBeUndefined()
    bench.genesis(outsider, core.registerDomain('elsewhere'))
    expect(bench.run(outsider, core.registerAccount(agent, undefined, 'elsewhere'))).toBeUndefined()
    expect(bench.run(agent, core.roleOf('grant', 'desk', agent))).toBe('not_permitted')
    expect(bench.run(agent, core.roleOf('revoke', 'desk', outsider))).toBe('not_permitted')
    expect(bench.run(agent, core.unregister('Role', 'desk'))).toBe('not_permitted')
    const watches = core.registerTrigger('w', agent, core.onData('role', { kind: 'object', value: 'desk' }), [
      core.log('x'),
    ])
    expect(bench.run(agent, watches)).toBe('not_permitted')
  })
})

describe('a global permission', () => {
  const count = () => bench.state.get(holders, 'CanSetParameters') ?? 0
  const give = (to: string) => core.permission('grant', 'CanSetParameters', undefined, to)
  const take = (from: string) => core.permission('revoke', 'CanSetParameters', undefined, from)

  it('passes between holders, directly and through roles, and always has at least one holder', () => {
    bench.genesis(owner, give(alice), core.rolePermission('grant', 'CanSetParameters', undefined, 'clerk'))
    expect(count()).toBe(1)
    expect(bench.run(bob, core.roleOf('grant', 'clerk', agent))).toBeUndefined()
    expect(count()).toBe(2)
    expect(bench.run(agent, SET)).toBeUndefined()
    expect(bench.run(agent, take(alice))).toBeUndefined()
    expect(bench.run(bob, core.roleOf('revoke', 'clerk', agent))).toBe('last_holder')
    expect(bench.run(bob, core.rolePermission('revoke', 'CanSetParameters', undefined, 'clerk'))).toBe('last_holder')
    expect(bench.run(agent, core.unregister('Account', agent))).toBe('last_holder')
    expect(bench.run(agent, give(outsider))).toBeUndefined()
    expect(bench.run(bob, core.roleOf('revoke', 'clerk', agent))).toBeUndefined()
    expect(count()).toBe(1)
    expect(bench.run(agent, SET)).toBe('not_permitted')
  })

  it('does not count as held if only a role without members contains it', () => {
    bench.genesis(owner, give(alice), core.rolePermission('grant', 'CanSetParameters', undefined, 'clerk'))
    expect(bench.run(alice, take(alice))).toBe('last_holder')
    expect(bench.run(bob, core.rolePermission('revoke', 'CanSetParameters', undefined, 'clerk'))).toBeUndefined()
    expect(count()).toBe(1)
  })
})

describe('a permission is removed with its object and does not return when the id is registered again', () => {
  const again = (name: string, object: string, use: Instruction, end: () => void, back: () => void) => {
    bench.genesis(owner, core.permission('grant', name, object, agent))
    const live = core.smallWorld()
    live.genesis(owner, core.permission('grant', name, object, agent))
    expect(live.run(agent, use)).toBeUndefined()
    end()
    back()
    expect(bench.run(agent, use)).toBe('not_permitted')
    // The dead token still stands there, and makes room for the living one.
    expect(bench.state.get(tokens, agent)).toHaveLength(1)
    bench.genesis(owner, core.permission('grant', name, object, agent))
    expect(bench.state.get(tokens, agent)).toHaveLength(1)
    expect(bench.run(agent, use)).toBeUndefined()
  }

  it('a definition', () => {
    again(
      'CanMint',
      USD,
      core.mint(alice, 1n),
      () => bench.genesis(owner, core.burn(alice, 100n), core.unregister('AssetDefinition', USD)),
      () => bench.genesis(owner, core.registerDefinition(USD)),
    )
  })

  it('an NFT', () => {
    again(
      'CanTransferNft',
      ART,
      core.passOn('nft', ART, bob),
      () => bench.genesis(alice, core.unregister('Nft', ART)),
      () => bench.genesis(owner, core.registerNft(ART)),
    )
  })

  it('a domain', () => {
    again(
      'CanRegisterAccount',
      'shop',
      core.registerAccount(accountNamed('fresh'), undefined, 'shop'),
      () => bench.genesis(alice, core.unregister('Domain', 'shop')),
      () => bench.genesis(alice, core.registerDomain('shop')),
    )
  })

  it('a trigger', () => {
    again(
      'CanExecuteTrigger',
      'tick',
      core.callTrigger('tick'),
      () => bench.genesis(alice, core.unregister('Trigger', 'tick')),
      () => bench.genesis(alice, core.registerTrigger('tick', alice, core.BY_CALL, [core.log('x')])),
    )
  })

  it('an account', () => {
    again(
      'CanModifyAccountMetadata',
      accountObject(bob),
      core.setKey({ kind: 'account', value: bob }, 'a', 1),
      () => bench.genesis(bob, core.unregister('Account', bob)),
      () => bench.genesis(owner, core.registerAccount(bob)),
    )
  })

  it('a definition, whose controls lose their effect too', () => {
    bench.genesis(owner, instruction(assets.setBlacklist, { asset: core.balance(bob), blacklisted: true }))
    expect(bench.run(alice, core.transfer(alice, bob, 1n))).toBe('asset_blacklisted')
    bench.genesis(owner, core.burn(alice, 100n), core.unregister('AssetDefinition', USD), core.registerDefinition(USD))
    bench.genesis(owner, core.mint(alice, 5n))
    expect(bench.state.has(controls, core.balance(bob))).toBe(true)
    expect(bench.run(alice, core.transfer(alice, bob, 1n))).toBeUndefined()
  })

  it('an account, although its controls remain in effect', () => {
    bench.genesis(owner, instruction(assets.setBlacklist, { asset: core.balance(bob), blacklisted: true }))
    expect(bench.run(bob, core.unregister('Account', bob))).toBeUndefined()
    expect(bench.run(owner, core.registerAccount(bob))).toBeUndefined()
    expect(bench.run(alice, core.transfer(alice, bob, 1n))).toBe('asset_blacklisted')
  })
})

describe('a permission granted by an owner', () => {
  it('on an NFT ends with any transfer of the NFT, unless the owner of its domain granted it', () => {
    const takes = core.passOn('nft', ART, agent)
    bench.genesis(owner, core.permission('grant', 'CanModifyNftMetadata', ART, agent))
    expect(
      bench.run(alice, core.permission('grant', 'CanTransferNft', ART, agent), core.passOn('nft', ART, bob)),
    ).toBeUndefined()
    expect(bench.run(agent, takes)).toBe('not_permitted')
    expect(bench.run(agent, core.setKey({ kind: 'nft', value: ART }, 'by', 'agent'))).toBeUndefined()
    // Passed on under the permission itself, and back to the first owner: what was granted before stays dead.
    expect(bench.run(bob, core.permission('grant', 'CanTransferNft', ART, agent))).toBeUndefined()
    expect(bench.run(agent, core.passOn('nft', ART, alice))).toBeUndefined()
    expect(bench.run(agent, takes)).toBe('not_permitted')
    expect(bench.run(alice, core.permission('revoke', 'CanTransferNft', ART, agent))).toBe('absent')
  })

  it('on a definition remains after a transfer, and the new owner can revoke it', () => {
    const forced = core.transfer(alice, agent, 5n)
    expect(
      bench.run(owner, core.permission('grant', 'CanTransfer', USD, agent), core.passOn('definition', USD, bob)),
    ).toBeUndefined()
    expect(bench.run(agent, forced)).toBeUndefined()
    expect(bench.run(owner, core.permission('revoke', 'CanTransfer', USD, agent))).toBe('not_permitted')
    expect(bench.run(bob, core.permission('revoke', 'CanTransfer', USD, agent))).toBeUndefined()
    expect(bench.run(agent, forced)).toBe('not_permitted')
  })

  it('on a domain remains after a transfer, and the new owner can revoke it, even from roles', () => {
    bench.genesis(owner, core.rolePermission('grant', 'CanRegisterAccount', 'shop', 'clerk'))
    bench.genesis(owner, core.roleOf('grant', 'clerk', agent), core.passOn('domain', 'shop', outsider))
    expect(bench.run(agent, core.registerAccount(accountNamed('new'), undefined, 'shop'))).toBeUndefined()
    expect(bench.run(alice, core.rolePermission('revoke', 'CanRegisterAccount', 'shop', 'clerk'))).toBe('not_permitted')
    expect(bench.run(outsider, core.rolePermission('grant', 'CanRegisterNft', 'shop', 'clerk'))).toBe('not_permitted')
    expect(bench.run(outsider, core.rolePermission('revoke', 'CanRegisterAccount', 'shop', 'clerk'))).toBeUndefined()
    expect(bench.run(agent, core.registerAccount(accountNamed('newer'), undefined, 'shop'))).toBe('not_permitted')
  })
})

describe('counts of objects', () => {
  it('return to zero after all objects are removed in order', () => {
    bench.genesis(
      alice,
      core.unregister('Trigger', 'tick'),
      core.unregister('Nft', ART),
      core.unregister('Domain', 'shop'),
    )
    bench.genesis(owner, core.burn(alice, 100n), core.unregister('AssetDefinition', USD))
    expect(bench.state.get(accountUse, alice)).toBeUndefined()
    for (const one of [core.pair, alice, bob, agent, outsider]) bench.genesis(owner, core.unregister('Account', one))
    expect(bench.state.get(domainMembers, 'bank')).toBe(1)
    expect(bench.run(owner, core.unregister('Domain', 'bank'))).toBe('not_empty')
    expect(bench.run(owner, core.unregister('Account', owner))).toBe('not_empty')
    expect(bench.state.get(accountUse, owner)).toEqual({ balances: 0, objects: 1, timers: 0 })
    expect(bench.state.has(accounts, alice)).toBe(false)
    expect(bench.state.has(nfts, ART)).toBe(false)
  })

  it('follow objects to a new owner', () => {
    expect(bench.run(alice, core.passOn('nft', ART, bob))).toBeUndefined()
    expect(bench.state.get(accountUse, bob)).toEqual({ balances: 0, objects: 1, timers: 0 })
    expect(bench.run(bob, core.unregister('Account', bob))).toBe('not_empty')
    expect(bench.run(bob, core.passOn('nft', ART, agent))).toBeUndefined()
    expect(bench.run(bob, core.unregister('Account', bob))).toBeUndefined()
  })
})

describe('an NFT', () => {
  it('has metadata that the owner of its domain sets, even if another account holds the NFT', () => {
    const content = { kind: 'nft', value: ART } as const
    expect(bench.run(alice, core.setKey(content, 'price', 1))).toBe('not_permitted')
    expect(bench.run(owner, core.setKey(content, 'price', 1))).toBeUndefined()
    expect(bench.run(alice, core.permission('grant', 'CanModifyNftMetadata', ART, alice))).toBe('not_permitted')
    expect(bench.run(owner, core.permission('grant', 'CanModifyNftMetadata', ART, agent))).toBeUndefined()
    expect(bench.run(agent, core.removeKey(content, 'by'))).toBeUndefined()
    expect(metadataOf(bench.state, content)).toEqual(new Map([['price', 1]]))
    expect(bench.run(owner, core.permission('grant', 'CanTransferNft', ART, agent))).toBe('not_permitted')
    expect(bench.run(alice, core.permission('grant', 'CanTransferNft', ART, agent))).toBeUndefined()
    expect(bench.run(agent, core.passOn('nft', ART, agent))).toBeUndefined()
  })
})
