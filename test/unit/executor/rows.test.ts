/** Owns the instruction table of the core as a test: for every row its owner, its tokens, a role with them, a stranger, each error. */

import { describe, expect, it } from 'vitest'
import type { Json } from '../../../src/codec/index.js'
import { chainInfo, SINGLETON_KEY } from '../../../src/executor/index.js'
import { ABI_1 } from '../../../src/features/abi.js'
import { instructions as accounts } from '../../../src/features/accounts/schema.js'
import { instructions as assets } from '../../../src/features/assets/schema/instructions.js'
import { instructions as domains } from '../../../src/features/domains/schema.js'
import type { Beneficiary } from '../../../src/features/fees/schema.js'
import { instructions as fees } from '../../../src/features/fees/schema.js'
import { instructions as multisig } from '../../../src/features/multisig/schema.js'
import { instructions as parameters } from '../../../src/features/parameters/schema.js'
import { instructions as permissions } from '../../../src/features/permissions/schema.js'
import { upgradeId, instructions as upgrades } from '../../../src/features/upgrades/schema.js'
import { assetObject } from '../../../src/ledger/asset-permissions.js'
import { accountObject } from '../../../src/ledger/permission-kinds.js'
import type { InstructionOf } from '../../../src/model/definition.js'
import {
  type AccountId,
  DEFAULT_ADDRESS_PREFIX,
  type ErrorCode,
  type Instruction,
  instruction,
  anyInstruction as twinOf,
} from '../../../src/model/index.js'
import * as core from '../../support/core.js'
import { accountNamed, type Bench } from '../../support/executor.js'

const { owner, alice, bob, agent, outsider, USD, ART, pair } = core
const fresh = accountNamed('fresh')

interface Fault {
  readonly code: ErrorCode
  readonly by: AccountId
  readonly instruction: Instruction
  readonly prepare?: (bench: Bench) => void
}
interface Row {
  readonly kind: string
  readonly instruction: Instruction
  /** Accounts that may do it without a token. */
  readonly owners?: readonly AccountId[]
  readonly tokens?: readonly (readonly [name: string, object: string | undefined])[]
  /** Code for an account without permission; undefined: any account may. */
  readonly outsider: ErrorCode | undefined
  readonly prepare?: (bench: Bench) => void
  readonly faults?: readonly Fault[]
}

const limitedTo = (count: number) => ({ kind: 'limited' as const, value: count })
const target = { kind: 'domain', value: 'bank' } as const
const propose = (bench: Bench): Uint8Array => {
  expect(bench.run(alice, core.propose(pair, core.log('hi')))).toBeUndefined()
  return core.lastProposal(bench.events)
}
/** Proposals get their ids from the transaction that makes them: the first one of a small world. */
const FIRST_PROPOSAL = propose(core.smallWorld())
const UNKNOWN_PROPOSAL = Buffer.alloc(32, 7)
const many = (count: number, make: (index: number) => Instruction): Instruction[] =>
  Array.from({ length: count }, (_, index) => make(index))

