/** Calls of contracts by contracts and from outside: what each sees, what comes back, what a failure leaves. */

import { describe, expect, it, vi } from 'vitest'
import { ABI_2 } from '../../../src/features/abi.js'
import { instructions as accounts } from '../../../src/features/accounts/schema.js'
import { instructions as assets } from '../../../src/features/assets/schema/instructions.js'
import { lines, states } from '../../../src/features/contracts/ledger/tables.js'
import { nestedCall } from '../../../src/features/contracts/schema/host-records.js'
import { instructions as contracts } from '../../../src/features/contracts/schema/instructions.js'
import { artifactHashOf } from '../../../src/features/contracts/schema/records.js'
import { instructions as metadata } from '../../../src/features/metadata/schema.js'
import { aliases, balances } from '../../../src/ledger/tables.js'
import { type AccountId, anyInstruction, type Instruction, instruction } from '../../../src/model/index.js'
import { TRAP } from '../../../src/vm/index.js'
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

const goldOf = (bench: Bench, account: AccountId): bigint =>
  bench.state.get(balances, { definition: 'gold#bank', account })?.mantissa ?? 0n
const carry = (amount: bigint) => [{ definition: 'gold#bank', amount: { mantissa: amount, scale: 0 } }]

/** Keeps `k`=`v`, then does something. */
const STORE = [...host('state_set', 100, 1, 101, 1), DROP]
const word = Buffer.alloc(128)
word.write('kv', 100)

/** A contract that keeps something and traps, aborts or ends as its entrypoint says. */
function leafOf(bench: Bench): AccountId {
  const code = handwritten(
    {
      keep: [...STORE, ...host('event', 100, 1, 101, 1), ...host('output', 100, 2)],
      trap: [...STORE, ...host('event', 100, 1, 101, 1), op.plain(0x00)],
      spin: [op.loop(NONE, [op.br(0)])],
      quit: [...STORE, ...host('abort', 7, 100, 2)],
      peek: [...host('state_get', 100, 1, 0, 8), DROP, ...host('output', 0, 1)],
      sneak: STORE,
    },
    word,
  )
  const manifest = manifestOf(code, [
    entry('keep', 'public', {}, { payable: true }),
    entry('trap', 'public', {}, { payable: true }),
    entry('spin'),
    entry('quit'),
    entry('peek', 'view'),
    entry('sneak', 'view'),
  ])
  return deployed(bench, code, manifest)
}

/** A contract that calls another by a record that stands in its memory, and keeps the status under `s`. */
function callerOf(bench: Bench, record: Uint8Array, more: readonly ReturnType<typeof op.i32>[] = []): AccountId {
  const data = Buffer.alloc(1_024)
  data.write('s', 900)
  Buffer.from(record).copy(data)
  const code = handwritten(
    {
      go: [
        ...[op.i32(904), ...host('call', 0, record.length), op.memory(0x36, 2, 0)],
        ...host('state_set', 900, 1, 904, 4),
        DROP,
        ...more,
      ],
    },
    data,
  )
  return deployed(bench, code, manifestOf(code, [entry('go', 'public', {}, { payable: true })], { name: 'caller' }))
}
const recordOf = (address: AccountId, entrypoint: string, more: object = {}): Buffer =>
  nestedCall.encode({ address, entrypoint, input: Buffer.alloc(0), gas: 100_000, attach: [], ...more })
const statusOf = (bench: Bench, storageId: AccountId): number | undefined => {
  const value = bench.state.get(states, { storageId, key: Buffer.from('s') })
  return value === undefined ? undefined : Buffer.from(value).readUInt32LE(0)
}
const keptBy = (bench: Bench, storageId: AccountId): boolean =>
  bench.state.has(states, { storageId, key: Buffer.from('k') })

