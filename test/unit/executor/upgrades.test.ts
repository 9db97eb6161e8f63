// Proposals of runtime upgrades that looked over: none of them leads back.

import { expect, it } from 'vitest'
import { chainInfo, SINGLETON_KEY } from '../../../src/executor/tables.js'
import { type UpgradeManifest, upgradeId, instructions as upgrades } from '../../../src/features/upgrades/schema.js'
import { instruction } from '../../../src/model/index.js'
import * as core from '../../support/core.js'

const manifest = (name: string, abiVersion: number, startHeight: number): UpgradeManifest => ({
  name,
  description: '',
  abiVersion,
  abiHash: Buffer.alloc(32, abiVersion),
  startHeight,
  endHeight: startHeight + 10,
})

it.each([
  ['a lower ABI', 2],
  ['the same ABI under another hash', 4],
])('an upgrade is not activated if its target is %s', (_, abiVersion) => {
  const bench = core.smallWorld()
  bench.state.set(chainInfo, SINGLETON_KEY, {
    chain: 'test',
    abi: 1,
    nextAbi: undefined,
    genesisSeed: Buffer.alloc(32),
    addressPrefix: 'cw',
    consensusMode: 'permissioned',
  } as never)
  bench.genesis(core.owner, core.permission('grant', 'CanManageRuntimeUpgrades', undefined, core.alice))
  const [first, second] = [manifest('first', 4, 10), manifest('second', abiVersion, 30)]
  for (const one of [first, second])
    expect(bench.run(core.alice, instruction(upgrades.proposeUpgrade, { manifest: one }))).toBeUndefined()
  bench.height = 12
  expect(bench.run(core.alice, instruction(upgrades.activateUpgrade, { id: upgradeId(first) }))).toBeUndefined()
  const info = bench.state.get(chainInfo, SINGLETON_KEY)
  if (info === undefined) throw new Error('the chain has no record')
  bench.state.set(chainInfo, SINGLETON_KEY, { ...info, abi: 4, nextAbi: undefined })
  bench.height = 32
  expect(bench.run(core.alice, instruction(upgrades.activateUpgrade, { id: upgradeId(second) }))).toBe('bad_activation')
})