const ROWS: readonly Row[] = [
  {
    kind: 'registerDomain',
    instruction: core.registerDomain('north'),
    tokens: [['CanRegisterDomain', undefined]],
    outsider: 'not_permitted',
    faults: [
      {
        code: 'exists',
        by: agent,
        instruction: core.registerDomain('bank'),
        prepare: (bench) => bench.genesis(owner, core.permission('grant', 'CanRegisterDomain', undefined, agent)),
      },
      {
        code: 'absent',
        by: agent,
        instruction: instruction(domains.registerDomain, { id: 'x', dataspace: 77n, metadata: new Map() }),
        prepare: (bench) => bench.genesis(owner, core.permission('grant', 'CanRegisterDomain', undefined, agent)),
      },
    ],
  },
  {
    kind: 'unregisterDomain',
    instruction: core.unregister('Domain', 'shop'),
    owners: [alice],
    tokens: [['CanUnregisterDomain', 'shop']],
    outsider: 'not_permitted',
    faults: [
      { code: 'absent', by: alice, instruction: core.unregister('Domain', 'nowhere') },
      { code: 'not_empty', by: owner, instruction: core.unregister('Domain', 'bank') },
    ],
  },
  {
    kind: 'registerAccount',
    instruction: core.registerAccount(fresh),
    owners: [owner],
    tokens: [['CanRegisterAccount', 'bank']],
    outsider: 'not_permitted',
    faults: [
      { code: 'absent', by: owner, instruction: core.registerAccount(fresh, undefined, 'nowhere') },
      { code: 'exists', by: owner, instruction: core.registerAccount(alice) },
      { code: 'bad_label', by: owner, instruction: core.registerAccount(fresh, 'alice') },
    ],
  },
  {
    kind: 'unregisterAccount',
    instruction: core.unregister('Account', bob),
    owners: [bob, owner],
    outsider: 'not_permitted',
    faults: [
      { code: 'unknown_account', by: owner, instruction: core.unregister('Account', fresh) },
      // A balance, an NFT, a domain and a trigger are in the way.
      { code: 'not_empty', by: alice, instruction: core.unregister('Account', alice) },
      {
        code: 'last_holder',
        by: bob,
        instruction: core.unregister('Account', bob),
        prepare: (bench) => bench.genesis(owner, core.permission('grant', 'CanManagePeers', undefined, bob)),
      },
      {
        code: 'last_holder',
        by: bob,
        instruction: core.unregister('Account', bob),
        prepare: (bench) =>
          bench.genesis(
            owner,
            core.registerRole('ops', [['CanManagePeers', undefined]]),
            core.roleOf('grant', 'ops', bob),
          ),
      },
      {
        code: 'not_empty',
        by: bob,
        instruction: core.unregister('Account', pair),
        prepare: (bench) => {
          propose(bench)
          bench.genesis(owner, core.passOn('domain', 'bank', bob))
        },
      },
    ],
  },
  {
    kind: 'setLabel',
    instruction: instruction(accounts.setLabel, { account: bob, label: 'bobby' }),
    owners: [bob, owner],
    outsider: 'not_permitted',
    faults: [
      {
        code: 'unknown_account',
        by: owner,
        instruction: instruction(accounts.setLabel, { account: fresh, label: 'x' }),
      },
      { code: 'bad_label', by: bob, instruction: instruction(accounts.setLabel, { account: bob, label: 'alice' }) },
      { code: 'bad_label', by: alice, instruction: instruction(accounts.setLabel, { account: alice, label: 'alice' }) },
    ],
  },
  {
    kind: 'registerAssetDefinition',
    instruction: core.registerDefinition('eur#bank'),
    owners: [owner],
    tokens: [['CanRegisterAssetDefinition', 'bank']],
    outsider: 'not_permitted',
    faults: [
      { code: 'absent', by: owner, instruction: core.registerDefinition('eur#nowhere') },
      { code: 'exists', by: owner, instruction: core.registerDefinition(USD) },
      { code: 'bad_amount', by: owner, instruction: core.registerDefinition('eur#bank', limitedTo(0)) },
      {
        code: 'bad_scale',
        by: owner,
        instruction: instruction(assets.registerAssetDefinition, {
          id: 'eur#bank',
          scale: 29,
          mintable: { kind: 'once', value: undefined },
          metadata: new Map(),
        }),
      },
    ],
  },
  {
    kind: 'unregisterAssetDefinition',
    instruction: core.unregister('AssetDefinition', 'eur#bank'),
    prepare: (bench) => bench.genesis(owner, core.registerDefinition('eur#bank')),
    owners: [owner],
    outsider: 'not_permitted',
    faults: [
      { code: 'absent', by: owner, instruction: core.unregister('AssetDefinition', 'gbp#bank') },
      { code: 'not_empty', by: owner, instruction: core.unregister('AssetDefinition', USD) },
    ],
  },
  {
    kind: 'mint',
    instruction: core.mint(bob, 5n),
    owners: [owner],
    tokens: [
      ['CanMint', USD],
      ['CanMintAsset', assetObject(core.balance(bob))],
    ],
    outsider: 'not_permitted',
    faults: [
      { code: 'absent', by: owner, instruction: core.mint(bob, 5n, 'eur#bank') },
      { code: 'unknown_account', by: owner, instruction: core.mint(fresh, 5n) },
      { code: 'bad_amount', by: owner, instruction: core.mint(bob, 0n) },
      {
        code: 'bad_scale',
        by: owner,
        instruction: instruction(assets.mint, { asset: core.balance(bob), amount: core.units(1n, 3) }),
      },
      {
        code: 'unmintable',
        by: owner,
        instruction: core.mint(bob, 1n, 'gold#bank'),
        prepare: (bench) =>
          bench.genesis(owner, core.registerDefinition('gold#bank', limitedTo(1)), core.mint(bob, 1n, 'gold#bank')),
      },
      { code: 'overflow', by: owner, instruction: core.mint(bob, 2n ** 511n - 1n) },
    ],
  },
  {
    kind: 'burn',
    instruction: core.burn(alice, 5n),
    owners: [owner, alice],
    tokens: [
      ['CanBurn', USD],
      ['CanBurnAsset', assetObject(core.balance(alice))],
    ],
    outsider: 'not_permitted',
    faults: [
      { code: 'absent', by: owner, instruction: core.burn(alice, 5n, 'eur#bank') },
      { code: 'unknown_account', by: owner, instruction: core.burn(fresh, 5n) },
      { code: 'bad_amount', by: owner, instruction: core.burn(alice, 0n) },
      {
        code: 'bad_scale',
        by: owner,
        instruction: instruction(assets.burn, { asset: core.balance(alice), amount: core.units(1n, 3) }),
      },
      { code: 'not_enough', by: owner, instruction: core.burn(alice, 101n) },
    ],
  },
  {
    kind: 'transfer',
    instruction: core.transfer(alice, bob, 5n),
    owners: [alice],
    tokens: [
      ['CanTransfer', USD],
      ['CanTransferAsset', assetObject(core.balance(alice))],
    ],
    outsider: 'not_permitted',
    faults: transferFaults((from, to, amount, definition) => core.transfer(from, to, amount, definition)),
  },
  {
    kind: 'transferBatch',
    instruction: core.batch([alice, bob, 5n], [alice, agent, 1n]),
    owners: [alice],
    tokens: [
      ['CanTransfer', USD],
      ['CanTransferAsset', assetObject(core.balance(alice))],
    ],
    outsider: 'not_permitted',
    faults: [
      { code: 'bad_amount', by: alice, instruction: core.batch() },
      ...transferFaults((from, to, amount, definition = USD) =>
        instruction(assets.transferBatch, {
          transfers: [
            { asset: core.balance(alice), to: bob, amount: core.units(1n) },
            { asset: core.balance(from, definition), to, amount: core.units(amount) },
          ],
        }),
      ),
    ],
  },
  {
    kind: 'registerNft',
    instruction: core.registerNft('deed$bank'),
    owners: [owner],
    tokens: [['CanRegisterNft', 'bank']],
    outsider: 'not_permitted',
    faults: [
      { code: 'absent', by: owner, instruction: core.registerNft('deed$nowhere') },
      { code: 'exists', by: owner, instruction: core.registerNft(ART) },
      {
        code: 'metadata_limit',
        by: owner,
        instruction: core.registerNft(
          'deed$bank',
          new Map(['a', 'b', 'c', 'd', 'e'].map((key) => [key, 'x'.repeat(16_000)])),
        ),
      },
    ],
  },
  {
    kind: 'unregisterNft',
    instruction: core.unregister('Nft', ART),
    owners: [alice],
    outsider: 'not_permitted',
    faults: [
      { code: 'absent', by: alice, instruction: core.unregister('Nft', 'deed$bank') },
      { code: 'not_permitted', by: owner, instruction: core.unregister('Nft', ART) },
    ],
  },
  {
    kind: 'transferOwnership',
    instruction: core.passOn('nft', ART, bob),
    owners: [alice],
    tokens: [['CanTransferNft', ART]],
    outsider: 'not_permitted',
    faults: [
      { code: 'absent', by: alice, instruction: core.passOn('nft', 'deed$bank', bob) },
      { code: 'absent', by: alice, instruction: core.passOn('domain', 'nowhere', bob) },
      { code: 'absent', by: alice, instruction: core.passOn('definition', 'gbp#bank', bob) },
      { code: 'unknown_account', by: alice, instruction: core.passOn('nft', ART, fresh) },
      { code: 'self_transfer', by: alice, instruction: core.passOn('nft', ART, alice) },
      { code: 'not_permitted', by: alice, instruction: core.passOn('domain', 'bank', alice) },
      { code: 'not_permitted', by: alice, instruction: core.passOn('definition', USD, alice) },
    ],
  },
  {
    kind: 'setKeyValue',
    instruction: core.setKey(target, 'a', 1),
    owners: [owner],
    tokens: [['CanModifyDomainMetadata', 'bank']],
    outsider: 'not_permitted',
    faults: [
      { code: 'absent', by: owner, instruction: core.setKey({ kind: 'domain', value: 'nowhere' }, 'a', 1) },
      { code: 'absent', by: owner, instruction: core.setKey({ kind: 'definition', value: 'gbp#bank' }, 'a', 1) },
      { code: 'absent', by: owner, instruction: core.setKey({ kind: 'nft', value: 'deed$bank' }, 'a', 1) },
      { code: 'absent', by: owner, instruction: core.setKey({ kind: 'trigger', value: 'none' }, 'a', 1) },
      { code: 'unknown_account', by: owner, instruction: core.setKey({ kind: 'account', value: fresh }, 'a', 1) },
      {
        code: 'metadata_limit',
        by: owner,
        instruction: core.setKey(target, 'k64', 1),
        prepare: (bench) => bench.genesis(owner, ...many(64, (index) => core.setKey(target, `k${index}`, 1))),
      },
      {
        code: 'metadata_limit',
        by: owner,
        instruction: core.setKey({ kind: 'nft', value: ART }, 'k4', 'x'.repeat(16_000)),
        prepare: (bench) =>
          bench.genesis(
            owner,
            ...many(4, (index) => core.setKey({ kind: 'nft', value: ART }, `k${index}`, 'x'.repeat(16_000))),
          ),
      },
    ],
  },
  {
    kind: 'removeKeyValue',
    instruction: core.removeKey(target, 'a'),
    prepare: (bench) => bench.genesis(owner, core.setKey(target, 'a', 1)),
    owners: [owner],
    tokens: [['CanModifyDomainMetadata', 'bank']],
    outsider: 'not_permitted',
    faults: [{ code: 'absent', by: owner, instruction: core.removeKey(target, 'b') }],
  },
  {
    kind: 'registerRole',
    instruction: core.registerRole('teller'),
    tokens: [['CanManageRoles', undefined]],
    outsider: 'not_permitted',
    faults: roleFaults(),
  },
  {
    kind: 'unregisterRole',
    instruction: core.unregister('Role', 'clerk'),
    owners: [bob],
    tokens: [['CanManageRoles', undefined]],
    outsider: 'not_permitted',
    faults: [
      { code: 'absent', by: bob, instruction: core.unregister('Role', 'nobody') },
      {
        code: 'not_empty',
        by: bob,
        instruction: core.unregister('Role', 'clerk'),
        prepare: (bench) => bench.genesis(owner, core.roleOf('grant', 'clerk', alice)),
      },
    ],
  },
  {
    kind: 'grant',
    instruction: core.permission('grant', 'CanMint', USD, bob),
    owners: [owner],
    outsider: 'not_permitted',
    faults: [
      { code: 'unknown_permission', by: owner, instruction: core.permission('grant', 'CanFly', undefined, bob) },
      { code: 'unknown_permission', by: owner, instruction: core.permission('grant', 'CanMint', undefined, bob) },
      { code: 'unknown_permission', by: owner, instruction: core.permission('grant', 'CanManagePeers', 'bank', bob) },
      { code: 'absent', by: owner, instruction: core.permission('grant', 'CanMint', 'gbp#bank', bob) },
      { code: 'unknown_account', by: owner, instruction: core.permission('grant', 'CanMint', USD, fresh) },
      {
        code: 'exists',
        by: owner,
        instruction: core.permission('grant', 'CanMint', USD, bob),
        prepare: (bench) => bench.genesis(owner, core.permission('grant', 'CanMint', USD, bob)),
      },
      {
        code: 'too_many_tokens',
        by: owner,
        instruction: core.permission('grant', 'CanMint', USD, bob),
        prepare: (bench) =>
          bench.genesis(
            owner,
            ...many(64, (index) => core.registerDefinition(`d${index}#bank`)),
            ...many(64, (index) => core.permission('grant', 'CanMint', `d${index}#bank`, bob)),
          ),
      },
      { code: 'not_permitted', by: alice, instruction: core.roleOf('grant', 'clerk', alice) },
      { code: 'absent', by: bob, instruction: core.roleOf('grant', 'nobody', alice) },
      { code: 'unknown_account', by: bob, instruction: core.roleOf('grant', 'clerk', fresh) },
      {
        code: 'exists',
        by: bob,
        instruction: core.roleOf('grant', 'clerk', alice),
        prepare: (bench) => bench.genesis(owner, core.roleOf('grant', 'clerk', alice)),
      },
      {
        code: 'too_many_roles',
        by: bob,
        instruction: core.roleOf('grant', 'clerk', alice),
        prepare: (bench) =>
          bench.genesis(
            owner,
            ...many(16, (index) => core.registerRole(`r${index}`)),
            ...many(16, (index) => core.roleOf('grant', `r${index}`, alice)),
          ),
      },
      // A manager licenses others to what it could grant itself, not to more.
      { code: 'not_permitted', by: bob, instruction: core.rolePermission('grant', 'CanMint', USD, 'clerk') },
      { code: 'not_permitted', by: owner, instruction: core.rolePermission('grant', 'CanMint', USD, 'clerk') },
      {
        code: 'unknown_permission',
        by: bob,
        instruction: instruction(permissions.grant, {
          subject: { kind: 'role', value: 'clerk' },
          to: { kind: 'role', value: 'clerk' },
        }),
      },
    ],
  },
  {
    kind: 'revoke',
    instruction: core.permission('revoke', 'CanMint', USD, bob),
    prepare: (bench) => bench.genesis(owner, core.permission('grant', 'CanMint', USD, bob)),
    owners: [owner],
    outsider: 'not_permitted',
    faults: [
      { code: 'unknown_permission', by: owner, instruction: core.permission('revoke', 'CanFly', undefined, bob) },
      { code: 'absent', by: owner, instruction: core.permission('revoke', 'CanMint', USD, alice) },
      { code: 'absent', by: owner, instruction: core.permission('revoke', 'CanMint', 'gbp#bank', bob) },
      { code: 'unknown_account', by: owner, instruction: core.permission('revoke', 'CanMint', USD, fresh) },
      { code: 'absent', by: bob, instruction: core.roleOf('revoke', 'clerk', alice) },
      { code: 'absent', by: bob, instruction: core.rolePermission('revoke', 'CanMint', USD, 'clerk') },
      {
        code: 'last_holder',
        by: bob,
        instruction: core.permission('revoke', 'CanSetParameters', undefined, bob),
        prepare: (bench) => bench.genesis(owner, core.permission('grant', 'CanSetParameters', undefined, bob)),
      },
      {
        code: 'last_holder',
        by: bob,
        instruction: core.roleOf('revoke', 'clerk', alice),
        prepare: (bench) =>
          bench.genesis(
            owner,
            core.rolePermission('grant', 'CanSetParameters', undefined, 'clerk'),
            core.roleOf('grant', 'clerk', alice),
          ),
      },
      {
        code: 'last_holder',
        by: bob,
        instruction: core.rolePermission('revoke', 'CanSetParameters', undefined, 'clerk'),
        prepare: (bench) =>
          bench.genesis(
            owner,
            core.rolePermission('grant', 'CanSetParameters', undefined, 'clerk'),
            core.roleOf('grant', 'clerk', alice),
          ),
      },
    ],
  },
  {
    kind: 'registerTrigger',
    instruction: core.registerTrigger('later', alice, core.BY_CALL, [core.log('x')]),
    owners: [alice],
    tokens: [['CanRegisterTrigger', accountObject(alice)]],
    outsider: 'not_permitted',
    faults: triggerFaults(),
  },
  {
    kind: 'unregisterTrigger',
    instruction: core.unregister('Trigger', 'tick'),
    owners: [alice],
    tokens: [['CanManageTrigger', 'tick']],
    outsider: 'not_permitted',
    faults: [{ code: 'absent', by: alice, instruction: core.unregister('Trigger', 'none') }],
  },
  {
    kind: 'changeRepeats',
    instruction: core.changeRepeats('tick', 3),
    owners: [alice],
    tokens: [['CanManageTrigger', 'tick']],
    outsider: 'not_permitted',
    faults: [
      { code: 'absent', by: alice, instruction: core.changeRepeats('none', 3) },
      { code: 'bad_trigger', by: alice, instruction: core.changeRepeats('tick', 0) },
      {
        code: 'bad_trigger',
        by: alice,
        instruction: core.changeRepeats('once', undefined),
        prepare: (bench) =>
          bench.genesis(alice, core.registerTrigger('once', alice, core.every(50), [core.log('x')], 1)),
      },
    ],
  },
  {
    kind: 'executeTrigger',
    instruction: core.callTrigger('tick'),
    owners: [alice],
    tokens: [['CanExecuteTrigger', 'tick']],
    outsider: 'not_permitted',
    faults: [
      { code: 'absent', by: alice, instruction: core.callTrigger('none') },
      {
        code: 'bad_trigger',
        by: alice,
        instruction: core.callTrigger('once'),
        prepare: (bench) =>
          bench.genesis(alice, core.registerTrigger('once', alice, core.every(50), [core.log('x')], 1)),
      },
      {
        code: 'bad_trigger',
        by: alice,
        instruction: core.callTrigger('tick'),
        prepare: (bench) => bench.genesis(alice, core.changeRepeats('tick', undefined, false)),
      },
      {
        code: 'teu_exhausted',
        by: alice,
        instruction: core.callTrigger('tick'),
        prepare: (bench) => {
          bench.contentTeu = 7
        },
      },
      {
        code: 'not_enough',
        by: alice,
        instruction: core.callTrigger('pay'),
        prepare: (bench) =>
          bench.genesis(alice, core.registerTrigger('pay', alice, core.BY_CALL, [core.transfer(alice, bob, 101n)])),
      },
    ],
  },
  {
    kind: 'setParameter',
    instruction: instruction(parameters.setParameter, { name: 'block_teu', value: 5_000 }),
    tokens: [['CanSetParameters', undefined]],
    outsider: 'not_permitted',
    faults: [
      ['none', 1],
      ['block_teu', 1],
      ['block_teu', 'many'],
      ['fee_per_teu', '-1'],
    ].map(([name, value]) => ({
      code: 'bad_parameter',
      by: agent,
      instruction: { kind: 'setParameter', value: { name, value } },
      prepare: (bench) => bench.genesis(owner, core.permission('grant', 'CanSetParameters', undefined, agent)),
    })),
  },
  {
    kind: 'registerMultisig',
    instruction: core.registerMultisig(core.policyOf([[alice, 1]], 1)),
    owners: [owner],
    tokens: [['CanRegisterAccount', 'bank']],
    outsider: 'not_permitted',
    faults: multisigFaults(),
  },
  {
    kind: 'propose',
    instruction: core.propose(pair, core.log('hi')),
    owners: [alice, bob],
    outsider: 'not_a_member',
    faults: [
      { code: 'absent', by: alice, instruction: core.propose(bob, core.log('hi')) },
      { code: 'bad_parameter', by: alice, instruction: core.propose(pair) },
      {
        code: 'bad_parameter',
        by: alice,
        instruction: instruction(multisig.propose, { account: pair, instructions: [core.log('hi')], ttlMs: 10_001 }),
      },
      {
        code: 'too_many_proposals',
        by: alice,
        instruction: core.propose(pair, core.log('hi')),
        prepare: (bench) => {
          for (let count = 0; count < 64; count++) propose(bench)
        },
      },
    ],
  },
  {
    kind: 'approve',
    instruction: core.approve(pair, FIRST_PROPOSAL),
    prepare: propose,
    owners: [bob],
    outsider: 'not_a_member',
    faults: [
      { code: 'absent', by: bob, instruction: core.approve(pair, UNKNOWN_PROPOSAL) },
      { code: 'absent', by: bob, instruction: core.approve(alice, UNKNOWN_PROPOSAL) },
      { code: 'exists', by: alice, instruction: core.approve(pair, FIRST_PROPOSAL), prepare: propose },
      {
        code: 'proposal_expired',
        by: bob,
        instruction: core.approve(pair, FIRST_PROPOSAL),
        prepare: (bench) => {
          propose(bench)
          bench.timeMs += 10_000
        },
      },
    ],
  },
  {
    kind: 'cancel',
    instruction: core.cancel(pair, FIRST_PROPOSAL),
    prepare: propose,
    owners: [alice, pair],
    outsider: 'not_permitted',
    faults: [
      { code: 'absent', by: alice, instruction: core.cancel(pair, UNKNOWN_PROPOSAL) },
      { code: 'not_permitted', by: bob, instruction: core.cancel(pair, FIRST_PROPOSAL), prepare: propose },
    ],
  },
  {
    kind: 'setFreeze',
    instruction: instruction(assets.setFreeze, { asset: core.balance(alice), frozen: true, reason: undefined }),
    owners: [owner],
    tokens: [['CanControl', USD]],
    outsider: 'not_permitted',
    faults: [
      {
        code: 'absent',
        by: owner,
        instruction: instruction(assets.setFreeze, {
          asset: core.balance(alice, 'gbp#bank'),
          frozen: true,
          reason: undefined,
        }),
      },
    ],
  },
  {
    kind: 'setBlacklist',
    instruction: instruction(assets.setBlacklist, { asset: core.balance(alice), blacklisted: true }),
    owners: [owner],
    tokens: [['CanControl', USD]],
    outsider: 'not_permitted',
    faults: [
      {
        code: 'absent',
        by: owner,
        instruction: instruction(assets.setBlacklist, { asset: core.balance(alice, 'gbp#bank'), blacklisted: true }),
      },
    ],
  },
  {
    kind: 'setLimits',
    instruction: instruction(assets.setLimits, {
      asset: core.balance(alice),
      limits: [{ window: 'day', cap: core.units(5n) }],
    }),
    owners: [owner],
    tokens: [['CanControl', USD]],
    outsider: 'not_permitted',
    faults: [
      {
        code: 'absent',
        by: owner,
        instruction: instruction(assets.setLimits, { asset: core.balance(alice, 'gbp#bank'), limits: [] }),
      },
      {
        code: 'bad_amount',
        by: owner,
        instruction: instruction(assets.setLimits, {
          asset: core.balance(alice),
          limits: [{ window: 'day', cap: core.units(0n) }],
        }),
      },
      {
        code: 'bad_scale',
        by: owner,
        instruction: instruction(assets.setLimits, {
          asset: core.balance(alice),
          limits: [{ window: 'day', cap: core.units(1n, 3) }],
        }),
      },
    ],
  },
  {
    kind: 'sponsorFees',
    instruction: sponsor({ kind: 'domain', value: 'bank' }, 1n),
    owners: [alice],
    outsider: undefined,
    faults: [
      { code: 'absent', by: alice, instruction: sponsor({ kind: 'domain', value: 'nowhere' }, 1n) },
      { code: 'unknown_account', by: alice, instruction: sponsor({ kind: 'account', value: fresh }, 1n) },
      { code: 'bad_amount', by: alice, instruction: sponsor({ kind: 'account', value: bob }, 0n) },
      { code: 'absent', by: alice, instruction: sponsor({ kind: 'account', value: bob }, undefined) },
    ],
  },
  {
    kind: 'setAdmission',
    instruction: admission('bank'),
    owners: [owner],
    outsider: 'not_permitted',
    faults: [
      { code: 'absent', by: owner, instruction: admission('nowhere') },
      { code: 'absent', by: owner, instruction: admission('bank', { defaultRole: 'none' }) },
      { code: 'bad_amount', by: owner, instruction: admission('bank', { minimum: core.units(-1n) }) },
      {
        code: 'not_permitted',
        by: owner,
        instruction: admission('bank', { defaultRole: 'strong' }),
        prepare: (bench) => bench.genesis(owner, core.registerRole('strong', [['CanManagePeers', undefined]])),
      },
    ],
  },
  {
    kind: 'proposeUpgrade',
    instruction: proposal(),
    tokens: [['CanManageRuntimeUpgrades', undefined]],
    outsider: 'not_permitted',
    prepare: withChain,
    faults: upgradeFaults(
      ['bad_activation', proposal({ abiVersion: 1 }), withChain],
      ['bad_activation', proposal({ startHeight: 2 }), withChain],
      ['bad_activation', proposal({ endHeight: 5 }), withChain],
      ['exists', proposal(), waiting(3)],
      ['upgrade_overlap', proposal({ name: 'third', startHeight: 8, endHeight: 12 }), waiting(3)],
    ),
  },
  {
    kind: 'activateUpgrade',
    instruction: ofUpgrade('activateUpgrade'),
    tokens: [['CanManageRuntimeUpgrades', undefined]],
    outsider: 'not_permitted',
    prepare: waiting(5),
    faults: upgradeFaults(
      ['absent', ofUpgrade('activateUpgrade', Buffer.alloc(32)), waiting(5)],
      ['bad_activation', ofUpgrade('activateUpgrade'), waiting(4)],
      ['bad_activation', ofUpgrade('activateUpgrade'), waiting(9)],
    ),
  },
  {
    kind: 'cancelUpgrade',
    instruction: ofUpgrade('cancelUpgrade'),
    tokens: [['CanManageRuntimeUpgrades', undefined]],
    outsider: 'not_permitted',
    prepare: waiting(4),
    faults: upgradeFaults(
      ['absent', ofUpgrade('cancelUpgrade', Buffer.alloc(32)), waiting(4)],
      ['bad_activation', ofUpgrade('cancelUpgrade'), waiting(9)],
    ),
  },
  { kind: 'log', instruction: core.log('hello'), owners: [alice], outsider: undefined },
]