describe('an external call', () => {
  it('stores state, emits events and returns bytes', () => {
    const bench = contractBench()
    const leaf = leafOf(bench)
    expect(bench.run(bob, call(leaf, 'keep'))).toBeUndefined()
    expect(keptBy(bench, leaf)).toBe(true)
    expect(bench.state.get(lines, leaf)).toMatchObject({ keys: 1, bytes: 2 })
    expect(bench.eventKinds.slice(-2)).toEqual(['contractEvent', 'contractCalled'])
    expect(bench.run(bob, call(leaf, 'peek'))).toBeUndefined()
  })

  it.each([
    ['trap', TRAP.unreachable, 0],
    ['spin', TRAP.out_of_gas, 0],
    ['quit', TRAP.aborted, 7],
    ['sneak', TRAP.write_in_view, 0],
    ['nothing', TRAP.no_entrypoint, 0],
  ] as const)('has no effect except its cost if it ends in %s', (name, trap, abortCode) => {
    const bench = contractBench()
    const leaf = leafOf(bench)
    const eventsBefore = bench.events.length
    expect(bench.run(bob, call(leaf, name, { gasLimit: 60_000 }))).toBe('contract_trap')
    expect(calledOf(bench)).toMatchObject({ trap, abortCode })
    expect(keptBy(bench, leaf)).toBe(false)
    expect(bench.events.length).toBe(eventsBefore)
    if (name === 'spin') expect(calledOf(bench).gasUsed).toBe(60_000)
  })

  it('moves its attached assets before it runs, and returns them if it fails', () => {
    const bench = contractBench()
    const leaf = leafOf(bench)
    expect(bench.run(alice, call(leaf, 'keep', { attach: carry(5n) }))).toBeUndefined()
    expect([goldOf(bench, alice), goldOf(bench, leaf)]).toEqual([995n, 5n])
    expect(bench.run(alice, call(leaf, 'trap', { attach: carry(5n) }))).toBe('contract_trap')
    expect([goldOf(bench, alice), goldOf(bench, leaf)]).toEqual([995n, 5n])
    expect(bench.run(alice, call(leaf, 'spin', { attach: carry(5n) }))).toBe('contract_trap')
    expect(calledOf(bench).trap).toBe(TRAP.not_permitted)
    // An account without assets attaches none.
    expect(bench.run(bob, call(leaf, 'keep', { attach: carry(5n) }))).toBe('not_enough')
  })

  it('traps if it attaches assets to a view', () => {
    const bench = contractBench()
    const leaf = leafOf(bench)
    for (const [attach, trap] of [
      [[], TRAP.ok],
      [carry(1n), TRAP.write_in_view],
    ] as const) {
      const record = recordOf(leaf, 'peek', { attach })
      const code = handwritten({ look: [...host('call', 0, record.length), DROP] }, record)
      const viewer = deployed(
        bench,
        code,
        manifestOf(code, [entry('look', 'view')], { name: `viewer_${attach.length}` }),
      )
      bench.run(alice, call(viewer, 'look'))
      expect(calledOf(bench).trap).toBe(trap)
    }
  })

  it('is charged for the gas used, independent of its gas limit', () => {
    const bench = contractBench()
    const leaf = leafOf(bench)
    const costs = [100_000, 1_000_000].map((gasLimit) => {
      bench.run(bob, call(leaf, 'keep', { gasLimit }))
      return ABI_2.costOf([call(leaf, 'keep', { gasLimit })], 'record') + (bench.last?.contentTeu ?? 0)
    })
    bench.run(bob, call(leaf, 'keep'))
    expect(costs[1]).toBeLessThanOrEqual((costs[0] as number) + 1)
    expect(bench.run(bob, call(leaf, 'keep', { gasLimit: 2_000_001 }))).toBe('contract_limit')
  })

  it('traps if no contract exists at its address', () => {
    const bench = contractBench()
    expect(bench.run(bob, call(alice, 'keep'))).toBe('contract_trap')
    expect(calledOf(bench).trap).toBe(TRAP.contract_inactive)
  })
})

