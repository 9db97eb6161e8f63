import { chainInfo, SINGLETON_KEY } from '../../../src/executor/index.js'
import { instructions as accounts } from '../../../src/features/accounts/schema.js'
import { upgradeId, instructions as upgrades } from '../../../src/features/upgrades/schema.js'
import { type Instruction, instruction, TOKENS_MAX } from '../../../src/model/index.js'
import * as core from '../../support/core.js'
import { accountNamed } from '../../support/executor.js'

import {
  agent,
  alice,
  bob,
  long,
  manager,
  manifest,
  owner,
  planned,
  repeat,
  shortNotes,
  shredded,
  VALUE_BYTES,
  type WorstCase,
} from './inputs.js'

export const OBJECTS: Readonly<Record<string, WorstCase>> = {
  'accounts with metadata': {
    by: owner,
    transactions: () =>
      repeat(8, (index) => [
        {
          kind: 'registerAccount',
          value: {
            id: accountNamed(`fresh ${index}`),
            domain: 'bank',
            label: undefined,
            metadata: new Map([['a', shredded(VALUE_BYTES - 200)]]),
          },
        },
      ]),
  },
  accounts: {
    by: owner,
    transactions: () => repeat(200, (index) => [core.registerAccount(accountNamed(`fresh ${index}`), `label${index}`)]),
  },
  'domains and definitions': {
    by: owner,
    prepare: (bench) => bench.genesis(owner, core.permission('grant', 'CanRegisterDomain', undefined, owner)),
    transactions: () =>
      repeat(100, (index) => [core.registerDomain(`d${index}`), core.registerDefinition(`x#d${index}`)]),
  },
  'nfts with content': {
    by: owner,
    transactions: () =>
      repeat(8, (index) => [core.registerNft(`n${index}$bank`, new Map([['c', shredded(VALUE_BYTES - 200)]]))]),
  },
  'objects: registered with 64 short notes': {
    by: owner,
    transactions: () => repeat(4, (index) => repeat(8, (at) => core.registerNft(`n${index}.${at}$bank`, shortNotes()))),
  },
  'objects: removed with 64 short notes': {
    by: owner,
    prepare: (bench) => repeat(32, (index) => bench.genesis(owner, core.registerNft(`n${index}$bank`, shortNotes()))),
    transactions: () => repeat(4, (index) => repeat(8, (at) => core.unregister('Nft', `n${8 * index + at}$bank`))),
  },
  'accounts: labels, removal': {
    by: owner,
    isCommon: true,
    transactions: () =>
      repeat(60, (index) => [
        core.registerAccount(accountNamed(`fresh ${index}`)),
        instruction(accounts.setLabel, { account: accountNamed(`fresh ${index}`), label: `label${index}` }),
        core.unregister('Account', accountNamed(`fresh ${index}`)),
      ]),
  },
  'objects: registered, passed on, removed': {
    by: owner,
    isCommon: true,
    prepare: (bench) => bench.genesis(owner, core.permission('grant', 'CanRegisterDomain', undefined, owner)),
    transactions: () =>
      repeat(40, (index) => [
        core.registerDomain(`d${index}`),
        core.registerDefinition(`x#d${index}`),
        core.unregister('AssetDefinition', `x#d${index}`),
        core.registerNft(`n$d${index}`),
        core.unregister('Nft', `n$d${index}`),
        core.unregister('Domain', `d${index}`),
        core.registerNft(`n${index}$bank`),
        core.passOn('nft', `n${index}$bank`, bob),
      ]),
  },
  'permissions: granted and revoked': {
    by: owner,
    isCommon: true,
    transactions: () =>
      repeat(60, () => [
        core.permission('grant', 'CanMint', core.USD, agent),
        core.permission('revoke', 'CanMint', core.USD, agent),
      ]),
  },
  'permissions: in a full list': {
    by: owner,
    prepare: (bench) => {
      bench.genesis(owner, ...repeat(TOKENS_MAX, (index) => core.registerDefinition(`${long(index)}#bank`)))
      bench.genesis(
        owner,
        ...repeat(TOKENS_MAX, (index) => core.permission('grant', 'CanMint', `${long(index)}#bank`, agent)),
      )
    },
    transactions: () => [
      repeat(40, (index) => core.permission(index % 2 === 0 ? 'revoke' : 'grant', 'CanMint', `${long(7)}#bank`, agent)),
    ],
  },
  'roles: registered, given, taken, removed': {
    by: owner,
    isCommon: true,
    prepare: manager,
    transactions: () =>
      repeat(40, (index) => [
        core.registerRole(`r${index}`, [], [owner]),
        core.roleOf('grant', `r${index}`, agent),
        core.roleOf('revoke', `r${index}`, agent),
        core.unregister('Role', `r${index}`),
      ]),
  },
  'roles: permissions of a full one': {
    by: owner,
    prepare: (bench) => {
      manager(bench)
      bench.genesis(owner, ...repeat(TOKENS_MAX, (index) => core.registerDefinition(`${long(index)}#bank`)))
      bench.genesis(owner, core.registerRole('full', [], [owner, alice, bob]))
      bench.genesis(
        owner,
        ...repeat(TOKENS_MAX, (index) => core.rolePermission('grant', 'CanMint', `${long(index)}#bank`, 'full')),
      )
    },
    transactions: () => [
      repeat(40, (index) =>
        core.rolePermission(index % 2 === 0 ? 'revoke' : 'grant', 'CanMint', `${long(7)}#bank`, 'full'),
      ),
    ],
  },
  parameters: {
    by: owner,
    isCommon: true,
    prepare: (bench) => bench.genesis(owner, core.permission('grant', 'CanSetParameters', undefined, owner)),
    transactions: () =>
      repeat(60, (index) => [{ kind: 'setParameter', value: { name: 'block_teu', value: 120_000 + index } }]),
  },
  controls: {
    by: owner,
    isCommon: true,
    transactions: () =>
      repeat(30, () => [
        { kind: 'setFreeze', value: { asset: core.balance(alice), frozen: true, reason: 'court order' } },
        { kind: 'setBlacklist', value: { asset: core.balance(alice), blacklisted: true } },
        { kind: 'setLimits', value: { asset: core.balance(alice), limits: [{ window: 'day', cap: core.units(5n) }] } },
      ]),
  },
  'sponsors and admission': {
    by: owner,
    isCommon: true,
    transactions: () =>
      repeat(30, (index) => [
        {
          kind: 'sponsorFees',
          value: {
            beneficiary: { kind: 'account', value: bob },
            terms: { maxPerTx: core.units(1n), maxPerDay: core.units(1n + BigInt(index)), expiresMs: undefined },
          },
        },
        {
          kind: 'setAdmission',
          value: {
            domain: 'bank',
            policy: {
              mode: 'implicit',
              maxPerTx: 16,
              maxPerBlock: 256 + index,
              minimum: undefined,
              defaultRole: undefined,
            },
          },
        },
      ]),
  },
  'upgrades: in a full list': {
    by: owner,
    prepare: (bench) => {
      bench.genesis(owner, core.permission('grant', 'CanManageRuntimeUpgrades', undefined, owner))
      const info = { chain: 'test', addressPrefix: 'cw', consensusMode: 'permissioned', genesisSeed: Buffer.alloc(32) }
      bench.state.set(chainInfo, SINGLETON_KEY, { ...info, abi: 1, abiHash: undefined, nextAbi: undefined })
      for (let index = 0; index < 23; index += 1) bench.run(owner, planned(index))
    },
    transactions: () => [
      [
        planned(23),
        ...repeat(10, (index): Instruction => instruction(upgrades.cancelUpgrade, { id: upgradeId(manifest(index)) })),
      ],
    ],
  },
}