/** An upgrade whose window is from 5 to 8. */
function manifestOf(more: object = {}) {
  const window = { startHeight: 5, endHeight: 9 }
  return { name: 'second', description: '', abiVersion: 2, abiHash: Buffer.alloc(32, 2), ...window, ...more }
}
function proposal(more: object = {}): Instruction {
  return instruction(upgrades.proposeUpgrade, { manifest: manifestOf(more) })
}
function ofUpgrade(kind: string, id: Uint8Array = upgradeId(manifestOf())): Instruction {
  return { kind, value: { id } }
}
function withChain(bench: Bench): void {
  const seed = { chain: 'test', addressPrefix: 'cw', consensusMode: 'permissioned', genesisSeed: Buffer.alloc(32) }
  bench.state.set(chainInfo, SINGLETON_KEY, { ...seed, abi: 1, abiHash: undefined, nextAbi: undefined })
}
/** The upgrade is proposed; the next block has this height. */
function waiting(height: number) {
  return (bench: Bench): void => {
    withChain(bench)
    bench.genesis(owner, proposal())
    bench.height = height
  }
}
function upgradeFaults(
  ...faults: readonly (readonly [code: ErrorCode, instruction: Instruction, prepare: (bench: Bench) => void])[]
): Fault[] {
  return faults.map(([code, instruction, prepare]) => ({
    code,
    by: agent,
    instruction,
    prepare: (bench) => {
      prepare(bench)
      bench.genesis(owner, core.permission('grant', 'CanManageRuntimeUpgrades', undefined, agent))
    },
  }))
}

