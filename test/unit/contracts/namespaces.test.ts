/** Checks of a protected domain before a contract or a release is added to it. */
import { beforeEach, describe, expect, it } from 'vitest'
import { type Deployment, reject } from '../../../src/executor/contract.js'
import { ABI_2 } from '../../../src/features/abi.js'
import { CONTRACT_ABI_HASH } from '../../../src/features/contracts/schema/abi.js'
import { instructions as contracts } from '../../../src/features/contracts/schema/instructions.js'
import { artifactHashOf } from '../../../src/features/contracts/schema/records.js'
import { releaseDigest } from '../../../src/features/registry/schema/records.js'
import { instruction } from '../../../src/model/index.js'
import * as contract from '../../support/contracts.js'
import { Bench } from '../../support/executor.js'
import * as kit from '../../support/registry.js'

const asked: Deployment[] = []
let isOpen = true
beforeEach(() => {
  asked.length = 0
  isOpen = true
})
const GATED = {
  ...ABI_2,
  policies: {
    ...ABI_2.policies,
    namespaceGate: (_ctx: unknown, use: Deployment) => {
      asked.push(use)
      return isOpen ? undefined : reject('not_permitted', 'no approval')
    },
  },
}
/** The same state under an ABI that has a gate. */
const gated = (bench: Bench): Bench => {
  const copy = new Bench(bench.state, GATED)
  copy.timeMs = bench.timeMs
  return copy
}

const code = contract.handwritten({ init: [] })
const manifest = contract.manifestOf(code, [contract.entry('init', 'init')])
const digest = artifactHashOf(code, manifest)
const deploy = (alias?: string) => contract.deploy(digest, { alias })

describe('a contract', () => {
  let bench: Bench
  beforeEach(() => {
    const before = contract.contractBench()
    before.run(contract.alice, contract.register(code, manifest))
    bench = gated(before)
  })
  const use = (name: string) => ({ kind: 'contract', domain: 'bank', name, digest, abiHash: CONTRACT_ABI_HASH })

  it('requires one approval when it is deployed, with or without an alias', () => {
    expect(bench.run(contract.alice, deploy('token@bank'))).toBeUndefined()
    expect(bench.run(contract.alice, deploy())).toBeUndefined()
    expect(asked).toEqual([use('token'), use('')])
  })

  it('requires another approval when an alias is bound to it', () => {
    bench.run(contract.alice, deploy())
    const address = contract.addressOf(bench)
    asked.length = 0
    expect(
      bench.run(contract.alice, instruction(contracts.bindContractAlias, { alias: 'token@bank', address })),
    ).toBeUndefined()
    expect(asked).toEqual([use('token')])
  })

  it('can be neither deployed nor bound without an approval', () => {
    isOpen = false
    expect(bench.run(contract.alice, deploy('token@bank'))).toBe('not_permitted')
    expect(bench.eventKinds).toEqual([])
    isOpen = true
    bench.run(contract.alice, deploy())
    isOpen = false
    const bound = { alias: 'token@bank', address: contract.addressOf(bench) }
    expect(bench.run(contract.alice, instruction(contracts.bindContractAlias, bound))).toBe('not_permitted')
  })
})

describe('a release', () => {
  it('requires an approval of its version and digest after all other checks, and is refused without one', () => {
    const before = kit.registryWorld()
    before.run(kit.owner, kit.create('bank/kit'))
    const bench = gated(before)
    expect(bench.run(kit.owner, kit.publish('bank/kit', '1.0.0'))).toBeUndefined()
    expect(bench.run(kit.owner, kit.publish('bank/kit', '1.0.0'))).toBe('exists')
    isOpen = false
    expect(bench.run(kit.owner, kit.publish('bank/kit', '1.1.0'))).toBe('not_permitted')
    expect(asked).toEqual(
      ['1.0.0', '1.1.0'].map((version) => ({
        kind: 'package',
        domain: 'bank',
        name: `kit@${version}`,
        abiHash: undefined,
        digest: releaseDigest('bank/kit', version, kit.manifestOf()),
      })),
    )
  })
})