describe('a call by a contract', () => {
  it.each([
    ['keep', TRAP.ok, true],
    ['trap', TRAP.unreachable, false],
    ['quit', TRAP.aborted, false],
    ['none', TRAP.no_entrypoint, false],
  ] as const)('of entrypoint %s returns its status, and the caller continues', (name, status, kept) => {
    const bench = contractBench()
    const leaf = leafOf(bench)
    const caller = callerOf(bench, recordOf(leaf, name))
    const eventsBefore = bench.events.length
    expect(bench.run(bob, call(caller, 'go'))).toBeUndefined()
    expect([statusOf(bench, caller), keptBy(bench, leaf)]).toEqual([status, kept])
    expect(bench.eventKinds.slice(eventsBefore)).toEqual(
      kept ? ['contractEvent', 'contractCalled'] : ['contractCalled'],
    )
  })

  it('leaves a sixty-fourth of the gas to the caller if its own gas is exhausted', () => {
    const bench = contractBench()
    const leaf = leafOf(bench)
    const caller = callerOf(bench, recordOf(leaf, 'spin', { gas: 10_000_000 }))
    expect(bench.run(bob, call(caller, 'go', { gasLimit: 1_000_000 }))).toBeUndefined()
    expect(statusOf(bench, caller)).toBe(TRAP.out_of_gas)
    expect(calledOf(bench).gasUsed).toBeGreaterThan(980_000)
  })

  it('is reverted if the caller traps', () => {
    const bench = contractBench()
    const leaf = leafOf(bench)
    const caller = callerOf(bench, recordOf(leaf, 'keep'), [op.plain(0x00)])
    expect(bench.run(bob, call(caller, 'go'))).toBe('contract_trap')
    expect(keptBy(bench, leaf)).toBe(false)
  })

  it('pays attached assets from the account of the calling contract', () => {
    const bench = contractBench()
    const leaf = leafOf(bench)
    const caller = callerOf(bench, recordOf(leaf, 'keep', { attach: carry(3n) }))
    expect(bench.run(alice, call(caller, 'go', { attach: carry(5n) }))).toBeUndefined()
    expect([goldOf(bench, caller), goldOf(bench, leaf)]).toEqual([2n, 3n])
    // Nothing is left for a second time but two: the callee is not run.
    expect(bench.run(alice, call(caller, 'go'))).toBeUndefined()
    expect(statusOf(bench, caller)).toBe(TRAP.not_permitted)
  })

  it('cannot enter a running contract, and cannot exceed eight levels', () => {
    const bench = contractBench()
    const leaf = leafOf(bench)
    let next = callerOf(bench, recordOf(leaf, 'keep'))
    const chain = [next]
    for (let depth = 0; depth < 8; depth += 1) {
      next = callerOf(bench, recordOf(next, 'go', { gas: 400_000 }))
      chain.push(next)
    }
    expect(bench.run(bob, call(next, 'go', { gasLimit: 2_000_000 }))).toBeUndefined()
    // Nine of them stand above the leaf: the ninth is refused by the eighth.
    expect(statusOf(bench, chain[1] as AccountId)).toBe(TRAP.call_depth)
    expect(statusOf(bench, chain[0] as AccountId)).toBeUndefined()
  })
})