type TransferMaker = (from: AccountId, to: AccountId, amount: bigint, definition?: string) => Instruction
function transferFaults(make: TransferMaker): Fault[] {
  const control = (kind: string, value: object) => (bench: Bench) => bench.genesis(owner, { kind, value })
  return [
    { code: 'absent', by: alice, instruction: make(alice, bob, 1n, 'gbp#bank') },
    { code: 'unknown_account', by: alice, instruction: make(alice, fresh, 1n) },
    { code: 'unknown_account', by: alice, instruction: make(fresh, alice, 1n) },
    { code: 'self_transfer', by: alice, instruction: make(alice, alice, 1n) },
    { code: 'bad_amount', by: alice, instruction: make(alice, bob, 0n) },
    { code: 'not_enough', by: alice, instruction: make(alice, bob, 101n) },
    {
      code: 'asset_frozen',
      by: alice,
      instruction: make(alice, bob, 1n),
      prepare: control('setFreeze', { asset: core.balance(alice), frozen: true, reason: undefined }),
    },
    {
      code: 'asset_blacklisted',
      by: alice,
      instruction: make(alice, bob, 1n),
      prepare: control('setBlacklist', { asset: core.balance(bob), blacklisted: true }),
    },
    {
      code: 'transfer_limit',
      by: alice,
      instruction: make(alice, bob, 11n),
      prepare: control('setLimits', {
        asset: core.balance(alice),
        limits: [{ window: 'day', cap: core.units(10n) }],
      }),
    },
  ]
}

