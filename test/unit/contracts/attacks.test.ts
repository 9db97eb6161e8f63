/** Attacks by contracts on the ledger, other contracts and the node: they have no effect except their cost. */

import { afterEach, describe, expect, it, vi } from 'vitest'
import { artifacts, lines, states } from '../../../src/features/contracts/ledger/tables.js'
import { nestedCall } from '../../../src/features/contracts/schema/host-records.js'
import { instructions as contracts } from '../../../src/features/contracts/schema/instructions.js'
import { artifactHashOf } from '../../../src/features/contracts/schema/records.js'
import { balances } from '../../../src/ledger/tables.js'
import {
  type AccountId,
  type Instruction,
  instruction,
  keylessAccount,
  multisigAccount,
} from '../../../src/model/index.js'
import { Overlay } from '../../../src/state/index.js'
import { EngineFault, LoadedModule, TRAP } from '../../../src/vm/index.js'
import {
  addressOf,
  alice,
  bob,
  call,
  calledOf,
  contractBench,
  DROP,
  deploy,
  deployed,
  entry,
  handwritten,
  host,
  mallory,
  manifestOf,
  register,
} from '../../support/contracts.js'
import * as core from '../../support/core.js'
import type { Bench } from '../../support/executor.js'
import { NONE, op } from '../../support/vm/assembler.js'

const GOLD = 'gold#bank'
const goldOf = (bench: Bench, account: AccountId): bigint =>
  bench.state.get(balances, { definition: GOLD, account })?.mantissa ?? 0n
const carry = (...amounts: readonly bigint[]) =>
  amounts.map((mantissa) => ({ definition: GOLD, amount: { mantissa, scale: 0 } }))

/** Keeps `k`=`v`. */
const word = Buffer.alloc(128)
word.write('kv', 100)
const STORE = [...host('state_set', 100, 1, 101, 1), DROP]
const code = handwritten({ keep: STORE, upgrade: STORE, spin: [op.loop(NONE, [op.br(0)])] }, word)
const entries = [entry('keep', 'public', {}, { payable: true }), entry('spin'), entry('upgrade', 'upgrade')]
const manifest = manifestOf(code, entries, { upgradable: true })
const artifact = artifactHashOf(code, manifest)
const keptBy = (bench: Bench, storageId: AccountId): boolean =>
  bench.state.has(states, { storageId, key: Buffer.from('k') })
const refsOf = (bench: Bench): number | undefined => bench.state.get(artifacts, artifact)?.refs

describe('the account of a contract', () => {
  it('is created only by its deployment, and cannot be removed', () => {
    const bench = contractBench()
    const address = deployed(bench, code, manifest)
    const target = keylessAccount('contract', Buffer.alloc(32, 9))
    expect(bench.run(alice, core.registerAccount(target))).toBeDefined()
    expect(bench.run(alice, core.transfer(alice, target, 1n, GOLD))).toBe('unknown_account')
    expect(bench.run(alice, call(target, 'keep'))).toBe('contract_trap')
    expect(bench.run(alice, core.unregister('Account', address))).toBeDefined()
    expect(bench.state.has(lines, address)).toBe(true)
  })

  it('receives value like any other, and cannot be a member of a policy', () => {
    const bench = contractBench()
    const address = deployed(bench, code, manifest)
    expect(bench.run(alice, core.transfer(alice, address, 5n, GOLD))).toBeUndefined()
    expect(goldOf(bench, address)).toBe(5n)
    expect(bench.run(alice, core.transfer(address, alice, 5n, GOLD))).toBe('not_permitted')
    expect(bench.run(mallory, core.transfer(address, mallory, 1n, GOLD))).toBe('not_permitted')
    const policy = core.policyOf([[address, 1] as const, [alice, 1] as const], 1, 1_000)
    expect(bench.run(alice, core.registerMultisig(policy))).toBeDefined()
  })
})

