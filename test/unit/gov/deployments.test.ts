/** Deployments into a protected domain, with the policies of all features: contracts, their aliases, and releases. */
import { beforeEach, describe, expect, it } from 'vitest'
import { CONTRACT_ABI_HASH } from '../../../src/features/contracts/schema/abi.js'
import { events as contractEvents } from '../../../src/features/contracts/schema/events.js'
import { instructions as contracts } from '../../../src/features/contracts/schema/instructions.js'
import { artifactHashOf } from '../../../src/features/contracts/schema/records.js'
import { approvals } from '../../../src/features/gov/ledger/tables.js'
import { instructions as gov } from '../../../src/features/gov/schema/instructions.js'
import { releaseDigest } from '../../../src/features/registry/schema/records.js'
import { type AccountId, type Instruction, instruction, isEvent } from '../../../src/model/index.js'
import * as contract from '../../support/contracts.js'
import * as core from '../../support/core.js'
import { alice, bob, carol, GovChain, owner } from '../../support/gov.js'
import { keysIn } from '../../support/nodes.js'
import * as kit from '../../support/registry.js'

const code = contract.handwritten({ init: [] })
const manifest = contract.manifestOf(code, [contract.entry('init', 'init')])
const artifact = artifactHashOf(code, manifest)
const approve = (kind: 'contract' | 'package', name: string, digest: Uint8Array, abiHash?: Buffer): Instruction =>
  instruction(gov.approveDeployment, { kind, domain: 'bank', name, digest, abiHash, ttlMs: 60_000 })

describe('a protected domain', () => {
  let chain: GovChain
  beforeEach(() => {
    chain = new GovChain()
    chain.bench.genesis(owner, core.permission('grant', 'CanDeployContract', undefined, owner))
    expect(chain.run(owner, contract.register(code, manifest)), chain.message).toBeUndefined()
    expect(chain.run(owner, kit.create('bank/kit', 'none', [owner])), chain.message).toBeUndefined()
    const protect = instruction(gov.setProtectedNamespaces, { add: ['bank'], remove: [] })
    expect(chain.enacted([protect]), chain.message).toBeUndefined()
  })
  /** Address of the last contract that was deployed. */
  const address = (): AccountId => {
    for (const { event } of chain.published.flatMap(({ events }) => events).toReversed())
      if (isEvent(event, contractEvents.contractDeployed)) return event.value.address
    throw new Error('no contract was deployed')
  }
  const expectUsed = () => expect(keysIn(chain.state, approvals)).toEqual([])

  it('accepts a contract only with an approval of its alias and artifact, once', () => {
    const deploy = contract.deploy(artifact, { domain: 'bank', alias: 'token@bank' })
    expect(chain.run(owner, deploy)).toBe('namespace_protected')
    expect(chain.enacted([approve('contract', 'other', artifact)])).toBeUndefined()
    expect(chain.run(owner, deploy)).toBe('namespace_protected')
    expect(chain.enacted([approve('contract', 'other', artifact)], bob)).toBeUndefined()
    expect(chain.enacted([approve('contract', 'token', artifact, CONTRACT_ABI_HASH)], carol)).toBeUndefined()
    expect(chain.run(owner, deploy), chain.message).toBeUndefined()
    expect(keysIn(chain.state, approvals)).toHaveLength(1)
    expect(chain.run(owner, deploy)).toBe('namespace_protected')
  })

  it('accepts the alias of a contract only with a further approval', () => {
    expect(chain.enacted([approve('contract', '', artifact)])).toBeUndefined()
    expect(chain.run(owner, contract.deploy(artifact, { domain: 'bank' })), chain.message).toBeUndefined()
    const bind = instruction(contracts.bindContractAlias, { alias: 'token@bank', address: address() })
    expect(chain.run(owner, bind)).toBe('namespace_protected')
    expect(chain.enacted([approve('contract', 'token', artifact)], bob)).toBeUndefined()
    expect(chain.run(owner, bind), chain.message).toBeUndefined()
    expectUsed()
  })

  it('accepts a release only with an approval of its version and digest', () => {
    const publish = kit.publish('bank/kit', '1.0.0')
    expect(chain.run(owner, publish)).toBe('namespace_protected')
    const digest = releaseDigest('bank/kit', '1.0.0', kit.manifestOf())
    expect(chain.enacted([approve('package', 'kit@1.0.0', digest)])).toBeUndefined()
    const changed = kit.publish('bank/kit', '1.0.0', { manifest: kit.manifestOf({ description: 'other' }) })
    expect(chain.run(owner, changed)).toBe('namespace_protected')
    expect(chain.run(owner, publish), chain.message).toBeUndefined()
    expectUsed()
    expect(chain.run(owner, kit.publish('bank/kit', '1.0.1'))).toBe('namespace_protected')
  })

  it('accepts everything again after its protection was removed', () => {
    const open = instruction(gov.setProtectedNamespaces, { add: [], remove: ['bank'] })
    expect(chain.enacted([open], alice)).toBeUndefined()
    expect(chain.run(owner, kit.publish('bank/kit', '1.0.0')), chain.message).toBeUndefined()
    expect(chain.run(owner, contract.deploy(artifact, { domain: 'bank', alias: 'token@bank' }))).toBeUndefined()
  })
})