function roleFaults(): Fault[] {
  const prepare = (bench: Bench) => bench.genesis(owner, core.permission('grant', 'CanManageRoles', undefined, agent))
  const fault = (code: ErrorCode, instruction: Instruction): Fault => ({ code, by: agent, instruction, prepare })
  return [
    fault('exists', core.registerRole('clerk')),
    fault('unknown_permission', core.registerRole('x', [['CanFly', undefined]])),
    fault('absent', core.registerRole('x', [['CanMint', 'gbp#bank']])),
    // The permissions of a role come from accounts that may grant them.
    fault('not_permitted', core.registerRole('x', [['CanMint', USD]])),
    fault('not_permitted', core.registerRole('x', [['CanManagePeers', undefined]])),
    fault(
      'exists',
      core.registerRole('x', [
        ['CanManageRoles', undefined],
        ['CanManageRoles', undefined],
      ]),
    ),
    fault('unknown_account', core.registerRole('x', [], [fresh])),
    fault('exists', core.registerRole('x', [], [bob, bob])),
  ]
}

function triggerFaults(): Fault[] {
  const make = (filter: Parameters<typeof core.registerTrigger>[2], repeats?: number, list = [core.log('x')]) =>
    core.registerTrigger('later', alice, filter, list, repeats)
  const fault = (code: ErrorCode, instruction: Instruction, prepare?: Fault['prepare']): Fault => ({
    code,
    by: alice,
    instruction,
    ...(prepare === undefined ? {} : { prepare }),
  })
  const later = (bench: Bench) => {
    bench.timeMs = 1_000
  }
  const fill = (count: number, filter: Parameters<typeof core.registerTrigger>[2]) => (bench: Bench) =>
    bench.genesis(alice, ...many(count, (index) => core.registerTrigger(`t${index}`, alice, filter, [core.log('x')])))
  return [
    fault('exists', core.registerTrigger('tick', alice, core.BY_CALL, [core.log('x')])),
    fault('unknown_account', core.registerTrigger('later', fresh, core.BY_CALL, [core.log('x')])),
    fault('bad_trigger', make(core.BY_CALL, undefined, [])),
    fault('bad_trigger', make(core.BY_CALL, 0)),
    fault('bad_trigger', make(core.onData('weather'))),
    fault('bad_trigger', make(core.onData('asset', undefined, ['domainCreated']))),
    fault('bad_trigger', make(core.onData('asset', undefined, ['minted', 'minted']))),
    fault('unknown_account', make(core.onData('asset', { kind: 'account', value: fresh }))),
    fault('bad_trigger', make(core.every(999, 10)), later),
    fault('bad_trigger', make(core.every(Number.MAX_SAFE_INTEGER - 5, 10))),
    fault('bad_trigger', make(core.every(5_000, 0))),
    fault('bad_trigger', make(core.every(5_000))),
    fault('bad_trigger', make(core.every(5_000), 2)),
    fault(
      'teu_exhausted',
      make(
        core.BY_CALL,
        undefined,
        many(3, () => core.batch(...pays(256))),
      ),
    ),
    fault('teu_exhausted', make({ kind: 'preCommit', value: undefined }, undefined, [core.batch(...pays(75))])),
    fault('too_many_triggers', make(core.onData('asset')), fill(64, core.onData('asset'))),
    fault(
      'too_many_triggers',
      make({ kind: 'preCommit', value: undefined }),
      fill(8, { kind: 'preCommit', value: undefined }),
    ),
    fault('too_many_triggers', make(core.every(5_000, 10)), fill(3_072, core.every(9_000, 1_000))),
  ]
}
function pays(count: number): (readonly [AccountId, AccountId, bigint])[] {
  return Array.from({ length: count }, () => [alice, bob, 1n] as const)
}