describe('an artifact', () => {
  it('is registered once, counts its contracts, and can be registered again after its removal', () => {
    const bench = contractBench()
    const first = deployed(bench, code, manifest, { alias: 'one@bank' })
    expect(bench.run(alice, register(code, manifest))).toBe('exists')
    expect(refsOf(bench)).toBe(1)
    expect(bench.run(alice, deploy(artifact, { alias: 'one@bank', inherit: true }))).toBeUndefined()
    expect(refsOf(bench)).toBe(1)
    const second = addressOf(bench)
    expect(bench.run(alice, instruction(contracts.deactivateContract, { address: first, reason: 'x' }))).toBe(
      'contract_not_found',
    )
    const remove: Instruction = instruction(contracts.removeContractArtifact, { artifact })
    expect(bench.run(alice, remove)).toBe('contract_in_use')
    expect(
      bench.run(alice, instruction(contracts.deactivateContract, { address: second, reason: 'x' })),
    ).toBeUndefined()
    expect(refsOf(bench)).toBe(0)
    expect(bench.run(mallory, remove)).toBe('not_permitted')
    expect(bench.run(alice, remove)).toBeUndefined()
    expect([bench.run(alice, call(second, 'keep')), calledOf(bench).trap]).toEqual([
      'contract_trap',
      TRAP.contract_inactive,
    ])
    expect(bench.run(alice, deploy(artifact))).toBe('contract_not_found')
    expect(bench.run(alice, register(code, manifest))).toBeUndefined()
    expect(refsOf(bench)).toBe(0)
  })

  it('is not counted by a failed deployment', () => {
    const bench = contractBench()
    bench.run(alice, register(code, manifest))
    expect(bench.run(alice, deploy(artifact, { input: Buffer.of(1) }))).toBe('contract_invalid')
    expect(bench.run(mallory, deploy(artifact))).toBe('not_permitted')
    expect(refsOf(bench)).toBe(0)
  })
})

describe('the state of an upgradable contract', () => {
  it('passes to the next contract of its owner, not to the holder of the alias', () => {
    const bench = contractBench()
    const first = deployed(bench, code, manifest, { alias: 'one@bank' })
    expect(bench.run(alice, call(first, 'keep', { attach: carry(3n) }))).toBeUndefined()
    bench.genesis(alice, core.permission('grant', 'CanDeployContract', undefined, bob))
    bench.genesis(alice, core.permission('grant', 'CanManageContractAlias', 'bank', bob))
    expect(bench.run(bob, deploy(artifact, { alias: 'one@bank', inherit: true }))).toBe('contract_not_owner')
    expect(bench.run(bob, deploy(artifact, { alias: 'one@bank' }))).toBeUndefined()
    const taken = addressOf(bench)
    expect([keptBy(bench, taken), goldOf(bench, taken)]).toEqual([false, 0n])
    // The one before lost its name and nothing else.
    expect(bench.run(alice, call(first, 'keep'))).toBeUndefined()
    expect(goldOf(bench, first)).toBe(3n)
    expect(bench.run(alice, deploy(artifact, { alias: 'one@bank', inherit: true }))).toBe('contract_not_owner')
  })

  it('belongs to one contract at a time, even after two upgrades in one block', () => {
    const bench = contractBench()
    deployed(bench, code, manifest, { alias: 'one@bank' })
    const upgrade = deploy(artifact, { alias: 'one@bank', inherit: true })
    expect(bench.run(alice, upgrade, upgrade)).toBeUndefined()
    expect(refsOf(bench)).toBe(1)
  })
})