describe('an instruction of a contract', () => {
  /** A contract that runs an instruction that stands in its memory, and keeps what it came to. */
  function executing(bench: Bench, make: (self: AccountId) => Instruction): AccountId {
    const code = (bytes: Uint8Array): Uint8Array => {
      const data = Buffer.alloc(1_024)
      data.write('s', 900)
      Buffer.from(bytes).copy(data)
      return handwritten(
        {
          go: [
            ...[op.i32(904), ...host('execute', 0, bytes.length), op.memory(0x36, 2, 0)],
            ...[...host('state_set', 900, 1, 904, 4), DROP],
          ],
        },
        data,
      )
    }
    const manifest = (module: Uint8Array) =>
      manifestOf(module, [entry('go', 'public', {}, { payable: true })], { name: 'runs' })
    // The address does not depend on the code: a first one says what the next will be.
    const probe = contractBench()
    const first = code(Buffer.alloc(1))
    const self = deployed(probe, first, manifest(first))
    const module = code(anyInstruction.encode(make(self), ABI_2.codec('cw')))
    expect(deployed(bench, module, manifest(module))).toBe(self)
    return self
  }
  const transfer = (from: AccountId, to: AccountId): Instruction =>
    instruction(assets.transfer, {
      asset: { definition: 'gold#bank', account: from },
      to,
      amount: { mantissa: 5n, scale: 0 },
    })

  it('acts as the account of the contract, and cannot use the account of the caller of the contract', () => {
    const bench = contractBench()
    const own = executing(bench, (self) => transfer(self, bob))
    expect(bench.run(alice, call(own, 'go', { attach: carry(5n) }))).toBeUndefined()
    expect([statusOf(bench, own), goldOf(bench, bob), goldOf(bench, alice)]).toEqual([0, 5n, 995n])

    const other = contractBench()
    const thief = executing(other, () => transfer(alice, mallory))
    expect(other.run(alice, call(thief, 'go'))).toBeUndefined()
    expect(statusOf(other, thief)).toBe(ABI_2.errorNumbers.get('not_permitted'))
    expect(goldOf(other, mallory)).toBe(0n)
  })

  it('is refused if its kind is not supported', () => {
    const bench = contractBench()
    const own = executing(bench, () => call(alice, 'keep'))
    expect(bench.run(alice, call(own, 'go'))).toBe('contract_trap')
    expect(calledOf(bench).trap).toBe(TRAP.host_argument)
  })

  it('is decoded only after payment: JSON costs gas by its bytes, and unsupported kinds are never decoded', () => {
    const bench = contractBench()
    const asked = vi.spyOn(anyInstruction, 'decode')
    const stored = executing(bench, (self) => core.registerTrigger('t', self, core.BY_CALL, [call(alice, 'keep')]))
    expect(bench.run(alice, call(stored, 'go'))).toBe('contract_trap')
    expect([calledOf(bench).trap, asked.mock.calls.length]).toEqual([TRAP.host_argument, 0])
    const json = Object.fromEntries(Array.from({ length: 60 }, (_, at) => [`k${at}`, at]))
    const other = contractBench()
    const keeps = executing(other, (self) =>
      instruction(metadata.setKeyValue, { target: { kind: 'account', value: self }, key: 'k', value: json }),
    )
    expect(other.run(alice, call(keeps, 'go', { gasLimit: 10_000 }))).toBe('contract_trap')
    expect([calledOf(other).trap, asked.mock.calls.length]).toEqual([TRAP.out_of_gas, 1])
    asked.mockRestore()
  })

  it('is refused if the account of the contract is frozen', () => {
    const bench = contractBench()
    const own = executing(bench, (self) => transfer(self, bob))
    bench.run(
      alice,
      instruction(assets.setFreeze, {
        asset: { definition: 'gold#bank', account: own },
        frozen: true,
        reason: undefined,
      }),
    )
    expect(bench.last?.rejection).toBeUndefined()
    expect(bench.run(alice, call(own, 'go', { attach: carry(5n) }))).toBeUndefined()
    expect(statusOf(bench, own)).not.toBe(0)
    expect(goldOf(bench, bob)).toBe(0n)
  })
})