function multisigFaults(): Fault[] {
  const policy = core.policyOf([[alice, 1]], 1)
  const of = (members: readonly (readonly [AccountId, number])[], quorum: number, ttlMs?: number) =>
    core.registerMultisig(core.policyOf(members, quorum, ttlMs))
  const fault = (code: ErrorCode, instruction: Instruction, by = owner): Fault => ({ code, by, instruction })
  return [
    fault('bad_policy', of([], 1)),
    fault('bad_policy', of([[alice, 0]], 1)),
    fault('bad_policy', of([[alice, 1]], 0)),
    fault('bad_policy', of([[alice, 1]], 2)),
    fault('bad_policy', of([[alice, 1]], 1, 0)),
    fault(
      'bad_policy',
      of(
        [
          [alice, 1],
          [alice, 1],
        ],
        1,
      ),
    ),
    fault('unknown_account', of([[fresh, 1]], 1)),
    fault('absent', core.registerMultisig(policy, 'nowhere')),
    fault('bad_label', core.registerMultisig(policy, 'bank', 'alice')),
    fault('exists', core.registerMultisig(core.PAIR)),
    fault('not_permitted', core.replacePolicy(pair, policy), alice),
    fault('absent', core.replacePolicy(alice, policy), alice),
    fault('multisig_nesting', core.replacePolicy(pair, core.policyOf([[pair, 1]], 1)), pair),
  ]
}