describe('the gas limit', () => {
  it.each([0, 1, 999])('of %i is exhausted before any code runs', (gasLimit) => {
    const bench = contractBench()
    const address = deployed(bench, code, manifest)
    expect(bench.run(alice, call(address, 'keep', { gasLimit, attach: carry(1n) }))).toBe('contract_trap')
    expect(calledOf(bench)).toMatchObject({ trap: TRAP.out_of_gas, gasUsed: gasLimit })
    expect([keptBy(bench, address), goldOf(bench, address)]).toEqual([false, 0n])
  })

  it('is refused above the limit of the chain, up to the largest integer', () => {
    const bench = contractBench()
    const address = deployed(bench, code, manifest)
    expect(bench.run(alice, call(address, 'keep', { gasLimit: 2_000_000 }))).toBeUndefined()
    expect(bench.run(alice, call(address, 'keep', { gasLimit: 2_000_001 }))).toBe('contract_limit')
    const largest = call(address, 'keep', { gasLimit: Number.MAX_SAFE_INTEGER })
    expect(bench.run(alice, largest)).toBe('contract_limit')
    expect(Number.isSafeInteger(bench.abi.costOf([largest, largest], 'record'))).toBe(true)
    expect(bench.abi.costOf([largest], 'record')).toBeGreaterThan(1e12)
  })

  it('is charged for the manifest before the manifest is read', () => {
    const bench = contractBench()
    const names = Array.from({ length: 100 }, (_, index) => `${'e'.repeat(50)}${index}`)
    const wide = handwritten(Object.fromEntries(names.map((name) => [name, STORE])), word)
    const address = deployed(
      bench,
      wide,
      manifestOf(
        wide,
        names.map((name) => entry(name)),
      ),
    )
    expect(bench.run(alice, call(address, 'nothing', { gasLimit: 5_000 }))).toBe('contract_trap')
    expect(calledOf(bench)).toMatchObject({ trap: TRAP.out_of_gas, gasUsed: 5_000 })
    expect(bench.last?.rejection?.message).toBe('trap out_of_gas (in nothing, 5000 of 5000 gas used)')
    expect(bench.run(alice, call(address, 'nothing', { gasLimit: 20_000 }))).toBe('contract_trap')
    expect(calledOf(bench).trap).toBe(TRAP.no_entrypoint)
    expect(calledOf(bench).gasUsed).toBeGreaterThan(5_000)
  })

  it('that is too low for the module traps before the module is read', () => {
    const bench = contractBench()
    // A module of its own: what was called before is in memory.
    const own = handwritten({ keep: [...STORE, ...STORE, ...STORE] }, word)
    const address = deployed(bench, own, manifestOf(own, [entry('keep')]))
    const asked = vi.spyOn(Overlay.prototype, 'getRow')
    expect(bench.run(alice, call(address, 'keep', { gasLimit: 600 }))).toBe('contract_trap')
    const tables = asked.mock.calls.map(([table]) => table.name)
    asked.mockRestore()
    expect([calledOf(bench).trap, tables.includes('contract_artifacts'), tables.includes('contract_code')]).toEqual([
      TRAP.out_of_gas,
      true,
      false,
    ])
  })

  it('includes the cost of a transfer for each attached asset', () => {
    const { abi } = contractBench()
    const costOf = (...amounts: readonly bigint[]): number =>
      abi.costOf([call(alice, 'keep', { attach: carry(...amounts) })], 'record')
    expect(costOf(1n, 1n, 1n) - costOf()).toBe(3 * 160)
  })

  it('is refunded except for the used part, never more than paid', () => {
    const bench = contractBench()
    const address = deployed(bench, code, manifest)
    for (const name of ['keep', 'spin', 'absent']) {
      bench.run(alice, call(address, name, { gasLimit: 100_000 }))
      const { gasUsed } = calledOf(bench)
      const given = Math.ceil(100_000 / 50) - Math.ceil(gasUsed / 50)
      expect((bench.last?.contentTeu ?? 0) + given).toBeGreaterThanOrEqual(0)
      expect((bench.last?.contentTeu ?? 0) + 2_000).toBeGreaterThanOrEqual(Math.ceil(gasUsed / 50))
    }
  })
})