describe('the life of a contract', () => {
  const code = handwritten({ keep: STORE, init: STORE, upgrade: [], only: [] }, word)
  const entries = [entry('keep'), entry('init', 'init'), entry('only', 'public', {}, { permission: 'owner' })]

  it('begins with a permitted deployment, under an alias of the domain owner', () => {
    const bench = contractBench()
    const manifest = manifestOf(code, entries)
    const artifact = artifactHashOf(code, manifest)
    expect(bench.run(bob, register(code, manifest))).toBe('not_permitted')
    expect(bench.run(alice, register(code, manifest))).toBeUndefined()
    expect(bench.run(alice, register(code, manifest))).toBe('exists')
    expect(bench.run(bob, deploy(artifact))).toBe('not_permitted')
    expect(bench.run(alice, deploy(Buffer.alloc(32)))).toBe('contract_not_found')
    expect(bench.run(alice, deploy(artifact, { alias: 'app@elsewhere' }))).toBe('absent')
    expect(bench.run(alice, deploy(artifact, { alias: 'app@bank' }))).toBeUndefined()
    const account = bench.state.get(aliases, { domain: 'bank', label: 'app' })!
    expect(bench.run(alice, instruction(accounts.setLabel, { account, label: 'treasury' }))).toBe('not_permitted')
    expect(bench.state.get(aliases, { domain: 'bank', label: 'app' })).toBe(account)
    const first = addressOf(bench)
    expect(bench.run(bob, call(first, 'init'))).toBe('contract_trap')
    expect(bench.run(bob, call(first, 'only'))).toBe('contract_trap')
    expect(calledOf(bench).trap).toBe(TRAP.not_permitted)
    expect(bench.run(alice, call(first, 'only'))).toBeUndefined()
    expect(bench.run(alice, instruction(contracts.removeContractArtifact, { artifact }))).toBe('contract_in_use')
  })

  it('continues in the next contract of its owner, which inherits the state if the manifest allows it', () => {
    const bench = contractBench()
    const fixed = manifestOf(code, entries)
    const open = manifestOf(code, [...entries, entry('upgrade', 'upgrade')], { upgradable: true })
    const old = deployed(bench, code, fixed, { alias: 'app@bank' })
    const inherit = { alias: 'app@bank', inherit: true }
    expect(bench.run(alice, register(code, open))).toBeUndefined()
    const next = artifactHashOf(code, open)
    expect(bench.run(alice, deploy(next, inherit))).toBe('contract_not_upgradable')
    expect(bench.run(alice, deploy(next, { alias: 'app@bank' }))).toBeUndefined()
    const second = addressOf(bench)
    expect(bench.run(bob, call(old, 'keep'))).toBeUndefined()
    expect(bench.run(alice, deploy(next, inherit))).toBeUndefined()
    const third = addressOf(bench)
    expect(bench.run(bob, call(second, 'keep'))).toBe('contract_trap')
    expect(calledOf(bench).trap).toBe(TRAP.contract_inactive)
    expect(bench.run(bob, call(third, 'keep'))).toBeUndefined()
    expect(bench.state.get(lines, second)).toMatchObject({ active: third, keys: 1 })
    expect(bench.state.has(lines, third)).toBe(false)
  })

  it('ends when its owner removes it; an unused artifact can then be removed', () => {
    const bench = contractBench()
    const manifest = manifestOf(code, entries)
    const address = deployed(bench, code, manifest)
    const end = instruction(contracts.deactivateContract, { address, reason: 'done' })
    expect(bench.run(bob, end)).toBe('contract_not_owner')
    expect(bench.run(alice, end)).toBeUndefined()
    expect(bench.run(alice, end)).toBe('contract_not_found')
    expect(bench.run(bob, call(address, 'keep'))).toBe('contract_trap')
    const artifact = artifactHashOf(code, manifest)
    expect(bench.run(bob, instruction(contracts.removeContractArtifact, { artifact }))).toBe('not_permitted')
    expect(bench.run(alice, instruction(contracts.removeContractArtifact, { artifact }))).toBeUndefined()
    expect(bench.run(alice, instruction(accounts.unregisterAccount, { id: address }))).toBe('not_permitted')
  })
})