function sponsor(beneficiary: Beneficiary, amount: bigint | undefined): Instruction {
  const terms =
    amount === undefined
      ? undefined
      : { maxPerTx: core.units(amount), maxPerDay: core.units(amount), expiresMs: undefined }
  return instruction(fees.sponsorFees, { beneficiary, terms })
}
type AdmissionPolicy = NonNullable<InstructionOf<typeof accounts.setAdmission>['policy']>
function admission(domain: string, more: Partial<AdmissionPolicy> = {}): Instruction {
  const policy: AdmissionPolicy = {
    mode: 'implicit',
    maxPerTx: 16,
    maxPerBlock: 256,
    minimum: undefined,
    defaultRole: undefined,
  }
  return instruction(accounts.setAdmission, { domain, policy: { ...policy, ...more } })
}

function prepared(...steps: (((bench: Bench) => unknown) | undefined)[]): Bench {
  const bench = core.smallWorld()
  for (const step of steps) step?.(bench)
  return bench
}

/** Every id, name, address and hash in the JSON twin of an instruction; of an id its parts too: `name` and `domain` of `name#domain`. */
function textsOf(jsonForm: Json): string[] {
  if (typeof jsonForm === 'object' && jsonForm !== null) return Object.values(jsonForm).flatMap(textsOf)
  return jsonForm === null ? [] : [String(jsonForm), ...String(jsonForm).split(/[#$@]/)].filter((text) => text !== '')
}

/** Rows of peers and consensus keys have tests of their own (membership.test.ts): they need a roster. */
const ELSEWHERE = ['registerPeer', 'unregisterPeer', 'rotateConsensusKey', 'disableConsensusKey']

describe('the instruction table', () => {
  it('has a row for each instruction', () => {
    const kinds = (ABI_1.features.find(({ name }) => name === 'core')?.instructions ?? [])
      .map((def) => def.kind)
      .filter((kind) => !ELSEWHERE.includes(kind))
    expect(ROWS.map((row) => row.kind).sort()).toEqual(kinds.sort())
  })

  describe.each(ROWS)('$kind', ({ instruction, owners = [], tokens = [], outsider: code, prepare, faults = [] }) => {
    it('requires the owner', () => {
      for (const one of owners) expect(prepared(prepare).run(one, instruction)).toBeUndefined()
    })

    it('requires a holder of one of its tokens, directly or by a role, until the token is revoked', () => {
      for (const [name, object] of tokens) {
        const bench = prepared(prepare)
        expect(bench.run(agent, instruction)).toBe('not_permitted')
        bench.genesis(owner, core.permission('grant', name, object, agent))
        expect(bench.run(agent, instruction)).toBeUndefined()

        const byRole = prepared(prepare)
        byRole.genesis(
          owner,
          core.registerRole('holder', [[name, object]]),
          core.roleOf('grant', 'holder', agent),
          core.permission('grant', name, object, owner),
        )
        expect(byRole.run(agent, instruction)).toBeUndefined()

        const gone = prepared(prepare)
        gone.genesis(
          owner,
          core.registerRole('holder', [[name, object]]),
          core.roleOf('grant', 'holder', agent),
          core.permission('grant', name, object, owner),
          core.roleOf('revoke', 'holder', agent),
        )
        expect(gone.run(agent, instruction)).toBe('not_permitted')
      }
    })

    it(`returns ${code ?? 'the usual result'} to an unauthorised account`, () => {
      const bench = prepared(prepare)
      const rows = bench.state.changes().length
      expect(bench.run(outsider, instruction)).toBe(code)
      if (code !== undefined) expect(bench.state.changes()).toHaveLength(rows)
    })

    it.each(faults.map((fault, index) => ({ ...fault, index })))(
      'refuses the fault of index $index with $code',
      (fault) => {
        const bench = prepared(fault.prepare)
        const events = bench.events.length
        expect(bench.run(fault.by, fault.instruction)).toBe(fault.code)
        expect(bench.events).toHaveLength(events)
        if (fault.code !== 'absent' && fault.code !== 'unknown_account') return
        // Missing objects are named in the notation of users.
        const message = bench.last?.rejection?.message ?? ''
        const jsonForm = twinOf.toJson(fault.instruction, ABI_1.codec(DEFAULT_ADDRESS_PREFIX))
        expect(
          textsOf(jsonForm).some((text) => message.includes(text)),
          message,
        ).toBe(true)
      },
    )
  })
})