describe('attached assets', () => {
  it('are not moved at all if the fifth of eight cannot be paid', () => {
    const bench = contractBench()
    const address = deployed(bench, code, manifest)
    const attach = carry(1n, 1n, 1n, 1n, 5_000n, 1n, 1n, 1n)
    expect(bench.run(alice, call(address, 'keep', { attach }))).toBe('not_enough')
    expect([goldOf(bench, address), goldOf(bench, alice)]).toEqual([0n, 1_000n])
    const paid = call(address, 'keep', { attach: carry(1n, 1n, 1n, 1n, 1n, 1n, 1n, 1n) })
    expect(bench.run(alice, paid)).toBeUndefined()
    expect([goldOf(bench, address), goldOf(bench, alice)]).toEqual([8n, 992n])
  })

  it('are refused if an amount is zero or a definition is unknown', () => {
    const bench = contractBench()
    const address = deployed(bench, code, manifest)
    expect(bench.run(alice, call(address, 'keep', { attach: carry(0n) }))).toBe('bad_amount')
    const attach = [{ definition: 'none#bank', amount: { mantissa: 1n, scale: 0 } }]
    expect(bench.run(alice, call(address, 'keep', { attach }))).toBe('absent')
  })
})

describe('an indirect call', () => {
  it('uses the authority of the trigger, within its depth limit, if a trigger starts it', () => {
    const bench = contractBench()
    const address = deployed(bench, code, manifest)
    bench.genesis(alice, core.permission('grant', 'CanWatchEvents', undefined, alice))
    const payable = call(address, 'keep', { attach: carry(1n), gasLimit: 60_000 })
    // Its transfer triggers it again, three levels deep; then the whole is refused.
    const trigger = core.registerTrigger('echo', alice, core.onData('asset', undefined, ['transferred']), [payable])
    expect(bench.run(alice, trigger)).toBeUndefined()
    expect(bench.run(alice, core.transfer(alice, bob, 1n, GOLD))).toBe('trigger_depth')
    expect([goldOf(bench, address), goldOf(bench, bob)]).toEqual([0n, 0n])
    bench.run(alice, core.unregister('Trigger', 'echo'))
    const quiet = call(address, 'keep', { gasLimit: 60_000 })
    bench.run(alice, core.registerTrigger('once', alice, core.BY_CALL, [quiet]))
    expect(bench.run(alice, core.callTrigger('once'))).toBeUndefined()
    expect([calledOf(bench).trap, keptBy(bench, address)]).toEqual([TRAP.ok, true])
  })

  it('uses the multisig account if it is part of a proposal', () => {
    const bench = contractBench()
    const policy = core.policyOf([[alice, 1] as const, [bob, 1] as const], 2, 10_000)
    const account = multisigAccount(policy)
    bench.run(alice, core.registerMultisig(policy))
    bench.run(alice, core.transfer(alice, account, 10n, GOLD))
    const address = deployed(bench, code, manifest)
    bench.run(alice, core.propose(account, call(address, 'keep', { attach: carry(4n), gasLimit: 60_000 })))
    expect(bench.last?.rejection).toBeUndefined()
    expect(bench.run(bob, core.approve(account, core.lastProposal(bench.events)))).toBeUndefined()
    expect([goldOf(bench, address), goldOf(bench, account), keptBy(bench, address)]).toEqual([4n, 6n, true])
  })

  it('shares one result with the other calls of its transaction: total gas, and the trap of the failed call', () => {
    const bench = contractBench()
    const address = deployed(bench, code, manifest)
    bench.run(alice, call(address, 'keep'))
    const { gasUsed } = calledOf(bench)
    expect(bench.run(alice, call(address, 'keep'), call(address, 'keep'))).toBeUndefined()
    expect(calledOf(bench).gasUsed).toBe(2 * gasUsed)
    expect(bench.run(alice, call(address, 'keep'), call(address, 'spin', { gasLimit: 40_000 }))).toBe('contract_trap')
    expect(calledOf(bench)).toMatchObject({ trap: TRAP.out_of_gas, gasUsed: gasUsed + 40_000 })
  })
})

describe('a nested call', () => {
  /** Calls what its input says, and keeps the status. */
  const echo = handwritten(
    {
      keep: STORE,
      emit: [...host('event', 100, 1, 101, 1), op.plain(0x00)],
      go: [
        ...[...host('input', 1_024, 0, 4_096), op.set(0)],
        ...[op.i32(904), ...host('call', 1_024, op.get(0)), op.memory(0x36, 2, 0)],
        ...[...host('state_set', 101, 1, 904, 4), DROP],
      ],
    },
    word,
  )
  const echoManifest = manifestOf(echo, [entry('keep'), entry('emit'), entry('go')])
  const recordOf = (address: AccountId, entrypoint: string, input: Buffer = Buffer.alloc(0)): Buffer =>
    nestedCall.encode({ address, entrypoint, input, gas: 200_000, attach: [] })
  const statusOf = (bench: Bench, storageId: AccountId): number => {
    const value = bench.state.get(states, { storageId, key: Buffer.from('v') })
    return value === undefined ? -1 : Buffer.from(value).readUInt32LE(0)
  }

  it('cannot re-enter a running contract, such as the calling contract or its caller', () => {
    const bench = contractBench()
    const first = deployed(bench, echo, echoManifest)
    expect(bench.run(alice, call(first, 'go', { input: recordOf(first, 'keep') }))).toBeUndefined()
    expect([statusOf(bench, first), keptBy(bench, first)]).toEqual([TRAP.reentrant, false])
    bench.run(alice, deploy(artifactHashOf(echo, echoManifest)))
    const second = addressOf(bench)
    const back = recordOf(second, 'go', recordOf(first, 'keep'))
    expect(bench.run(alice, call(first, 'go', { input: back }))).toBeUndefined()
    expect([statusOf(bench, first), statusOf(bench, second)]).toEqual([TRAP.ok, TRAP.reentrant])
  })

  it('emits no events if it fails, and does not change the event hash', () => {
    const bench = contractBench()
    const first = deployed(bench, echo, echoManifest)
    bench.run(alice, deploy(artifactHashOf(echo, echoManifest)))
    const run = bench.run(alice, call(first, 'go', { input: recordOf(addressOf(bench), 'emit') }))
    expect([run, statusOf(bench, first)]).toEqual([undefined, TRAP.unreachable])
    const { events } = calledOf(bench)
    expect(bench.run(alice, call(first, 'keep'))).toBeUndefined()
    expect(calledOf(bench).events).toEqual(events)
  })
})

describe('the engine', () => {
  afterEach(() => vi.restoreAllMocks())

  it('throws on its own internal faults instead of returning a result', () => {
    const bench = contractBench()
    const address = deployed(bench, code, manifest)
    vi.spyOn(LoadedModule.prototype, 'lowered').mockImplementation(() => {
      throw new EngineFault('no memory')
    })
    expect(() => bench.run(alice, call(address, 'keep'))).toThrow(EngineFault)
    vi.restoreAllMocks()
    // The stack that calls share is as it was.
    expect(bench.run(alice, call(address, 'keep'))).toBeUndefined()
  })
})

describe('an internal fault in a call', () => {
  afterEach(() => vi.restoreAllMocks())

  it('costs the whole gas limit, like an endless loop', () => {
    const bench = contractBench()
    const address = deployed(bench, code, manifest)
    const limit = { gasLimit: 100_000 }
    expect(bench.run(alice, call(address, 'spin', limit))).toBe('contract_trap')
    const whole = bench.last?.contentTeu
    vi.spyOn(LoadedModule.prototype, 'lowered').mockImplementation(() => {
      throw new Error('a check is missing')
    })
    expect(bench.run(alice, call(address, 'keep', limit))).toBe('executor_fault')
    expect(bench.last?.contentTeu).toBe(whole)
  })

  it('does not occur if attached assets cannot be paid, and no gas is used', () => {
    const bench = contractBench()
    const address = deployed(bench, code, manifest)
    const whole = Math.ceil(100_000 / 50)
    expect(bench.run(bob, call(address, 'keep', { gasLimit: 100_000, attach: carry(5n) }))).toBe('not_enough')
    expect(bench.last?.contentTeu).toBeLessThan(-whole / 2)
  })
})
